/** Tests that the described tables are those that the migrations create. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/support/database.ts';
import { tables } from './tables.ts';

test('every table has exactly the columns that the migrations create', async () => {
  const { db } = await openTestDatabase();
  const made = (await db.introspection.getTables()).map(
    ({ name, columns }) => [name, columns.map((column) => column.name).sort()] as const,
  );
  const described = Object.entries(tables).map(
    ([name, columns]) => [name, Object.keys(columns).sort()] as const,
  );
  assert.deepEqual(Object.fromEntries(described), Object.fromEntries(made));
});
