/** Owns the form of a purchase in its table: columns in order, to a row and back. */
import type { Tables } from '../lib/db-schema.ts';
import type { ColumnTypes } from '../lib/db-statement.ts';
import type { Purchase } from './purchase.ts';

export type PurchaseRow = Tables['purchases'];

/** In this order in every statement. */
export const wishColumns = [
  'client_id',
  'id',
  'idempotency_key',
  'fingerprint',
  'product_id',
  'operator_id',
  'mobile',
  'amount',
  'offer_code',
  'offer_type',
  'profile_id',
  'webservice_code',
  'request_id',
  'began_at',
  'sent_to',
  'trace',
] as const satisfies readonly (keyof PurchaseRow)[];

export const courseColumns = [
  'state',
  'fence',
  'attempts',
  'inquiries',
  'notes',
  'send_before',
  'quiet_at',
  'due_at',
  'settled_at',
  'answer_status',
  'answer_body',
  'operator_ref',
  'reason',
  'disputed',
] as const satisfies readonly (keyof PurchaseRow)[];

/** All of them. */
export const purchaseColumns = [...wishColumns, ...courseColumns] as const;

/** Arrays of values have to be told their types on PostgreSQL. */
export const wishTypes = {
  client_id: 'text',
  id: 'text',
  idempotency_key: 'text',
  fingerprint: 'text',
  product_id: 'bigint',
  operator_id: 'bigint',
  mobile: 'text',
  amount: 'bigint',
  offer_code: 'text',
  offer_type: 'text',
  profile_id: 'text',
  webservice_code: 'text',
  request_id: 'text',
  began_at: 'bigint',
  sent_to: 'text',
  trace: 'text',
} as const satisfies ColumnTypes<(typeof wishColumns)[number]>;

export const courseTypes = {
  state: 'text',
  fence: 'bigint',
  attempts: 'bigint',
  inquiries: 'bigint',
  notes: 'bigint',
  send_before: 'bigint',
  quiet_at: 'bigint',
  due_at: 'bigint',
  settled_at: 'bigint',
  answer_status: 'bigint',
  answer_body: 'text',
  operator_ref: 'text',
  reason: 'text',
  disputed: 'text',
} as const satisfies ColumnTypes<(typeof courseColumns)[number]>;

export const wishValues = (purchase: Purchase): unknown[] => [
  purchase.clientId,
  purchase.id,
  purchase.key,
  purchase.fingerprint,
  purchase.productId,
  purchase.operatorId,
  purchase.mobile,
  purchase.amount,
  purchase.offer?.code ?? null,
  purchase.offer?.type ?? null,
  purchase.profileId,
  purchase.webserviceCode,
  purchase.requestId,
  purchase.beganAt,
  purchase.sentTo,
  purchase.trace,
];

export const courseValues = (purchase: Purchase): unknown[] => [
  purchase.state,
  purchase.fence,
  purchase.attempts,
  purchase.inquiries,
  purchase.notes,
  purchase.sendBefore,
  purchase.quietAt,
  purchase.dueAt,
  purchase.settledAt,
  purchase.answer?.status ?? null,
  purchase.answer?.body ?? null,
  purchase.operatorRef,
  purchase.reason,
  purchase.disputed,
];

const commonOf = (row: PurchaseRow) => ({
  clientId: row.client_id,
  id: row.id,
  key: row.idempotency_key,
  fingerprint: row.fingerprint,
  productId: row.product_id,
  operatorId: row.operator_id,
  mobile: row.mobile,
  amount: row.amount,
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
  sentTo: row.sent_to,
  sendBefore: row.send_before,
  quietAt: row.quiet_at,
  operatorRef: row.operator_ref,
  reason: row.reason,
  disputed: row.disputed,
});

/** Reads a row, or throws where it is in no state that a purchase can be in. */
export const toPurchase = (row: PurchaseRow): Purchase => {
  const common = commonOf(row);
  const { state, due_at: dueAt, settled_at: settledAt, answer_status, answer_body } = row;
  if (answer_status !== null && answer_body !== null && settledAt !== null && dueAt === null) {
    const settled = { answer: { status: answer_status, body: answer_body }, settledAt, dueAt };
    if (state === 'refused' || state === 'failed') return { ...common, ...settled, state };
    if (state === 'succeeded' || state === 'reversed') return { ...common, ...settled, state };
  }
  if (answer_status === null && settledAt === null) {
    const open = { answer: null, settledAt };
    if (state === 'review' && dueAt === null) return { ...common, ...open, state, dueAt };
    if (state === 'submitted' || state === 'unknown') {
      if (dueAt !== null) return { ...common, ...open, state, dueAt };
    }
  }
  throw new Error(`Purchase ${row.id} is in an impossible state: ${state}.`);
};
