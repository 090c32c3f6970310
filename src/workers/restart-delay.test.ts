/** Tests the delay before a worker is restarted: longer after each quick death, up to a limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartDelay } from './restart-delay.ts';

const hour = 3_600_000;

test('a long-lived worker is replaced at once, however long the previous delay was', () => {
  for (const last of [0, 500, 30_000]) assert.equal(restartDelay(hour, last), 0);
});

test('one that dies quickly again and again waits longer each time, up to half a minute', () => {
  const pauses = [restartDelay(10, 0)];
  while (pauses.length < 9) pauses.push(restartDelay(10, pauses.at(-1) ?? 0));
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('after a long life the delays start over', () => {
  assert.equal(restartDelay(10, restartDelay(hour, 30_000)), 500);
});
