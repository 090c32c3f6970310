/** Maps a purchase to its row and back, with the columns in order. */
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ColumnTypes } from '../db/tables/columns.ts';
import type { Tables } from '../db/tables/tables.ts';
import { keysOf } from '../lib/record.ts';
import { type LeftCosts, noLeftCosts } from './cost.ts';
import { errorFact, type Fact, readFact } from './facts/facts.ts';
import type { Charge } from './pricing.ts';
import type { Purchase } from './purchase.ts';

export type PurchaseRow = Tables['purchases'];

/** Columns in the order of every statement, each with its type on PostgreSQL and its value. */
type Columns = {
  readonly [Column in keyof PurchaseRow]?: readonly [
    'text' | 'bigint',
    (purchase: Purchase) => PurchaseRow[Column],
  ];
};

/** The code of an error is in the column itself: the other holds only the operator's own words. */
const codeOf = (fact: Fact | null): string | null =>
  fact?.code === 'error' ? fact.values.name : (fact?.code ?? null);

const valuesOfFact = (fact: Fact | null): string | null => {
  if (fact?.code !== 'error') return fact === null ? null : JSON.stringify(fact.values);
  const { reason } = fact.values;
  return reason === undefined ? null : JSON.stringify({ reason });
};

const ofError = Compile(Type.Object({ reason: Type.String() }, { additionalProperties: false }));

const errorIn = (error: string, json: string | null): Fact => {
  const values: unknown = json === null ? undefined : JSON.parse(json);
  return ofError.Check(values) ? errorFact(error, values.reason) : errorFact(error);
};

/** For a settled purchase the reason is an error, otherwise the last fact. */
export const reasonIn = (
  row: Pick<PurchaseRow, 'answer_status' | 'reason' | 'reason_values'>,
): Fact | null => {
  const { reason, reason_values: values } = row;
  if (reason === null) return null;
  return row.answer_status === null && values !== null
    ? readFact(reason, values)
    : errorIn(reason, values);
};

export const disputeIn = (row: Pick<PurchaseRow, 'disputed' | 'disputed_values'>): Fact | null =>
  row.disputed === null ? null : readFact(row.disputed, row.disputed_values ?? '{}');

const wish = {
  client_id: ['text', ({ clientId }) => clientId],
  id: ['text', ({ id }) => id],
  idempotency_key: ['text', ({ key }) => key],
  fingerprint: ['text', ({ fingerprint }) => fingerprint],
  product_id: ['bigint', ({ productId }) => productId],
  operator_id: ['bigint', ({ operatorId }) => operatorId],
  mobile: ['text', ({ mobile }) => mobile],
  amount: ['bigint', ({ price }) => price],
  offer_code: ['text', ({ offer }) => offer?.code ?? null],
  offer_type: ['text', ({ offer }) => offer?.type ?? null],
  profile_id: ['text', ({ profileId }) => profileId],
  webservice_code: ['text', ({ webserviceCode }) => webserviceCode],
  request_id: ['text', ({ requestId }) => requestId],
  began_at: ['bigint', ({ beganAt }) => beganAt],
  trace: ['text', ({ trace }) => trace],
  charged_amount: ['bigint', ({ charged }) => charged],
  price_entry_id: ['bigint', ({ priceEntryId }) => priceEntryId],
} as const satisfies Columns;

/** A supplier alone, or with the cost of its attempt. */
const leftJson = ({ left, leftCosts }: Purchase): string | null => {
  if (left.length === 0) return null;
  return JSON.stringify(
    left.map((id) => {
      const cost = leftCosts.get(id);
      return cost === undefined ? id : [id, cost];
    }),
  );
};

/** The current attempt: written at the beginning, and when a purchase moves on to another supplier. */
const attempt = {
  supplier_id: ['bigint', ({ supplierId }) => supplierId],
  sent_to: ['text', ({ sentTo }) => sentTo],
  route_id: ['bigint', ({ routeId }) => routeId],
  supplier_code: ['text', ({ supplierCode }) => supplierCode],
  passed_over: ['text', ({ passedOver }) => passedOver],
  left_suppliers: ['text', leftJson],
  cost: ['bigint', ({ cost }) => cost],
  told_cost: ['bigint', ({ toldCost }) => toldCost],
} as const satisfies Columns;

const course = {
  state: ['text', ({ state }) => state],
  fence: ['bigint', ({ fence }) => fence],
  attempts: ['bigint', ({ attempts }) => attempts],
  inquiries: ['bigint', ({ inquiries }) => inquiries],
  notes: ['bigint', ({ notes }) => notes],
  send_before: ['bigint', ({ sendBefore }) => sendBefore],
  quiet_at: ['bigint', ({ quietAt }) => quietAt],
  due_at: ['bigint', ({ dueAt }) => dueAt],
  settled_at: ['bigint', ({ settledAt }) => settledAt],
  answer_status: ['bigint', ({ answer }) => answer?.status ?? null],
  answer_body: ['text', ({ answer }) => answer?.body ?? null],
  operator_ref: ['text', ({ operatorRef }) => operatorRef],
  reason: ['text', ({ reason }) => codeOf(reason)],
  reason_values: ['text', ({ reason }) => valuesOfFact(reason)],
  disputed: ['text', ({ disputed }) => codeOf(disputed)],
  disputed_values: ['text', ({ disputed }) => valuesOfFact(disputed)],
} as const satisfies Columns;

const typesOf = (columns: Columns): ColumnTypes =>
  Object.fromEntries(Object.entries(columns).map(([name, [type]]) => [name, type]));

const valuesOf = (columns: Columns): ((purchase: Purchase) => unknown[]) => {
  const reads = Object.values(columns).map(([, read]) => read);
  return (purchase) => reads.map((read) => read(purchase));
};

/** Limits a statement to purchases that are not a test client's (`isTestPurchase`). */
export const notTest = 'coalesce(purchases.supplier_id, 1) > 0';

export const requestColumns = keysOf(wish);
export const requestTypes = typesOf(wish);
export const requestValues = valuesOf(wish);
export const attemptColumns = keysOf(attempt);
export const attemptTypes = typesOf(attempt);
export const attemptValues = valuesOf(attempt);
export const progressColumns = keysOf(course);
export const progressTypes = typesOf(course);
export const progressValues = valuesOf(course);

/** All of them. */
export const purchaseColumns = [...requestColumns, ...attemptColumns, ...progressColumns] as const;

const leftSuppliers = Compile(
  Type.Array(Type.Union([Type.Integer(), Type.Tuple([Type.Integer(), Type.Integer()])])),
);

const readLeft = (json: string | null): readonly (number | readonly [number, number])[] => {
  if (json === null) return [];
  const read: unknown = JSON.parse(json);
  if (leftSuppliers.Check(read)) return read;
  throw new Error(`No list of suppliers: ${json}.`);
};

/** The suppliers in a column of `left_suppliers`. */
export const leftIn = (json: string | null): readonly number[] =>
  readLeft(json).map((one) => (typeof one === 'number' ? one : one[0]));

/** What the attempts at them cost, where that is known. */
export const leftCostsIn = (json: string | null): LeftCosts =>
  json === null ? noLeftCosts : new Map(readLeft(json).filter((one) => typeof one !== 'number'));

/** The supplier of a purchase: before there were suppliers, the one with the operator's own number. */
export const supplierIn = (
  row: Pick<PurchaseRow, 'supplier_id' | 'operator_id' | 'state'>,
): number | null => row.supplier_id ?? (row.state === 'refused' ? null : row.operator_id);

const commonOf = (row: PurchaseRow) => ({
  clientId: row.client_id,
  id: row.id,
  key: row.idempotency_key,
  fingerprint: row.fingerprint,
  productId: row.product_id,
  operatorId: row.operator_id,
  mobile: row.mobile,
  price: row.amount,
  offer:
    row.offer_code === null || row.offer_type === null
      ? null
      : { code: row.offer_code, type: row.offer_type },
  profileId: row.profile_id,
  webserviceCode: row.webservice_code,
  requestId: row.request_id,
  trace: row.trace,
  fence: row.fence,
  attempts: row.attempts,
  inquiries: row.inquiries,
  notes: row.notes,
  beganAt: row.began_at,
  supplierId: supplierIn(row),
  sentTo: row.sent_to,
  routeId: row.route_id,
  supplierCode: row.supplier_code,
  passedOver: row.passed_over,
  left: leftIn(row.left_suppliers),
  leftCosts: leftCostsIn(row.left_suppliers),
  cost: row.cost,
  toldCost: row.told_cost,
  sendBefore: row.send_before,
  quietAt: row.quiet_at,
  operatorRef: row.operator_ref,
  reason: reasonIn(row),
  disputed: disputeIn(row),
});

/** Before there were price lists, the price was charged. */
const chargeIn = (row: PurchaseRow): Charge => ({
  charged: row.charged_amount ?? row.amount,
  priceEntryId: row.price_entry_id,
});

/** Reads a row, or throws if no purchase can be in that state. */
export const toPurchase = (row: PurchaseRow): Purchase => {
  const common = commonOf(row);
  const { state, due_at: dueAt, settled_at: settledAt, answer_status, answer_body } = row;
  if (answer_status !== null && answer_body !== null && settledAt !== null && dueAt === null) {
    const settled = { answer: { status: answer_status, body: answer_body }, settledAt, dueAt };
    if (state === 'refused') {
      return { ...common, charged: null, priceEntryId: null, ...settled, state };
    }
    const ended = { ...common, ...chargeIn(row), ...settled };
    if (state === 'succeeded' || state === 'failed') return { ...ended, state };
    if (state === 'reversed') return { ...ended, state };
  }
  if (answer_status === null && settledAt === null) {
    const open = { ...common, ...chargeIn(row), answer: null, settledAt };
    if (state === 'review' && dueAt === null) return { ...open, state, dueAt };
    if (state === 'submitted' || state === 'unknown') {
      if (dueAt !== null) return { ...open, state, dueAt };
    }
  }
  throw new Error(`Purchase ${row.id} is in an impossible state: ${state}.`);
};
