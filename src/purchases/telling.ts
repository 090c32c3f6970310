/** Owns that clients are told of their purchases: who listens goes along with what is written. */
import type { NewId } from '../lib/random.ts';
import { type Audience, type Listener, messageIdFrom } from '../webhooks/event.ts';
import type { Listeners } from '../webhooks/listeners.ts';
import type { Transact } from './transact.ts';

export type TellingDeps = {
  readonly newId: NewId;
  readonly listeners: Pick<Listeners, 'of'>;
  /** Hears for which endpoints there is something. */
  readonly wake: (endpointIds: Iterable<string>) => void;
};

const idsOf = ({ listeners }: Audience): string[] => listeners.map(({ id }) => id);

/** The same transactions, with the client's listeners along. Who has none costs a look into a map. */
export const tellingTransact = (
  transact: Transact,
  { listeners, newId, wake }: TellingDeps,
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
    begin: async (item) => {
      const audience = audienceOf(item.wish.clientId, ({ balanceBelow }) => balanceBelow !== null);
      if (audience === undefined) return transact.begin(item);
      const result = await transact.begin({ ...item, audience });
      wake(idsOf(audience));
      return result;
    },
    advance: async (item) => {
      const audience = audienceOf(item.name.clientId, () => true);
      if (audience === undefined) return transact.advance(item);
      const result = await transact.advance({ ...item, audience });
      if (result.passed.length > 0) wake(idsOf(audience));
      return result;
    },
  };
};
