/** Tests that rules of a client are set in any combination, and that the others stay as they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/support/database.ts';
import { type ClientRules, noRules } from './rules.ts';
import { readRules, saveRules } from './store.ts';

const set: ClientRules = {
  products: [1, 2],
  operators: [3],
  repeatSeconds: 60,
  dailyLimit: 9_000_000,
  pendingStatus: 409,
};

const { products, operators, repeatSeconds, dailyLimit, pendingStatus } = set;

const changes: readonly Partial<ClientRules>[] = [
  { products },
  { operators },
  { repeatSeconds },
  { dailyLimit },
  { pendingStatus },
  { products, operators, repeatSeconds },
  { products, repeatSeconds, dailyLimit },
  { operators, repeatSeconds },
  { dailyLimit, pendingStatus },
  set,
];

test('each combination is written to a new row and over an old one, and changes nothing else', async () => {
  const { db, close } = await openTestDatabase();
  try {
    for (const [index, change] of changes.entries()) {
      const [fresh, old] = [`fresh ${index}`, `old ${index}`];
      for (const id of [fresh, old]) {
        const client = { id, name: id, status: 'active', created_at: 0, test: 0 } as const;
        await db.insertInto('clients').values(client).execute();
      }
      await saveRules(db, fresh, change);
      assert.deepEqual(await readRules(db, fresh), { ...noRules, ...change });
      const before: ClientRules = {
        products: [7],
        operators: null,
        repeatSeconds: 5,
        dailyLimit: 1,
        pendingStatus: 202,
      };
      await saveRules(db, old, before);
      await saveRules(db, old, change);
      assert.deepEqual(await readRules(db, old), { ...before, ...change });
    }
  } finally {
    await close();
  }
});
