/** Tests the overview's SQL: what the setup has reached, and that SQLite uses an index for every purchase. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { openTestDatabase } from '../../../test/support/database.ts';
import { noSums } from '../../purchases/sales/sums.ts';
import { hasClient, hasSale, oldestText, pendingText, reviewText } from './store.ts';

test('settled, undisputed purchases are not read', async () => {
  const { db, close } = await openTestDatabase('sqlite');
  try {
    const planOf = async (text: string): Promise<string> => {
      const plan = CompiledQuery.raw(`explain query plan ${text}`);
      const { rows } = await db.executeQuery<{ detail: string }>(plan);
      return rows.map(({ detail }) => detail).join('\n');
    };
    assert.match(await planOf(pendingText), /USING (COVERING )?INDEX purchases_due_at_supplier\b/);
    assert.match(await planOf(oldestText), /USING INDEX purchases_due_at_supplier\b/);
    assert.match(await planOf(reviewText), /USING INDEX purchases_for_person\b/);
    const sums = await planOf(`select at, bucket, sum(calls) from stats_times
      where span = 'day' and at >= 0 group by at, bucket`);
    assert.match(sums, /SEARCH stats_times USING .*\(span=\? AND at>\?\)/);
  } finally {
    await close();
  }
});

test('a client and a sale are there once one is, and a test client is none', async () => {
  const { db, close } = await openTestDatabase();
  try {
    const reached = async () => [await hasClient(db), await hasSale(db)];
    const client = { name: 'A', status: 'active', created_at: 0 } as const;
    await db
      .insertInto('clients')
      .values({ ...client, id: 'test', test: 1 })
      .execute();
    const group = {
      kind: 'full',
      day: 1,
      client_id: 'real',
      product_id: 1,
      operator_id: 1,
    } as const;
    await db
      .insertInto('sales')
      .values({ ...group, supplier_id: 1, ...noSums() })
      .execute();
    assert.deepEqual(await reached(), [false, false]);
    await db
      .insertInto('clients')
      .values({ ...client, id: 'real', test: 0 })
      .execute();
    await db.updateTable('sales').set({ sold: 1 }).execute();
    assert.deepEqual(await reached(), [true, true]);
  } finally {
    await close();
  }
});
