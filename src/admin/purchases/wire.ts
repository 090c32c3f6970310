/** Describes purchases as the back office's API shows them, in lists and in detail. */
import { type Static, Type } from 'typebox';
import type { Product } from '../../catalogue/product.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { maskMobile } from '../../lib/mobile.ts';
import { formatTime } from '../../lib/time.ts';
import { isTestSupplier } from '../../operators/supplier.ts';
import { type CallbackRow, callbackWords } from '../../purchases/callbacks/store.ts';
import { type Fact, factCodes } from '../../purchases/facts/facts.ts';
import { type HistoryEntry, historyKinds } from '../../purchases/inquiry/history.ts';
import { examplePurchase } from '../../purchases/inquiry/wire.ts';
import { states } from '../../purchases/purchase.ts';
import { moneyCodes } from '../../purchases/review/money.ts';
import { disputeIn, reasonIn } from '../../purchases/rows.ts';
import { type Mask, maskNumber, maskRecord } from '../mask.ts';
import { exampleTime, orNull, textOrNull, timeOrNull } from '../wire.ts';
import { CostSchema } from './cost-wire.ts';
import type { FoundRow } from './store.ts';

const numberOrNull = (description: string) => orNull(Type.Integer(), description);

/** A fact that the console puts into words. */
const FactSchema = Type.Object(
  {
    code: Type.Enum([...factCodes], { description: 'The code of the fact.' }),
    values: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The values of the code, with mobile numbers masked.',
    }),
  },
  { title: 'Fact', description: 'A recorded fact: a code and its values.' },
);

export const factToWire = ({ code, values }: Fact, mask: Mask): Static<typeof FactSchema> => ({
  code,
  values: maskRecord(values, mask),
});

export const factOrNullToWire = (
  fact: Fact | null,
  mask: Mask,
): Static<typeof FactSchema> | null => (fact === null ? null : factToWire(fact, mask));

export const EvidenceSchema = Type.Object({
  says: Type.Enum(['delivered', 'taken_back', 'not_delivered', 'nothing']),
  fact: FactSchema,
});

export const MoneySchema = Type.Object(
  {
    code: Type.Enum([...moneyCodes], { description: 'What happens to the held amount.' }),
    amount: Type.Integer({ description: 'The held amount.' }),
  },
  { title: 'MoneyEffect', description: 'What the decision does to the money.' },
);

export const ProductNameSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The ID of the product.' }),
    name: textOrNull('The name of the product; null if it was removed.'),
    name_en: textOrNull('The name in Latin script; null if there is none.'),
  },
  { description: 'The product.' },
);

const row = {
  id: Type.String({ description: 'The ID, which is also the reference sent to the operator.' }),
  began_at: Type.String({ description: 'When it began.' }),
  settled_at: textOrNull('When it became final; null while it is open.'),
  state: Type.Enum([...states], { description: 'The state.' }),
  client: Type.Object(
    {
      id: Type.String({ description: 'The ID of the client.' }),
      name: Type.String({ description: 'The name of the client.' }),
      test: Type.Boolean({ description: 'A test client.' }),
    },
    { description: 'The client.' },
  ),
  product: ProductNameSchema,
  operator_id: numberOrNull('The ID of the operator; null if the product is unknown.'),
  mobile: Type.String({ description: 'The mobile number, masked.' }),
  amount: Type.Integer({ description: 'The price.' }),
  charged_amount: numberOrNull('The price less the commission; null if it was refused.'),
  webservice_code: Type.String({ description: 'The client’s tracking code.' }),
  idempotency_key: Type.String({ description: 'The idempotency key.' }),
  reason: orNull(FactSchema, 'Why it was refused, failed or is unknown; otherwise null.'),
  disputed: orNull(
    FactSchema,
    'What contradicts its recorded outcome; then it needs review. Otherwise null.',
  ),
  answer_status: numberOrNull('The HTTP status of the recorded response; null if there is none.'),
};

export const RowSchema = Type.Object(row, {
  title: 'Purchase',
  description: 'A purchase, with its mobile number masked.',
});

export const exampleRow: Static<typeof RowSchema> = {
  id: examplePurchase.id,
  began_at: exampleTime,
  settled_at: exampleTime,
  state: 'succeeded',
  client: { id: '019a8f3e-5a10-7c41-8d02-1b6f0e9c4a77', name: 'A shop', test: false },
  product: { id: 2008, name: 'بسته ۱ گیگابایت یک‌ماهه', name_en: '1 GB for a month' },
  operator_id: 2,
  mobile: '98******6700',
  amount: 418_000,
  charged_amount: 401_280,
  webservice_code: 'order-1001',
  idempotency_key: 'd9f6f0a4-order-1001',
  reason: null,
  disputed: null,
  answer_status: 200,
};

/** What a table row does not contain. */
export type Names = {
  readonly mobile: MobileFormat;
  /** Masks numbers other than the purchase's own, for roles without the right to numbers. */
  readonly others: Mask;
  readonly product: (id: number) => Pick<Product, 'name' | 'name_en'> | undefined;
};

/** Masks the purchase's own number for everyone: clients put it into codes, operators into texts. */
export const maskOf = ({ mobile }: { readonly mobile: string }, names: Names): Mask => {
  const own = maskNumber(mobile, names.mobile);
  return (text) => names.others(own(text));
};

export const productNames = (
  id: number,
  { product }: Pick<Names, 'product'>,
): Static<typeof ProductNameSchema> => {
  const { name = null, name_en = null } = product(id) ?? {};
  return { id, name, name_en };
};

export const rowToWire = (found: FoundRow, names: Names): Static<typeof RowSchema> => {
  const mask = maskOf(found, names);
  return {
    id: found.id,
    began_at: formatTime(found.began_at),
    settled_at: timeOrNull(found.settled_at),
    state: found.state,
    client: {
      id: found.client_id,
      name: found.client_name ?? '',
      test: isTestSupplier(found.supplier_id),
    },
    product: productNames(found.product_id, names),
    operator_id: found.operator_id,
    mobile: maskMobile(found.mobile, names.mobile),
    amount: found.amount,
    charged_amount: found.state === 'refused' ? null : (found.charged_amount ?? found.amount),
    webservice_code: mask(found.webservice_code),
    idempotency_key: mask(found.idempotency_key),
    reason: factOrNullToWire(reasonIn(found), mask),
    disputed: factOrNullToWire(disputeIn(found), mask),
    answer_status: found.answer_status,
  };
};

const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const DetailSchema = Type.Object(
  {
    ...row,
    offer_code: textOrNull('The code of the personal offer; otherwise null.'),
    offer_type: textOrNull('The type of the personal offer; otherwise null.'),
    profile_id: textOrNull('The profile; null if there is none.'),
    request_id: Type.String({ description: 'The ID of the first request.' }),
    attempts: Type.Integer({ description: 'How many order attempts there were.' }),
    supplier_id: numberOrNull('The supplier of the last order.'),
    cost: orNull(
      CostSchema,
      'What it costs at its suppliers; null without the right `cost`, and if it was refused.',
    ),
    left: Type.Array(
      Type.Object({ supplier_id: Type.Integer(), left_at: Type.String(), fact: FactSchema }),
      { description: 'The suppliers before it, and why each was left.' },
    ),
    inquiries: Type.Integer({ description: 'How many inquiries there were.' }),
    due_at: textOrNull('When it is processed next; null if it is final.'),
    operator_ref: textOrNull('The reference of the operator for the delivery.'),
    answer: orNull(
      Type.Object({ status: Type.Integer(), body: Type.String() }),
      'The recorded response, with the mobile number masked; null if there is none.',
    ),
    timeline: Type.Array(
      Type.Object({
        at: Type.String(),
        kind: Type.Enum([...historyKinds]),
        fact: orNull(FactSchema, 'What was learnt; null if the kind says it all.'),
      }),
      { description: 'What happened, oldest first.' },
    ),
    callbacks: Type.Array(
      Type.Object({
        at: Type.String({ description: 'When it came first.' }),
        last_at: Type.String({ description: 'When it came last.' }),
        times: Type.Integer({ description: 'How often it came.' }),
        says: Type.Enum([...callbackWords], { description: 'What it says of the order.' }),
        message: Type.String({
          description: 'The beginning of the message, with mobile numbers and secrets masked.',
        }),
      }),
      { description: 'What the operator sent by itself about it, as long as that is kept.' },
    ),
    postings: Type.Array(
      Type.Object({
        seq: Type.Integer(),
        at: Type.String(),
        kind: Type.String(),
        from: Type.String(),
        to: Type.String(),
        amount: Type.Integer(),
        available_after: Type.Integer(),
        held_after: Type.Integer(),
      }),
      { description: 'Its ledger entries.' },
    ),
    messages: Type.Array(
      Type.Object({
        id: Type.String(),
        type: Type.String(),
        endpoint_id: Type.String(),
        endpoint_url: Type.String(),
        state: Type.Enum(['waiting', 'delivered', 'failed']),
        attempts: Type.Integer(),
        created_at: Type.String(),
        ended_at: textOrNull('When it was delivered or failed; null while it is waiting.'),
      }),
      { description: 'Webhook messages about it, as long as they are kept.' },
    ),
    decisions: Type.Array(
      Type.Object({
        at: Type.String(),
        by: Type.String(),
        reason: Type.String(),
        evidence: Type.Array(FactSchema),
        forced: Type.Boolean(),
        before: record('The values before.'),
        after: record('The values after.'),
      }),
      { description: 'Decisions made in the back office.' },
    ),
    may: Type.Object(
      {
        inquire: Type.Boolean({ description: 'Whether you can send an inquiry now.' }),
        resolve: Type.Boolean({ description: 'Whether it needs a decision.' }),
      },
      { description: 'The actions that are possible now.' },
    ),
  },
  { title: 'PurchaseDetail', description: 'A purchase in detail, with its mobile number masked.' },
);

export const callbackToWire = (
  { first_at, last_at, times, says, message }: CallbackRow,
  mask: Mask,
): Static<typeof DetailSchema>['callbacks'][number] => ({
  at: formatTime(first_at),
  last_at: formatTime(last_at),
  times,
  says,
  message: mask(message),
});

export const historyToWire = (
  { at, kind, fact }: HistoryEntry,
  mask: Mask,
): Static<typeof DetailSchema>['timeline'][number] => ({
  at: formatTime(at),
  kind,
  fact: factOrNullToWire(fact, mask),
});
