/** Runs the simulation of buying: hundreds of worlds full of faults, and the same one twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutations } from './mutations.ts';
import { runThreads } from './threads.ts';
import { faultKinds } from './world.ts';

// Each thread would load and warm up the program on its own.
const threads = 1;
const worlds = 250;

/** Without its mutation a seed must break nothing: otherwise it is a false alarm. */
const named = mutations.map(({ seed = 1 }) => seed).filter((seed) => seed > worlds);
const also = [...new Set(named)];

const running = runThreads({ from: 1, seeds: worlds, also, threads, hashed: true });

test('250 worlds full of faults: no purchase is delivered twice, lost or wrongly paid', async () => {
  const totals = await running;
  const { violation } = totals;
  assert.equal(
    violation,
    undefined,
    `${violation?.violation.text}\nnpm run simulate -- --seeds 1 --from ${violation?.seed} --trace`,
  );
  assert.equal(totals.seeds, worlds + also.length);
  assert.ok(totals.purchases >= worlds * 5, `${totals.purchases} purchases`);
  assert.ok(totals.fewestFaults >= 3, `a seed of ${totals.fewestFaults} faults`);
  const unseen = faultKinds.filter((kind) => !totals.faults.has(kind));
  assert.deepEqual(unseen, [], 'faults that never happened');
});

test('the same seed gives the same trace, whatever ran before it', async () => {
  const { hashes } = await running;
  const again = await runThreads({ from: worlds - 19, seeds: 20, threads, hashed: true });
  assert.equal(again.seeds, 20);
  assert.deepEqual([...again.hashes], [...hashes].slice(worlds - 20, worlds));
  assert.equal(new Set(hashes.values()).size, hashes.size, 'different seeds, different worlds');
});
