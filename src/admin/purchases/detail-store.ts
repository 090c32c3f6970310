/** Holds the SQL of one purchase's detail view: its row, and the messages about it. */
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import { type PurchaseRow, purchaseColumns } from '../../purchases/rows.ts';
import type { MessageRow } from '../../webhooks/store.ts';
import type { Ids } from './store.ts';

/** One purchase as a whole, with the name of its client. */
export const readOne = (
  db: Db,
  id: string,
): Promise<(PurchaseRow & { readonly client_name: string | null }) | undefined> =>
  db
    .selectFrom('purchases')
    .leftJoin('clients', 'clients.id', 'purchases.client_id')
    .select(purchaseColumns.map((column) => `purchases.${column}` as const))
    .select('clients.name as client_name')
    .where('purchases.id', '=', id)
    .executeTakeFirst();

export type SentMessageRow = Pick<
  MessageRow,
  'id' | 'type' | 'endpoint_id' | 'state' | 'attempts' | 'created_at' | 'ended_at'
> & { readonly url: string };

const messagesText = `select m.id, m.type, m.endpoint_id, e.url, m.state, m.attempts, m.created_at, m.ended_at
  from webhook_endpoints as e join webhook_messages as m on m.endpoint_id = e.id
  where e.client_id = ? and m.id >= ? and m.id < ? and m.created_at = ? and m.payload like ?
  order by m.id, m.endpoint_id limit 100`;

/**
 * The messages about a purchase's step at that time, to any endpoint of its client. Reads only messages with
 * ids between the two.
 */
export const readSentMessages = (
  db: Db,
  { clientId, id }: { readonly clientId: string; readonly id: string },
  step: { readonly at: number; readonly ids: Ids },
): Promise<SentMessageRow[]> =>
  runText<SentMessageRow>(db, messagesText, [
    clientId,
    step.ids.from,
    step.ids.before,
    step.at,
    `%"id":"${id}"%`,
  ]);
