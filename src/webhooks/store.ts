/** Runs the SQL of webhooks: endpoints, and the outbox of messages. */
import { perEngine } from '../db/engine.ts';
import { type FollowingText, insertRows, runText, type Write, writeRows } from '../db/statement.ts';
import { columnsOf, type Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import { perKey } from '../lib/memo.ts';
import { eventsOf, type Listener, type Message } from './event.ts';

export type EndpointRow = Tables['webhook_endpoints'];
export type MessageRow = Tables['webhook_messages'];

const endpointColumns = columnsOf('webhook_endpoints');

export const insertEndpoint = async (db: Db, endpoint: EndpointRow): Promise<void> => {
  await db.insertInto('webhook_endpoints').values(endpoint).execute();
};

const kept = (db: Db) => db.selectFrom('webhook_endpoints').where('status', '<>', 'deleted');

/** The endpoints of a client, the oldest first. */
export const listEndpoints = async (db: Db, clientId: string): Promise<EndpointRow[]> =>
  kept(db).select(endpointColumns).where('client_id', '=', clientId).orderBy('id').execute();

export const findEndpoint = async (
  db: Db,
  clientId: string,
  id: string,
): Promise<EndpointRow | undefined> =>
  kept(db)
    .select(endpointColumns)
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .executeTakeFirst();

export const updateEndpointRow = async (
  db: Db,
  id: string,
  change: Partial<Omit<EndpointRow, 'id' | 'client_id'>>,
): Promise<void> => {
  if (Object.keys(change).length === 0) return;
  await db.updateTable('webhook_endpoints').set(change).where('id', '=', id).execute();
};

/** Disables an endpoint that answered 410, unless it was changed since. */
export const disableGone = async (db: Db, id: string, url: string): Promise<void> => {
  await db
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled', disabled_by: 'gone' })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('status', '=', 'active')
    .execute();
};

/** All active endpoints, or those of one client. */
export const readListeners = async (db: Db, clientId?: string): Promise<Listener[]> => {
  const active = db
    .selectFrom('webhook_endpoints')
    .select(['id', 'client_id', 'events', 'balance_below'])
    .where('status', '=', 'active');
  const rows = await (clientId === undefined
    ? active
    : active.where('client_id', '=', clientId)
  ).execute();
  return rows.map((row) => ({
    id: row.id,
    clientId: row.client_id,
    events: eventsOf(row),
    balanceBelow: row.balance_below,
  }));
};

const insertMessagesText = insertRows('webhook_messages');

/**
 * The due time of a message that waits for nothing: before any clock's time. A command on the server's file
 * may have another clock than the server.
 */
export const dueAtOnce = 0;

/** Messages that are due at once, to be written in the transaction of their change. */
export const messagesToWrite = (
  messages: readonly Message[],
  at: number,
): Write<FollowingText> => ({
  text: insertMessagesText,
  rows: messages.map(({ endpointId, id, type, payload, origin }) => [
    endpointId,
    id,
    type,
    payload,
    'waiting',
    0,
    0,
    '[]',
    dueAtOnce,
    at,
    null,
    origin?.requestId ?? null,
    origin?.trace ?? null,
  ]),
});

export const insertMessages = async (
  db: Db,
  messages: readonly Message[],
  at: number,
): Promise<void> => {
  const { text, rows } = messagesToWrite(messages, at);
  if (rows.length > 0) await writeRows(db, text, rows);
};

const dueText = `select id from webhook_endpoints where status = 'active' and exists (
  select 1 from webhook_messages where endpoint_id = webhook_endpoints.id and due_at <= ?)`;

/** The active endpoints with due messages. One lookup for each of them, however many messages wait. */
export const dueEndpoints = async (db: Db, now: number): Promise<string[]> =>
  (await runText<{ id: string }>(db, dueText, [now])).map(({ id }) => id);

export type Claimed = Pick<
  MessageRow,
  'id' | 'payload' | 'attempts' | 'step' | 'tried' | 'request_id' | 'trace'
>;

// The limit is a literal: SQLite would replan a statement whenever a limit is bound to it. Materialized: in a
// loop PostgreSQL would read the due rows again for each row, skip those it has locked, and take too many.
const claimText = perEngine(({ lockFreeRows }) =>
  perKey(
    (most: number) => `with due as materialized (
    select id from webhook_messages where endpoint_id = ? and due_at between ? and ?
    order by due_at, id limit ${most}${lockFreeRows}
  )
  update webhook_messages set due_at = ?, attempts = attempts + 1
  where endpoint_id = ? and id in (select id from due)
  returning id, payload, attempts, step, tried, request_id, trace`,
  ),
);

/** Claims due messages of one endpoint under a lease, so that no other instance sends them. */
export const claimMessages = async (
  db: Db,
  claim: {
    readonly endpointId: string;
    readonly now: number;
    readonly leaseUntil: number;
    readonly most: number;
  },
): Promise<Claimed[]> => {
  const { endpointId, now, leaseUntil, most } = claim;
  const claimDue = (from: number, to: number, limit: number): Promise<Claimed[]> =>
    runText<Claimed>(db, claimText(db)(limit), [endpointId, from, to, leaseUntil, endpointId]);
  // Retries go first: otherwise they would wait as long as new messages keep coming.
  const again = await claimDue(dueAtOnce + 1, now, most);
  if (again.length === most) return again;
  return [...again, ...(await claimDue(dueAtOnce, dueAtOnce, most - again.length))];
};

/**
 * Makes messages due now if they are due later than the longest possible wait: `waitsMs` holds it for each
 * step of the schedule.
 */
export const bringForward = async (
  db: Db,
  now: number,
  waitsMs: readonly number[],
): Promise<void> => {
  const cases = waitsMs.map((ms, step) => `when ${step} then ${ms}`).join(' ');
  const text = `update webhook_messages set due_at = ?
    where endpoint_id in (select id from webhook_endpoints) and due_at > ?
    and due_at - (case step ${cases} else ${Math.max(...waitsMs)} end) > ?`;
  await runText(db, text, [now, now + Math.min(...waitsMs), now]);
};

const activeText = `select ${endpointColumns.join(', ')} from webhook_endpoints
  where id = ? and status = 'active'`;

/** An active endpoint, with all that sending needs. */
export const readActive = async (db: Db, id: string): Promise<EndpointRow | undefined> => {
  const [row] = await runText<EndpointRow>(db, activeText, [id]);
  return row;
};

/** Writes the result of an attempt; false if another instance has claimed the message since. */
export const updateMessage = async (
  db: Db,
  message: { readonly endpointId: string; readonly id: string; readonly attempts: number },
  change: Pick<MessageRow, 'state' | 'step' | 'tried' | 'due_at' | 'ended_at'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('webhook_messages')
    .set(change)
    .where('endpoint_id', '=', message.endpointId)
    .where('id', '=', message.id)
    .where('attempts', '=', message.attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
