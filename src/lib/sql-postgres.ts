/** Owns the SQL in which PostgreSQL differs: locks on rows, its clock, and word of changes. */
import type { EngineSql } from './db-engine.ts';

export const changesChannel = 'simgate_changes';

export const postgresSql: EngineSql = {
  name: 'postgres',
  lockRows: ' for update',
  lockFreeRows: ' for update skip locked',
  now: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  // A standby cannot give one.
  writable: 'select pg_current_xact_id()',
  // Any number that nobody else uses in this database; it ends with the transaction.
  lockSetUp: 'select pg_advisory_xact_lock(7467418283)',
  notify: `select pg_notify('${changesChannel}', ?)`,
  snapshot: 'repeatable read',
};
