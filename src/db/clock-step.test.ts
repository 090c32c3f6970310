/** Tests when a clock counts as set back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import { onClockSetBack } from './clock-step.ts';

test('repairs at the first reading and after each step back, and not while both clocks advance', async () => {
  const clock = manualClock();
  const mended: number[] = [];
  const read = onClockSetBack(clock, async (now) => void mended.push(now));
  await read(100_000);
  await clock.advance(60_000);
  await read(160_000);
  await clock.advance(1000);
  await read(160_500);
  await clock.advance(1000);
  await read(150_000);
  await clock.advance(1000);
  await read(151_000);
  await clock.advance(1000);
  await read(9_000_000);
  assert.deepEqual(mended, [100_000, 150_000]);
});

test('repairs again at the next reading if it failed', async () => {
  const clock = manualClock();
  let tried = 0;
  const read = onClockSetBack(clock, async () => {
    tried += 1;
    if (tried === 1) throw new Error('away');
  });
  await assert.rejects(read(5));
  await read(6);
  await read(7);
  assert.equal(tried, 2);
});
