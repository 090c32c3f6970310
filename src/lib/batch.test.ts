/** Tests that concurrent calls share a batch, and that one failing item fails alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBatch } from './batch.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A run that doubles each item; it fails as a whole if a bad one is among them. */
const doubling = (bad: ReadonlySet<number>) => {
  const runs: number[][] = [];
  return {
    runs,
    run: async (items: readonly number[]): Promise<number[]> => {
      runs.push([...items]);
      await turn();
      const culprit = items.find((item) => bad.has(item));
      if (culprit !== undefined) throw new Error(`bad ${culprit}`);
      return items.map((item) => item * 2);
    },
  };
};

test('each item gets its own result, and exactly the bad ones fail, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      async (isBad, most) => {
        const items = isBad.map((_, index) => index);
        const bad = new Set(items.filter((index) => isBad[index]));
        const { run, runs } = doubling(bad);
        const batch = createBatch({ run, most });
        const results = await Promise.allSettled(items.map((item) => batch(item)));
        const model = items.map((item) =>
          bad.has(item)
            ? { status: 'rejected', reason: new Error(`bad ${item}`) }
            : { status: 'fulfilled', value: item * 2 },
        );
        assert.deepEqual(results, model);
        assert.ok(runs.every(({ length }) => length <= most));
      },
    ),
  );
});

test('an item that succeeds completes once, and one that fails was last run alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (isBad) => {
      const items = isBad.map((_, index) => index);
      const bad = new Set(items.filter((index) => isBad[index]));
      const { run, runs } = doubling(bad);
      const batch = createBatch({ run, most: 64 });
      await Promise.allSettled(items.map((item) => batch(item)));
      for (const item of items) {
        const good = runs.filter((one) => one.includes(item) && !one.some((each) => bad.has(each)));
        assert.equal(good.length, bad.has(item) ? 0 : 1);
        if (bad.has(item)) assert.ok(runs.some((one) => one.length === 1 && one[0] === item));
      }
    }),
  );
});

test('a single call does not wait: its run has begun when the call returns', async () => {
  const { run, runs } = doubling(new Set());
  const batch = createBatch({ run, most: 64 });
  const first = batch(1);
  assert.deepEqual(runs, [[1]]);
  assert.equal(await first, 2);
  assert.equal(await batch(2), 4);
  assert.deepEqual(runs, [[1], [2]]);
});

test('calls that arrive during a run share the next run, in order', async () => {
  const { run, runs } = doubling(new Set());
  const batch = createBatch({ run, most: 3 });
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map((item) => batch(item)));
  assert.deepEqual(results, [2, 4, 6, 8, 10, 12]);
  assert.deepEqual(runs, [[1], [2, 3, 4], [5, 6]]);
});

test('one run at a time, even under constant load', async () => {
  let [running, widest] = [0, 0];
  const batch = createBatch({
    most: 4,
    run: async (items: readonly number[]) => {
      running += 1;
      widest = Math.max(widest, running);
      await turn();
      running -= 1;
      return items;
    },
  });
  const calls: Promise<number>[] = [];
  for (let item = 0; item < 50; item += 1) {
    calls.push(batch(item));
    if (item % 7 === 0) await turn();
  }
  assert.deepEqual(await Promise.all(calls), [...Array(50).keys()]);
  assert.equal(widest, 1);
});

test('a run that loses a result fails no item whose result exists when run alone', async () => {
  const batch = createBatch({
    most: 10,
    run: async (items: readonly number[]) => {
      await turn();
      return items.filter((item) => item !== 3);
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4].map((item) => batch(item)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  const lost = results[2];
  assert.ok(lost?.status === 'rejected');
  assert.match(String(lost.reason), /lost a result/);
});

test('it continues after everything failed, even if the run throws synchronously', async () => {
  let broken = true;
  const batch = createBatch({
    most: 10,
    run: (items: readonly number[]) => {
      if (broken) throw new Error('away');
      return Promise.resolve(items);
    },
  });
  const failed = await Promise.allSettled([1, 2, 3].map((item) => batch(item)));
  assert.ok(failed.every(({ status }) => status === 'rejected'));
  broken = false;
  assert.equal(await batch(4), 4);
});

test('with a turn to gather in, calls of that turn share one run, even if a run blocks the thread', async () => {
  const runs: number[][] = [];
  const batch = createBatch<number, number>({
    run: async (items) => {
      runs.push([...items]);
      return items;
    },
    most: 64,
    gather: () => new Promise((resolve) => setImmediate(resolve)),
  });
  // Each in its own task, as requests arrive.
  const calls = [1, 2, 3].map(
    (item) =>
      new Promise<number>((resolve) => {
        setImmediate(() => resolve(batch(item)));
      }),
  );
  assert.deepEqual(await Promise.all(calls), [1, 2, 3]);
  assert.deepEqual(runs, [[1, 2, 3]]);
});

test('an error that concerns all items is not retried on halves: all get it at once', async () => {
  const away = new Error('away');
  let runs = 0;
  const batch = createBatch<number, number>({
    run: async () => {
      runs += 1;
      throw away;
    },
    most: 64,
    gather: async () => {},
    meetsAll: (error) => error === away,
  });
  const ends = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batch(item)));
  assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set(['rejected']));
  assert.equal(runs, 1);
});
