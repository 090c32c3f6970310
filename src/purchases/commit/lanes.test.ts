/** Tests that lanes are bounded, and that a client leaves its lane when its rows are unlocked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLanes, createSlots, type LaneOptions } from './lanes.ts';

type Item = { readonly client: string; readonly number: number };

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lanes whose transactions end when the test says so, with a list of what is still locked. */
const controlled = (options: Partial<LaneOptions<Item, string>> = {}, slots = 2) => {
  const running: {
    readonly items: readonly Item[];
    readonly wait: 'long' | 'brief';
    readonly end: (locked: boolean) => void;
  }[] = [];
  const locked: string[] = [];
  const lanes = createLanes<Item, string>({
    clientOf: ({ client }) => client,
    run: (items, wait) =>
      new Promise((resolve) => {
        const end = (isLocked: boolean): void => {
          running.splice(running.indexOf(one), 1);
          resolve(items.map(({ number }) => (isLocked ? undefined : `done ${number}`)));
        };
        const one = { items, wait, end };
        running.push(one);
      }),
    slots: createSlots(slots),
    most: 3,
    meetsAll: () => false,
    clock: { monotonic: () => 0 },
    longestMs: 1000,
    mayWait: () => false,
    needsRows: () => true,
    refuse: ({ number }) => `refused ${number}`,
    onLocked: (client) => void locked.push(client),
    ...options,
  });
  const enter = (client: string, number = 0): Promise<string> => lanes.enter({ client, number });
  return { lanes, running, locked, enter };
};

test('at most as many lanes run as there are slots, and each has its turn', async () => {
  const { running, enter } = controlled();
  const entered = ['a', 'b', 'c', 'd', 'e'].map((client, number) => enter(client, number));
  const order: string[] = [];
  for (let left = 5; left > 0; left -= 1) {
    await turn();
    assert.equal(running.length, Math.min(2, left));
    const [first] = running;
    order.push(first?.items[0]?.client ?? '');
    first?.end(false);
  }
  assert.deepEqual(await Promise.all(entered), ['done 0', 'done 1', 'done 2', 'done 3', 'done 4']);
  assert.deepEqual(order, ['a', 'b', 'c', 'd', 'e']);
});

test('a lane whose rows stay locked lets few wait, and more again once they are unlocked', async () => {
  const { running, enter } = controlled({ bounds: { one: 3, locked: 1, all: 9 } });
  const first = enter('a', 1);
  await turn();
  running[0]?.end(true);
  assert.equal(await first, 'refused 1');
  const waiting = enter('a', 2);
  assert.equal(await enter('a', 3), 'refused 3', 'one already waits');
  await turn();
  running[0]?.end(false);
  assert.equal(await waiting, 'done 2');
  const more = [enter('a', 4), enter('a', 5)];
  await turn();
  while (running.length > 0) {
    running[0]?.end(false);
    await turn();
  }
  assert.deepEqual(await Promise.all(more), ['done 4', 'done 5']);
});

test('a run without locks says nothing about rows: the lane stays, and few may wait', async () => {
  const { lanes, running, locked, enter } = controlled({
    needsRows: ({ number }) => number < 10,
    bounds: { one: 9, locked: 1, all: 9 },
  });
  const first = enter('a', 1);
  await turn();
  running[0]?.end(true);
  assert.equal(await first, 'refused 1');
  const late = enter('a', 10);
  await turn();
  running[0]?.end(false);
  assert.equal(await late, 'done 10');
  assert.ok(lanes.has('a'));
  const waiting = enter('a', 2);
  assert.equal(await enter('a', 3), 'refused 3', 'one already waits');
  await turn();
  running[0]?.end(true);
  assert.equal(await waiting, 'refused 2');
  assert.deepEqual(locked, ['a']);
});

test('a lane that has not run yet also waits briefly if others want a slot', async () => {
  const { running, enter } = controlled({}, 1);
  const entered = [enter('a'), enter('b'), enter('c')];
  const waits: string[] = [];
  for (let left = 3; left > 0; left -= 1) {
    await turn();
    waits.push(running[0]?.wait ?? '');
    running[0]?.end(false);
  }
  await Promise.all(entered);
  assert.deepEqual(waits, ['long', 'brief', 'long']);
});

test('a full lane refuses at once, and so do all lanes beyond their total', async () => {
  const { running, enter } = controlled({ bounds: { one: 2, locked: 2, all: 3 } }, 1);
  const first = [enter('a', 1), enter('a', 2)];
  assert.equal(await enter('a', 3), 'refused 3');
  const waiting = enter('b', 4);
  await turn();
  assert.equal(await enter('c', 5), 'refused 5', 'more than all lanes take');
  running[0]?.end(false);
  await turn();
  while (running.length > 0) {
    running[0]?.end(false);
    await turn();
  }
  assert.deepEqual(await Promise.all([...first, waiting]), ['done 1', 'done 2', 'done 4']);
  const last = enter('c', 6);
  await turn();
  running[0]?.end(false);
  assert.equal(await last, 'done 6', 'finished items no longer count');
});

test('without bounds no item in turn is refused', async () => {
  const { running, enter } = controlled({}, 1);
  const entered = Array.from({ length: 20 }, (_, number) => enter(`${number % 4}`, number));
  for (let left = 20; left > 0 && (await turn(), running.length > 0); left -= 1) {
    running[0]?.end(false);
  }
  const results = await Promise.all(entered);
  assert.ok(results.every((result) => result.startsWith('done')));
});

test('a client keeps its lane while its rows are locked, reports it once, and leaves when they are unlocked', async () => {
  const { lanes, running, locked, enter } = controlled();
  for (const number of [1, 2]) {
    const waiting = enter('a', number);
    await turn();
    running[0]?.end(true);
    assert.equal(await waiting, `refused ${number}`);
    assert.ok(lanes.has('a'));
  }
  assert.deepEqual(locked, ['a']);
  const freed = enter('a', 3);
  await turn();
  running[0]?.end(false);
  assert.equal(await freed, 'done 3');
  assert.ok(!lanes.has('a'));
});

test('an error other than a lock belongs to the item, and closes the lane', async () => {
  const broken = new Error('broken');
  const { lanes, enter } = controlled({ run: () => Promise.reject(broken) });
  await assert.rejects(enter('a'), broken);
  assert.ok(!lanes.has('a'));
});

test('an item is retried until its time is over', async () => {
  for (const [longestMs, mayWaitFor, expected] of [
    [300, 9, 3],
    [900, 1, 2],
  ] as const) {
    let [now, asked] = [0, 0];
    const { running, enter } = controlled({
      clock: { monotonic: () => now },
      longestMs,
      mayWait: () => (asked += 1) <= mayWaitFor,
    });
    const waiting = enter('a', 1);
    for (let tried = 1; tried <= expected; tried += 1) {
      await turn();
      assert.equal(running.length, 1, `try ${tried}`);
      now += 100;
      running[0]?.end(true);
    }
    assert.equal(await waiting, 'refused 1');
  }
});

test('a busy client leaves its lane with the first transaction that meets no locked row', async () => {
  const { lanes, running, enter } = controlled({ most: 1 }, 1);
  const entered = [enter('a', 1), enter('a', 2)];
  await turn();
  running[0]?.end(false);
  await turn();
  assert.ok(!lanes.has('a'), 'the next items join the batch');
  running[0]?.end(false);
  assert.deepEqual(await Promise.all(entered), ['done 1', 'done 2']);
});

test('a lane known to be locked waits briefly while others wait for a slot', async () => {
  const { running, enter } = controlled({ mayWait: () => true }, 1);
  const locked = enter('a', 1);
  await turn();
  assert.equal(running[0]?.wait, 'long', 'at first');
  running[0].end(true);
  await turn();
  assert.equal(running[0]?.wait, 'long', 'if no other waits for its slot');
  const free = enter('b', 2);
  running[0].end(true);
  await turn();
  const next = enter('c', 3);
  running[0]?.end(false);
  assert.equal(await free, 'done 2');
  await turn();
  assert.equal(running[0]?.wait, 'brief', 'another lane waits for the slot');
  running[0].end(true);
  await turn();
  running[0]?.end(false);
  assert.equal(await next, 'done 3');
  await turn();
  running[0]?.end(false);
  assert.equal(await locked, 'done 1');
});
