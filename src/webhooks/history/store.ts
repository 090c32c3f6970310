/** Owns the SQL of what was told: looking messages up, sending them again, letting old ones go. */
import type { Db } from '../../lib/db.ts';
import { writeRows } from '../../lib/db-statement.ts';
import type { MessageRow } from '../store.ts';

export type MessageFilter = {
  readonly endpointId: string;
  readonly state?: MessageRow['state'] | undefined;
  readonly type?: string | undefined;
  /** Only those that come after this one in the list. */
  readonly before?: string | undefined;
};

const matching = (db: Db, { endpointId, state, type, before }: MessageFilter) => {
  let query = db.selectFrom('webhook_messages').where('endpoint_id', '=', endpointId);
  if (state !== undefined) query = query.where('state', '=', state);
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
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export const findMessage = async (
  db: Db,
  endpointId: string,
  id: string,
): Promise<MessageRow | undefined> =>
  matching(db, { endpointId }).selectAll().where('id', '=', id).executeTakeFirst();

const anew = (at: number) => ({ state: 'waiting', step: 0, due_at: at, ended_at: null }) as const;

/** Makes a message due again, from the beginning of the schedule; tells whether there is such a message. */
export const replayMessage = async (
  db: Db,
  message: { readonly endpointId: string; readonly id: string },
  at: number,
): Promise<boolean> => {
  const row = await db
    .updateTable('webhook_messages')
    .set(anew(at))
    .where('endpoint_id', '=', message.endpointId)
    .where('id', '=', message.id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

/** The same for all that failed and were made from a moment on; tells how many. */
export const replayFailed = async (
  db: Db,
  { endpointId, since }: { readonly endpointId: string; readonly since: number },
  at: number,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('webhook_messages')
    .set(anew(at))
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'failed')
    .where('created_at', '>=', since)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

const deleteText = `delete from webhook_messages where endpoint_id = ? and id in (
  select id from webhook_messages where endpoint_id = ? and id < ? limit ?)`;

/** Deletes messages of an endpoint whose ids sort before that one, so many at most; tells how many. */
export const deleteBefore = async (
  db: Db,
  endpointId: string,
  id: string,
  most: number,
): Promise<number> =>
  writeRows(db, { one: deleteText, many: deleteText }, [[endpointId, endpointId, id, most]]);

/** Every endpoint, and whether its client has deleted it. */
export const allEndpoints = async (
  db: Db,
): Promise<{ readonly id: string; readonly deleted: boolean }[]> =>
  (await db.selectFrom('webhook_endpoints').select(['id', 'status']).execute()).map(
    ({ id, status }) => ({ id, deleted: status === 'deleted' }),
  );
