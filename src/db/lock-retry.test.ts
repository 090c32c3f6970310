/** Tests that work is retried only while the database is locked, and not forever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createLockRetry } from './lock-retry.ts';

const locked = Object.assign(new Error('database is locked'), { errcode: 5 });
const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });

/** Work that fails this many times first. */
const failing = (times: number, error: Error) => {
  let tries = 0;
  return {
    tries: () => tries,
    work: async (): Promise<string> => {
      tries += 1;
      if (tries <= times) throw error;
      return 'done';
    },
  };
};

test('work on a locked database is retried until it is unlocked', async () => {
  const clock = manualClock();
  const { tries, work } = failing(5, locked);
  const result = createLockRetry(clock)(work);
  await clock.advance(500);
  assert.equal(await result, 'done');
  assert.equal(tries(), 6);
  assert.equal(clock.pending(), 0);
});

test('after a second it fails with the lock’s error, after few retries', async () => {
  const clock = manualClock();
  const { tries, work } = failing(Number.POSITIVE_INFINITY, locked);
  const result = assert.rejects(createLockRetry(clock)(work), locked);
  await clock.advance(1000);
  await result;
  assert.ok(tries() > 10 && tries() < 30, `${tries()} tries`);
  assert.equal(clock.pending(), 0);
});

test('other errors are not retried', async () => {
  for (const error of [full, new Error('wrong')]) {
    const { tries, work } = failing(1, error);
    await assert.rejects(createLockRetry(manualClock())(work), error);
    assert.equal(tries(), 1);
  }
});
