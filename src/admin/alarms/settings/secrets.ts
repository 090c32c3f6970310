/** Seals and opens the secrets of alarms: the webhook's signing secret and the mail password. */
import type { Secrets } from '../../../db/secrets/keys.ts';
import { type ListSecrets, replaceIn } from '../../../db/secrets/reseal.ts';
import { readRows } from '../../../settings/store.ts';
import { AdminError } from '../../errors.ts';

export type AlarmSecrets = Pick<Secrets, 'seal' | 'open'>;

/** The rows of the settings that hold them. */
export const secretRows = {
  webhook: 'alarms_webhook_secret',
  mail: 'alarms_mail_password',
} as const;

type SecretName = keyof typeof secretRows;

const placeOf = (name: SecretName): string => `settings value ${secretRows[name]}`;

export const sealSecret = (
  secrets: Pick<Secrets, 'seal'>,
  name: SecretName,
  text: string,
): string => {
  const sealed = secrets.seal(text, placeOf(name));
  if (sealed === undefined) throw new AdminError('SECRETS_KEY_MISSING');
  return sealed;
};

/** Undefined if no key here opens it. */
export const openSecret = (
  secrets: Pick<Secrets, 'open'>,
  name: SecretName,
  sealed: string,
): string | undefined => {
  const opened = secrets.open(sealed, placeOf(name));
  return opened.kind === 'open' ? opened.text : undefined;
};

/** Both secrets, for sealing them under another key. */
export const alarmSecrets: ListSecrets = async (db) => {
  const rows = await readRows(db);
  const secrets = (['webhook', 'mail'] as const).flatMap((name) => {
    const kept = rows.get(secretRows[name]);
    if (kept === undefined) return [];
    const cell = { table: 'settings', column: 'value', key: 'name', id: secretRows[name] } as const;
    const title = name === 'webhook' ? 'webhook of alarms' : 'mail password of alarms';
    return [{ name: title, place: placeOf(name), kept, replace: replaceIn(cell, kept) }];
  });
  return { secrets, next: undefined };
};
