/** Tests that a purchase survives the round trip to its row and back, and that impossible rows are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { purchaseRequestOf } from '../../test/support/purchase-world.ts';
import { dispute } from './disputes.ts';
import { textFact } from './facts/facts.ts';
import {
  begin,
  fail,
  giveUp,
  leaveUnknown,
  type Note,
  type Purchase,
  refuse,
  reverse,
  succeed,
} from './purchase.ts';
import {
  attemptColumns,
  attemptValues,
  type PurchaseRow,
  progressColumns,
  progressTypes,
  progressValues,
  requestColumns,
  requestValues,
  toPurchase,
} from './rows.ts';

const open = begin(
  purchaseRequestOf({ clientId: 'a', id: 'p', offer: { code: '1', type: '' } }),
  1,
  {
    sendBefore: 2,
    quietAt: 4,
    dueAt: 3,
  },
).after;
const answer = { status: 422, body: '{}' };
const note: Note = { kind: 'inquiry', fact: { code: 'no_answer_within', values: { ms: 5 } } };
const sold = succeed(open, { at: 5, answer: { status: 200, body: '' }, ref: 'r', note }).after;
const purchases: readonly Purchase[] = [
  open,
  leaveUnknown(open, { dueAt: 9, inquired: true, note }).after,
  giveUp(open, { code: 'unresolved', values: { inquiries: 3, last: textFact('x') } }, note).after,
  sold,
  fail(open, { at: 5, answer, reason: 'no', note }).after,
  fail(open, { at: 5, answer, reason: 'no', words: 'barred', note }).after,
  dispute(fail(open, { at: 5, answer, reason: 'no', note }).after, note).after,
  refuse(
    purchaseRequestOf({ clientId: 'a', id: 'p', operatorId: null, profileId: '7' }),
    1,
    answer,
    'no',
  ).after,
  reverse(sold, note).after,
];

const fill = (row: object, columns: readonly string[], values: readonly unknown[]): object => {
  assert.equal(columns.length, values.length);
  return Object.assign(
    row,
    Object.fromEntries(columns.map((column, index) => [column, values[index]])),
  );
};

const emptyRow: PurchaseRow = {
  client_id: '',
  id: '',
  idempotency_key: '',
  fingerprint: '',
  state: 'submitted',
  product_id: 0,
  operator_id: null,
  mobile: '',
  amount: 0,
  offer_code: null,
  offer_type: null,
  profile_id: null,
  sent_to: 'system',
  trace: 'a trace',
  webservice_code: '',
  request_id: '',
  fence: 0,
  attempts: 0,
  inquiries: 0,
  notes: 0,
  began_at: 0,
  send_before: 0,
  quiet_at: 0,
  due_at: null,
  settled_at: null,
  answer_status: null,
  answer_body: null,
  operator_ref: null,
  reason: null,
  reason_values: null,
  disputed: null,
  disputed_values: null,
  supplier_id: 7,
  route_id: 3,
  supplier_code: 'a code',
  passed_over: '[]',
  left_suppliers: '[1,[2,900]]',
  charged_amount: 0,
  price_entry_id: 5,
  cost: 800,
  told_cost: 0,
};

const rowOf = (purchase: Purchase): PurchaseRow => {
  const row = { ...emptyRow };
  fill(row, requestColumns, requestValues(purchase));
  fill(row, attemptColumns, attemptValues(purchase));
  fill(row, progressColumns, progressValues(purchase));
  return row;
};

test('a purchase in any state survives writing and reading', () => {
  for (const purchase of purchases) assert.deepEqual(toPurchase(rowOf(purchase)), purchase);
});

test('every column is written exactly once, and mutable ones have a type', () => {
  const written = [...requestColumns, ...attemptColumns, ...progressColumns];
  assert.deepEqual(written.toSorted(), Object.keys(emptyRow).toSorted());
  assert.deepEqual(Object.keys(progressTypes), [...progressColumns]);
  for (const [index, value] of progressValues(sold).entries()) {
    const column = progressColumns[index] ?? assert.fail();
    if (value !== null) {
      assert.equal(typeof value, progressTypes[column] === 'text' ? 'string' : 'number', column);
    }
  }
});

test('a row is read only if answer, end and due time match its state', () => {
  const states = purchases.map(({ state }) => state);
  fc.assert(
    fc.property(
      fc.constantFrom(...states),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      (state, answered, settled, due) => {
        const row: PurchaseRow = {
          ...rowOf(open),
          state,
          answer_status: answered ? 200 : null,
          answer_body: answered ? '' : null,
          settled_at: settled ? 5 : null,
          due_at: due ? 3 : null,
        };
        const final = ['refused', 'succeeded', 'failed', 'reversed'].includes(state);
        const fits =
          answered === final && settled === final && due === (!final && state !== 'review');
        if (fits) assert.equal(toPurchase(row).state, state);
        else assert.throws(() => toPurchase(row), /Purchase p is in an impossible state/);
      },
    ),
    { numRuns: 500 },
  );
});
