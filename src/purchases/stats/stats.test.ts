/** Tests that the overview's sums match what any number of processes committed, and that its percentiles are nearly exact. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { LockRetry } from '../../db/lock-retry.ts';
import { bucketOf, percentilesOf, timeOf } from './buckets.ts';
import { type FlushDeps, startStatsFlush, sweepStats, writeEveryMs, writeTally } from './flush.ts';
import { beginningOf, rowsOf, type Span, spanMs, spans } from './rows.ts';
import { readCounts, readTimes } from './store.ts';
import { addCounts, createTally, noCounts, type Tally } from './tally.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const forget = async (): Promise<void> => {
  await database.db.deleteFrom('stats').execute();
  await database.db.deleteFrom('stats_times').execute();
};

const plainly: LockRetry = (work) => work();
const failing: LockRetry = () => Promise.reject(new Error('The database is unavailable.'));
/** It was committed, but the acknowledgement was lost. */
const unheard: LockRetry = async (work) => {
  await work();
  throw new Error('The connection broke.');
};

const day = Date.UTC(2026, 0, 31);
const operators = [null, 1, 5] as const;
const states = ['submitted', 'refused', 'succeeded', 'failed', 'reversed', 'unknown'] as const;

type Told =
  | { readonly kind: 'purchase'; readonly state: (typeof states)[number]; readonly charged: number }
  | { readonly kind: 'call'; readonly ms: number };

const told = fc.oneof(
  fc.record({
    kind: fc.constant('purchase' as const),
    state: fc.constantFrom(...states),
    charged: fc.integer({ min: 0, max: 100_000_000 }),
  }),
  fc.record({
    kind: fc.constant('call' as const),
    ms: fc.double({ min: 0, max: 60_000, noNaN: true }),
  }),
);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('told' as const),
      process: fc.nat({ max: 2 }),
      // Across the ends of minutes, an hour and a day, and back when a clock is set.
      at: fc.integer({ min: day - 130_000, max: day + 3_700_000 }),
      operatorId: fc.constantFrom(...operators),
      what: told,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      process: fc.nat({ max: 2 }),
      how: fc.constantFrom(plainly, failing, unheard),
    }),
  },
);

const tell = (tally: Tally, operatorId: number | null, what: Told): void => {
  if (what.kind === 'call') tally.took(operatorId ?? 0, what.ms);
  else if (what.state === 'submitted' || what.state === 'refused') {
    tally.began({ operatorId, ...what });
  } else tally.came({ operatorId, ...what });
};

const countsOf = (what: Told) => {
  if (what.kind === 'call' || what.state === 'unknown') return noCounts();
  const state = what.state === 'submitted' ? 'begun' : what.state;
  return { ...noCounts(), [state]: 1, amount: state === 'succeeded' ? what.charged : 0 };
};

test('any sequence of results over several processes and failures adds up to what was committed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await forget();
      let now = day;
      const log = { error: () => {} };
      const processes = Array.from({ length: 3 }, (): FlushDeps & { tally: Tally } => ({
        db: database.db,
        clock: manualClock(),
        retryLocked: plainly,
        log,
        tally: createTally({ now: () => now }),
      }));
      const model = new Map<string, ReturnType<typeof noCounts>>();
      const calls = new Map<string, number>();
      for (const one of steps) {
        const deps = processes[one.process] ?? assert.fail();
        if (one.kind === 'write') {
          await writeTally({ ...deps, retryLocked: one.how }).catch(() => {});
          continue;
        }
        now = one.at;
        const { operatorId, what } = one;
        tell(deps.tally, operatorId, what);
        for (const span of spans) {
          const key = `${span} ${beginningOf(span, now)} ${operatorId ?? 0}`;
          const sum = model.get(key) ?? noCounts();
          addCounts(sum, countsOf(what));
          model.set(key, sum);
          if (what.kind !== 'call') continue;
          const bucket = `${span} ${beginningOf(span, now)} ${bucketOf(what.ms)}`;
          calls.set(bucket, (calls.get(bucket) ?? 0) + 1);
        }
      }
      for (const deps of processes) await writeTally(deps);
      const found = new Map<string, unknown>();
      const foundCalls = new Map<string, number>();
      for (const span of spans) {
        for (const { span: _, at, operator_id: operator, ...counts } of await readCounts(
          database.db,
          span,
          0,
        )) {
          found.set(`${span} ${at} ${operator}`, counts);
        }
        for (const { of, bucket, calls } of await readTimes(database.db, 'at', { span, from: 0 })) {
          foundCalls.set(`${span} ${of} ${bucket}`, calls);
        }
      }
      // An unknown purchase counts for nothing, and creates an empty row at most.
      const nonzero = (rows: ReadonlyMap<string, unknown>) =>
        new Map(
          [...rows].filter(([, counts]) => JSON.stringify(counts) !== JSON.stringify(noCounts())),
        );
      assert.deepEqual(nonzero(found), nonzero(model));
      assert.deepEqual(foundCalls, calls);
    }),
    { numRuns: 25 },
  );
});

test('percentiles from buckets are within a twentieth of exact ones', () => {
  const ms = fc.double({ min: 1, max: 500_000, noNaN: true });
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1, maxLength: 300 }), (all) => {
      const times = new Map<number, number>();
      for (const one of all) times.set(bucketOf(one), (times.get(bucketOf(one)) ?? 0) + 1);
      const sorted = all.toSorted((one, other) => one - other);
      const found = percentilesOf(times);
      for (const percent of [50, 95, 99] as const) {
        const exact = sorted[Math.ceil((all.length * percent) / 100) - 1] ?? assert.fail();
        const told = found[`p${percent}`] ?? assert.fail();
        assert.ok(Math.abs(told - exact) <= exact * 0.0501, `${told} for ${exact}`);
      }
    }),
  );
  assert.deepEqual(percentilesOf(new Map()), { p50: null, p95: null, p99: null });
  assert.equal(bucketOf(0.2), 0);
  assert.ok(Math.abs(timeOf(bucketOf(0)) - 0) <= 0.5);
  assert.equal(bucketOf(1e9), bucketOf(1e12), 'the last bucket has no end');
});

test('counts that cannot be written for hours take bounded memory, and lose only their minute', () => {
  let now = day;
  const tally = createTally({ now: () => now });
  for (let count = 0; count < 400; count += 1) {
    tally.came({ operatorId: 1, state: 'succeeded', charged: 10 });
    now += spanMs.minute;
    const taken = tally.take();
    if (taken !== undefined) tally.giveBack(taken);
  }
  const taken = tally.take() ?? assert.fail();
  assert.ok(taken.size <= 180, `${taken.size} minutes`);
  const sold = rowsOf(taken).counts.filter(({ span }) => span === 'minute');
  assert.equal(
    sold.reduce((sum, { succeeded }) => sum + succeeded, 0),
    400,
  );
  assert.equal(
    sold.reduce((sum, { amount }) => sum + amount, 0),
    4000,
  );
});

test('counts are written every few seconds and at the end, and old rows are deleted, except days', async () => {
  await forget();
  const clock = manualClock();
  const tally = createTally(clock);
  const logged: string[] = [];
  const deps: FlushDeps = {
    db: database.db,
    clock,
    retryLocked: plainly,
    log: { error: (_: unknown, text?: string) => void logged.push(text ?? '') },
    tally,
  };
  const begun = async (span: Span): Promise<number> =>
    (await readCounts(database.db, span, 0)).reduce((sum, row) => sum + row.begun, 0);
  const stop = startStatsFlush(deps);
  tally.began({ operatorId: 1, state: 'submitted', charged: 1 });
  await clock.advance(writeEveryMs);
  assert.equal(await begun('minute'), 1);
  tally.began({ operatorId: 1, state: 'submitted', charged: 1 });
  await stop();
  assert.equal(await begun('minute'), 2);
  assert.deepEqual(logged, []);
  await clock.advance(4 * spanMs.day);
  await sweepStats(deps);
  assert.deepEqual([await begun('minute'), await begun('hour')], [0, 2]);
  await clock.advance(100 * spanMs.day);
  await sweepStats(deps);
  assert.deepEqual([await begun('hour'), await begun('day')], [0, 2]);
  assert.equal(clock.pending(), 0);
});
