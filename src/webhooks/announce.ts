/** Writes an event for every listening endpoint, inside the caller's transaction. */
import type { Db } from '../db/types.ts';
import type { NewId } from '../lib/random.ts';
import { type Event, messageIdFrom, messagesOf } from './event.ts';
import { insertMessages, readListeners } from './store.ts';

/** Writes an event for all who listen for it, within the caller's transaction; tells which endpoints. */
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
