/** Tests that the manual clock runs timers as real time would. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeat, sleep } from '../../src/lib/clock.ts';
import { manualClock } from './manual-clock.ts';

test('timers run when they are due, in order, the older first if two are due together', async () => {
  const clock = manualClock(1_000);
  const ran: [string, number][] = [];
  const note = (name: string) => () => void ran.push([name, clock.now()]);
  clock.after(20, note('late'));
  clock.after(10, note('early'));
  clock.after(20, note('last'));
  await clock.advance(19);
  assert.deepEqual(ran, [['early', 1_010]]);
  await clock.advance(1);
  assert.deepEqual(ran.slice(1), [
    ['late', 1_020],
    ['last', 1_020],
  ]);
  assert.equal(clock.now(), 1_020);
  assert.equal(clock.monotonic(), 20);
  assert.equal(clock.pending(), 0);
});

test('a cancelled timer never runs', async () => {
  const clock = manualClock();
  const cancel = clock.after(10, () => assert.fail('it ran'));
  cancel();
  assert.equal(clock.pending(), 0);
  await clock.advance(100);
});

test('work started by a timer gets its turn, and may set timers that run in the same advance', async () => {
  const clock = manualClock();
  const woke: number[] = [];
  const work = async (): Promise<void> => {
    for (let nap = 0; nap < 3; nap += 1) {
      await sleep(clock, 10);
      woke.push(clock.monotonic());
    }
  };
  const done = work();
  await clock.advance(100);
  await done;
  assert.deepEqual(woke, [10, 20, 30]);
});

test('repeated work pauses in between, until it is stopped', async () => {
  const clock = manualClock();
  const ran: number[] = [];
  const stop = repeat(clock, 10, async () => void ran.push(clock.monotonic()));
  await clock.advance(35);
  void stop();
  await clock.advance(100);
  assert.deepEqual(ran, [10, 20, 30]);
});
