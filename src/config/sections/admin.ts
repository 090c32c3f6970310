/** Defines the settings of the back office. */
import { Type } from 'typebox';
import { rateSchema } from './rate.ts';
import { group, wholeNumber } from './shapes.ts';

export const AdminSchema = Type.Object(
  {
    idleMs: wholeNumber(1_800_000, 1000, 'A session ends after this long without a request.'),
    absoluteMs: wholeNumber(43_200_000, 1000, 'A session ends after this long in any case.'),
    freshMs: wholeNumber(
      300_000,
      1000,
      'How long after confirming the password or a code a session may change accounts, secrets and recovery codes.',
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
        'Print a setup link for the first account at the start, until a password is set. Off in production by default.',
    }),
    unmaskPerHour: wholeNumber(
      60,
      0,
      'Unmasked mobile numbers that one account can see in an hour.',
    ),
    unmaskPerDay: wholeNumber(200, 0, 'Unmasked mobile numbers that one account can see in a day.'),
    rate: rateSchema({
      default: { perSecond: 50, burst: 200 },
      description: 'Rate limit for each session. null: no limit.',
    }),
    anonymousRate: rateSchema({
      default: { perSecond: 10, burst: 100 },
      description: 'Rate limit for each address without a session. null: no limit.',
    }),
  },
  {
    ...group,
    description: 'Sessions and limits of the back office.',
  },
);
