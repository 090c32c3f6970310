/** Proves the plain statements: one text for each number of rows, a mark for each value, values never in the text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { marks, runText, sized } from './db-statement.ts';
import { openTestDatabase } from './test-database.ts';

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
      assert.equal(marks(count).match(/\?/g)?.length, count);
      assert.match(marks(count), /^\(\?(, \?)*\)$/);
    }),
  );
});

test('values come back as they went, whatever is in them, in the order of their rows', async () => {
  const { db, close } = await openTestDatabase();
  const text = sized(
    (repeat) => `select * from (values ${repeat('(cast(? as text), cast(? as bigint))')})`,
  );
  type Row = { column1: string; column2: number | null };
  const row = fc.tuple(fc.string({ unit: 'grapheme' }), fc.option(fc.maxSafeInteger()));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
        const read = await runText<Row>(db, text(rows.length), rows.flat());
        assert.deepEqual(
          read.map(({ column1, column2 }) => [column1, column2]),
          rows.map((one) => [...one]),
        );
      }),
    );
  } finally {
    await close();
  }
});
