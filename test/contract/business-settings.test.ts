/** Tests that the currency and the business time zone, once set, show wherever an amount or a day is. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { updateRules } from '../../src/clients/rules/change.ts';
import { daysIn } from '../../src/lib/business-day.ts';
import { currencyOf } from '../../src/settings/currency.ts';
import { changeSettings } from '../../src/settings/settings.ts';
import { type BackOffice, backOffice, type Cookie, here } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import { aPackage, assertSold, buy, catalogue } from './buying.ts';

const rial = currencyOf('IRR');

let server: TestServer;
let office: BackOffice;
let owner: Cookie;
before(async () => {
  server = await startServer({ products: catalogue });
  office = await backOffice(server);
  owner = await office.enter('owner');
  assertSold(await buy(server, aPackage));
});
after(() => server.stop());

const account = async (): Promise<unknown> => (await request(server, '/api/account')).body;
const rowsOf = ({ text }: Answer): string[][] => parse(text);
const endings = (answer: Answer): Set<string | undefined> =>
  new Set(
    rowsOf(answer)
      .slice(1)
      .map((row) => row.at(-1)),
  );

const files = async (): Promise<readonly Answer[]> => [
  await request(server, '/api/statement?format=csv'),
  await office.send('GET', `clients/${server.client.id}/statement.csv`, owner),
  await office.send('POST', 'purchases/export', owner, {}),
  await office.send('GET', 'catalogue/export?format=csv', owner),
];

const importCsv = (text: string): Promise<Answer> =>
  request(server, '/admin/api/catalogue/import/preview', {
    token: null,
    method: 'POST',
    headers: { ...here, ...owner, 'content-type': 'text/csv' },
    body: text,
  });

describe('Without a currency', () => {
  test('an account says so, and files have the columns that they always had', async () => {
    const shown = await account();
    assert.deepEqual([at(shown, 'currency'), at(shown, 'time_zone')], [null, 'UTC']);
    for (const file of await files()) {
      assert.equal(file.status, 200, file.text);
      assert.ok(!rowsOf(file)[0]?.includes('currency'), file.text);
    }
  });

  test('a file that names one is not imported', async () => {
    const exported = await office.send('GET', 'catalogue/export?format=csv', owner);
    const priced = exported.text
      .trimEnd()
      .split('\r\n')
      .map((line, index) => `${line},${index === 0 ? 'currency' : 'IRR'}`)
      .join('\r\n');
    const { text } = await importCsv(priced);
    assert.match(text, /The prices are in .*IRR.*, and no currency is set here\./);
  });
});

describe('A currency', () => {
  test('is set in the console, and shown to clients at once', async () => {
    const answer = await office.send('PATCH', 'settings', owner, { currency: rial });
    assert.deepEqual([answer.status, at(answer.body, 'currency')], [200, rial]);
    assert.deepEqual(at(await account(), 'currency'), rial);
  });

  test('is the last column of every file, and all other columns stay in place', async () => {
    const before = ['charged_amount', 'charged_amount', 'test', 'categories'];
    for (const [index, file] of (await files()).entries()) {
      assert.deepEqual(rowsOf(file)[0]?.slice(-2), [before[index], 'currency']);
      assert.deepEqual(endings(file), new Set(['IRR']));
    }
  });

  test('of a catalogue file must be the same: rial for toman would be a tenfold mistake', async () => {
    const { text } = await office.send('GET', 'catalogue/export?format=csv', owner);
    const same = await importCsv(text);
    assert.equal(same.status, 200, same.text);
    assert.doesNotMatch(same.text, /The prices are in/);
    const other = await importCsv(text.replaceAll(/,IRR\r/g, ',IRT\r'));
    assert.match(other.text, /The prices are in .*IRT.*, and this gateway sells in IRR\./);
  });

  test('that is invalid changes nothing, and is named', async () => {
    const { written } = rial;
    for (const currency of [
      { ...rial, code: 'rial' },
      { ...rial, names: { en: '   ', fa: 'ریال' } },
      { ...rial, written: { ...written, en: { symbol: '', position: 'after' } } },
      { ...rial, written: { ...written, en: { symbol: '$', position: 'inside' } } },
      { ...rial, rate: 10 },
      'IRR',
    ]) {
      const answer = await office.send('PATCH', 'settings', owner, { currency });
      assert.equal(answer.status, 422, answer.text);
    }
    assert.deepEqual(at(await account(), 'currency'), rial);
  });

  test('that another process sets is noticed within a second', async () => {
    const { db, newId, clock } = server.deps;
    const currency = currencyOf('IRT');
    await db.transaction().execute((db) => changeSettings({ db, newId, clock }, { currency }));
    await eventually(
      'the account shows the new currency',
      async () => at(await account(), 'currency', 'code') === currency.code,
    );
  });

  test('is shown with the company before sign-in, and nothing else is', async () => {
    await office.send('PATCH', 'settings', owner, { company_name: 'Example', currency: rial });
    const { status, body } = await office.send('GET', 'company', {});
    assert.equal(status, 200);
    assert.deepEqual(body, { name: 'Example', currency: rial, time_zone: 'UTC' });
  });
});

describe('The business time zone', () => {
  test('is that of daily limits and of the days of the overview, and its change is dated', async () => {
    const { db, newId } = server.deps;
    await db
      .transaction()
      .execute((db) => updateRules({ db, newId }, server.client.id, { dailyLimit: 1_000_000 }));
    const dayOf = async (): Promise<unknown> => at(await account(), 'limits', 'day');
    await eventually('the limit applies', async () => (await dayOf()) !== null);
    const day = await dayOf();
    assert.match(String(at(day, 'ends_at')), /T00:00:00\.000000Z$/);
    const changed = await office.send('PATCH', 'settings', owner, { time_zone: 'Asia/Tehran' });
    const since = Date.parse(String(at(changed.body, 'time_zone_since')));
    assert.ok(Math.abs(since - Date.now()) < 6e4);
    const shown = await account();
    assert.equal(at(shown, 'time_zone'), 'Asia/Tehran');
    // The day of the change counts from the earlier beginning to the later end: what was spent stays spent.
    const ends = [Date.parse(String(at(day, 'ends_at'))), daysIn('Asia/Tehran')(since).ends];
    assert.equal(Date.parse(String(at(shown, 'limits', 'day', 'ends_at'))), Math.max(...ends));
    assert.equal(at(shown, 'limits', 'day', 'spent'), at(day, 'spent'));
    assert.equal(at(day, 'spent'), aPackage['price']);
    const { body } = await office.send('GET', 'overview?span=last_30_days', owner);
    const days = listOf(at(body, 'points')).map((point) => String(at(point, 'at')));
    assert.equal(days.length, 30);
    for (const day of days) assert.match(day, /T20:30:00\.000000Z$/);
    const sold = await office.send('GET', 'audit?action=settings%20change', owner);
    assert.deepEqual(at(listOf(at(sold.body, 'data'))[0], 'before'), { time_zone: 'UTC' });
  });
});
