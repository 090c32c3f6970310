/** Owns the settings of the back office. */
import { Type } from 'typebox';

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
  },
  {
    additionalProperties: false,
    default: {},
    description: 'How long somebody stays signed in to the back office.',
  },
);
