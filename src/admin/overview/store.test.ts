/** Tests that the overview's queries use an index on SQLite, however many purchases there are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { openTestDatabase } from '../../../test/support/database.ts';
import { oldestText, pendingText, reviewText } from './store.ts';

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
