/** Describes what a purchase costs as the back office's API shows it. */
import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/time.ts';
import { costKinds } from '../../purchases/cost.ts';
import type { LedgerRow } from '../../purchases/cost-store.ts';
import type { PurchaseCost } from '../../purchases/inquiry/costs.ts';
import { orNull } from '../wire.ts';

const numberOrNull = (description: string) => orNull(Type.Integer(), description);

export const CostSchema = Type.Object(
  {
    by_rule: numberOrNull('What it costs by the rule of its route; null if that is not known.'),
    told: numberOrNull(
      'What the supplier says that it costs, which counts more; null if it does not.',
    ),
    amount: numberOrNull(
      'What all its suppliers have taken; null while it is open, and if that is not known.',
    ),
    margin: numberOrNull('What the client was charged less that.'),
    learnt: Type.Array(
      Type.Object({
        at: Type.String(),
        supplier_id: Type.Integer(),
        kind: Type.Enum([...costKinds]),
        cost: numberOrNull('What it adds to the cost; null if that is not known.'),
      }),
      { description: 'What was learnt about it besides the capture and the reversal.' },
    ),
  },
  { title: 'PurchaseCost', description: 'What a purchase costs, and the margin.' },
);

/** Null without the right to see it. */
export const costToWire = (
  cost: PurchaseCost | null,
  learnt: readonly LedgerRow[],
): Static<typeof CostSchema> | null =>
  cost === null
    ? null
    : {
        by_rule: cost.byRule,
        told: cost.told,
        amount: cost.cost,
        margin: cost.margin,
        learnt: learnt.map(({ at, ...one }) => ({ at: formatTime(at), ...one })),
      };
