/** Provides the client: a function for each operation of the API, each safe to retry. */
import { createAsk } from './ask.ts';
import { createBuying } from './buying.ts';
import { createOffers } from './offers.ts';
import { type ClientOptions, settingsOf } from './options.ts';
import { createReading } from './reading.ts';
import { createSend } from './send.ts';
import { createWebhooks } from './webhooks.ts';

export type SimgateClient = ReturnType<typeof createBuying> &
  ReturnType<typeof createOffers> &
  ReturnType<typeof createReading> & {
    /** Your webhook endpoints and their messages. */
    readonly webhooks: ReturnType<typeof createWebhooks>;
  };

/**
 * A client of one gateway, for one token. Its functions may be called at the same time. Throws a `TypeError` if the
 * URL or the token cannot work.
 */
export const createClient = (options: ClientOptions): SimgateClient => {
  const send = createSend(settingsOf(options));
  const ask = createAsk(send);
  const reading = createReading(ask);
  return {
    ...createBuying(send, ask),
    ...createOffers(ask, reading),
    ...reading,
    webhooks: createWebhooks(send, ask),
  };
};
