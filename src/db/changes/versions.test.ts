/** Tests that servers notice changes, each kind independently. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/support/database.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { bumpVersion, watchVersions } from './versions.ts';

test('a catalogue that fails to load does not delay the detection of client changes', async () => {
  const { db, close } = await openTestDatabase();
  const clock = manualClock();
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
  await stop();
  await close();
});

test('after the stop nothing polls the database, even if a notification arrives', async () => {
  const { db, close } = await openTestDatabase();
  const failures: unknown[] = [];
  let tell = (): void => {};
  const listen = (onChange: () => void) => {
    tell = onChange;
    return async () => {};
  };
  const failed = (error: unknown): void => void failures.push(error);
  const stop = await watchVersions({ db, clock: manualClock(), failed, listen }, async () => {});
  tell();
  await stop();
  await close();
  tell();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(failures, []);
});
