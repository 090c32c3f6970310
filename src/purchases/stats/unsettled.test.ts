/** Tests that the queries of the metrics use an index on SQLite; PostgreSQL's plans are in test/postgres. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { openTestDatabase } from '../../../test/support/database.ts';
import { openText, reviewText } from './unsettled.ts';

test('settled, undisputed purchases are not read', async () => {
  const { db, close } = await openTestDatabase('sqlite');
  try {
    const planOf = async (text: string): Promise<string> => {
      const plan = CompiledQuery.raw(`explain query plan ${text}`);
      const { rows } = await db.executeQuery<{ detail: string }>(plan);
      return rows.map(({ detail }) => detail).join('\n');
    };
    assert.match(await planOf(openText), /^SCAN purchases USING INDEX purchases_due_at_supplier\b/);
    assert.match(await planOf(reviewText), /^SCAN purchases USING .*INDEX purchases_for_person\b/);
  } finally {
    await close();
  }
});
