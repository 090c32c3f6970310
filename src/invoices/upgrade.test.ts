/** Tests databases of the versions before invoices, and before invoices named the buyer's address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, postInOld } from '../../test/support/old-database.ts';
import { migrate } from '../db/migrate/migrate.ts';
import { oldestProgram, readMigrations } from '../db/migrate/migrations.ts';
import { systemClock } from '../lib/clock.ts';
import { defaultTerms } from '../settings/invoice-terms.ts';
import { readSettings } from '../settings/settings.ts';
import { findMonth, makeInvoice } from './make.ts';
import { readBuyer, readInvoice } from './store.ts';
import { verifyInvoices } from './verify.ts';

test('an upgraded database has no invoices, and bills any month of its history from there on', async () => {
  const db = await emptyDatabase();
  const all = readMigrations();
  const own = all.find(({ name }) => name.endsWith('-invoices')) ?? assert.fail();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < own.number) });
  await sql`insert into clients (id, name, status, created_at, test)
    values ('a', 'Shop', 'active', 0, 0)`.execute(db);
  await postInOld(db, 'a', [{ kind: 'deposit', amount: 10_000 }], 0);
  for (const [index, amount] of [700, 1100].entries()) {
    const purchaseId = `p${index}`;
    const kinds = ['hold', 'capture'] as const;
    const postings = kinds.map((kind) => ({ kind, amount, purchaseId }));
    await postInOld(db, 'a', postings, Date.UTC(2026, index, 15));
  }
  await migrate(db, systemClock, { known: all });

  // Instances of the version before may run beside it.
  assert.ok(oldestProgram(own) < own.number);
  const settings = await readSettings(db);
  assert.deepEqual(settings.invoices, defaultTerms);
  const make = (name: string) =>
    makeInvoice(
      {
        db,
        databaseTime: async () => Date.UTC(2026, 5, 1),
        transact: (work) => db.transaction().execute((db) => work(db, async () => {})),
      },
      { id: 'a', name: 'Shop' },
      findMonth(settings, name) ?? assert.fail(name),
    );
  const made = await make('2026-02');
  assert.ok('invoice' in made);
  const { number, total, tax, range } = made.invoice;
  assert.deepEqual([number, total, tax, range], [1, 1100, 0, { after: 3, through: 5 }]);
  assert.equal((await make('2026-01')).outcome, 'out_of_order');
  assert.deepEqual(await verifyInvoices(db), { invoices: 1, problems: [] });
});

test('contacts are kept without billing details, and older invoices with the name alone', async () => {
  const db = await emptyDatabase();
  const all = readMigrations();
  const own = all.find(({ name }) => name.endsWith('-billing')) ?? assert.fail();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < own.number) });
  await sql`insert into clients (id, name, status, created_at, test)
    values ('a', 'Shop', 'active', 0, 0)`.execute(db);
  const write = (name: string) =>
    sql`insert into client_contacts (client_id, name, email, phone, about)
      values ('a', ${name}, '', '', '') on conflict (client_id) do update set name = excluded.name`.execute(
      db,
    );
  await write('Desk');
  await sql`insert into invoices (number, client_id, calendar, month, begins_at, ends_at, time_zone,
      after_seq, through_seq, sold, price, charged, reversed, reversed_amount, total, tax_percent, tax,
      seller, buyer, currency, created_at)
    values (1, 'a', 'gregorian', '2026-01', 0, 1, 'UTC', 0, 2, 1, 10, 10, 0, 0, 10, '0', 0,
      '{"name":"Seller","number":"","address":""}', '{"name":"Old Shop"}', null, 2)`.execute(db);
  await migrate(db, systemClock, { known: all });

  // An instance of the version before may run beside it, and knows no billing.
  assert.ok(oldestProgram(own) < own.number);
  await write('Office');
  const buyer = { name: 'Shop', number: '', address: '' };
  assert.deepEqual(await readBuyer(db, { id: 'a', name: 'Shop' }), buyer);
  const kept = await readInvoice(db, 1);
  assert.deepEqual([kept?.clientName, kept?.buyer], ['Old Shop', { ...buyer, name: 'Old Shop' }]);
});
