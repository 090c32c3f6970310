/** Classifies database errors of both engines: not committed, unavailable, locked. */
import { isPostgresRolledBack, isPostgresUnavailable } from './postgres/errors.ts';
import {
  isSqliteLocked,
  isSqliteRolledBack,
  isSqliteUnavailable,
  sqliteFaultOf,
} from './sqlite/sqlite.ts';

/** Whether an error proves that nothing of its transaction was committed. */
export const isNotCommitted = (error: unknown): boolean =>
  isSqliteRolledBack(error) || isPostgresRolledBack(error);

/** Whether an error means that the database cannot be reached now. */
export const isUnavailable = (error: unknown): boolean =>
  isSqliteUnavailable(error) || isPostgresUnavailable(error);

/** Whether an error means that another process has the database locked; then nothing was done. */
export const isLocked = (error: unknown): boolean => isSqliteLocked(error);

/** The fault of the database, in words; undefined if the error is about something else. */
export const databaseFaultOf = (error: unknown): string | undefined =>
  sqliteFaultOf(error) ??
  (isPostgresUnavailable(error) ? 'it cannot be reached, or takes no statements' : undefined);
