/** Defines the wire format of a client's rules. */
import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/time.ts';
import type { ClientRules } from './rules.ts';

const ids = (description: string) =>
  Type.Union([Type.Array(Type.Integer()), Type.Null()], { description });

export const RulesSchema = Type.Object({
  products: ids('The IDs of the products you can buy; null if you can buy all.'),
  operators: ids(
    'The IDs of the operators whose products you can buy; null if you can buy from all.',
  ),
  repeat_guard_seconds: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'For how many seconds a purchase of the same product for the same number at the same price is refused as a likely duplicate; null if never.',
  }),
  day: Type.Union(
    [
      Type.Object({
        limit: Type.Integer({ description: 'Your daily limit. Days are those of `time_zone`.' }),
        spent: Type.Integer({ description: 'What you have spent today.' }),
        left: Type.Integer({ description: 'What you can still spend today.' }),
        ends_at: Type.String({ description: 'When the next day begins.' }),
      }),
      Type.Null(),
    ],
    { description: 'Your daily limit; null if there is none.' },
  ),
  pending_status: Type.Integer({
    description:
      'The HTTP status of a purchase that is still pending: 202, or 409 if it is set for you.',
  }),
});

export const exampleRules = {
  products: null,
  operators: [1, 2],
  repeat_guard_seconds: 60,
  day: {
    limit: 5_000_000,
    spent: 418_000,
    left: 4_582_000,
    ends_at: '2026-02-01T00:00:00.000000Z',
  },
  pending_status: 202,
} satisfies Static<typeof RulesSchema>;

/** The rules of a client; `day` if it has a limit. */
export const rulesToWire = (
  rules: ClientRules,
  day: { readonly spent: number; readonly ends: number } | undefined,
): Static<typeof RulesSchema> => {
  const { products, operators, repeatSeconds, dailyLimit: limit, pendingStatus } = rules;
  return {
    products: products === null ? null : [...products],
    operators: operators === null ? null : [...operators],
    repeat_guard_seconds: repeatSeconds,
    day:
      limit === null || day === undefined
        ? null
        : {
            limit,
            spent: day.spent,
            left: Math.max(0, limit - day.spent),
            ends_at: formatTime(day.ends),
          },
    pending_status: pendingStatus,
  };
};
