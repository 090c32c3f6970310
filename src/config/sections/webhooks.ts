/** Defines the settings of webhooks: schedule, timeouts, retention and allowed networks. */
import { type Static, Type } from 'typebox';
import { group, wholeNumber } from './shapes.ts';

const seconds = (count: number): number => count * 1000;
const minutes = (count: number): number => seconds(count * 60);
const hours = (count: number): number => minutes(count * 60);

export const WebhooksSchema = Type.Object(
  {
    timeoutMs: wholeNumber(
      seconds(15),
      1,
      'Timeout of an attempt, from the connection to the end of the response.',
    ),
    answerBytes: wholeNumber(65_536, 1, 'Largest response. A larger one counts as a failure.'),
    atOnce: wholeNumber(8, 1, 'Concurrent messages to one endpoint, from each process.'),
    pausesMs: Type.Array(Type.Integer({ minimum: 1 }), {
      default: [
        seconds(5),
        minutes(5),
        minutes(30),
        hours(2),
        hours(5),
        hours(10),
        hours(14),
        hours(20),
        hours(24),
      ],
      description:
        'Pauses between attempts, each up to a tenth longer. After the last a message has failed.',
    }),
    endpointsPerClient: wholeNumber(10, 0, 'Endpoints that a client can have.'),
    keepDays: wholeNumber(
      30,
      4,
      'Days for which finished messages can be read and replayed, and for which disabled endpoints keep theirs.',
    ),
    allowedNetworks: Type.Array(Type.String(), {
      default: [],
      description:
        'Private addresses and networks that webhooks may be sent to, also by http. For tests, or if you trust every client.',
    }),
  },
  {
    ...group,
    description: 'Delivery of webhooks.',
  },
);

export type WebhooksConfig = Readonly<Static<typeof WebhooksSchema>>;
