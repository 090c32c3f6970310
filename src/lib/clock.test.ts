/** Tests repeated work, sleep and rate limiting on a clock, including failures and stopping. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createThrottle, repeat, sleep, systemClock } from './clock.ts';

test('work runs after each pause, the first time too', async () => {
  const clock = manualClock();
  const ran: number[] = [];
  repeat(clock, 100, async () => void ran.push(clock.monotonic()));
  assert.deepEqual(ran, []);
  await clock.advance(350);
  assert.deepEqual(ran, [100, 200, 300]);
});

test('the pause begins when the work has ended, so that work never overlaps itself', async () => {
  const clock = manualClock();
  const ran: number[] = [];
  repeat(clock, 100, async () => {
    ran.push(clock.monotonic());
    await sleep(clock, 1000);
  });
  await clock.advance(2500);
  assert.deepEqual(ran, [100, 1200, 2300]);
});

test('failing work is retried after the next pause, and stops nothing else', async () => {
  const clock = manualClock();
  let ran = 0;
  repeat(clock, 10, async () => {
    ran += 1;
    throw new Error('the work failed');
  });
  await clock.advance(35);
  assert.equal(ran, 3);
});

test('once stopped, no work begins and no timer is left behind', async () => {
  const clock = manualClock();
  let ran = 0;
  const stop = repeat(clock, 10, async () => void (ran += 1));
  await clock.advance(15);
  void stop();
  assert.equal(clock.pending(), 0);
  await clock.advance(100);
  assert.equal(ran, 1);
});

test('stopped before its first turn, it never runs', async () => {
  const clock = manualClock();
  let ran = 0;
  void repeat(clock, 10, async () => void (ran += 1))();
  await clock.advance(100);
  assert.equal(ran, 0);
});

test('stopped during its work, it finishes that and does not start again', async () => {
  const clock = manualClock();
  const steps: string[] = [];
  const stop = repeat(clock, 10, async () => {
    steps.push('begun');
    await sleep(clock, 50);
    steps.push('ended');
  });
  await clock.advance(20);
  void stop();
  await clock.advance(500);
  assert.deepEqual(steps, ['begun', 'ended']);
  assert.equal(clock.pending(), 0);
});

test('work that fails after the stop does not restart', async () => {
  const clock = manualClock();
  let ran = 0;
  const stop = repeat(clock, 10, async () => {
    ran += 1;
    await sleep(clock, 50);
    throw new Error('the work failed');
  });
  await clock.advance(20);
  void stop();
  await clock.advance(500);
  assert.equal(ran, 1);
  assert.equal(clock.pending(), 0);
});

test('sleep ends after its time and not before', async () => {
  const clock = manualClock();
  const woken: number[] = [];
  const nap = async (): Promise<void> => {
    await sleep(clock, 100);
    woken.push(clock.monotonic());
  };
  const napped = nap();
  await clock.advance(99);
  assert.deepEqual(woken, []);
  await clock.advance(50);
  await napped;
  assert.deepEqual(woken, [100]);
});

test("the system's monotonic clock never goes back, and its timers run, or not when cancelled", async () => {
  const before = systemClock.monotonic();
  let calledOff = false;
  const cancel = systemClock.after(1, () => {
    calledOff = true;
  });
  cancel();
  await sleep(systemClock, 5);
  assert.ok(systemClock.monotonic() >= before);
  assert.equal(calledOff, false);
});

test('a rate limit lets the first pass at once, and each later one after its interval', async () => {
  const clock = manualClock();
  const pass = createThrottle(clock, 10);
  const passed: number[] = [];
  const walk = async (): Promise<void> => {
    for (let index = 0; index < 3; index += 1) {
      await pass();
      passed.push(clock.monotonic());
    }
  };
  const walked = walk();
  await clock.advance(100);
  await walked;
  assert.deepEqual(passed, [0, 10, 20]);
  await pass();
  assert.equal(clock.pending(), 0);
});
