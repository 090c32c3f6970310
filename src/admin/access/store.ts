/** Holds the SQL of accounts, sessions, sign-in attempts and the audit log. */
import { sqlOf } from '../../db/engine.ts';
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

export type AccountRow = Tables['admin_accounts'];
export type SessionRow = Tables['admin_sessions'];
export type AuditRow = Tables['admin_audit'];
export type AttemptRow = Tables['admin_attempts'];

const accountColumns = columnsOf('admin_accounts');

const sessionColumns = columnsOf('admin_sessions');

const auditColumns = columnsOf('admin_audit');

const attemptColumns = columnsOf('admin_attempts');

/** Adds an account; returns whether its name was free. */
export const insertAccount = async (db: Db, account: AccountRow): Promise<boolean> => {
  const row = await db
    .insertInto('admin_accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

type Found = Promise<AccountRow | undefined>;

const accounts = (db: Db) => db.selectFrom('admin_accounts').select(accountColumns);

export const findAccount = async (db: Db, id: string): Found =>
  accounts(db).where('id', '=', id).executeTakeFirst();

export const findAccountByName = async (db: Db, name: string): Found =>
  accounts(db).where('name', '=', name).executeTakeFirst();

export const findAccountBySetup = async (db: Db, hash: string): Found =>
  accounts(db).where('setup_hash', '=', hash).executeTakeFirst();

export const listAccounts = async (db: Db): Promise<AccountRow[]> =>
  accounts(db).orderBy('name').execute();

/** Within a transaction: locks all accounts until it ends. */
export const lockAccounts = async (db: Db): Promise<AccountRow[]> =>
  accounts(db)
    .orderBy('id')
    .$if(sqlOf(db).name === 'postgres', (query) => query.forUpdate())
    .execute();

export const updateAccountRow = async (
  db: Db,
  id: string,
  change: Partial<Omit<AccountRow, 'id'>>,
): Promise<void> => {
  await db.updateTable('admin_accounts').set(change).where('id', '=', id).execute();
};

/** Within a transaction: reads the account and locks it until the transaction ends. */
export const lockAccount = async (db: Db, id: string): Found =>
  accounts(db)
    .where('id', '=', id)
    .$if(sqlOf(db).name === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

/** The same, if that password still signs in to the account. */
export const lockByPassword = async (db: Db, id: string, password: string): Found =>
  db
    .updateTable('admin_accounts')
    .set({ password })
    .where('id', '=', id)
    .where('password', '=', password)
    .where('status', '=', 'active')
    .returning(accountColumns)
    .executeTakeFirst();

/** Uses up a link and returns its account; undefined if the link is no longer valid. */
export const takeSetup = async (db: Db, hash: string, now: number): Found =>
  db
    .updateTable('admin_accounts')
    .set({ setup_hash: null, setup_until: null })
    .where('setup_hash', '=', hash)
    .where('setup_until', '>', now)
    .returning(accountColumns)
    .executeTakeFirst();

/** Uses up a code; returns whether it was still valid. Of two concurrent uses, one succeeds. */
export const takeStep = async (db: Db, id: string, step: number): Promise<boolean> => {
  const row = await db
    .updateTable('admin_accounts')
    .set({ totp_step: step })
    .where('id', '=', id)
    .where('totp_step', '<', step)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const insertSession = async (db: Db, session: SessionRow): Promise<void> => {
  await db.insertInto('admin_sessions').values(session).execute();
};

/** A session with its account. */
export const findSession = async (
  db: Db,
  hash: string,
): Promise<{ readonly session: SessionRow; readonly account: AccountRow } | undefined> => {
  const session = await db
    .selectFrom('admin_sessions')
    .select(sessionColumns)
    .where('hash', '=', hash)
    .executeTakeFirst();
  const account = session === undefined ? undefined : await findAccount(db, session.account_id);
  return session === undefined || account === undefined ? undefined : { session, account };
};

export const updateSeen = async (db: Db, hash: string, now: number): Promise<void> => {
  await db.updateTable('admin_sessions').set({ seen_at: now }).where('hash', '=', hash).execute();
};

/** Ends a session; returns whether it still existed. */
export const deleteSession = async (db: Db, hash: string): Promise<boolean> => {
  const row = await db
    .deleteFrom('admin_sessions')
    .where('hash', '=', hash)
    .returning('hash')
    .executeTakeFirst();
  return row !== undefined;
};

/** Ends all sessions of an account; returns how many there were. */
export const deleteSessionsOf = async (db: Db, accountId: string): Promise<number> => {
  const rows = await db
    .deleteFrom('admin_sessions')
    .where('account_id', '=', accountId)
    .returning('hash')
    .execute();
  return rows.length;
};

/** Ends all sessions, links and recovery codes: a backup must not revive those that had ended. */
export const revokeAllAccess = async (db: Db): Promise<void> => {
  await db.deleteFrom('admin_sessions').execute();
  await db.deleteFrom('admin_recovery_codes').execute();
  await db.updateTable('admin_accounts').set({ setup_hash: null, setup_until: null }).execute();
};

/** Removes what has expired. */
export const deleteStale = async (
  db: Db,
  before: {
    readonly created: number;
    readonly seen: number;
    readonly tried: number;
    readonly known: number;
    readonly keys: number;
  },
): Promise<void> => {
  await db
    .deleteFrom('admin_sessions')
    .where((is) => is.or([is('created_at', '<', before.created), is('seen_at', '<', before.seen)]))
    .execute();
  await db
    .deleteFrom('admin_attempts')
    .where((is) =>
      is.or([
        is('tried_at', '<', before.known),
        is.and([is('tried_at', '<', before.tried), is('known', '=', 0)]),
      ]),
    )
    .execute();
  await db.deleteFrom('admin_keys').where('at', '<', before.keys).execute();
};

/** Within a transaction: reads the attempts under a key, and locks them until it ends. */
export const lockAttempts = async (
  db: Db,
  key: string,
  now: number,
): Promise<AttemptRow | undefined> => {
  await db
    .insertInto('admin_attempts')
    .values({ key, failures: 0, until_at: 0, tried_at: now, known: 0 })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return db
    .selectFrom('admin_attempts')
    .select(attemptColumns)
    .where('key', '=', key)
    .$if(sqlOf(db).name === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
};

export const updateAttempts = async (
  db: Db,
  key: string,
  change: Partial<Omit<AttemptRow, 'key'>>,
): Promise<void> => {
  await db.updateTable('admin_attempts').set(change).where('key', '=', key).execute();
};

/** Belongs in the transaction of the change. Rows are added and never changed. */
export const insertAudit = async (db: Db, row: AuditRow): Promise<void> => {
  await db.insertInto('admin_audit').values(row).execute();
};

/** What the audit log is sorted by: each has an index with the id. */
export const auditSorts = ['at', 'actor', 'action', 'subject'] as const;
export type AuditSort = (typeof auditSorts)[number];

export type AuditFilter = {
  /** The id of the last one that was seen. */
  readonly before?: string;
  readonly subject?: string;
  readonly actor?: string;
  readonly action?: string;
  /** The prefix of ids created at that time: bounds for "from then on" and "before then". */
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
};

export type AuditOrder = { readonly sort: AuditSort; readonly descending: boolean };

/** Where the page before ended. Ids sort by time. */
const placeOf = async (
  db: Db,
  sort: Exclude<AuditSort, 'at'>,
  id: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('admin_audit')
    .select(sort)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.[sort];
};

/** The newest first, unless sorted. A time maps to a range of ids, so the primary key finds it. */
export const listAudit = async (
  db: Db,
  filter: AuditFilter,
  { sort = 'at', descending = true }: Partial<AuditOrder> = {},
): Promise<AuditRow[]> => {
  const { before, subject, actor, action, from, to, limit } = filter;
  const beyond = descending ? '<' : '>';
  const direction = descending ? 'desc' : 'asc';
  let query = db.selectFrom('admin_audit').select(auditColumns);
  if (subject !== undefined) query = query.where('subject', '=', subject);
  if (actor !== undefined) query = query.where('actor', '=', actor);
  if (action !== undefined) query = query.where('action', '=', action);
  if (from !== undefined) query = query.where('id', '>=', from);
  if (to !== undefined) query = query.where('id', '<', to);
  if (sort === 'at') {
    if (before !== undefined) query = query.where('id', beyond, before);
    return query.orderBy('id', direction).limit(limit).execute();
  }
  if (before !== undefined) {
    const place = await placeOf(db, sort, before);
    if (place === undefined) return [];
    query = query.where((eb) => eb(eb.refTuple(sort, 'id'), beyond, eb.tuple(place, before)));
  }
  return query.orderBy(sort, direction).orderBy('id', direction).limit(limit).execute();
};

/** The account that an actor created; undefined if there was none. */
export const findAccountCreatedBy = async (db: Db, actor: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('admin_audit')
    .select('subject')
    .where('actor', '=', actor)
    .where('action', '=', 'account create')
    .orderBy('id')
    .executeTakeFirst();
  return row?.subject;
};

/** Whether the audit log has such an entry. */
export const hasAuditEntry = async (db: Db, actions: readonly string[]): Promise<boolean> => {
  const row = await db
    .selectFrom('admin_audit')
    .select('id')
    .where('action', 'in', actions)
    .executeTakeFirst();
  return row !== undefined;
};
