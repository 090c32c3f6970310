/** Tests that changes planned for one version of the catalogue are not written to another. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { importProducts } from '../../../../test/support/import-products.ts';
import { removeProducts } from '../../../../test/support/remove-products.ts';
import { demoCatalogue } from '../../../catalogue/demo.ts';
import { loadCatalogue, readCatalogue } from '../../../catalogue/read.ts';
import { planImport } from '../../../catalogue/write/import.ts';
import { systemClock } from '../../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../../lib/random.ts';
import { noTurn } from '../../../lib/time-slices.ts';
import { listAudit } from '../../access/store.ts';
import { writePlanned } from './jobs.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

test('a plan for an outdated catalogue changes nothing, and the same plan made again succeeds', async () => {
  const { db } = database;
  const deps = { db, clock: systemClock, newId: uuidV7(systemClock, systemRandom) };
  const products = demoCatalogue();
  await importProducts(deps, products);
  const dearer = products.map((one) => ({ ...one, showable_price: 1 }));
  const write = async (loaded: Awaited<ReturnType<typeof loadCatalogue>>) =>
    writePlanned(deps, loaded, {
      change: planImport(loaded.products, dearer, { now: systemClock.now() }).change,
      actor: { accountId: null, name: 'root', address: null },
      origin: { via: 'bulk' },
      audit: (version) => ({ action: 'catalogue prices', before: {}, after: { version } }),
      progress: () => {},
    });
  const stale = await loadCatalogue(db, noTurn);
  await removeProducts(deps, [products[0]?.id ?? 0]);
  const changed = await readCatalogue(db);
  assert.equal(await write(stale), undefined);
  assert.deepEqual(await readCatalogue(db), changed);
  assert.deepEqual(await listAudit(db, { limit: 10 }), []);
  const fresh = await write(changed);
  const { version, products: now } = await readCatalogue(db);
  assert.equal(fresh?.version, version);
  assert.ok(now.every(({ showable_price }) => showable_price === 1));
  assert.equal((await listAudit(db, { limit: 10 })).length, 1);
  const empty = await write(await readCatalogue(db));
  assert.deepEqual(empty, { version, changeId: null }, 'an empty change writes nothing');
  assert.equal((await listAudit(db, { limit: 10 })).length, 1);
});
