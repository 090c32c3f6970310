/** Proves that servers notice changes, each kind on its own. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAsServer } from './db.ts';
import { bumpVersion, watchVersions } from './db-versions.ts';
import { manualClock } from './manual-clock.ts';

test('a catalogue that cannot be loaded does not keep a change of clients from being noticed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  const clock = manualClock();
  const { db, close } = await openAsServer(folder, clock);
  const noticed: string[] = [];
  const failures: unknown[] = [];
  const stop = await watchVersions(
    { db, clock, failed: (error) => failures.push(error) },
    async (name) => {
      if (name === 'catalogue') throw new Error('a broken row');
      noticed.push(name);
    },
  );
  await bumpVersion(db, 'catalogue', () => 'one');
  await bumpVersion(db, 'clients', () => 'two');
  await clock.advance(1000);
  assert.deepEqual(noticed, ['clients']);
  assert.ok(failures.length >= 1);
  stop();
  await close();
  rmSync(folder, { recursive: true });
});
