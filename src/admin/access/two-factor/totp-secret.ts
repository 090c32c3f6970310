/** Stores two-factor secrets: sealed if there is a key, in plain text otherwise. */
import type { Secrets } from '../../../db/secrets/keys.ts';
import { secretsIn } from '../../../db/secrets/reseal.ts';
import { AdminError } from '../../errors.ts';
import type { AccountRow } from '../store.ts';

type Column = 'totp_secret' | 'totp_pending';

const placeOf = (column: Column, accountId: string): string =>
  `admin_accounts ${column} ${accountId}`;

/** The stored form of a secret. */
export const sealSecret = (
  secrets: Pick<Secrets, 'seal'>,
  column: Column,
  accountId: string,
  secret: string,
): string => secrets.seal(secret, placeOf(column, accountId)) ?? secret;

/** The secret in a column; null if there is none. */
export const readSecret = (
  secrets: Pick<Secrets, 'isSealed' | 'open'>,
  column: Column,
  { id, [column]: kept }: AccountRow,
): string | null => {
  if (kept === null || !secrets.isSealed(kept)) return kept;
  const opened = secrets.open(kept, placeOf(column, id));
  if (opened.kind === 'closed') throw new AdminError('SECRET_UNREADABLE');
  return opened.text;
};

/** The value to store instead, if the secret is unsealed or sealed under an old key. */
export const resealed = (
  secrets: Secrets,
  account: AccountRow,
): Pick<AccountRow, 'totp_secret'> | undefined => {
  const secret = readSecret(secrets, 'totp_secret', account);
  if (secret === null || secrets.isCurrent(account.totp_secret ?? '')) return undefined;
  const kept = sealSecret(secrets, 'totp_secret', account.id, secret);
  return kept === secret ? undefined : { totp_secret: kept };
};

/** The secrets of all second factors. */
export const totpSecrets = secretsIn({
  table: 'admin_accounts',
  columns: ['totp_secret', 'totp_pending'],
  title: 'name',
  nameOf: (name) => `second factor of ${name}`,
  placeOf,
});
