/** Tests what counts as wrongly listed after a restore: what the database held at that very supplier. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Row, wronglyListed } from './judge.ts';

const purchases = (id: string, suppliers: readonly number[]): ReadonlyMap<string, Row> =>
  new Map([
    [
      `client key-${id}`,
      { id, state: 'unknown', status: null, body: null, amount: 1, reason: null, suppliers },
    ],
  ]);
const none: ReadonlyMap<string, Row> = new Map();

test('an order at a further supplier, which the backup lacks, is listed correctly', () => {
  const listed = [{ ref: 'a', supplierId: 101 }];
  // Settled since: by now the database knows that supplier.
  assert.deepEqual(wronglyListed(listed, purchases('a', [1]), purchases('a', [101, 1])), []);
  assert.deepEqual(wronglyListed(listed, none, none), []);
});

test('an order that the backup held is listed wrongly, also if it had a further supplier', () => {
  for (const supplierId of [1, 101]) {
    const listed = [{ ref: 'a', supplierId }];
    assert.deepEqual(wronglyListed(listed, purchases('a', [101, 1]), none), listed);
  }
});

test('an order that began in the restored database is listed wrongly', () => {
  const listed = [{ ref: 'b', supplierId: 1 }];
  assert.deepEqual(wronglyListed(listed, none, purchases('b', [1, 101])), listed);
});
