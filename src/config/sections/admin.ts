/** Defines the settings of the back office. */
import { Type } from 'typebox';
import { rateSchema } from './rate.ts';
import { group, wholeNumber } from './shapes.ts';

export const AdminSchema = Type.Object(
  {
    idleMs: wholeNumber(1_800_000, 1000, 'After this long without a request a session is over.'),
    absoluteMs: wholeNumber(
      43_200_000,
      1000,
      'After this long a session is over, however much it is used.',
    ),
    freshMs: wholeNumber(
      300_000,
      1000,
      'For how long after a proof of the password or a code a session may change accounts, secrets and recovery codes.',
    ),
    secondFactorRoles: Type.Array(
      Type.Enum(['viewer', 'support', 'manager', 'owner'], { description: 'A role.' }),
      {
        default: [],
        uniqueItems: true,
        description: 'Roles that require two-factor authentication.',
      },
    ),
    firstLink: Type.Boolean({
      default: true,
      description:
        'Whether a start prints a setup link for the first account, until a password is first set.',
    }),
    unmaskPerHour: wholeNumber(60, 0, 'How many whole numbers an account is shown within an hour.'),
    unmaskPerDay: wholeNumber(200, 0, 'The same within a day.'),
    rate: rateSchema({
      default: { perSecond: 50, burst: 200 },
      description: 'Requests a second and at once for each session; null: as many as it likes.',
    }),
    anonymousRate: rateSchema({
      default: { perSecond: 10, burst: 100 },
      description: 'The same for each address without a session.',
    }),
  },
  { ...group, description: 'How the back office is entered, and how much it may be asked.' },
);
