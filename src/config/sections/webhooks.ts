/** Defines the settings of webhooks: schedule, timeouts, retention and allowed networks. */
import { type Static, Type } from 'typebox';

const seconds = (count: number): number => count * 1000;
const minutes = (count: number): number => seconds(count * 60);
const hours = (count: number): number => minutes(count * 60);

export const WebhooksSchema = Type.Object(
  {
    timeoutMs: Type.Integer({
      default: seconds(15),
      minimum: 1,
      description: 'How long an endpoint may take, from the connection to the end of its answer.',
    }),
    answerBytes: Type.Integer({
      default: 65_536,
      minimum: 1,
      description: 'The longest answer that is taken; a longer one counts as a failure.',
    }),
    atOnce: Type.Integer({
      default: 8,
      minimum: 1,
      description: 'Messages on their way to one endpoint at once.',
    }),
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
    endpointsPerClient: Type.Integer({
      default: 10,
      minimum: 0,
      description: 'How many endpoints a client may have.',
    }),
    keepDays: Type.Integer({
      default: 30,
      minimum: 4,
      description: 'How long messages that came to their end can be looked at and sent again.',
    }),
    allowedNetworks: Type.Array(Type.String(), {
      default: [],
      description:
        'Addresses and networks that may be sent to although they are not public, by http too.',
    }),
  },
  {
    additionalProperties: false,
    default: {},
    description: 'How events are sent to clients.',
  },
);

export type WebhooksConfig = Readonly<Static<typeof WebhooksSchema>>;
