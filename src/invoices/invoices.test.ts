/** Tests that invoices are the postings of their months, once each, whatever happens between them. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import {
  openBesideTest,
  openTestDatabase,
  type TestDatabase,
} from '../../test/support/database.ts';
import { purchaseRequestOf } from '../../test/support/purchase-world.ts';
import type { Db } from '../db/types.ts';
import { openAccount, writePostings } from '../ledger/store.ts';
import { begin } from '../purchases/purchase.ts';
import { insertPurchases } from '../purchases/store.ts';
import { changeSettings, readSettings, type SettingValues } from '../settings/settings.ts';
import { makeCreditNote } from './credit.ts';
import { type Invoice, taxIn } from './invoice.ts';
import { findMonth, finishedMonths, type Made, makeInvoice } from './make.ts';
import { listInvoices, readInvoice, readLines } from './store.ts';
import { verifyInvoices } from './verify.ts';

let database: TestDatabase;
/** Another instance on the same database; a file has one server. */
let other: Db;
before(async () => {
  database = await openTestDatabase();
  const { DATABASE_URL: url } = database.env;
  other = url === undefined ? database.db : openBesideTest(url).db;
});
after(() => database.close());

const start = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
let clients = 0;
let bought = 0;

type Client = { readonly id: string; readonly name: string };

/** A client with money. */
const createClient = async (): Promise<Client> => {
  clients += 1;
  const id = `client ${clients}`;
  const { db } = database;
  const row = { id, name: `Shop ${clients}`, status: 'active', created_at: 0, test: 0 } as const;
  await db.insertInto('clients').values(row).execute();
  await openAccount(db, id);
  await writePostings(db, id, [{ kind: 'deposit', amount: 1_000_000_000 }], start - 40 * dayMs);
  return { id, name: row.name };
};

const terms = { sendBefore: 1, quietAt: 1, dueAt: 1 };

type End = 'capture' | 'release' | 'reverse';

const buy = async (
  clientId: string,
  {
    productId = 7,
    price = 1000,
    end = 'capture',
  }: { productId?: number; price?: number; end?: End },
  at: number,
): Promise<void> => {
  bought += 1;
  const id = `purchase ${bought}`;
  const kinds =
    end === 'reverse' ? (['hold', 'capture', 'reverse'] as const) : (['hold', end] as const);
  await database.db.transaction().execute(async (db) => {
    const request = purchaseRequestOf({ clientId, id, productId, operatorId: 1, price });
    await insertPurchases(db, [begin(request, at, terms).after]);
    await writePostings(
      db,
      clientId,
      kinds.map((kind) => ({ kind, amount: price, purchaseId: id })),
      at,
    );
  });
};

const set = async (wanted: Partial<SettingValues>): Promise<void> => {
  const clock = { now: () => start };
  const { db } = database;
  await db
    .transaction()
    .execute((db) => changeSettings({ db, clock, newId: () => `${Math.random()}` }, wanted));
};

const tax = { sellerName: 'Seller', sellerNumber: '4711', sellerAddress: 'Street' } as const;

beforeEach(() =>
  set({ timeZone: 'UTC', invoices: { ...tax, taxPercent: '10', calendar: 'gregorian' } }),
);

const make = async (
  client: Client,
  name: string,
  db: Db = database.db,
  reading: Db = db,
): Promise<Made> => {
  const month = findMonth(await readSettings(db), name) ?? assert.fail(name);
  return makeInvoice(
    {
      db: reading,
      databaseTime: async () => start + 365 * dayMs,
      transact: (work) => db.transaction().execute((db) => work(db, async () => {})),
    },
    client,
    month,
  );
};

const invoiceOf = (made: Made): Invoice =>
  'invoice' in made ? made.invoice : assert.fail(made.outcome);

const problems = async (): Promise<readonly unknown[]> =>
  (await verifyInvoices(database.db)).problems;

describe('an invoice', () => {
  test('names the buyer as it was registered when the invoice was made', async () => {
    const client = await createClient();
    await buy(client.id, { price: 10 }, start);
    await buy(client.id, { price: 20 }, start + 31 * dayMs);
    const register = (legal_name: string, address: string) => {
      const contact = { name: '', email: '', phone: '', about: '' };
      const row = { client_id: client.id, ...contact, legal_name, tax_number: '17', address };
      return database.db
        .insertInto('client_contacts')
        .values(row)
        .onConflict((conflict) => conflict.column('client_id').doUpdateSet(row))
        .execute();
    };
    await register('Registered Ltd.', 'Here');
    const first = invoiceOf(await make(client, '2026-01'));
    assert.deepEqual(first.buyer, { name: 'Registered Ltd.', number: '17', address: 'Here' });
    await register('', 'There');
    const second = invoiceOf(await make(client, '2026-02'));
    assert.deepEqual(second.buyer, { name: client.name, number: '17', address: 'There' });
    const kept = await readInvoice(database.db, first.number);
    assert.deepEqual([kept?.buyer, kept?.clientName], [first.buyer, client.name]);
    assert.deepEqual(await problems(), []);
  });

  test('has the sums of its month by product, with the tax that they include', async () => {
    const client = await createClient();
    await buy(client.id, { price: 5 }, start - 1);
    await buy(client.id, { productId: 7, price: 1000 }, start);
    await buy(client.id, { productId: 8, price: 300, end: 'reverse' }, start + dayMs);
    await buy(client.id, { productId: 8, price: 100, end: 'release' }, start + dayMs);
    await buy(client.id, { productId: 7, price: 105 }, start + 31 * dayMs - 1);
    await buy(client.id, { productId: 7, price: 9 }, start + 31 * dayMs);
    const { number, total, tax, range, seller, buyer } = invoiceOf(await make(client, '2026-01'));
    assert.deepEqual([total, tax], [1105, 100]);
    assert.deepEqual([range.after, seller.name], [3, 'Seller']);
    assert.deepEqual(buyer, { name: client.name, number: '', address: '' });
    const lines = await readLines(database.db, number);
    assert.deepEqual(
      lines.map(({ productId, sold, charged, reversed, reversedAmount }) => [
        productId,
        sold,
        charged,
        reversed,
        reversedAmount,
      ]),
      [
        [7, 2, 1105, 0, 0],
        [8, 1, 300, 1, 300],
      ],
    );
    const next = invoiceOf(await make(client, '2026-02'));
    assert.deepEqual([next.total, next.range.after], [9, range.through]);
    assert.deepEqual(await problems(), []);
  });

  test('is made once for a month, also by two instances at once, and never changes', async () => {
    const client = await createClient();
    const another = await createClient();
    for (const { id } of [client, another]) await buy(id, {}, start + dayMs);
    const before = (await listInvoices(database.db, { limit: 1 }))[0]?.number ?? 0;
    const asked = [client, another, client, another, client, client];
    const made = await Promise.all(
      asked.map((one, index) => make(one, '2026-01', index % 2 === 0 ? database.db : other)),
    );
    assert.equal(made.filter(({ outcome }) => outcome === 'made').length, 2);
    assert.deepEqual(
      [...new Set(made.map((one) => invoiceOf(one).number))].sort((one, two) => one - two),
      [before + 1, before + 2],
    );
    const update = database.db.updateTable('invoices').set({ total: 1 }).execute();
    await assert.rejects(update, /append-only/);
    await assert.rejects(database.db.deleteFrom('invoice_lines').execute(), /append-only/);
    assert.deepEqual(await problems(), []);
  });

  test('is found whenever another instance makes it between two reads', async () => {
    let passed = 0;
    for (let isBetween = true; isBetween; passed += 1) {
      const client = await createClient();
      await buy(client.id, {}, start + dayMs);
      let reads = 0;
      const meanwhile: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (reads === passed) await make(client, '2026-01', other);
          reads += 1;
          return result;
        },
      };
      const reading = database.db.withPlugin(meanwhile);
      const { outcome } = await make(client, '2026-01', database.db, reading);
      isBetween = reads > passed;
      assert.equal(outcome, isBetween ? 'existed' : 'made', `after ${passed} reads`);
    }
    assert.ok(passed > 3);
  });

  test('is refused out of order, and not made of nothing', async () => {
    const client = await createClient();
    assert.equal((await make(client, '2026-01')).outcome, 'nothing');
    await buy(client.id, {}, start + dayMs);
    invoiceOf(await make(client, '2026-01'));
    await buy(client.id, {}, start + 40 * dayMs);
    await buy(client.id, {}, start + 70 * dayMs);
    assert.equal((await make(client, '2026-03')).outcome, 'out_of_order');
    assert.equal((await make(client, '2025-12')).outcome, 'out_of_order');
    invoiceOf(await make(client, '2026-02'));
    invoiceOf(await make(client, '2026-03'));
    // Months without sales are passed over, with what was deposited in them.
    await writePostings(
      database.db,
      client.id,
      [{ kind: 'deposit', amount: 1 }],
      start + 100 * dayMs,
    );
    await buy(client.id, {}, start + 125 * dayMs);
    invoiceOf(await make(client, '2026-05'));
    assert.deepEqual(await problems(), []);
  });

  test('begins where the one before ends, also if the time zone has moved the end of the month', async () => {
    const utc = Date.UTC(2026, 1, 1);
    const hourMs = 3_600_000;
    // In Tehran January ends before it does in UTC, and in New York after it.
    for (const [before, after] of [
      ['Asia/Tehran', 'America/New_York'],
      ['America/New_York', 'Asia/Tehran'],
    ] as const) {
      const client = await createClient();
      await set({ timeZone: before });
      await buy(client.id, { price: 100 }, utc - dayMs);
      await buy(client.id, { price: 20 }, utc - hourMs);
      await buy(client.id, { price: 3 }, utc + hourMs);
      await buy(client.id, { price: 1000 }, utc + dayMs);
      const january = invoiceOf(await make(client, '2026-01'));
      await set({ timeZone: after });
      const february = invoiceOf(await make(client, '2026-02'));
      assert.equal(january.total, before === 'Asia/Tehran' ? 100 : 123);
      assert.equal(january.total + february.total, 1123);
    }
    assert.deepEqual(await problems(), []);
  });

  test('is given back by credit notes up to its total, each with its posting', async () => {
    const client = await createClient();
    await buy(client.id, { price: 1100 }, start + dayMs);
    const invoice = invoiceOf(await make(client, '2026-01'));
    const credit = (amount: number) =>
      database.db.transaction().execute((db) =>
        makeCreditNote({ db, clock: { now: () => start + 50 * dayMs } }, invoice, {
          amount,
          reason: 'a wrong price',
        }),
      );
    const first = await credit(110);
    assert.deepEqual([first?.tax, first?.invoiceNumber], [10, invoice.number]);
    assert.equal(await credit(991), undefined);
    const second = await credit(990);
    assert.equal(second?.number, (first?.number ?? 0) + 1);
    assert.equal(await credit(1), undefined);
    assert.deepEqual(await readInvoice(database.db, invoice.number), invoice);
    assert.deepEqual(await problems(), []);
  });

  test('covers every sale of any history exactly once, whatever zones and calendars it goes through', async () => {
    const zones = ['UTC', 'Asia/Tehran', 'America/New_York'] as const;
    const step = fc.record({
      days: fc.double({ min: 0, max: 25, noNaN: true }),
      what: fc.constantFrom('capture', 'release', 'reverse', 'deposit', 'zone', 'calendar', 'bill'),
      price: fc.integer({ min: 1, max: 100_000 }),
      productId: fc.integer({ min: 1, max: 3 }),
      pick: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        const client = await createClient();
        let [at, calendar] = [start, 'gregorian' as 'gregorian' | 'persian'];
        const bill = async (): Promise<void> => {
          const months = finishedMonths(await readSettings(database.db), at, 14).toReversed();
          for (const { name } of months) await make(client, name);
        };
        for (const { days, what, price, productId, pick } of steps) {
          at += Math.floor(days * dayMs);
          if (what === 'zone') await set({ timeZone: zones[pick] ?? 'UTC' });
          else if (what === 'calendar') {
            calendar = calendar === 'persian' ? 'gregorian' : 'persian';
            await set({ invoices: { ...tax, taxPercent: '9.5', calendar } });
          } else if (what === 'bill') await bill();
          else if (what === 'deposit')
            await writePostings(database.db, client.id, [{ kind: 'deposit', amount: price }], at);
          else await buy(client.id, { price, productId, end: what }, at);
        }
        at += 70 * dayMs;
        await bill();
        const invoices = await listInvoices(database.db, { clientId: client.id, limit: 100 });
        const rows = await database.db
          .selectFrom('postings')
          .select(['kind', 'amount'])
          .where('client_id', '=', client.id)
          .execute();
        const sumOf = (kind: string): number =>
          rows.filter((row) => row.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
        assert.equal(
          invoices.reduce((sum, { total }) => sum + total, 0),
          sumOf('capture') - sumOf('reverse'),
        );
      }),
      { numRuns: 12, seed: 15 },
    );
    assert.deepEqual(await problems(), []);
  });
});

test('a tax is what an amount includes, rounded half away from zero', () => {
  for (const [amount, percent, expected] of [
    [110, '10', 10],
    [105, '10', 10],
    [-110, '10', -10],
    [1, '10', 0],
    [21, '5', 1],
    [1000, '0', 0],
    [9_007_199_254_740_991, '99.9999', 4_503_597_375_569_556],
  ] as const) {
    assert.equal(taxIn(amount, percent), expected, `${percent} % of ${amount}`);
  }
});

test('an invoice that overlaps, or says something else than its postings, is found', async () => {
  const client = await createClient();
  await buy(client.id, {}, start + dayMs);
  await buy(client.id, {}, start + 40 * dayMs);
  const invoice = invoiceOf(await make(client, '2026-01'));
  const row = await database.db
    .selectFrom('invoices')
    .selectAll()
    .where('number', '=', invoice.number)
    .executeTakeFirstOrThrow();
  const wrong = {
    ...row,
    number: invoice.number + 1,
    month: '2026-02',
    after_seq: row.after_seq + 1,
    through_seq: row.through_seq + 3,
    charged: row.charged + 1,
    total: row.total + 1,
  };
  await database.db.insertInto('invoices').values(wrong).execute();
  const found = (await verifyInvoices(database.db)).problems.map(({ problem }) => problem);
  const { number } = wrong;
  for (const problem of [
    `Invoice ${number} has not the sums of its postings.`,
    `Invoice ${number} does not begin where invoice ${invoice.number} ends.`,
    `The numbers of invoices are not those from 1 to ${invoice.number}.`,
  ]) {
    assert.ok(found.includes(problem), found.join('\n'));
  }
});
