/** Writes `balance.low` events for changes other than purchases. */
import type { Db } from '../db/types.ts';
import type { NewId } from '../lib/random.ts';
import { balanceEvents, messageIdFrom } from './event.ts';
import { insertMessages, readListeners } from './store.ts';

export type BalanceChange = {
  readonly clientId: string;
  readonly before: number;
  readonly after: number;
  readonly at: number;
};

/** Writes it for all of a client who named a balance that it fell below, within the caller's transaction; tells which endpoints. */
export const notifyLowBalance = async (
  db: Db,
  { clientId, ...change }: BalanceChange,
  newId: NewId,
): Promise<string[]> => {
  if (change.after >= change.before) return [];
  const listeners = await readListeners(db, clientId);
  const audience = { listeners, messageId: messageIdFrom(newId()) };
  const messages = balanceEvents(audience, change);
  await insertMessages(db, messages, change.at);
  return messages.map(({ endpointId }) => endpointId);
};
