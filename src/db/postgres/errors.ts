/** Classifies PostgreSQL errors: whether anything was committed, and whether the server is down. */

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Whether an error means that another transaction has locked a row. It concerns users of the row, not the
 * whole database; nothing of the transaction was committed.
 */
export const isRowLocked = (error: unknown): boolean => codeOf(error) === '55P03';

/** Whether a statement failed because the table's columns or types have changed since it was prepared. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' &&
  error instanceof Error &&
  // The message is in the server's language; the routine that raised it is not.
  Reflect.get(error, 'routine') === 'RevalidateCachedQuery';

/** Whether a statement has failed by itself because it could not write all of its rows: a division by zero. */
export const isIncomplete = (error: unknown): boolean => codeOf(error) === '22012';

/** Errors that prove that nothing of their transaction was or will be committed. */
const notCommitted = new WeakSet<object>();

/** Errors of statements whose commit was sent with them: it may have been done. */
const inDoubt = new WeakSet<object>();

const isObject = (error: unknown): error is object => typeof error === 'object' && error !== null;

/** An error in doubt never becomes a proof. */
export const recordProof = (error: unknown, proof: boolean): void => {
  if (proof && isObject(error) && !inDoubt.has(error)) notCommitted.add(error);
};

export const recordDoubt = (error: unknown): void => {
  if (isObject(error)) inDoubt.add(error);
};

export const isPostgresRolledBack = (error: unknown): boolean =>
  isObject(error) && notCommitted.has(error);

// Classes of temporary errors: no connection, too few resources, operator intervention, I/O.
const awayCodes = /^(08|53|57P|58)|^(57014|25006|25P0[34])$/;

const awaySystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

const awayMessages =
  /connection (terminated|timeout|ended|error)|timeout exceeded|read timeout|not queryable|establishing an SSL connection/i;

const unknownCa = 'it was not signed by a CA that is known here';

/** What is wrong with a certificate, by the code of OpenSSL. */
const certificateFaults: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknownCa],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownCa],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownCa],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownCa],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownCa],
  ['CERT_UNTRUSTED', unknownCa],
  ['CERT_SIGNATURE_FAILURE', 'its signature is wrong'],
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['CERT_REVOKED', 'it was revoked'],
  ['INVALID_CA', 'what signed it is no CA'],
  ['INVALID_PURPOSE', 'it is not for a server'],
]);

const withoutProof = 'To connect without this proof on purpose, set sslmode=require';
const orSetting = 'in DATABASE_URL, or database.tls.mode';

/** Why TLS to the server fails, and what to do, in sentences; undefined for other errors. */
export const tlsFault = (error: unknown): string | undefined => {
  const code = codeOf(error);
  const why = certificateFaults.get(code);
  if (why !== undefined) {
    return `The certificate of the database server cannot be verified: ${why}. Name the file of its CA in database.tls.ca, or by sslrootcert in DATABASE_URL. ${withoutProof} ${orSetting}.`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of the database server is for another name than the host of DATABASE_URL. Use a name that it is for, or check only its CA: set sslmode=verify-ca ${orSetting}.`;
  }
  const message = error instanceof Error ? error.message : '';
  if (message === 'The server does not support SSL connections') {
    return `The database server offers no TLS. Turn it on there, or connect without it on purpose: set sslmode=disable ${orSetting}.`;
  }
  if (/^ERR_OSSL_|^ERR_CRYPTO_/.test(code)) {
    return 'The files of database.tls cannot be used: one holds no certificate or no key, or the key is for another certificate.';
  }
  return /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code)
    ? 'The database server and the gateway find no way to speak TLS. Look at the log of the server.'
    : undefined;
};

/** Whether an error means that the database is unavailable, rather than a bug. */
export const isPostgresUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (awayCodes.test(codeOf(error)) ||
    awaySystemCodes.has(codeOf(error)) ||
    awayMessages.test(error.message) ||
    tlsFault(error) !== undefined);
