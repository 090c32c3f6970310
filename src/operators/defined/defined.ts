/** Finds the suppliers that the console defines, beside those of the configuration file. Pure. */
import type { ConnectionConfig } from '../../config/config.ts';
import type { SupplierRow } from './store.ts';

export type Defined = {
  /** Its connector is ''; what the console chose is among its settings. */
  readonly config: ConnectionConfig;
  /** Whether the file gives its name to another. Then it is not used here. */
  readonly isNameTaken: boolean;
};

/** The file wins: one whose number it has is the file's. */
export const definedIn = (
  rows: readonly SupplierRow[],
  inFile: readonly Pick<ConnectionConfig, 'id' | 'name'>[],
): readonly Defined[] => {
  const ids = new Set(inFile.map(({ id }) => id));
  const names = new Set(inFile.map(({ name }) => name));
  return rows
    .filter(({ id }) => !ids.has(id))
    .map(({ id, name, name_en: en, name_fa: fa, account_group: group }) => ({
      config: {
        id,
        name,
        names: { en, fa },
        connector: '',
        settings: {},
        ...(group === null ? {} : { group }),
      },
      isNameTaken: names.has(name),
    }));
};
