/** Owns the settings of the back office. */
import { Type } from 'typebox';
import { rateSchema } from './config-rate.ts';

export const AdminSchema = Type.Object(
  {
    idleMs: Type.Integer({
      default: 1_800_000,
      minimum: 1000,
      description: 'After this long without a request a session is over.',
    }),
    absoluteMs: Type.Integer({
      default: 43_200_000,
      minimum: 1000,
      description: 'After this long a session is over, however much it is used.',
    }),
    firstLink: Type.Boolean({
      default: true,
      description:
        'Whether a start prints a link to the first account, as long as nobody has ever set a password.',
    }),
    rate: rateSchema({
      default: { perSecond: 50, burst: 200 },
      description: 'Requests a second and at once for each session; null: as many as it likes.',
    }),
    anonymousRate: rateSchema({
      default: { perSecond: 10, burst: 100 },
      description: 'The same for each address without a session.',
    }),
  },
  {
    additionalProperties: false,
    default: {},
    description: 'How the back office is entered, and how much it may be asked.',
  },
);
