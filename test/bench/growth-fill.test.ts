/** Tests that purchases written in bulk could have been sold: the books balance, and buying continues. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fillPast, fillShop } from '../../bench/growth-fill.ts';
import { verifyBooks } from '../../src/cli/commands/verify.ts';
import { readConfig } from '../../src/config/config.ts';
import { openForReading } from '../../src/db/open.ts';
import { toPurchase } from '../../src/purchases/rows.ts';
import { sampleProduct } from '../contract/sample-product.ts';

const data = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(data, { recursive: true, force: true }));

test('the ledger of a filled database is correct, and its purchases are in order of time', async () => {
  await fillShop({ data }, { products: [sampleProduct({ id: 1, price: 1000 })], clients: 7 });
  await fillPast({ data }, { count: 1003, product: 1, operator: 1, price: 1000 });
  const { db, close } = await openForReading(readConfig({ DATA_DIR: data }));
  const { data: proof } = await verifyBooks(db);
  assert.deepEqual(proof, {
    ok: true,
    accounts: 7,
    postings: 7 + 2 * 1003,
    purchases: 1003,
    sales: 0,
    invoices: 0,
    states: { succeeded: 1003 },
    problems: [],
  });
  const rows = await db.selectFrom('purchases').selectAll().orderBy('id').execute();
  const purchases = rows.map(toPurchase);
  assert.deepEqual(
    purchases.map(({ webserviceCode }) => webserviceCode),
    Array.from({ length: 1003 }, (_, index) => `order-${index}`),
  );
  for (const { id } of purchases) {
    assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  await close();
});
