/** Tests that slots are granted in order, never exceed their number, and are always released. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createSlots, type Slot } from './slots.ts';

const settled = async <T>(promise: Promise<T>): Promise<T | undefined> =>
  Promise.race([promise, new Promise<undefined>((resolve) => setImmediate(resolve, undefined))]);

const leave = (slot: Slot | undefined): void => {
  assert.ok(slot?.kind === 'slot');
  slot.leave();
};

test('waiting requests get free slots in the order in which they came', async () => {
  const slots = createSlots(1, 5, manualClock());
  const first = await slots.enter(100);
  const [second, third] = [slots.enter(100), slots.enter(100)];
  assert.equal(await settled(second), undefined);
  leave(first);
  assert.equal((await second).kind, 'slot');
  assert.equal(await settled(third), undefined);
  leave(await second);
  assert.equal((await third).kind, 'slot');
});

test('beyond the queue’s limit a request is refused at once', async () => {
  const slots = createSlots(1, 1, manualClock());
  await slots.enter(100);
  void slots.enter(100);
  assert.deepEqual(await slots.enter(100), {
    kind: 'none',
    detail: 'too many requests wait already',
  });
});

test('a request that has waited too long is refused, and makes room for another', async () => {
  const clock = manualClock();
  const slots = createSlots(1, 1, clock);
  const first = await slots.enter(100);
  const late = slots.enter(100);
  await clock.advance(99);
  assert.equal(await settled(late), undefined);
  await clock.advance(1);
  assert.equal((await late).kind, 'none');
  const patient = slots.enter(1000);
  leave(first);
  assert.equal((await patient).kind, 'slot');
  assert.equal(clock.pending(), 0);
});

test('a slot that is released twice comes back once', async () => {
  const slots = createSlots(1, 0, manualClock());
  const first = await slots.enter(1);
  leave(first);
  leave(first);
  assert.equal((await slots.enter(1)).kind, 'slot');
  assert.equal((await slots.enter(1)).kind, 'none');
});

test('closing refuses waiting and later requests', async () => {
  const clock = manualClock();
  const slots = createSlots(1, 5, clock);
  const first = await slots.enter(100);
  const waiting = slots.enter(100);
  slots.close();
  assert.equal((await waiting).kind, 'none');
  leave(first);
  assert.equal((await slots.enter(100)).kind, 'none');
  assert.equal(clock.pending(), 0);
});

test('the slots in use never exceed their number', async () => {
  const steps = fc.array(fc.constantFrom('enter', 'leave', 'wait'), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.nat({ max: 4 }),
      steps,
      async (count, line, all) => {
        const clock = manualClock();
        const slots = createSlots(count, line, clock);
        const held: (() => void)[] = [];
        for (const step of all) {
          if (step === 'leave') held.shift()?.();
          if (step === 'wait') await clock.advance(40);
          if (step === 'enter') {
            void slots.enter(100).then((slot) => slot.kind === 'slot' && held.push(slot.leave));
          }
          await clock.advance(0);
          assert.ok(held.length <= count);
        }
        for (let left = held.shift(); left !== undefined; left = held.shift()) {
          left();
          await clock.advance(0);
        }
        const again = await Promise.all(Array.from({ length: count }, () => slots.enter(0)));
        assert.ok(
          again.every(({ kind }) => kind === 'slot'),
          'every slot was released',
        );
      },
    ),
    { numRuns: 50 },
  );
});
