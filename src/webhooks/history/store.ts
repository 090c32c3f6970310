/** Runs the SQL of the message history: search, replay and deletion. */

import { sql } from 'kysely';
import { runText, writeRows } from '../../db/statement.ts';
import { columnsOf } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { dueAtOnce, type EndpointRow, type MessageRow } from '../store.ts';

export type MessageFilter = {
  readonly endpointId: string;
  readonly state?: MessageRow['state'] | undefined;
  readonly type?: string | undefined;
  /** Only those that follow this one in the list. */
  readonly before?: string | undefined;
};

const messageColumns = columnsOf('webhook_messages');

const matching = (db: Db, { endpointId, state, type, before }: MessageFilter) => {
  let query = db.selectFrom('webhook_messages').where('endpoint_id', '=', endpointId);
  // A literal rather than a parameter: otherwise SQLite would not use the index of failed messages.
  if (state !== undefined) query = query.where('state', '=', sql.lit(state));
  if (type !== undefined) query = query.where('type', '=', type);
  // Ids sort by time.
  if (before !== undefined) query = query.where('id', '<', before);
  return query;
};

export const countMessages = async (db: Db, filter: MessageFilter): Promise<number> => {
  const { total } = await matching(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
};

/** The newest first. */
export const listMessages = async (
  db: Db,
  filter: MessageFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<MessageRow[]> =>
  matching(db, filter)
    .select(messageColumns)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export const findMessage = async (
  db: Db,
  endpointId: string,
  id: string,
): Promise<MessageRow | undefined> =>
  matching(db, { endpointId }).select(messageColumns).where('id', '=', id).executeTakeFirst();

/** More are not counted: it is enough to know that there are many. */
export const mostCounted = 1000;

const countText = (which: string): string => `(select count(*) from (
  select 1 from webhook_messages where endpoint_id = webhook_endpoints.id and ${which}
  limit ${mostCounted}) as counted)`;

// The last delivery among this many of the newest: an index of all would cost every delivery.
const lastDeliveryText = `(select max(ended_at) from (
  select state, ended_at from webhook_messages where endpoint_id = webhook_endpoints.id
  order by id desc limit ${mostCounted}) as newest where state = 'delivered')`;

const standingText = `select id, ${countText('due_at is not null')} as waiting,
  ${countText("state = 'failed'")} as failed, ${lastDeliveryText} as delivered_at
  from webhook_endpoints where client_id = ? and status <> 'deleted'`;

export type EndpointState = {
  readonly id: string;
  /** Each up to the counting limit. */
  readonly waiting: number;
  readonly failed: number;
  /** Of the newest messages within the counting limit; null if none of them was delivered. */
  readonly delivered_at: number | null;
};

/** The state of each of a client's endpoints. The same work, however many messages there are. */
export const readEndpointStates = async (db: Db, clientId: string): Promise<EndpointState[]> =>
  runText<EndpointState>(db, standingText, [clientId]);

// Enough to see the last success of an endpoint that mostly works.
const attemptsOf = 200;

const triedText = `select tried from (select id, tried from webhook_messages where endpoint_id = ?
  order by id desc limit ${attemptsOf}) as newest where tried <> '[]'`;

/** The attempts of an endpoint's newest messages, as they are stored, a text for each message. */
export const readTried = async (db: Db, endpointId: string): Promise<string[]> =>
  (await runText<{ tried: string }>(db, triedText, [endpointId])).map(({ tried }) => tried);

const replayStart = `update webhook_messages set state = 'waiting', step = 0, attempts = attempts + 1,
  due_at = ${dueAtOnce}, ended_at = null`;

const replayText = `${replayStart} where endpoint_id = ? and id = ? returning id`;

/**
 * Makes a message due again, from the start of the schedule; returns whether it exists. The result of an
 * attempt in flight no longer counts.
 */
export const replayMessageRow = async (
  db: Db,
  message: { readonly endpointId: string; readonly id: string },
): Promise<boolean> => (await runText(db, replayText, [message.endpointId, message.id])).length > 0;

const replayAtATime = 500;

const failedText = `select id from webhook_messages where endpoint_id = ? and id > ?
  and state = 'failed' and created_at >= ? order by id limit ${replayAtATime}`;

const replayFailedText = `${replayStart} where endpoint_id = ? and id > ? and id <= ?
  and state = 'failed' and created_at >= ?`;

/** The same for messages that failed since a moment: how many, and the last one if there may be more. */
export const replayFailed = async (
  db: Db,
  wanted: { readonly endpointId: string; readonly since: number; readonly after: string },
): Promise<{ readonly count: number; readonly last: string | undefined }> => {
  const { endpointId, since, after } = wanted;
  const failed = await runText<{ id: string }>(db, failedText, [endpointId, after, since]);
  const last = failed.at(-1)?.id;
  if (last === undefined) return { count: 0, last };
  const values = [endpointId, after, last, since];
  const count = await writeRows(db, { one: replayFailedText, many: replayFailedText }, [values]);
  return { count, last: failed.length < replayAtATime ? undefined : last };
};

const deleteText = `delete from webhook_messages where endpoint_id = ? and id in (
  select id from webhook_messages where endpoint_id = ? and id < ? and (state <> 'waiting' or 1 = ?)
  limit ?)`;

export type Old = {
  readonly endpointId: string;
  readonly id: string;
  readonly waitingToo: boolean;
};

/**
 * Deletes an endpoint's messages with ids before that one, waiting ones only on request; up to a limit.
 * Returns how many.
 */
export const deleteBefore = async (
  db: Db,
  { endpointId, id, waitingToo }: Old,
  most: number,
): Promise<number> =>
  writeRows(db, { one: deleteText, many: deleteText }, [
    [endpointId, endpointId, id, waitingToo ? 1 : 0, most],
  ]);

/** Every endpoint, including deleted ones. */
export const allEndpoints = async (
  db: Db,
): Promise<Pick<EndpointRow, 'id' | 'status' | 'deleted_at'>[]> =>
  db.selectFrom('webhook_endpoints').select(['id', 'status', 'deleted_at']).execute();

/** Deletes an endpoint without messages. */
export const forgetEndpoint = async (db: Db, id: string): Promise<void> => {
  await db
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('webhook_messages').select('id').where('endpoint_id', '=', id)),
      ),
    )
    .execute();
};
