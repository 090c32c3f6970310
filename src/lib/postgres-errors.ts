/** Owns what an error of PostgreSQL says: whether anything was committed, and whether the server is away. */

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Whether an error means that another transaction has a row locked. It concerns those who need the row, and
 * not the whole database; nothing of the transaction was committed.
 */
export const isRowLocked = (error: unknown): boolean => codeOf(error) === '55P03';

/** Whether a statement failed because its kept plan returns other columns or types than the table has now. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' &&
  error instanceof Error &&
  // The message is in the server's language; the routine that raised it is not.
  Reflect.get(error, 'routine') === 'RevalidateCachedQuery';

/** Errors that prove that nothing of their transaction was or will be committed. */
const notCommitted = new WeakSet<object>();

export const noteProof = (error: unknown, proof: boolean): void => {
  if (proof && typeof error === 'object' && error !== null) notCommitted.add(error);
};

export const isPostgresRolledBack = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && notCommitted.has(error);

// Classes of errors that pass: no connection, too few resources, the operator's intervention, I/O.
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
  /connection (terminated|timeout|ended|error)|timeout exceeded|read timeout|not queryable/i;

/** Whether an error says that the database is away, not that the program is wrong. */
export const isPostgresUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (awayCodes.test(codeOf(error)) ||
    awaySystemCodes.has(codeOf(error)) ||
    awayMessages.test(error.message));
