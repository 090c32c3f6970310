/** Notifies clients of their purchases: adds each client's webhook listeners to what is committed. */
import type { NewId } from '../../lib/random.ts';
import { type Audience, type Event, type Listener, messageIdFrom } from '../../webhooks/event.ts';
import type { Listeners } from '../../webhooks/listeners.ts';
import { eventsOf } from './events.ts';
import type { Transact } from './transact.ts';

export type NotifyDeps = {
  readonly newId: NewId;
  readonly listeners: Pick<Listeners, 'of'>;
  /** Receives the endpoints with new messages. */
  readonly wake: (endpointIds: Iterable<string>) => void;
};

const hearsOfBalance = ({ events, balanceBelow }: Listener): boolean =>
  balanceBelow !== null && events.includes('balance.low');

const hearsOfPurchases = ({ events }: Listener): boolean =>
  events.some((type) => type.startsWith('purchase.'));

/** The endpoints with new messages. */
const notifiedEndpoints = ({ listeners }: Audience, events: readonly Event[]): string[] =>
  listeners
    .filter((one) => events.some(({ type }) => one.events.includes(type)))
    .map(({ id }) => id);

/**
 * The same transactions with the client's listeners added. A client without listeners costs one map lookup.
 */
export const notifyingTransact = (
  transact: Transact,
  { listeners, newId, wake }: NotifyDeps,
): Transact => {
  const audienceOf = (
    clientId: string,
    concerns: (listener: Listener) => boolean,
  ): Audience | undefined => {
    const those = listeners.of(clientId)?.filter(concerns) ?? [];
    return those.length === 0 ? undefined : { listeners: those, messageId: messageIdFrom(newId()) };
  };
  return {
    ...transact,
    // Low balances are rare: the next sweep finds the message.
    begin: (item) => {
      const audience = audienceOf(item.requested.clientId, hearsOfBalance);
      return transact.begin(audience === undefined ? item : { ...item, audience });
    },
    advance: async (item) => {
      const audience = audienceOf(item.name.clientId, hearsOfPurchases);
      if (audience === undefined) return transact.advance(item);
      const result = await transact.advance({ ...item, audience });
      wake(notifiedEndpoints(audience, eventsOf(result.passed)));
      return result;
    },
  };
};
