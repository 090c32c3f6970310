/** Owns the SQL in which SQLite differs. A transaction that writes has the file to itself from its beginning. */
import type { EngineSql } from '../engine.ts';

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
