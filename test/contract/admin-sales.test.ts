/** Tests what the back office shows of sales: reports by two dimensions, their CSV, and the overview. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { writePostings } from '../../src/ledger/store.ts';
import { countEveryMs } from '../../src/purchases/sales/count.ts';
import { currencyOf } from '../../src/settings/currency.ts';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { type Answer, addClient, startServer, type TestServer } from '../support/server.ts';
import {
  aPackage,
  aTopUp,
  buy,
  catalogue,
  operatorThat,
  served,
  sold,
  topUps,
  untilRecorded,
} from './buying.ts';
import { routeTerms } from './route-terms.ts';

let clock: ManualClock;
let server: TestServer;
let office: BackOffice;
let viewer: Cookie;
let shop: TestServer['client'];

const ask = (path: string, cookie = viewer): Promise<Answer> => office.send('GET', path, cookie);

/** An answer when all that was sold is counted. */
const counted = async (path: string): Promise<unknown> => {
  let answer: Answer | undefined;
  await clock.advance(countEveryMs);
  await eventually('all is counted', async () => {
    answer = await ask(path);
    const progress = at(answer.body, 'progress');
    return at(progress, 'postings') === at(progress, 'counted');
  });
  const { status, text, body } = answer ?? assert.fail();
  assert.equal(status, 200, text);
  return body;
};

const sell = async (fields: typeof aPackage, token: string, path?: string): Promise<string> => {
  const answer = await buy(server, fields, { token, ...(path === undefined ? {} : { path }) });
  assert.equal(answer.status, 200, answer.text);
  return untilRecorded(server, answer);
};

// A minute before February in Tehran; in UTC, it is the evening before.
before(async () => {
  clock = manualClock(Date.UTC(2026, 0, 31, 20, 29));
  const options = served(operatorThat());
  server = await startServer({ clock, products: catalogue, balance: 1_000_000, ...options });
  office = await backOffice(server, clock);
  const owner = await office.enter('owner');
  const currency = currencyOf('IRR');
  const zone = { time_zone: 'Asia/Tehran', currency };
  assert.equal((await office.send('PATCH', 'settings', owner, zone)).status, 200);
  shop = await addClient(server, { name: '=Shop', balance: 1_000_000 });
  const first = await sell(aPackage, server.client.token);
  await sell(aPackage, shop.token);
  await sell(aPackage, shop.token);
  await clock.advance(60_000);
  await sell(aTopUp, shop.token, topUps);
  await server.deps.db
    .transaction()
    .execute((db) =>
      writePostings(
        db,
        server.client.id,
        [{ kind: 'reverse', amount: 10_000, purchaseId: first }],
        clock.now(),
      ),
    );
  viewer = await office.enter('viewer');
});
after(() => server.stop());

const none = {
  sold: 0,
  sold_amount: 0,
  reversed: 0,
  reversed_amount: 0,
  failed: 0,
  success_rate: null,
  price: 0,
  commission: 0,
  amount: 0,
  cost: null,
  margin: null,
  uncosted: null,
};

const both = { success_rate: 1, price: -5000, amount: -5000 };

describe('Sales', () => {
  test('are reported by business day and operator, with the period before', async () => {
    const body = await counted('sales?from=2026-02-01&by=day,operator&compare=true');
    const operator = { id: 1, names: at(body, 'rows', 0, 'operator', 'names') };
    const today = { sold: 1, sold_amount: 5000, reversed: 1, reversed_amount: 10_000 };
    const sums = { ...none, ...today, ...both };
    const sales = { sold: 3, sold_amount: 30_000, success_rate: 1 };
    const yesterday = { ...none, ...sales, price: 30_000, amount: 30_000 };
    assert.deepEqual(body, {
      from: '2026-02-01',
      to: '2026-02-01',
      by: ['day', 'operator'],
      time_zone: 'Asia/Tehran',
      complete_to: at(body, 'complete_to'),
      progress: at(body, 'progress'),
      totals: sums,
      refused: 0,
      previous: { from: '2026-01-31', to: '2026-01-31', totals: yesterday },
      rows: [
        {
          day: '2026-02-01',
          client: null,
          product: null,
          operator,
          supplier: null,
          ...sums,
          refused: 0,
          previous: yesterday,
        },
      ],
      left: { groups: 0, ...none },
    });
    assert.equal(at(body, 'complete_to'), new Date(clock.now()).toISOString().replace('Z', '000Z'));
    assert.equal(typeof at(operator.names, 'fa'), 'string');
  });

  test('are reported by client and product, limited to one of each', async () => {
    const body = await counted('sales?from=2026-01-01&to=2026-02-28&by=client,product');
    const rows = listOf(at(body, 'rows')).map((row) => [
      at(row, 'client', 'name'),
      at(row, 'product', 'name'),
      at(row, 'sold'),
      at(row, 'amount'),
    ]);
    assert.deepEqual(rows, [
      ['=Shop', 'Product 100', 2, 20_000],
      ['=Shop', 'Product 200', 1, 5000],
      [at(await ask(`clients/${server.client.id}`), 'body', 'name'), 'Product 100', 1, 0],
    ]);
    const only = `&client_id=${shop.id}&product_id=${sold.credit}&operator_id=1`;
    const one = await counted(`sales?from=2026-01-01&to=2026-02-28${only}`);
    assert.deepEqual([at(one, 'rows', 0, 'sold'), at(one, 'totals', 'sold')], [2, 2]);
    const other = await counted(`sales?from=2026-01-01&to=2026-02-28${only.replace(/1$/, '2')}`);
    assert.deepEqual([listOf(at(other, 'rows')), at(other, 'totals')], [[], none]);
  });

  const untilFetched = async (path: string, cookie?: Cookie): Promise<Answer> => {
    await counted('sales');
    const asked = ask(path, cookie);
    let isDone = false;
    void asked.finally(() => {
      isDone = true;
    });
    // A file rests between two pieces, by the clock.
    await eventually('it is fetched', async () => {
      await clock.advance(100);
      return isDone;
    });
    return asked;
  };

  test('are exported as CSV that a spreadsheet does not evaluate', async () => {
    const answer = await untilFetched(
      'sales.csv?from=2026-02-01&to=2026-02-01&by=client,day&compare=true',
    );
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    const lines = answer.text.trimEnd().split('\r\n');
    const sums =
      'sold,sold_amount,reversed,reversed_amount,failed,success_rate,price,commission,amount';
    assert.deepEqual(lines.slice(0, 2), [
      `client_id,client,day,${sums},${sums.replace(/\w+/g, 'previous_$&')},currency`,
      `${shop.id},'=Shop,2026-02-01,1,5000,0,0,0,1,5000,0,5000,2,20000,0,0,0,1,20000,0,20000,IRR`,
    ]);
    assert.match(
      lines[2] ?? '',
      /,2026-02-01,0,0,1,10000,0,,-10000,0,-10000,1,10000,0,0,0,1,10000,0,10000,IRR$/,
    );
    assert.equal(lines.length, 3);
  });

  test('of the overview cover four periods and the largest of one', async () => {
    const body = await counted('sales/overview?period=yesterday');
    const seen = (['today', 'yesterday', 'last_7_days', 'last_30_days'] as const).map((name) => [
      at(body, name, 'from'),
      at(body, name, 'to'),
      at(body, name, 'totals', 'amount'),
      at(body, name, 'previous', 'from'),
      at(body, name, 'previous', 'totals', 'amount'),
    ]);
    assert.deepEqual(seen, [
      ['2026-02-01', '2026-02-01', -5000, '2026-01-31', 30_000],
      ['2026-01-31', '2026-01-31', 30_000, '2026-01-30', 0],
      ['2026-01-26', '2026-02-01', 25_000, '2026-01-19', 0],
      ['2026-01-03', '2026-02-01', 25_000, '2025-12-04', 0],
    ]);
    const names = listOf(at(body, 'top', 'clients')).map((row) => at(row, 'client', 'name'));
    assert.deepEqual([names[0], names.length], ['=Shop', 2]);
    assert.equal(at(body, 'top', 'products', 0, 'amount'), 30_000);
    assert.equal(at(body, 'top', 'operators', 0, 'operator', 'id'), 1);
  });

  test('have a cost and a margin where the route tells it, for those who may see costs', async () => {
    const manager = await office.enter('manager');
    const route = { ...routeTerms, operator_id: 1, supplier_id: 1, priority: 1, cost: '4400' };
    const created = await office.send('POST', 'routes', manager, { key: randomUUID(), ...route });
    assert.equal(created.status, 201, created.text);
    await sell(aTopUp, shop.token, topUps);
    const path = 'sales?from=2026-02-01&by=day,supplier';
    const shown = listOf(at(await counted(path), 'rows')).map((row) => at(row, 'cost'));
    assert.deepEqual(shown, [null], 'a viewer sees no cost');

    const { body } = await ask(path, manager);
    const [row] = listOf(at(body, 'rows'));
    const seen = (['sold', 'amount', 'cost', 'margin', 'uncosted'] as const).map((name) =>
      at(row, name),
    );
    // The top-up without a known cost and the reversal count in neither.
    assert.deepEqual(seen, [2, 0, 4400, 600, 2]);
    assert.deepEqual([at(row, 'supplier', 'id'), at(row, 'refused')], [1, null]);
    const overview = at((await ask('sales/overview?period=today', manager)).body, 'top');
    assert.equal(at(overview, 'suppliers', 0, 'margin'), 600);
    assert.equal(at(await counted('sales/overview?period=today'), 'today', 'totals', 'cost'), null);
    const other = await ask('sales?from=2026-02-01&supplier_id=2', manager);
    assert.equal(at(other.body, 'totals', 'sold'), 0);

    const file = path.replace('sales', 'sales.csv');
    const [title = ''] = (await untilFetched(file)).text.split('\r\n');
    assert.doesNotMatch(title, /cost|margin/);
    const [, line = ''] = (await untilFetched(file, manager)).text.split('\r\n');
    assert.match(line, /^2026-02-01,1,[^,]+,2,10000,.*,0,4400,600,2,IRR$/);
    const sheet = await untilFetched(path.replace('sales', 'sales.xlsx'), manager);
    assert.equal(sheet.status, 200);
    assert.match(sheet.headers.get('content-disposition') ?? '', /sales\.xlsx/);
    assert.match(sheet.text, /^PK/);
  });

  test('are refused for a period or dimensions that make no report', async () => {
    const wrong = {
      'from=2026-02-30': 'from',
      'from=2026-01-01&to=2025-12-31': 'to',
      'from=2025-01-01&to=2026-01-02': 'to',
      'by=day,client,product': 'by',
      'by=day,day': 'by',
      'by=mobile': 'by',
    };
    for (const [query, field] of Object.entries(wrong)) {
      const answer = await ask(`sales?${query}`);
      assert.equal(answer.status, 422, query);
      assert.equal(listOf(at(answer.body, 'errors', field)).length, 1, query);
    }
    assert.equal((await ask('sales?from=2025-01-01&to=2026-01-01')).status, 200);
  });
});
