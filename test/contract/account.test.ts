/** Tests what a client sees of its own money: the balance, and every entry that led to it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { setCreditLimit } from '../../src/ledger/credit.ts';
import { writePostings } from '../../src/ledger/store.ts';
import { assertError, at, keysOf, listOf } from '../support/answers.ts';
import { deposit } from '../support/clients.ts';
import { addClient, request, startServer, type TestServer } from '../support/server.ts';
import {
  aPackage,
  assertSold,
  aTopUp,
  buy,
  catalogue,
  newKey,
  topUps,
  withServer,
} from './buying.ts';

const statement = '/api/statement';

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

let server: TestServer;

before(async () => {
  server = await startServer({ products: catalogue, balance: 1_000_000 });
  assertSold(await buy(server, aPackage));
  const declined = await buy(server, { ...aPackage, mobile: '989123456790' });
  assert.equal(declined.status, 422);
  assertSold(await buy(server, aTopUp, { path: topUps, key: newKey() }));
});

after(() => server.stop());

describe('GET /api/account', () => {
  test('shows the available and the held balance, and that there is no rate limit', async () => {
    const { status, body } = await request(server, '/api/account');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      available: 985_000,
      held: 0,
      balance: 985_000,
      credit_limit: 0,
      credit_used: 0,
      test: false,
      currency: null,
      time_zone: 'UTC',
      limits: {
        requests: null,
        products: null,
        operators: null,
        repeat_guard_seconds: null,
        day: null,
        pending_status: 202,
      },
    });
  });

  test('shows the rate limit if there is one', () =>
    withServer(
      { config: { rateLimits: { client: { perSecond: 5, burst: 9 } } } },
      async (server) => {
        const { body } = await request(server, '/api/account/');
        assert.deepEqual(at(body, 'limits', 'requests'), { per_second: 5, burst: 9 });
      },
    ));
});

describe('A client with credit', () => {
  test('buys beyond its own money, up to the limit, and sees what is used and left', () =>
    withServer({ products: catalogue, balance: 4000 }, async (server) => {
      const { db } = server.deps;
      const limitTo = (limit: number) =>
        db.transaction().execute((inside) => setCreditLimit(inside, server.client.id, limit, 0));
      const funds = async () => {
        const { body } = await request(server, '/api/account');
        const names = ['available', 'held', 'balance', 'credit_limit', 'credit_used'];
        return names.map((name) => at(body, name));
      };
      const listed = async () =>
        at((await request(server, '/api/clients/products')).body, 'balance');
      const checked = () => request(server, '/api/top-up/check', { json: aPackage });
      assert.equal(at((await checked()).body, 'code'), 'INSUFFICIENT_BALANCE');
      await limitTo(16_000);
      assert.deepEqual([await funds(), await listed()], [[20_000, 0, 20_000, 16_000, 0], 20_000]);
      assert.equal(at((await checked()).body, 'available'), 20_000);

      assertSold(await buy(server, aPackage));
      assert.deepEqual(
        [await funds(), await listed()],
        [[10_000, 0, 10_000, 16_000, 6000], 10_000],
      );
      assertSold(await buy(server, aPackage));
      assert.deepEqual([await funds(), await listed()], [[0, 0, 0, 16_000, 16_000], 0]);
      const refused = await buy(server, aPackage);
      assertError(refused, 402, 'INSUFFICIENT_BALANCE', 'new_key');
      await limitTo(1000);
      assert.deepEqual([await funds(), await listed()], [[0, 0, 0, 1000, 16_000], 0]);
      await deposit(server.deps, { clientId: server.client.id, amount: 25_000 });
      assert.deepEqual([await funds(), await listed()], [[10_000, 0, 10_000, 1000, 0], 10_000]);
      const { body } = await request(server, statement);
      assert.deepEqual(at(body, 'closing'), { available: 9000, held: 0, balance: 9000 });
      assert.deepEqual(
        listOf(at(body, 'data')).map((entry) => at(entry, 'available')),
        [4000, -6000, -6000, -16_000, -16_000, 9000],
        'entries are of money, and know no limit',
      );
    }));
});

describe('GET /api/statement', () => {
  test('lists every entry in order, each with the balance after it', async () => {
    const { status, body } = await request(server, statement);
    assert.equal(status, 200);
    const none = { available: 0, held: 0, balance: 0 };
    assert.deepEqual(at(body, 'opening'), none);
    assert.deepEqual(at(body, 'closing'), { available: 985_000, held: 0, balance: 985_000 });
    const entries = listOf(at(body, 'data'));
    assert.deepEqual(
      entries.map((entry) => [
        at(entry, 'number'),
        at(entry, 'kind'),
        at(entry, 'amount'),
        at(entry, 'available'),
        at(entry, 'held'),
        at(entry, 'balance'),
      ]),
      [
        [1, 'deposit', 1_000_000, 1_000_000, 0, 1_000_000],
        [2, 'hold', 10_000, 990_000, 10_000, 1_000_000],
        [3, 'capture', 10_000, 990_000, 0, 990_000],
        [4, 'hold', 10_000, 980_000, 10_000, 990_000],
        [5, 'release', 10_000, 990_000, 0, 990_000],
        [6, 'hold', 5_000, 985_000, 5_000, 990_000],
        [7, 'capture', 5_000, 985_000, 0, 985_000],
      ],
    );
    assert.deepEqual(keysOf(entries[0]), [
      'number',
      'at',
      'kind',
      'amount',
      'from',
      'to',
      'available',
      'held',
      'balance',
      'purchase_id',
      'note',
      'price',
      'commission',
      'charged_amount',
    ]);
    const { body: purchase } = await request(
      server,
      `/api/purchases/${String(at(entries[1], 'purchase_id'))}`,
    );
    assert.equal(at(purchase, 'state'), 'succeeded');
  });

  test('comes in pages whose links keep the period', async () => {
    const first = await request(server, `${statement}?from=2020-01-01&per_page=3`);
    assert.deepEqual(
      [at(first.body, 'meta', 'total'), at(first.body, 'meta', 'last_page')],
      [7, 3],
    );
    const next = new URL(String(at(first.body, 'links', 'next')));
    assert.equal(next.searchParams.get('from'), '2020-01-01');
    const second = await request(server, next.pathname + next.search);
    assert.deepEqual(
      listOf(at(second.body, 'data')).map((entry) => at(entry, 'number')),
      [4, 5, 6],
    );
    assert.deepEqual(at(second.body, 'closing'), at(first.body, 'closing'));
  });

  test('of a period before or after everything has no entries, and the balance of then', async () => {
    const past = await request(server, `${statement}?to=2020-01-01`);
    assert.deepEqual(at(past.body, 'data'), []);
    assert.equal(at(past.body, 'closing', 'balance'), 0);
    const future = await request(server, `${statement}?from=2200-01-01T00:00:00%2B03:30`);
    assert.deepEqual(at(future.body, 'data'), []);
    assert.equal(at(future.body, 'opening', 'balance'), 985_000);
    assert.equal(at(future.body, 'closing', 'balance'), 985_000);
  });

  test('refuses an invalid time, and a period that ends before it begins', async () => {
    const nonsense = await request(server, `${statement}?from=yesterday&to=2026-02-30`);
    assertError(nonsense, 422, 'VALIDATION_FAILED');
    assert.deepEqual(keysOf(at(nonsense.body, 'errors')), ['from', 'to']);
    const backwards = await request(server, `${statement}?from=2026-02-01&to=2026-01-01`);
    assertError(backwards, 422, 'VALIDATION_FAILED');
    assert.deepEqual(keysOf(at(backwards.body, 'errors')), ['to']);
    assertError(await request(server, `${statement}?format=pdf`), 422, 'VALIDATION_FAILED');
    assert.equal((await request(server, `${statement}?from=&to=&format=`)).status, 200);
  });

  test('as CSV has the same content, with opening and closing balance', async () => {
    const pages = await request(server, statement);
    const file = await request(server, `${statement}?format=csv`);
    assert.equal(file.status, 200);
    assert.match(file.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; /);
    const rows: Record<string, string>[] = parse(file.text, { columns: true });
    const [opening, closing] = [rows.shift(), rows.pop()];
    assert.deepEqual([opening?.['kind'], opening?.['balance']], ['opening', '0']);
    assert.deepEqual([closing?.['kind'], closing?.['balance']], ['closing', '985000']);
    const printed = listOf(at(pages.body, 'data')).map((entry) =>
      Object.fromEntries(keysOf(entry).map((key) => [key, textOf(at(entry, key))])),
    );
    assert.deepEqual(rows, printed);
  });

  test('as CSV keeps notes complete, and free of spreadsheet formulas', async () => {
    const { id, token } = await addClient(server, {});
    const notes = ['plain', 'with, comma', 'with "quotes"', 'two\nlines', '=1+1', '-2', '@x'];
    for (const note of notes) {
      await deposit(server.deps, { clientId: id, amount: 10, note });
    }
    const { text } = await request(server, `${statement}?format=csv`, { token });
    const rows: Record<string, string>[] = parse(text, { columns: true });
    assert.deepEqual(
      rows.slice(1, -1).map((row) => row['note']),
      ['plain', 'with, comma', 'with "quotes"', 'two\nlines', "'=1+1", "'-2", "'@x"],
    );
  });

  test('as CSV has all entries, however many pages they would be', async () => {
    const { id, token } = await addClient(server, {});
    for (let count = 0; count < 3; count += 1) {
      await server.deps.db.transaction().execute(async (db) => {
        const many = Array.from({ length: 1000 }, () => ({ kind: 'deposit', amount: 1 }) as const);
        await writePostings(db, id, many, 1000 + count);
      });
    }
    const { text } = await request(server, `${statement}?format=csv`, { token });
    const rows: string[][] = parse(text);
    assert.equal(rows.length, 3003);
    assert.deepEqual(
      rows.slice(2, -1).map(([number]) => Number(number)),
      Array.from({ length: 3000 }, (_, index) => index + 1),
    );
    assert.equal(rows.at(-1)?.[8], '3000');
  });
});
