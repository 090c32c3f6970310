/** Seals an operator's settings for its row, and opens them. */
import type { OperatorConfig } from '../../config/config.ts';
import type { Connector } from '../../connector/connector.ts';
import { checkSettings, type Settings } from '../../connector/settings/check.ts';
import type { Secrets } from '../../db/secrets/keys.ts';
import { type ListSecrets, replaceIn } from '../../db/secrets/reseal.ts';
import { showCode } from '../../lib/json/show-value.ts';
import type { Text } from '../../lib/text.ts';
import { listSettings, type SettingsRow } from './store.ts';

/** The version of settings that were never changed from the console. */
export const versionOfFile = 'file';

type Row = Pick<SettingsRow, 'operator_id' | 'connector'>;

const placeOf = ({ operator_id, connector }: Row): string =>
  `operator_settings sealed ${operator_id} ${connector}`;

/** Undefined without a key to seal with. */
export const sealSettings = (
  secrets: Pick<Secrets, 'seal'>,
  row: Row,
  settings: Settings,
): string | undefined => secrets.seal(JSON.stringify(settings), placeOf(row));

/** An operator's settings from the console, or why they cannot be used. */
export type Stored =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'unusable'; readonly why: Text };

const parsed = (text: string): Settings => {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

export const openSettings = (
  secrets: Pick<Secrets, 'open'>,
  row: SettingsRow,
  connector: Connector,
): Stored => {
  const opened = secrets.open(row.sealed, placeOf(row));
  if (opened.kind === 'closed') {
    const en = `its settings from the console cannot be read: ${opened.why}`;
    const fa = 'تنظیمات ذخیره‌شدهٔ کنسول خوانده نمی‌شود. کلید رمزنگاری را بررسی کنید';
    return { kind: 'unusable', why: { en, fa } };
  }
  const settings = parsed(opened.text);
  const checked = checkSettings(connector, settings);
  if (checked.kind === 'fit') return { kind: 'settings', settings };
  const en = `its settings from the console do not fit: ${checked.fault}`;
  const fields = Object.keys(checked.errors).map(showCode).join('، ');
  return { kind: 'unusable', why: { en, fa: `تنظیمات ذخیره‌شدهٔ کنسول معتبر نیست: ${fields}` } };
};

/** All operators' settings, for sealing them under another key. Content and version stay. */
export const operatorSecrets: ListSecrets = async (db) => {
  // After a reset in the console nothing is stored.
  const rows = (await listSettings(db)).filter(({ sealed }) => sealed !== '');
  const cell = { table: 'operator_settings', column: 'sealed', key: 'operator_id' } as const;
  const secrets = rows.map(({ operator_id: id, connector, sealed: kept }) => ({
    name: `settings of operator ${id}`,
    place: placeOf({ operator_id: id, connector }),
    kept,
    replace: replaceIn({ ...cell, id }, kept),
  }));
  return { secrets, next: undefined };
};

/**
 * The row in force. One written while the file named another connector is ignored: a change of the file wins.
 * An operator without a connector has the name ''.
 */
export const rowFor = (
  { id, connector }: Pick<OperatorConfig, 'id' | 'connector'>,
  rows: readonly SettingsRow[],
): SettingsRow | undefined =>
  rows.find(
    (row) =>
      row.operator_id === id &&
      row.connector !== '' &&
      (row.chosen_over ?? row.connector) === connector,
  );
