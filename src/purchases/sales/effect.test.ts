/** Tests that the effect of new prices is computed from what the clients of the list bought in 30 days. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, price, productOf, requestOf } from '../../../test/support/purchase-world.ts';
import { setVersion } from '../../pricing/change.ts';
import { createLivePrices } from '../../pricing/live.ts';
import { defaultListId } from '../../pricing/price-list.ts';
import { effectOf } from './effect.ts';
import { noSums } from './sums.ts';

const dayMs = 86_400_000;

test('two sales at a list’s price show what it charged, and what it will charge', async () => {
  const world = await createWorld();
  try {
    const { db, databaseTime, newId } = world.deps;
    await world.client('a', 10 * price);
    await world.client('b', 10 * price);
    const prices = createLivePrices(db);
    const bookWith = async (percent: string) => {
      const scope = { productId: null, categoryId: null, operatorId: null, productType: null };
      const terms = { ...scope, commission: { kind: 'percent', percent } } as const;
      await db.transaction().execute((db) =>
        setVersion({ db, newId, databaseTime }, defaultListId, {
          from: null,
          entries: [{ line: 1, terms }],
        }),
      );
      await prices.reload();
      return prices.book();
    };
    const before = await bookWith('4');
    for (const key of ['one', 'two']) await world.buying.buy(requestOf('a', key));
    await world.clock.advance(1000);
    const after = await bookWith('10');
    const now = await databaseTime(db);
    const shared = { kind: 'client', product_id: 0, operator_id: 0, supplier_id: 0 } as const;
    const group = { ...shared, ...noSums(), day: Math.floor(now / dayMs), sold: 2 };
    const groups = ['a', 'b'].map((client_id) => ({ ...group, client_id }));
    await db.insertInto('sales').values(groups).execute();
    const product = (id: number) => productOf({ id });
    const asked = { before, after, listId: defaultListId, moment: now, now: now + 1, product };
    assert.deepEqual(await effectOf(db, asked), [
      {
        clientId: 'a',
        sold: 2,
        price: 2 * price,
        chargedBefore: 2 * 0.96 * price,
        chargedAfter: 2 * 0.9 * price,
      },
    ]);
  } finally {
    await world.end();
  }
});
