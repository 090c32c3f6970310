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
      'How long an endpoint may take, from the connection to the end of its answer.',
    ),
    answerBytes: wholeNumber(
      65_536,
      1,
      'The longest answer that is taken; a longer one counts as a failure.',
    ),
    atOnce: wholeNumber(8, 1, 'Messages on their way to one endpoint at once.'),
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
      description: 'The pauses between one attempt and the next; after the last it has failed.',
    }),
    endpointsPerClient: wholeNumber(10, 0, 'How many endpoints a client may have.'),
    keepDays: wholeNumber(
      30,
      4,
      'How long messages that came to their end can be looked at and sent again.',
    ),
    allowedNetworks: Type.Array(Type.String(), {
      default: [],
      description:
        'Addresses and networks that may be sent to although they are not public, by http too.',
    }),
  },
  { ...group, description: 'How events are sent to clients.' },
);

export type WebhooksConfig = Readonly<Static<typeof WebhooksSchema>>;
