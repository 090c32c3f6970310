/** Runs some worlds of the simulation on PostgreSQL: its own statements, through the real driver. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runThreads } from '../simulation/threads.ts';
import { freshPostgres } from '../support/database.ts';

/** In the last of them a standby replaces the primary. */
const worlds = 6;

test('some worlds full of faults, with the statements of PostgreSQL', async () => {
  const database = await freshPostgres();
  try {
    const { violation, seeds, faults } = await runThreads({
      from: 6,
      seeds: worlds,
      threads: 1,
      postgres: [database.url],
    });
    assert.equal(
      violation,
      undefined,
      `${violation?.violation.text}\nnpm run simulate -- --seeds 1 --from ${violation?.seed} --trace --postgres`,
    );
    assert.equal(seeds, worlds);
    assert.ok(faults.has('promoted standby'));
  } finally {
    await database.remove();
  }
});
