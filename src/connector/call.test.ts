/** Tests that a call to an operator always ends in a value, by its deadline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ManualClock, manualClock } from '../../test/support/manual-clock.ts';
import { type CallResult, callWithin } from './call.ts';
import { unknownBecause } from './cause.ts';

const deadline = 1_000;

/** Starts an exchange and collects each outcome. */
const start = <T>(clock: ManualClock, exchange: () => Promise<T>) => {
  const results: CallResult<T>[] = [];
  void callWithin(clock)(deadline, exchange).then((result) => results.push(result));
  return results;
};

test('an answer in time is the outcome, and its timer is cancelled', async () => {
  const clock = manualClock();
  const results = start(clock, async () => 'yes');
  assert.equal(clock.pending(), 1);
  await clock.advance(0);
  assert.deepEqual(results, [{ kind: 'answer', value: 'yes' }]);
  assert.equal(clock.pending(), 0);
});

test('a missing answer is unknown at the deadline, and not before', async () => {
  const clock = manualClock();
  const results = start(clock, () => new Promise(() => {}));
  await clock.advance(deadline - 1);
  assert.deepEqual(results, []);
  await clock.advance(1);
  assert.deepEqual(results, [unknownBecause({ code: 'no_answer_within', values: { ms: 1000 } })]);
  assert.equal(clock.pending(), 0);
});

test('a rejection is unknown with its message, and its timer is cancelled', async () => {
  const clock = manualClock();
  const results = start(clock, () => Promise.reject(new Error('connection reset')));
  await clock.advance(0);
  assert.deepEqual(results, [{ kind: 'unknown', detail: 'connection reset' }]);
  assert.equal(clock.pending(), 0);
});

test('an exchange that throws synchronously is unknown', async () => {
  const clock = manualClock();
  const results = start(clock, () => {
    throw new Error('no such host');
  });
  await clock.advance(0);
  assert.deepEqual(results, [{ kind: 'unknown', detail: 'no such host' }]);
  assert.equal(clock.pending(), 0);
});

test('a thrown value need not be an error', async () => {
  const clock = manualClock();
  const thrown: unknown = 'a text';
  const results = start(clock, async () => {
    throw thrown;
  });
  await clock.advance(0);
  assert.deepEqual(results, [{ kind: 'unknown', detail: 'the exchange failed' }]);
});

test('a late answer or rejection changes nothing', async () => {
  const clock = manualClock();
  const answer = Promise.withResolvers<string>();
  const rejection = Promise.withResolvers<string>();
  const answered = start(clock, () => answer.promise);
  const rejected = start(clock, () => rejection.promise);
  await clock.advance(deadline);
  answer.resolve('too late');
  rejection.reject(new Error('too late'));
  await clock.advance(deadline);
  const late = [unknownBecause({ code: 'no_answer_within', values: { ms: 1000 } })];
  assert.deepEqual(answered, late);
  assert.deepEqual(rejected, late);
});
