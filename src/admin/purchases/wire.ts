/** Describes purchases as the back office's API shows them, in lists and in detail. */
import { type Static, Type } from 'typebox';
import type { Product } from '../../catalogue/product.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { maskMobile } from '../../lib/mobile.ts';
import { formatTime } from '../../lib/time.ts';
import { type Fact, factCodes } from '../../purchases/facts/facts.ts';
import { type HistoryEntry, historyKinds } from '../../purchases/inquiry/history.ts';
import { examplePurchase } from '../../purchases/inquiry/wire.ts';
import { states } from '../../purchases/purchase.ts';
import { moneyCodes } from '../../purchases/review/money.ts';
import { disputeIn, reasonIn } from '../../purchases/rows.ts';
import { type Mask, maskNumber, maskRecord } from '../mask.ts';
import { exampleTime, orNull, textOrNull, timeOrNull } from '../wire.ts';
import type { FoundRow } from './store.ts';

const numberOrNull = (description: string) => orNull(Type.Integer(), description);

/** A fact as the console puts it into words. */
const FactSchema = Type.Object(
  {
    code: Type.Enum([...factCodes], { description: 'What it is.' }),
    values: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What belongs to that code, with numbers of subscribers masked.',
    }),
  },
  { description: 'A fact: a code and its values.' },
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
    code: Type.Enum([...moneyCodes], { description: 'What becomes of it.' }),
    amount: Type.Integer({ description: 'What is held.' }),
  },
  { description: 'What becomes of the money.' },
);

const row = {
  id: Type.String({ description: 'The purchase; also its reference towards the operator.' }),
  began_at: Type.String({ description: 'When it began.' }),
  settled_at: textOrNull('When it became final.'),
  state: Type.Enum([...states], { description: 'How far it has come.' }),
  client: Type.Object({ id: Type.String(), name: Type.String() }, { description: 'Whose it is.' }),
  product: Type.Object(
    {
      id: Type.Integer(),
      name: textOrNull('Null where the catalogue has it no more.'),
      name_en: textOrNull('The name in Latin script; null where it has none.'),
    },
    { description: 'What was bought.' },
  ),
  operator_id: numberOrNull('Of which operator; null where the product was not known.'),
  mobile: Type.String({ description: 'For which number, masked.' }),
  amount: Type.Integer({ description: 'At what price.' }),
  webservice_code: Type.String({ description: 'The client’s tracking code.' }),
  idempotency_key: Type.String({ description: 'The key that it came with.' }),
  reason: orNull(FactSchema, 'Why it was refused, failed, or is not known.'),
  disputed: orNull(FactSchema, 'What contradicts its recorded end; then it needs review.'),
  answer_status: numberOrNull('With which status it was answered for good.'),
};

export const RowSchema = Type.Object(row, { description: 'A purchase. Its number is masked.' });

export const exampleRow: Static<typeof RowSchema> = {
  id: examplePurchase.id,
  began_at: exampleTime,
  settled_at: exampleTime,
  state: 'succeeded',
  client: { id: '019a8f3e-5a10-7c41-8d02-1b6f0e9c4a77', name: 'A shop' },
  product: { id: 2008, name: 'بسته ۱ گیگابایت یک‌ماهه', name_en: '1 GB for a month' },
  operator_id: 2,
  mobile: '98******6700',
  amount: 418_000,
  webservice_code: 'order-1001',
  idempotency_key: 'd9f6f0a4-order-1001',
  reason: null,
  disputed: null,
  answer_status: 200,
};

/** What a row of the table does not know. */
export type Names = {
  readonly mobile: MobileFormat;
  /** Masks other numbers than the purchase's own, for a role that sees none. */
  readonly others: Mask;
  readonly product: (id: number) => Pick<Product, 'name' | 'name_en'> | undefined;
};

/** Masks the purchase's own number for all: a client may have put it into its codes, an operator into its words. */
export const maskOf = ({ mobile }: { readonly mobile: string }, names: Names): Mask => {
  const own = maskNumber(mobile, names.mobile);
  return (text) => names.others(own(text));
};

export const rowToWire = (found: FoundRow, names: Names): Static<typeof RowSchema> => {
  const mask = maskOf(found, names);
  const product = names.product(found.product_id);
  return {
    id: found.id,
    began_at: formatTime(found.began_at),
    settled_at: timeOrNull(found.settled_at),
    state: found.state,
    client: { id: found.client_id, name: found.client_name ?? '' },
    product: {
      id: found.product_id,
      name: product?.name ?? null,
      name_en: product?.name_en ?? null,
    },
    operator_id: found.operator_id,
    mobile: maskMobile(found.mobile, names.mobile),
    amount: found.amount,
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
    offer_code: textOrNull('Which personal offer.'),
    offer_type: textOrNull('Which personal offer.'),
    profile_id: textOrNull('Which profile.'),
    request_id: Type.String({ description: 'Of the first request.' }),
    attempts: Type.Integer({ description: 'How often it was ordered.' }),
    inquiries: Type.Integer({ description: 'How often the operator was asked about it.' }),
    due_at: textOrNull('When it is driven on next; null where it is not.'),
    operator_ref: textOrNull('The operator’s own name for the delivery.'),
    answer: orNull(
      Type.Object({ status: Type.Integer(), body: Type.String() }),
      'The answer that is repeated for good, with the number masked.',
    ),
    timeline: Type.Array(
      Type.Object({
        at: Type.String(),
        kind: Type.Enum([...historyKinds]),
        fact: orNull(FactSchema, 'What was learnt; null where the kind says it all.'),
      }),
      { description: 'What happened, from the first on.' },
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
      { description: 'Its money.' },
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
        ended_at: textOrNull('When it was delivered, or given up.'),
      }),
      { description: 'What the client’s endpoints were told of it, as long as that is kept.' },
    ),
    decisions: Type.Array(
      Type.Object({
        at: Type.String(),
        by: Type.String(),
        reason: Type.String(),
        evidence: Type.Array(FactSchema),
        forced: Type.Boolean(),
        before: record('What it was before.'),
        after: record('What it was after.'),
      }),
      { description: 'What people decided about it.' },
    ),
    may: Type.Object(
      {
        inquire: Type.Boolean({ description: 'Whether the operator can be asked now.' }),
        resolve: Type.Boolean({ description: 'Whether it waits for a decision.' }),
      },
      { description: 'What you may do with it as it is.' },
    ),
  },
  { description: 'A purchase with all that is known of it. Its number is masked everywhere.' },
);

export const exampleDetail: Static<typeof DetailSchema> = {
  ...exampleRow,
  offer_code: null,
  offer_type: null,
  profile_id: null,
  request_id: '019a8f3e-6c1c-7a10-8b55-2c1d0f9e8a44',
  attempts: 1,
  inquiries: 0,
  due_at: null,
  operator_ref: 'r-20260131-77',
  answer: { status: 200, body: '{"message":"The purchase was successful."}' },
  timeline: [
    {
      at: exampleTime,
      kind: 'held and submitted',
      fact: { code: 'attempt', values: { attempt: 1 } },
    },
    { at: exampleTime, kind: 'succeeded', fact: null },
  ],
  postings: [
    {
      seq: 2,
      at: exampleTime,
      kind: 'hold',
      from: 'available',
      to: 'held',
      amount: 418_000,
      available_after: 582_000,
      held_after: 418_000,
    },
  ],
  messages: [],
  decisions: [],
  may: { inquire: false, resolve: false },
};

export const historyToWire = (
  { at, kind, fact }: HistoryEntry,
  mask: Mask,
): Static<typeof DetailSchema>['timeline'][number] => ({
  at: formatTime(at),
  kind,
  fact: factOrNullToWire(fact, mask),
});
