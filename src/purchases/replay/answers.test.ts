/** Tests the recorded answers: one field for a success, the standard error body for a refusal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusalCode } from '../../connector/connector.ts';
import { type ErrorCode, errorTable } from '../../lib/errors.ts';
import { codeOfRefusal, refusalAnswer, successAnswer, wantsOffers } from './answers.ts';

test('a success has status 200 and a body of exactly one field', () => {
  const body: unknown = JSON.parse(successAnswer.body);
  assert.equal(successAnswer.status, 200);
  assert.deepEqual(body, { message: 'The purchase was successful.' });
});

test('a refusal is recorded with the table’s status, sentence and hint, and its request id', () => {
  const answer = refusalAnswer(
    { code: 'PRICE_MISMATCH', more: { expected_price: 33_000, offers: [] } },
    'the first request',
  );
  assert.equal(answer.status, 422);
  assert.deepEqual(JSON.parse(answer.body), {
    message: errorTable.PRICE_MISMATCH.message,
    code: 'PRICE_MISMATCH',
    charged: 'no',
    retry: errorTable.PRICE_MISMATCH.retry,
    request_id: 'the first request',
    docs: '/docs/errors#price_mismatch',
    expected_price: 33_000,
    offers: [],
  });
});

test('each refusal of an operator has a code of the table, and only two come with offers', () => {
  const codes: Readonly<Record<RefusalCode, ErrorCode>> = {
    declined: 'OPERATOR_DECLINED',
    unreachable: 'ORDER_NOT_RECEIVED',
    out_of_stock: 'OPERATOR_DECLINED',
    out_of_funds: 'OPERATOR_DECLINED',
    throttled: 'OPERATOR_DECLINED',
    not_subscriber: 'OPERATOR_MISMATCH',
    wrong_sim_type: 'SIM_TYPE_MISMATCH',
    offer_gone: 'OFFER_EXPIRED',
    price_changed: 'PRICE_CHANGED',
  };
  for (const refusal of [
    'declined',
    'unreachable',
    'out_of_stock',
    'out_of_funds',
    'throttled',
    'not_subscriber',
    'wrong_sim_type',
    'offer_gone',
    'price_changed',
  ] as const) {
    const code = codeOfRefusal(refusal);
    assert.equal(code, codes[refusal]);
    assert.equal(wantsOffers(code), ['offer_gone', 'price_changed'].includes(refusal));
    const status = errorTable[code].status;
    assert.ok(status === 422 || status === 409, 'it is recorded for good');
  }
});
