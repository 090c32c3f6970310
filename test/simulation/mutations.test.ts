/** Proves that the simulation catches what it is there to catch: each mutation of the purchase code. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mutations } from './mutations.ts';
import { runThreads } from './threads.ts';

// Two at a time, each in a thread of its own.
describe('the simulation notices a purchase code that', { concurrency: 2 }, () => {
  for (const mutation of mutations) {
    test(mutation.name, async () => {
      const isNoticed = async (from: number, seeds: number): Promise<boolean> => {
        const { violation } = await runThreads({ from, seeds, threads: 1, mutation });
        return violation !== undefined;
      };
      // What a seed shows does not hang on those before it: one that has shown it is tried first.
      const { seed = 1 } = mutation;
      assert.ok(
        (await isNoticed(seed, 1)) || (await isNoticed(1, 1000)),
        'not noticed within 1,000 seeds',
      );
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
