/** Defines the SQL specific to SQLite, where a write transaction locks the whole file. */
import type { EngineSql } from '../types.ts';

export const sqliteSql: EngineSql = {
  name: 'sqlite',
  lockRows: '',
  lockFreeRows: '',
  waitAtMost: () => '',
  now: undefined,
  // The beginning of the transaction has taken the lock.
  writable: 'select 1',
  lockSetUp: undefined,
  notify: undefined,
  signature: undefined,
  place: undefined,
  snapshot: undefined,
};
