/** Tests the settings on a real database: defaults, currency, and limits on the day of a new time zone. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase } from '../../test/support/database.ts';
import { readVersion } from '../db/changes/versions.ts';
import type { OpenDatabase } from '../db/types.ts';
import { daysIn } from '../lib/business-day.ts';
import { readDay } from '../lib/calendar-day.ts';
import {
  type Currency,
  currencyColumn,
  currencyOf,
  isCurrency,
  readCurrency,
  writeAmount,
} from './currency.ts';
import { createCurrentSettings } from './current.ts';
import { changeSettings, defaults, limitDays, readSettings } from './settings.ts';
import { readRows } from './store.ts';

let database: OpenDatabase;
let now = 0;
let ids = 0;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());
const newId = (): string => `id ${(ids += 1)}`;
const change = (...[wanted]: [Parameters<typeof changeSettings>[1]]) =>
  database.db
    .transaction()
    .execute((db) => changeSettings({ db, clock: { now: () => now }, newId }, wanted));

const hourMs = 3_600_000;
const at = (text: string): number => Date.parse(text);

describe('The settings', () => {
  beforeEach(async () => {
    now = Date.parse('2026-11-18T10:00:00Z');
    await database.db.deleteFrom('settings').execute();
  });

  test('an old database has no currency and days in UTC', async () => {
    assert.deepEqual(await readSettings(database.db), defaults);
    assert.deepEqual([defaults.currency, defaults.timeZone], [null, 'UTC']);
    // What the console of earlier versions has written.
    await database.db
      .insertInto('settings')
      .values([
        { name: 'company_name', value: 'Example Mobile' },
        { name: 'time_zone', value: 'Asia/Tehran' },
        { name: 'low_balance_below', value: '5' },
      ])
      .execute();
    assert.deepEqual(await readSettings(database.db), {
      ...defaults,
      companyName: 'Example Mobile',
      timeZone: 'Asia/Tehran',
      lowBalanceBelow: 5,
    });
  });

  test('a change is read back, moves the version, and leaves the rest as it is', async () => {
    const current = createCurrentSettings(database.db);
    const currency = currencyOf('IRT');
    const version = await readVersion(database.db, 'settings');
    const { before: old, after: changed } = await change({ currency, companyName: ' Example ' });
    assert.deepEqual(old, defaults);
    assert.deepEqual(changed, { ...defaults, currency, companyName: 'Example' });
    assert.notEqual(await readVersion(database.db, 'settings'), version);
    assert.deepEqual(current.current(), defaults);
    await current.reload();
    assert.deepEqual(current.current(), changed);
    const moved = await readVersion(database.db, 'settings');
    await change({ companyName: 'Example', currency });
    assert.equal(await readVersion(database.db, 'settings'), moved, 'nothing changed');
    await change({ currency: null });
    assert.equal((await readSettings(database.db)).currency, null);
    assert.ok(!(await readRows(database.db)).has('currency'));
  });

  test('what is invalid changes nothing', async () => {
    const currency = currencyOf('IRR');
    const unnamed = { ...currency, names: { en: ' ', fa: 'ریال' } };
    for (const wrong of [
      { timeZone: 'Mars/Olympus' },
      { timeZone: '+03:30' },
      { currency: { ...currency, code: 'rial' } },
      { currency: unnamed, companyName: 'x' },
    ]) {
      await assert.rejects(change(wrong), { code: 'VALIDATION_FAILED' });
    }
    assert.deepEqual(await readSettings(database.db), defaults);
  });

  test('on the day of a new time zone, limits count from the earlier beginning to the later end', async () => {
    // 21:00 UTC is past midnight in Tehran: the limit of the day is not given again.
    now = at('2026-11-18T21:00:00Z');
    const { after: tehran } = await change({ timeZone: 'Asia/Tehran' });
    assert.deepEqual(tehran.zoneChange, {
      at: now,
      dayBegan: at('2026-11-18T00:00:00Z'),
      dayEnds: at('2026-11-19T00:00:00Z'),
    });
    const days = limitDays(tehran);
    const date = readDay('2026-11-19');
    const first = { date, begins: at('2026-11-18T00:00:00Z'), ends: at('2026-11-19T20:30:00Z') };
    assert.deepEqual(days(now), first);
    assert.deepEqual(days(first.ends - 1), first);
    assert.deepEqual(days(first.ends), daysIn('Asia/Tehran')(first.ends));
    // And at once to a third, whose day began before both.
    const { after: paris } = await change({ timeZone: 'Europe/Paris' });
    assert.deepEqual(limitDays(paris)(now), {
      date: readDay('2026-11-18'),
      begins: at('2026-11-17T23:00:00Z'),
      ends: at('2026-11-19T20:30:00Z'),
    });
    assert.deepEqual(limitDays(await readSettings(database.db))(now), limitDays(paris)(now));
  });

  test('no sequence of changes of the time zone makes a day of limits begin later or end earlier', async () => {
    const zones = ['UTC', 'Asia/Tehran', 'America/Los_Angeles', 'Pacific/Auckland', 'Pacific/Apia'];
    const step = fc.record({
      zone: fc.constantFrom(...zones),
      waitMs: fc.integer({ min: 0, max: 30 * hourMs }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        await database.db.deleteFrom('settings').execute();
        for (const { zone, waitMs } of steps) {
          now += waitMs;
          const old = await readSettings(database.db);
          const before = limitDays(old)(now);
          const { after: changed } = await change({ timeZone: zone });
          const day = limitDays(changed)(now);
          assert.ok(day.begins <= before.begins);
          assert.ok(day.begins <= now && now < day.ends);
          // The zone that is set already changes nothing.
          const ends = old.timeZone === zone ? before.ends : daysIn(zone)(now).ends;
          assert.equal(day.ends, Math.max(before.ends, ends));
          assert.deepEqual(limitDays(changed)(day.ends), daysIn(zone)(day.ends));
        }
      }),
      { numRuns: 20 },
    );
  });

  test('a zone whose midnight is always near renews no limit within a day', async () => {
    // Whole hours west of UTC, so that midnight is half an hour ahead at every change.
    const began: number[] = [];
    for (let hour = 0; hour < 12; hour += 1) {
      now = at('2026-11-18T00:30:00Z') + hour * hourMs;
      const { after: changed } = await change({ timeZone: `Etc/GMT+${hour + 1}` });
      assert.equal(daysIn(changed.timeZone)(now).ends, now + hourMs / 2);
      // Just after that midnight.
      began.push(limitDays(changed)(now + hourMs / 2 + 1).begins);
    }
    assert.ok(began.every((begins) => begins <= at('2026-11-18T00:00:00Z')));
  });

  test('a currency is named by its code, and reads back as it was stored', () => {
    assert.deepEqual(currencyOf('IRR').names, { en: 'rial', fa: 'ریال' });
    assert.deepEqual(currencyOf('IRT').names, { en: 'toman', fa: 'تومان' });
    assert.equal(currencyOf('USD').names.en, 'US Dollar');
    assert.match(currencyOf('USD').names.fa, /دلار/);
    assert.deepEqual(currencyOf('COINS').names, { en: 'COINS', fa: 'COINS' });
    for (const code of ['IRR', 'IRT', 'USD', 'COINS', ...Intl.supportedValuesOf('currency')]) {
      const currency = currencyOf(code);
      assert.ok(isCurrency(currency), code);
      assert.deepEqual(readCurrency(JSON.stringify(currency)), currency);
    }
    for (const broken of ['null', '{}', '[]', '{"code":"IRR"}']) {
      assert.equal(readCurrency(broken), null);
    }
  });

  test('commands write an amount with its currency, and files name it in a last column', () => {
    const dollar: Currency = {
      ...currencyOf('USD'),
      written: {
        en: { symbol: '$', position: 'before' },
        fa: { symbol: 'دلار', position: 'after' },
      },
    };
    const euro: Currency = {
      ...dollar,
      written: { ...dollar.written, en: { symbol: 'EUR', position: 'before' } },
    };
    assert.deepEqual(
      [null, currencyOf('IRR'), dollar, euro].map((currency) => writeAmount(currency, 1500)),
      ['1500', '1500 IRR', '$1500', 'EUR 1500'],
    );
    assert.deepEqual(currencyColumn(null), { header: [], cell: [] });
    assert.deepEqual(currencyColumn(dollar), { header: ['currency'], cell: ['USD'] });
  });
});
