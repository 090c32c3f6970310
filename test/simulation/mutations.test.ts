/** Proves that the simulation catches what it is there to catch: each mutation of the purchase code. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mutations } from './mutations.ts';
import { runThreads } from './threads.ts';

// Two at a time, each in a thread of its own.
describe('the simulation notices a purchase code that', { concurrency: 2 }, () => {
  for (const mutation of mutations) {
    test(mutation.name, async () => {
      const { violation } = await runThreads({ from: 1, seeds: 1000, threads: 1, mutation });
      assert.ok(violation !== undefined, 'not noticed within 1,000 seeds');
    });
  }
});

test('a mutation that fits nowhere is an error, not a success', async () => {
  const mutation = { name: '', file: 'purchases/buy.ts', find: 'no such text', replace: '' };
  await assert.rejects(
    runThreads({ from: 1, seeds: 1, threads: 1, mutation }),
    /has 0 places to change/,
  );
});
