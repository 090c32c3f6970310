/** Tests the lookup by idempotency key: each request gets its own purchase, also when many are looked up together. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createWorld,
  purchaseRequestOf,
  type World,
} from '../../../test/support/purchase-world.ts';
import { begin } from '../purchase.ts';
import { insertPurchases } from '../store.ts';
import { createKeyLookup } from './find-by-key.ts';

let world: World;
before(async () => {
  world = await createWorld();
  await world.client('a');
  await world.client('b');
});
after(() => world.end());

test('each finds the purchase of its own key and client, or nothing, a hundred at a time', async () => {
  const findByKey = createKeyLookup(world.deps.db);
  const timing = { sendBefore: 2, quietAt: 3, dueAt: 1e15 };
  const made = Array.from({ length: 40 }, (_, index) => {
    const requested = purchaseRequestOf({
      clientId: index % 2 === 0 ? 'a' : 'b',
      id: `look ${index}`,
    });
    return begin({ ...requested, key: `key ${index >> 1}` }, 1, timing).after;
  });
  await insertPurchases(world.deps.db, made);
  const wanted = Array.from({ length: 100 }, (_, index) => ({
    clientId: index % 2 === 0 ? 'a' : 'b',
    key: `key ${index >> 1}`,
  }));
  const found = await Promise.all(wanted.map(async (key) => findByKey(key)));
  assert.deepEqual(
    found,
    wanted.map((_, index) => made[index]),
  );
  assert.deepEqual(await findByKey(wanted[3] ?? assert.fail()), made[3]);
});
