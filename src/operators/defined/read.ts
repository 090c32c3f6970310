/** Reads all that products can be ordered from: the configuration's, and the suppliers that the console defines. */
import type { Config } from '../../config/config.ts';
import type { Db } from '../../db/types.ts';
import { type Defined, definedIn } from './defined.ts';
import { listSuppliers } from './store.ts';

export type KnownConnection = Defined & { readonly definedBy: 'file' | 'console' };

/** In this order: the operators of the configuration, its suppliers, those of the console. */
export const readConnections = async (
  db: Db,
  { operators, unconnected, suppliers }: Pick<Config, 'operators' | 'unconnected' | 'suppliers'>,
): Promise<readonly KnownConnection[]> => {
  const inFile = [...operators, ...unconnected, ...suppliers];
  const defined = definedIn(await listSuppliers(db), inFile);
  return [
    ...inFile.map((config) => ({ config, isNameTaken: false, definedBy: 'file' }) as const),
    ...defined.map((one) => ({ ...one, definedBy: 'console' }) as const),
  ];
};
