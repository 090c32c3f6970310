/** Tests that the state of an endpoint follows from its real attempts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptRecord } from './attempt.ts';
import { failureOf } from './failure.ts';
import { healthOf } from './health.ts';

const answered = (at: number, status: number): AttemptRecord => ({ at, ms: 5, status });
const silent = (at: number): AttemptRecord => ({
  at,
  ms: 5,
  failure: failureOf('connection_refused'),
});
const stateOf = (...attempts: AttemptRecord[]) => {
  const { state, failingSince } = healthOf(attempts);
  return [state, failingSince];
};

test('an endpoint without an attempt is untried', () => {
  assert.deepEqual(healthOf([]), { state: 'untried', failingSince: null, last: undefined });
});

test('an endpoint works if its last attempt succeeded, whatever failed before', () => {
  assert.deepEqual(stateOf(answered(3, 204), silent(1), answered(2, 500)), ['working', null]);
});

test('an endpoint fails since the first failure after its last success', () => {
  const attempts = [silent(9), answered(1, 500), answered(2, 200), answered(4, 404), silent(5)];
  assert.deepEqual(stateOf(...attempts), ['failing', 4]);
  assert.deepEqual(healthOf(attempts).last, silent(9));
  assert.deepEqual(stateOf(silent(2), answered(1, 302)), ['failing', 1]);
});

test('an attempt that the stop of the gateway interrupted does not count', () => {
  const stopped = { at: 5, ms: 1, failure: failureOf('gateway_stopped') };
  assert.deepEqual(stateOf(stopped), ['untried', null]);
  assert.deepEqual(stateOf(answered(1, 200), stopped), ['working', null]);
});
