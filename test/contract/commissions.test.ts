/** Tests what a client learns of its commissions: its own list, and what each purchase charges. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assignClient, setList, setVersion } from '../../src/pricing/change.ts';
import type { EntryTerms } from '../../src/pricing/price-list.ts';
import { backOffice } from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { addClient, request, startServer, type TestServer } from '../support/server.ts';
import { sampleProduct } from './sample-product.ts';

let server: TestServer;
before(async () => {
  const products = [sampleProduct({ id: 101, operator_id: 1, price: 1000 })];
  server = await startServer({ products });
});
after(() => server.stop());

const entry = (commission: EntryTerms['commission'], scope: Partial<EntryTerms> = {}) => ({
  line: 1,
  terms: {
    productId: null,
    categoryId: null,
    operatorId: null,
    productType: null,
    ...scope,
    commission,
  },
});

const percent = (text: string) => ({ kind: 'percent', percent: text }) as const;

/** A client with a list of its own. */
const clientWith = async (name: string, ...entries: ReturnType<typeof entry>[]) => {
  const client = await addClient(server, { name, balance: 100_000 });
  const { db, newId } = server.deps;
  const databaseTime = async () => server.deps.clock.now();
  await db.transaction().execute(async (db) => {
    const deps = { db, newId, databaseTime };
    const made = await setList(deps, null, { name, parentId: 1, allowBelowCost: false });
    assert.ok('after' in made);
    await setVersion(deps, made.after.id, { from: null, entries });
    await assignClient(deps, client.id, made.after.id);
  });
  // A purchase that was decided by the lists before is decided again, and they are read by then.
  const first = await buy(client.token, `first-of-${name}`);
  assert.equal(first.status, 200, first.text);
  return client;
};

const fields = { product_id: '101', mobile: '989123456700', price: '1000' };

const buy = (token: string, key: string) =>
  request(server, '/api/top-up/package/', {
    token,
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: new URLSearchParams({ ...fields, webservice_code: key }),
  });

const get = async (path: string, token: string): Promise<unknown> =>
  (await request(server, path, { token })).body;

test('a client sees its own commissions, in the order in which they are tried, and no other’s', async () => {
  const one = await clientWith(
    'One',
    entry(percent('4'), { operatorId: 1 }),
    entry({ kind: 'fixed', amount: 30 }, { productId: 101 }),
  );
  const two = await clientWith('Two', entry(percent('7.5')));
  const own = await get('/api/commissions', one.token);
  const scope = { product_id: null, category_id: null, operator_id: null, type: null };
  assert.deepEqual(at(own, 'data'), [
    { ...scope, product_id: 101, percent: null, amount: 30 },
    { ...scope, operator_id: 1, percent: '4', amount: null },
  ]);
  assert.equal(at(own, 'meta', 'total'), 2);
  assert.deepEqual(at(await get('/api/commissions', two.token), 'data'), [
    { ...scope, percent: '7.5', amount: null },
  ]);
  const plain = await addClient(server, {});
  assert.deepEqual(at(await get('/api/commissions', plain.token), 'data'), []);
});

test('price, commission and charge are in the inquiry, the statement, its CSV and a check', async () => {
  const { token } = await clientWith('Buyer', entry(percent('2.59'), { operatorId: 1 }));
  const answer = await buy(token, 'bought');
  assert.deepEqual([answer.status, keysOf(answer.body)], [200, ['message']]);
  const priced = { price: 1000, commission: 25, charged_amount: 975 };
  const partsOf = (value: unknown) => ({
    price: at(value, 'price'),
    commission: at(value, 'commission'),
    charged_amount: at(value, 'charged_amount'),
  });
  const [listed] = listOf(at(await get('/api/purchases', token), 'data'));
  assert.deepEqual(partsOf(listed), priced);
  assert.equal(at(listed, 'charged'), 'yes');
  const shown = await get(`/api/purchases/${String(at(listed, 'id'))}`, token);
  assert.deepEqual(partsOf(shown), priced);

  const [deposit, hold] = listOf(at(await get('/api/statement', token), 'data'));
  const none = { price: null, commission: null, charged_amount: null };
  assert.deepEqual([partsOf(deposit), partsOf(hold), at(hold, 'amount')], [none, priced, 975]);
  const csv = await request(server, '/api/statement?format=csv', { token });
  const [header = '', , , line = ''] = csv.text.split(/\r?\n/);
  const columns = header.split(',');
  const cells = line.split(',');
  assert.deepEqual(
    ['price', 'commission', 'charged_amount'].map((name) => cells[columns.indexOf(name)]),
    ['1000', '25', '975'],
  );

  const json = { ...fields, webservice_code: 'x' };
  const checked = await request(server, '/api/top-up/check', { token, json });
  assert.deepEqual(partsOf(checked.body), priced);

  await request(server, '/api/top-up/package/', {
    token,
    method: 'POST',
    headers: { 'idempotency-key': 'refused' },
    body: new URLSearchParams({ ...fields, price: '975', webservice_code: 'refused' }),
  });
  const [refused] = listOf(at(await get('/api/purchases?state=refused', token), 'data'));
  assert.deepEqual(partsOf(refused), { price: 975, commission: null, charged_amount: null });
});

test('people see one line for each sale, page by page, and holds only if they ask for them', async () => {
  const { id, token } = await clientWith('Seen', entry(percent('4'), { operatorId: 1 }));
  const second = await buy(token, 'second');
  assert.equal(second.status, 200, second.text);
  const office = await backOffice(server);
  const viewer = await office.enter('viewer');
  const lines = async (query: string) => {
    const { status, body, text } = await office.send(
      'GET',
      `clients/${id}/statement?${query}`,
      viewer,
    );
    assert.equal(status, 200, text);
    return { lines: listOf(at(body, 'data')), next: at(body, 'next') };
  };
  const first = await lines('holds=0&limit=1');
  const [sale] = first.lines;
  assert.deepEqual(
    ['kind', 'amount', 'price', 'commission', 'mobile', 'available_after', 'held_after'].map(
      (name) => at(sale, name),
    ),
    ['capture', 960, 1000, 40, '98******6700', 98_080, 0],
  );
  assert.deepEqual(at(sale, 'product', 'id'), 101);
  const rest = await lines(`holds=0&before=${String(first.next)}`);
  assert.deepEqual(
    rest.lines.map((line) => at(line, 'kind')),
    ['capture', 'deposit'],
  );
  assert.equal(rest.next, null);
  assert.deepEqual(
    (await lines('')).lines.map((line) => at(line, 'kind')),
    ['capture', 'hold', 'capture', 'hold', 'deposit'],
  );
});
