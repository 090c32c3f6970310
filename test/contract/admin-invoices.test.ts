/** Tests invoices in the back office: made once for a finished month, shown, exported and credited. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { verifyInvoices } from '../../src/invoices/verify.ts';
import { writePostings } from '../../src/ledger/store.ts';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { addClient, type StartedServer, startServer } from '../support/server.ts';
import { sampleProduct } from './sample-product.ts';

let server: StartedServer;
let office: BackOffice;
let manager: Cookie;

before(async () => {
  server = await startServer({ products: [sampleProduct({ id: 101 })] });
  office = await backOffice(server);
  manager = await office.enter('manager');
  const owner = await office.enter('owner');
  const invoices = {
    seller_name: ' Seller Ltd. ',
    seller_number: '4711',
    seller_address: 'Street 1',
    tax_percent: '10',
    calendar: 'persian',
  };
  const set = await office.send('PATCH', 'settings', owner, { invoices });
  assert.equal(set.status, 200, set.text);
});
after(() => server.stop());

const send = (method: string, path: string, json?: unknown) =>
  office.send(method, path, manager, json);

let months = 0;

/** A client that bought something in a finished month, not asked for before. */
const billable = async () => {
  const { body } = await send('GET', 'invoices/months');
  const month = listOf(at(body, 'data'))[11 - months];
  months += 1;
  const { id } = await addClient(server, { name: `Shop ${months}`, balance: 10_000 });
  const moment = Date.parse(String(at(month, 'begins_at'))) + 1;
  const bought = { amount: 1100, purchaseId: randomUUID() };
  await writePostings(
    server.deps.db,
    id,
    [
      { kind: 'hold', ...bought },
      { kind: 'capture', ...bought },
    ],
    moment,
  );
  return { id, month: String(at(month, 'month')) };
};

test('a month is billed once, for one client or all, by those with the right to money', async () => {
  const { id, month } = await billable();
  const wanted = { month, client_id: id };
  const support = await office.enter('support');
  const refused = await office.send('POST', 'invoices', support, wanted);
  assert.deepEqual([refused.status, at(refused.body, 'code')], [403, 'RIGHT_MISSING']);
  const made = await send('POST', 'invoices', wanted);
  assert.equal(made.status, 200, made.text);
  const [invoice, ...others] = listOf(at(made.body, 'made'));
  assert.deepEqual(others, []);
  assert.deepEqual(
    ['total', 'tax', 'sold', 'month', 'calendar'].map((name) => at(invoice, name)),
    [1100, 100, 1, month, 'persian'],
  );
  const again = await send('POST', 'invoices', { month, client_id: null });
  assert.deepEqual([at(again.body, 'made'), at(again.body, 'existed')], [[], 1]);

  const viewer = await office.enter('viewer');
  const path = `invoices/${String(at(invoice, 'number'))}`;
  const shown = await office.send('GET', path, viewer);
  assert.deepEqual(
    [
      at(shown.body, 'seller', 'name'),
      at(shown.body, 'client', 'id'),
      at(shown.body, 'lines', 0, 'charged'),
    ],
    ['Seller Ltd.', id, 1100],
  );
  const csv = await office.send('GET', `${path}/lines.csv`, viewer);
  assert.match(csv.text, /^invoice,client_id,month,product_id,/);
  assert.match(
    csv.text,
    new RegExp(`^\\d+,${id},${month},,,1,1100,0,1100,0,0,1100,10,100\\r\\n`, 'm'),
  );
  const listed = await office.send('GET', `invoices?client_id=${id}`, viewer);
  assert.equal(listOf(at(listed.body, 'data')).length, 1);
  const none = await office.send('GET', `invoices?client_id=${server.client.id}`, viewer);
  assert.deepEqual(at(none.body, 'data'), []);
  const audit = await send('GET', `audit?subject=invoice+${String(at(invoice, 'number'))}`);
  assert.deepEqual(
    listOf(at(audit.body, 'data')).map((entry) => at(entry, 'action')),
    ['invoice create'],
  );
});

test('the buyer is named as it was registered, with numbers masked for those who may not see them', async () => {
  const { id, month } = await billable();
  const contact = { name: '', email: '', phone: '', about: '' };
  const billing = {
    legal_name: 'Shop Ltd.',
    tax_number: '103',
    address: 'Street 1\n0912 765 43 21',
  };
  const set = await send('PUT', `clients/${id}/contact`, { ...contact, ...billing });
  assert.equal(set.status, 200, set.text);
  const made = await send('POST', 'invoices', { month, client_id: id });
  const [invoice] = listOf(at(made.body, 'made'));
  const path = `invoices/${String(at(invoice, 'number'))}`;
  const buyer = { name: 'Shop Ltd.', number: '103', address: billing.address };
  const shown = await send('GET', path);
  assert.deepEqual(at(shown.body, 'buyer'), buyer);
  assert.deepEqual(at(shown.body, 'client'), { id, name: `Shop ${months}` });
  const { body } = await office.send('GET', path, await office.enter('viewer'));
  assert.deepEqual(at(body, 'buyer'), { ...buyer, address: 'Street 1\n0*** *** 43 21' });
});

test('what cannot be billed is refused', async () => {
  for (const month of ['1404-13', '2999-01', 'last']) {
    const { status, body } = await send('POST', 'invoices', { month, client_id: null });
    assert.deepEqual([status, at(body, 'code')], [422, 'VALIDATION_FAILED'], month);
  }
  const { month } = await billable();
  const unknown = await send('POST', 'invoices', { month, client_id: 'x' });
  assert.deepEqual([unknown.status, at(unknown.body, 'code')], [404, 'CLIENT_NOT_FOUND']);
  const missing = await send('GET', 'invoices/999');
  assert.deepEqual([missing.status, at(missing.body, 'code')], [404, 'INVOICE_NOT_FOUND']);
});

test('a credit note gives money back once, at most what the invoice has', async () => {
  const { id, month } = await billable();
  const made = await send('POST', 'invoices', { month, client_id: id });
  const number = String(at(made.body, 'made', 0, 'number'));
  const path = `invoices/${number}/credit-notes`;
  const wanted = { key: randomUUID(), amount: 330, reason: 'a wrong price' };
  const tooMuch = await send('POST', path, { ...wanted, amount: 1101 });
  assert.equal(tooMuch.status, 422);
  assert.ok(at(tooMuch.body, 'errors', 'amount'), tooMuch.text);
  for (let times = 0; times < 2; times += 1) {
    const { status, body, text } = await send('POST', path, wanted);
    assert.equal(status, 201, text);
    assert.deepEqual([at(body, 'amount'), at(body, 'tax')], [330, 30]);
  }
  const { body: client } = await send('GET', `clients/${id}`);
  assert.equal(at(client, 'available'), 10_000 - 1100 + 330);
  const { body: shown } = await send('GET', `invoices/${number}`);
  assert.deepEqual(
    [at(shown, 'credited'), at(shown, 'creditable'), at(shown, 'total')],
    [330, 770, 1100],
  );
  assert.deepEqual((await verifyInvoices(server.deps.db)).problems, []);
});
