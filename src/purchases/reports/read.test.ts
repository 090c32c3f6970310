/** Tests how reports are read: page by page to the end, and each page once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monitorOf } from '../../../test/support/database-place.ts';
import { createWorld, requestOf, type World } from '../../../test/support/purchase-world.ts';
import type { ReportsOutcome } from '../../connector/connector.ts';
import { sleep } from '../../lib/clock.ts';
import { createRecovery, keepRecovering } from '../recover.ts';
import { findRestore, readOperators } from '../restored/store.ts';
import { listUnmatched, readCursor, saveCursor } from './store.ts';

/** An operator that reports this many pages of a hundred deliveries each. */
const reporting = (world: World, pages: number, after: (page: number) => void = () => {}) =>
  world.say({
    reports: async (cursor): Promise<ReportsOutcome> => {
      const page = Number(cursor);
      if (page >= pages) return { kind: 'reports', reports: [], cursor };
      after(page);
      const reports = Array.from({ length: 100 }, (_, index) => ({
        ref: `other ${page} ${index}`,
        at: 1,
        kind: 'delivered' as const,
      }));
      return { kind: 'reports', reports, cursor: String(page + 1) };
    },
  });

test('one run reads page after page to the end', async () => {
  const world = await createWorld();
  const pages: number[] = [];
  reporting(world, 20, (page) => pages.push(page));
  await world.recovery.readReports();
  assert.deepEqual(
    pages,
    Array.from({ length: 20 }, (_, page) => page),
  );
  assert.equal(await readCursor(world.deps.db, 1), '20');
  await world.end();
});

test('other work gets a turn after each hundred reports, however long a page is', async () => {
  const world = await createWorld();
  const report = (index: number) => ({ ref: `other ${index}`, at: 1, kind: 'delivered' as const });
  world.say({
    reports: async (cursor) =>
      cursor === 'end'
        ? { kind: 'reports', reports: [], cursor }
        : {
            kind: 'reports',
            reports: Array.from({ length: 350 }, (_, at) => report(at)),
            cursor: 'end',
          },
  });
  let turns = 0;
  const nextTurn = async (): Promise<void> => {
    turns += 1;
  };
  await createRecovery({ ...world.deps, nextTurn }).readReports();
  assert.equal(turns, 4);
  assert.equal(await readCursor(world.deps.db, 1), 'end');
  await world.end();
});

test('an operator with ever more pages is left for the next run after many of them', async () => {
  const world = await createWorld();
  let read = 0;
  reporting(world, Number.POSITIVE_INFINITY, () => {
    read += 1;
  });
  await world.recovery.readReports();
  assert.ok(read >= 50 && read <= 1000, `${read} pages`);
  assert.equal(await readCursor(world.deps.db, 1), String(read), 'and it continues from there');
  await world.end();
});

test('a stop ends the reading after the current page, which is applied', async () => {
  const world = await createWorld();
  let read = 0;
  const started = Promise.withResolvers<void>();
  world.say({
    reports: async (cursor) => {
      read += 1;
      started.resolve();
      await sleep(world.clock, 100);
      const report = { ref: 'other', at: 1, kind: 'delivered' } as const;
      return { kind: 'reports', reports: [report], cursor: `${cursor}1` };
    },
  });
  const stop = keepRecovering(world.deps, world.recovery);
  await world.clock.advance(2000);
  await started.promise;
  const stopped = stop();
  await world.clock.advance(60_000);
  await stopped;
  assert.equal(read, 1);
  assert.equal(await readCursor(world.deps.db, 1), '1');
  await world.end();
});

test('a slow server does not move the cursor back behind a faster one', async () => {
  const world = await createWorld();
  world.say({
    reports: async (cursor) => {
      // In between another server reads on.
      await saveCursor(world.deps.db, 1, { from: cursor, to: '9' });
      return {
        kind: 'reports',
        reports: [{ ref: 'other', at: 1, kind: 'delivered' }],
        cursor: '1',
      };
    },
  });
  await world.recovery.readReports();
  assert.equal(await readCursor(world.deps.db, 1), '9');
  await world.end();
});

test('a delivery on a later page settles an open purchase in the same run', async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({ buy: async () => ({ kind: 'unknown', detail: 'silence' }) });
  void world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(0);
  const id = (await world.find('a', 'key'))?.id ?? assert.fail('no purchase');
  world.say({
    reports: async (cursor) => ({
      kind: 'reports',
      reports:
        cursor.length < 5
          ? [{ ref: cursor.length === 4 ? id : 'x', at: 1, kind: 'delivered' }]
          : [],
      cursor: cursor.length < 5 ? `${cursor}1` : cursor,
    }),
  });
  await world.recovery.readReports();
  assert.equal((await world.find('a', 'key'))?.state, 'succeeded');
  await world.clock.advance(30_000);
  await world.end();
});

const lockedRow = Object.assign(new Error('locked'), { code: '55P03' });
const undone = Object.assign(new Error('could not serialize access'), { code: '40001' });

for (const [what, error, runs, expected] of [
  ['locked', lockedRow, 5, { cursor: '', kept: 0 }],
  ['undone once', undone, 1, { cursor: '', kept: 0 }],
  ['broken', new Error('a row that cannot be read'), 3, { cursor: '2', kept: 1 }],
] as const) {
  test(`a report on a purchase that is ${what} does not block the others`, async () => {
    const world = await createWorld();
    for (const client of ['a', 'b']) await world.client(client);
    world.say({ buy: async () => ({ kind: 'unknown', detail: 'silence' }) });
    void world.buying.buy(requestOf('a', 'stuck'));
    for (const key of ['other', 'later']) void world.buying.buy(requestOf('b', key));
    await world.clock.advance(0);
    const idOf = async (client: string, key: string): Promise<string> =>
      (await world.find(client, key))?.id ?? assert.fail('no purchase');
    const stuck = await idOf('a', 'stuck');
    const pages = [[stuck, await idOf('b', 'other')], [await idOf('b', 'later')], []];
    world.say({
      reports: async (cursor) => {
        const page = pages[Number(cursor)] ?? [];
        return {
          kind: 'reports',
          reports: page.map((ref) => ({ ref, at: 1, kind: 'delivered' })),
          cursor: String(Math.min(Number(cursor) + 1, 2)),
        };
      },
    });
    const { transact, db } = world.deps;
    const recovery = createRecovery({
      ...world.deps,
      transact: {
        ...transact,
        advance: async (item) => {
          if (item.name.id === stuck) throw error;
          return transact.advance(item);
        },
      },
    });
    for (let run = 0; run < runs; run += 1) await recovery.readReports();
    for (const key of ['other', 'later']) {
      assert.equal((await world.find('b', key))?.state, 'succeeded', key);
    }
    assert.equal(await readCursor(db, 1), expected.cursor, 'transient failures are read again');
    const kept = await listUnmatched(db, { operatorId: 1, limit: 10 });
    assert.equal(kept.length, expected.kept, 'broken ones are kept for review');
    await world.recovery.readReports();
    assert.equal(await readCursor(db, 1), '2');
    const isApplied = (await world.find('a', 'stuck'))?.state === 'succeeded';
    assert.equal(isApplied, expected.kept === 0);
    await world.clock.advance(30_000);
    await world.end();
  });
}

test('locked rows of a client are waited for once a page, however many reports there are', async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({ buy: async () => ({ kind: 'unknown', detail: 'silence' }) });
  const keys = ['one', 'two', 'three'];
  for (const key of keys) void world.buying.buy(requestOf('a', key));
  await world.clock.advance(0);
  const found = await Promise.all(keys.map((key) => world.find('a', key)));
  const reports = found.map((purchase) => ({
    ref: purchase?.id ?? assert.fail('no purchase'),
    at: 1,
    kind: 'delivered' as const,
  }));
  world.say({
    reports: async (cursor) => ({
      kind: 'reports',
      reports: cursor === '' ? reports : [],
      cursor: '1',
    }),
  });
  let tries = 0;
  const advance = async (): Promise<never> => {
    tries += 1;
    throw lockedRow;
  };
  const transact = { ...world.deps.transact, advance };
  await createRecovery({ ...world.deps, transact }).readReports();
  assert.equal(tries, 1);
  await world.recovery.readReports();
  for (const key of keys) assert.equal((await world.find('a', key))?.state, 'succeeded');
  await world.clock.advance(30_000);
  await world.end();
});

test('unreadable reports are logged once, until they are readable again', async () => {
  const world = await createWorld();
  const logged: string[] = [];
  const log = {
    ...world.deps.log,
    warn: (_details: unknown, text?: string) => void logged.push(text ?? ''),
  };
  const recovery = createRecovery({ ...world.deps, log });
  const read = async (outcome: ReportsOutcome): Promise<void> => {
    world.say({ reports: async () => outcome });
    await recovery.readReports();
  };
  const unreadable = { kind: 'unknown', detail: 'an unknown kind of report' } as const;
  await read(unreadable);
  await read(unreadable);
  assert.deepEqual(logged, ['reports of an operator cannot be read']);
  await read({ kind: 'reports', reports: [], cursor: '' });
  await read(unreadable);
  assert.equal(logged.length, 2);
  await world.end();
});

test('a replaced database keeps its cursor until it is examined: the restore continues from there', async () => {
  const world = await createWorld();
  const { db } = world.deps;
  const where = { timeline: 1, started: 1 };
  const place = monitorOf(world, where);
  await place.examine();
  const recovery = createRecovery({ ...world.deps, place });
  let pages = 0;
  reporting(world, 20, (page) => {
    pages += 1;
    // A standby takes over while the operator's answer is in flight.
    if (page === 3) where.timeline = 2;
  });
  await recovery.readReports();
  assert.equal(await readCursor(db, 1), '3');
  await recovery.readReports();
  assert.equal(pages, 4, 'nothing is read before the place is examined');
  await place.examine();
  const { id } = (await findRestore(db)) ?? assert.fail('it is not closed');
  assert.deepEqual(
    (await readOperators(db, id)).map(({ cursor }) => cursor),
    ['3'],
  );
  await recovery.readReports();
  assert.equal(await readCursor(db, 1), '20', 'recovery reads on meanwhile');
  await world.end();
});
