/** Tests raw SQL statements: placeholders, values, and any number of rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase } from '../../test/support/database.ts';
import { placeholders, type RowsText, readRows, sized, tableOf } from './statement.ts';

test('a text is built once for each size and repeats its tuple that often', () => {
  const built: string[] = [];
  const text = sized((repeat) => {
    const made = `values ${repeat('(?, ?)')}`;
    built.push(made);
    return made;
  });
  assert.equal(text(1), 'values (?, ?)');
  assert.equal(text(3), 'values (?, ?), (?, ?), (?, ?)');
  assert.equal(text(1), text(1));
  assert.equal(text(3), text(3));
  assert.equal(built.length, 2);
});

test('there are as many marks as values', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
      assert.equal(placeholders(count).match(/\?/g)?.length, count);
      assert.match(placeholders(count), /^\(\?(, \?)*\)$/);
    }),
  );
});

test('values come back unchanged, in the order of their rows', async () => {
  const { db, close } = await openTestDatabase();
  const text: RowsText = {
    one: 'select cast(? as text) as words, cast(? as bigint) as number',
    many: `select words, number from ${tableOf({ words: 'text', number: 'bigint' })}`,
  };
  type Row = { words: string | null; number: number | null };
  // Text with a special meaning in PostgreSQL's array literals.
  const meant = fc.constantFrom('', 'NULL', 'null', '{}', '{"a", b}', '"', '\\', '\\"', ',', ' ');
  const words = fc.option(fc.oneof(fc.string({ unit: 'grapheme' }), meant));
  const row = fc.tuple(words, fc.option(fc.maxSafeInteger()));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        const read = await readRows<Row>(db, text, rows);
        assert.deepEqual(
          read.map(({ words, number }) => [words, number]),
          rows.map((one) => [...one]),
        );
      }),
    );
  } finally {
    await close();
  }
});
