/** Tests that test clients are listed and summed apart from the others, whose money alone is real. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../test/support/database.ts';
import { openAccount, writePostings } from '../ledger/store.ts';
import { type ClientFilter, listClients, searchClients, sumClients } from './store.ts';

test('a filter finds either test clients or the others, and sums their money alone', async () => {
  const { db, close } = await openTestDatabase();
  try {
    const balances = { poor: 10, rich: 90, played: 20, playedRich: 70 } as const;
    for (const [id, amount] of Object.entries(balances)) {
      const isTest = Number(id.startsWith('played'));
      const client = { id, name: id, status: 'active', created_at: 0, test: isTest } as const;
      await db.insertInto('clients').values(client).execute();
      await openAccount(db, id);
      await writePostings(db, id, [{ kind: 'deposit', amount }], 1);
    }
    const page = { sort: 'created', descending: true, limit: 9 } as const;
    const found = async (filter: ClientFilter): Promise<string[]> =>
      (await searchClients(db, filter, page)).map(({ id }) => id);
    assert.deepEqual(await found({}), ['rich', 'poor', 'playedRich', 'played']);
    assert.deepEqual(await found({ test: false }), ['rich', 'poor']);
    assert.deepEqual(await found({ test: true }), ['playedRich', 'played']);
    assert.deepEqual(await found({ test: false, spendableBelow: 50 }), ['poor']);
    const summed = async (filter: ClientFilter): Promise<readonly number[]> => {
      const { clients, available, held } = await sumClients(db, filter);
      return [clients, available, held];
    };
    assert.deepEqual(await summed({}), [4, 100, 0], 'play money is not counted');
    assert.deepEqual(await summed({ test: true }), [2, 90, 0]);
    assert.deepEqual(await summed({ test: false, spendableBelow: 50 }), [1, 10, 0]);
    assert.deepEqual(
      (await listClients(db, true)).map(({ id }) => id),
      ['played', 'playedRich'],
    );
  } finally {
    await close();
  }
});
