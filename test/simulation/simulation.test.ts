/** Runs the simulation of buying: hundreds of worlds full of faults, and the same one twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runThreads } from './threads.ts';
import { faultKinds } from './world.ts';

const threads = 2;

test('500 worlds full of faults: no purchase is delivered twice, lost or wrongly paid', async () => {
  const totals = await runThreads({ from: 1, seeds: 500, threads });
  const { violation } = totals;
  assert.equal(
    violation,
    undefined,
    `${violation?.violation.text}\nnpm run simulate -- --seeds 1 --from ${violation?.seed} --trace`,
  );
  assert.equal(totals.seeds, 500);
  assert.ok(totals.purchases >= 500 * 8, `${totals.purchases} purchases`);
  assert.ok(totals.fewestFaults >= 3, `a seed of ${totals.fewestFaults} faults`);
  const unseen = faultKinds.filter((kind) => !totals.faults.has(kind));
  assert.deepEqual(unseen, [], 'faults that never happened');
});

test('the same seed gives the same trace, whatever ran before it', async () => {
  const first = await runThreads({ from: 1000, seeds: 20, threads: 1, hashed: true });
  const again = await runThreads({ from: 1000, seeds: 20, threads, hashed: true });
  assert.equal(first.seeds, 20);
  assert.deepEqual(
    [...again.hashes].sort(([one], [other]) => one - other),
    [...first.hashes],
  );
  assert.equal(new Set(first.hashes.values()).size, 20, 'different seeds, different worlds');
});
