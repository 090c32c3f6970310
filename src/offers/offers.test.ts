/** Tests how long offers are cached, and when the operator is asked again. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { wideAdmission } from '../../test/support/admission.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { callWithin } from '../connector/call.ts';
import { defineConnector, type Offer, type OffersOutcome } from '../connector/connector.ts';
import { GatewayError } from '../lib/errors.ts';
import { sameText } from '../lib/text.ts';
import type { Operator } from '../operators/registry.ts';
import { createOffers } from './offers.ts';

const mobile = '989121234500';
const offerOf = (amount: string): Offer => ({
  code: '1',
  type: '1',
  amount,
  name: '',
  description: '',
  descriptionLocal: '',
  validityDays: '',
});
const listed = (amount: string): OffersOutcome => ({
  kind: 'offers',
  offers: [offerOf(amount)],
  transactionId: 'id',
  message: '',
});

/** Offers of scripted operators, with each call counted. */
const createStage = (settings: { rememberAtMost?: number } = {}) => {
  const clock = manualClock();
  const stage = { answer: async (): Promise<OffersOutcome> => listed('1'), asked: 0 };
  const operatorOf = (id: number): Operator => {
    const connection = {
      offers: () => {
        stage.asked += 1;
        return stage.answer();
      },
      buy: () => assert.fail('nothing is bought'),
      status: () => assert.fail('nothing is asked'),
      deadlineMs: 1000,
      close: async () => {},
    };
    const connector = defineConnector({
      name: 'told',
      settings: Type.Object({}),
      connect: () => connection,
    });
    const name = `operator_${id}`;
    return {
      id,
      kind: 'operator',
      name,
      names: sameText(name),
      connector,
      connection,
      system: 'one',
    };
  };
  const offers = createOffers({
    clock,
    call: callWithin(clock),
    admission: wideAdmission(clock),
    settings: { deadlineMs: 1000, rememberMs: 600_000, rememberAtMost: 10, ...settings },
  });
  const amountOf = (operator: Operator, number = mobile): string | undefined =>
    offers.remembered(operator, number)?.offers[0]?.amount;
  return { clock, stage, offers, operatorOf, amountOf };
};

test('listed offers are cached and listed again, to the last moment of their time', async () => {
  const { clock, stage, offers, operatorOf, amountOf } = createStage();
  const operator = operatorOf(2);
  assert.equal(amountOf(operator), undefined, 'nothing before it was requested');
  await offers.list(operator, mobile);
  stage.answer = async () => listed('2');
  await clock.advance(599_999);
  await offers.list(operator, mobile);
  assert.deepEqual([stage.asked, amountOf(operator)], [1, '1']);
  await clock.advance(1);
  assert.equal(amountOf(operator), undefined);
  await offers.list(operator, mobile);
  assert.deepEqual([stage.asked, amountOf(operator)], [2, '2']);
});

test('a refresh asks the operator despite the cache, and replaces the entry', async () => {
  const { clock, stage, offers, operatorOf, amountOf } = createStage();
  const operator = operatorOf(2);
  await offers.list(operator, mobile);
  await clock.advance(500_000);
  stage.answer = async () => listed('2');
  await offers.refresh(operator, mobile);
  assert.deepEqual([stage.asked, amountOf(operator)], [2, '2']);
  await clock.advance(500_000);
  assert.equal(amountOf(operator), '2', 'for its own time');
});

test('concurrent refreshes and lists of one subscriber share one call', async () => {
  const { stage, offers, operatorOf } = createStage();
  const operator = operatorOf(2);
  const answers = await Promise.all([
    offers.list(operator, mobile),
    offers.refresh(operator, mobile),
    offers.list(operator, mobile),
  ]);
  assert.equal(stage.asked, 1);
  assert.deepEqual(new Set(answers).size, 1);
  await offers.refresh(operator, mobile);
  assert.equal(stage.asked, 2, 'and the next one asks again');
});

test('operators and subscribers are cached separately, and the oldest are evicted first', async () => {
  const { stage, offers, operatorOf, amountOf } = createStage({ rememberAtMost: 2 });
  const [one, other] = [operatorOf(1), operatorOf(2)];
  await offers.list(one, mobile);
  assert.equal(amountOf(other), undefined);
  await offers.list(other, mobile);
  await offers.list(other, '989121234501');
  assert.equal(stage.asked, 3);
  assert.equal(amountOf(one), undefined);
  assert.equal(amountOf(other), '1');
});

test('refusals and timeouts are not cached, and a timeout keeps the earlier offers', async () => {
  const { clock, stage, offers, operatorOf, amountOf } = createStage();
  const operator = operatorOf(2);
  stage.answer = async () => ({ kind: 'refused', code: 91, reason: 'no', transactionId: '' });
  assert.equal((await offers.list(operator, mobile)).kind, 'refused');
  assert.equal(amountOf(operator), undefined);
  stage.answer = async () => listed('1');
  await offers.list(operator, mobile);
  const unavailable = (error: unknown): boolean =>
    error instanceof GatewayError && error.code === 'OPERATOR_UNAVAILABLE';
  stage.answer = () => new Promise(() => {});
  const waiting = assert.rejects(offers.refresh(operator, mobile), unavailable);
  await clock.advance(1000);
  await waiting;
  assert.equal(amountOf(operator), '1', 'the shown price is still valid');
  stage.answer = async () => ({ kind: 'unknown', detail: 'nonsense' });
  await assert.rejects(offers.refresh(operator, mobile), unavailable);
});

test('an operator without offers has none to refresh', async () => {
  const { offers, operatorOf } = createStage();
  const { connection, ...operator } = operatorOf(1);
  const { offers: _, ...without } = connection;
  await assert.rejects(
    offers.refresh({ ...operator, connection: without }, mobile),
    (error: unknown) => error instanceof GatewayError && error.code === 'NOT_FOUND',
  );
});
