/** Defines the SQL specific to PostgreSQL: row locks, its clock and notifications. */
import type { EngineSql } from '../types.ts';

export const changesChannel = 'simgate_changes';

const now = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';

const databaseOid = '(select oid from pg_database where datname = current_database())';

const accountsOid = `cast(cast('accounts' as regclass) as oid)`;

/** Changes after each start of the server, and for each copy of the database or of its tables. */
const signature = `extract(epoch from pg_postmaster_start_time()) || ' ' || ${databaseOid} || ' ' || ${accountsOid}`;

// The timeline is the first part of a log file's name. That of the last checkpoint may be one behind.
const timeline = `cast(cast('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as bit(32)) as bigint)`;

const place = `select (select cast(system_identifier as text) from pg_control_system()) as system_id,
  cast(${databaseOid} as bigint) as database_oid, cast(${accountsOid} as bigint) as accounts_oid,
  ${timeline} as timeline, ${signature} as signature, ${now} as now`;

export const postgresSql: EngineSql = {
  name: 'postgres',
  lockRows: ' for update',
  lockFreeRows: ' for update skip locked',
  // Evaluated before the first row is locked, and in the same round trip.
  waitAtMost: (ms) =>
    ms === undefined ? '' : ` and (select set_config('lock_timeout', '${ms}', true)) is not null`,
  now,
  // A standby cannot provide one.
  writable: 'select pg_current_xact_id()',
  // Any number that is not used elsewhere in this database; the lock ends with the transaction.
  lockSetUp: 'select pg_advisory_xact_lock(7467418283)',
  notify: `select pg_notify('${changesChannel}', ?)`,
  signature,
  place,
  snapshot: 'repeatable read',
};
