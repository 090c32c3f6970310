/** Tests a database of the version before: without a currency and a business time zone, all stays as it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, postInOld } from '../../../test/support/old-database.ts';
import { printStatement } from '../../clients/account/csv.ts';
import { readVersions } from '../../db/changes/versions.ts';
import { migrate } from '../../db/migrate/migrate.ts';
import { readMigrations } from '../../db/migrate/migrations.ts';
import type { Db } from '../../db/types.ts';
import { readStatement } from '../../ledger/statement.ts';
import { systemClock } from '../../lib/clock.ts';
import { readDay } from '../../purchases/guard/guard.ts';
import { addStats } from '../../purchases/stats/store.ts';
import { createCurrentSettings } from '../../settings/current.ts';
import { createOverview } from '../overview/overview.ts';

const now = Date.parse('2026-11-18T21:00:00Z');
const midnight = Date.parse('2026-11-18T00:00:00Z');
const clock = { ...systemClock, now: () => now };

const counts = { begun: 3, succeeded: 2, failed: 1, refused: 0, reversed: 0, amount: 700 };

/** What the version before has written: money, a day of limits, and a day of figures. */
const oldDatabase = async (timeZone?: string): Promise<Db> => {
  const db = await emptyDatabase();
  const all = readMigrations();
  await migrate(db, clock, { known: all.filter(({ number }) => number < 30) });
  await sql`insert into clients (id, name, status, created_at) values ('a', 'a', 'active', 0)`.execute(
    db,
  );
  await postInOld(db, 'a', [{ kind: 'deposit', amount: 1000 }], midnight);
  await db
    .insertInto('client_days')
    .values({ client_id: 'a', day: midnight, spent: 70, seq: 1 })
    .execute();
  const row = { span: 'day', at: midnight, operator_id: 1, ...counts } as const;
  const times = [{ span: 'day', at: midnight, operator_id: 1, bucket: 4, calls: 3 }] as const;
  await db.transaction().execute((db) => addStats(db, { counts: [row], times }));
  if (timeZone !== undefined) {
    await db.insertInto('settings').values({ name: 'time_zone', value: timeZone }).execute();
  }
  await migrate(db, clock, { known: all });
  return db;
};

const daysShown = async (db: Db, dayAt: Parameters<typeof createOverview>[0]['dayAt']) => {
  const { read } = createOverview({
    db,
    clock,
    operators: () => [],
    connections: () => [],
    healthOf: () => ({ health: 'up', since: undefined }),
    inFlight: () => 0,
    isConnected: () => false,
    hasProducts: () => false,
    ...(dayAt === undefined ? {} : { dayAt }),
  });
  return (await read('last_30_days')).overview;
};

test('an old database has no currency, and its limits, charts and files stay as they were', async () => {
  const db = await oldDatabase();
  assert.ok((await readVersions(db)).has('settings'));
  const settings = createCurrentSettings(db);
  await settings.reload();
  assert.deepEqual([settings.current().currency, settings.current().timeZone], [null, 'UTC']);
  const ends = midnight + 86_400_000;
  assert.deepEqual(await readDay(db, 'a', settings.limitDayAt(now)), { spent: 70, ends });
  const { points, totals } = await daysShown(db, settings.dayAt);
  assert.deepEqual([points.length, points.at(-1)?.at], [30, '2026-11-18T00:00:00.000000Z']);
  assert.deepEqual([points.at(-1)?.amount, totals.succeeded, totals.p50 !== null], [700, 2, true]);
  const { currency } = settings.current();
  const statement = await readStatement(db, 'a', {});
  let text = '';
  for await (const piece of printStatement(statement, { currency })) text += piece;
  const [header] = text.split('\r\n');
  assert.equal(
    header,
    'number,at,kind,amount,from,to,available,held,balance,purchase_id,note,price,commission,charged_amount',
  );
});

test('a time zone of the console takes over the day of limits in UTC, which it does not renew', async () => {
  const dayMs = 86_400_000;
  for (const zone of ['UTC', 'Asia/Tehran', 'America/New_York']) {
    const settings = createCurrentSettings(await oldDatabase(zone));
    await settings.reload();
    const { zoneChange } = settings.current();
    if (zone === 'UTC') {
      assert.equal(zoneChange, null);
      continue;
    }
    const { at, dayBegan, dayEnds } = zoneChange ?? assert.fail(zone);
    // The database dates the change by its own time.
    assert.ok(Math.abs(at - Date.now()) < 60_000, `${zone} changed at ${at}`);
    assert.deepEqual([dayBegan, dayEnds], [at - (at % dayMs), at - (at % dayMs) + dayMs]);
    const day = settings.limitDayAt(at);
    assert.ok(day.begins <= dayBegan && day.ends >= dayEnds);
  }
});

test('days that were counted in UTC stay in the chart of another time zone, each once', async () => {
  const db = await oldDatabase();
  await db.insertInto('settings').values({ name: 'time_zone', value: 'Asia/Tehran' }).execute();
  const settings = createCurrentSettings(db);
  await settings.reload();
  for (const [zone, at] of [
    // It counts for the day that has its middle, even if another one began meanwhile.
    ['Asia/Tehran', '2026-11-17T20:30:00.000000Z'],
    ['America/New_York', '2026-11-18T05:00:00.000000Z'],
    ['Pacific/Auckland', '2026-11-18T11:00:00.000000Z'],
  ] as const) {
    await db.updateTable('settings').set({ value: zone }).execute();
    await settings.reload();
    const { points, totals } = await daysShown(db, settings.dayAt);
    const sold = points.filter(({ amount }) => amount > 0);
    assert.deepEqual(
      sold.map((point) => [point.at, point.amount, point.p50 !== null]),
      [[at, 700, true]],
    );
    assert.deepEqual([totals.amount, totals.begun], [700, 3]);
  }
});
