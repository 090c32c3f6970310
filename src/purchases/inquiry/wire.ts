/** Describes a purchase as its client sees it, in answers and in webhook messages. */
import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/time.ts';
import { wireWords } from '../facts/words.ts';
import { isFinal, type Purchase, type State, states } from '../purchase.ts';

const textOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });

const amountOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description });

export const PurchaseSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID, as in the header `Purchase-Id`.' }),
    state: Type.Enum([...states], {
      description:
        'Final: `refused` and `failed` (not charged), `succeeded` (charged) and `reversed` (refunded). In progress: `submitted`, `unknown`, and `review`, which a person decides.',
    }),
    charged: Type.Enum(['yes', 'no', 'unknown'], { description: 'Whether you were charged.' }),
    product_id: Type.Integer({ description: 'The ID of the product.' }),
    operator_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The ID of the operator.',
    }),
    mobile: Type.String({ description: 'The mobile number.' }),
    price: Type.Integer({ description: 'The price.' }),
    commission: amountOrNull('Your commission; null if it was refused.'),
    charged_amount: amountOrNull(
      'The price less the commission: what is held, and charged if it succeeds. Null if it was refused.',
    ),
    offerCode: textOrNull('The `offerCode` of a personal offer; otherwise null.'),
    offerType: textOrNull('The `offerType` of a personal offer; otherwise null.'),
    profile_id: textOrNull('The `profile_id` that was sent; otherwise null.'),
    webservice_code: Type.String({ description: 'Your tracking code.' }),
    idempotency_key: Type.String({ description: 'The idempotency key.' }),
    reason: textOrNull('Why it was refused, failed or is unknown; otherwise null.'),
    created_at: Type.String({ description: 'When it began.' }),
    settled_at: textOrNull('When it became final; null while it is in progress.'),
  },
  { title: 'Purchase', description: 'A purchase and its outcome.' },
);

const chargedBy: Readonly<Record<State, 'yes' | 'no' | 'unknown'>> = {
  refused: 'no',
  submitted: 'unknown',
  unknown: 'unknown',
  review: 'unknown',
  succeeded: 'yes',
  failed: 'no',
  reversed: 'no',
};

export const toWire = (purchase: Purchase): Static<typeof PurchaseSchema> => ({
  id: purchase.id,
  state: purchase.state,
  charged: chargedBy[purchase.state],
  product_id: purchase.productId,
  operator_id: purchase.operatorId,
  mobile: purchase.mobile,
  price: purchase.price,
  commission: purchase.charged === null ? null : purchase.price - purchase.charged,
  charged_amount: purchase.charged,
  offerCode: purchase.offer?.code ?? null,
  offerType: purchase.offer?.type ?? null,
  profile_id: purchase.profileId,
  webservice_code: purchase.webserviceCode,
  idempotency_key: purchase.key,
  reason: wireWords(purchase.reason),
  created_at: formatTime(purchase.beganAt),
  settled_at: isFinal(purchase) ? formatTime(purchase.settledAt) : null,
});

const exampleTime = '2026-01-31T09:30:00.000000Z';

export const examplePurchase = {
  id: '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18',
  state: 'succeeded',
  charged: 'yes',
  product_id: 2008,
  operator_id: 2,
  mobile: '989123456700',
  price: 418_000,
  commission: 16_720,
  charged_amount: 401_280,
  offerCode: null,
  offerType: null,
  profile_id: null,
  webservice_code: 'order-1001',
  idempotency_key: 'd9f6f0a4-order-1001',
  reason: null,
  created_at: exampleTime,
  settled_at: exampleTime,
} as const satisfies Static<typeof PurchaseSchema>;
