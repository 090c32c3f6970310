/** Writes events inside the caller's transaction: one for all listening endpoints, or a fallen balance for its client's. */
import type { Db } from '../db/types.ts';
import type { NewId } from '../lib/random.ts';
import { type BalanceMove, balanceEvents, type Event, messageIdFrom, messagesOf } from './event.ts';
import { insertMessages, readListeners } from './store.ts';

/** Writes an event for all endpoints that listen for it; returns their IDs. */
export const announce = async (
  db: Db,
  event: Event,
  { newId, at }: { readonly newId: NewId; readonly at: number },
): Promise<string[]> => {
  const listeners = await readListeners(db);
  const messages = messagesOf(event, listeners, { id: messageIdFrom(newId()), at });
  await insertMessages(db, messages, at);
  return messages.map(({ endpointId }) => endpointId);
};

/** Writes `balance.low` for a change that is no purchase; returns the IDs of the endpoints. */
export const notifyLowBalance = async (
  db: Db,
  { clientId, ...change }: BalanceMove & { readonly clientId: string },
  newId: NewId,
): Promise<string[]> => {
  if (change.after >= change.before) return [];
  const listeners = await readListeners(db, clientId);
  const messages = balanceEvents({ listeners, messageId: messageIdFrom(newId()) }, change);
  await insertMessages(db, messages, change.at);
  return messages.map(({ endpointId }) => endpointId);
};
