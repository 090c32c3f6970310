/** Proves that numbered pages of a list that only knows how to go on are the right ones, in whatever order they are asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCursors, findPage } from '../../console/src/api/cursors.ts';

/** A list of so many rows, newest first, read by what comes before a row. */
const listOf = (rows: number, size: number) => {
  let asked = 0;
  const read = async (before: string | undefined) => {
    asked += 1;
    const from = before === undefined ? 0 : Number(before) + 1;
    const data = Array.from({ length: rows }, (_, row) => row).slice(from, from + size);
    const last = data.at(-1);
    return { data, next: last === undefined || last === rows - 1 ? null : String(last) };
  };
  return { read, asked: () => asked };
};

test('a page holds its rows, whichever were asked for before', async () => {
  const pages = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 40 }), pages, async (rows, wanted) => {
      const cursors = createCursors();
      const { read } = listOf(rows, 5);
      const last = Math.max(1, Math.ceil(rows / 5));
      for (const page of wanted) {
        const found = await findPage(cursors, 'a list', page, read);
        const shown = Math.min(page, last);
        const first = (shown - 1) * 5;
        const expected = Array.from(
          { length: Math.max(0, Math.min(5, rows - first)) },
          (_, row) => first + row,
        );
        assert.deepEqual(found.data, expected);
        assert.equal(found.next === null, shown === last);
      }
    }),
  );
});

test('the next page is one request, and another list begins anew', async () => {
  const cursors = createCursors();
  const { read, asked } = listOf(30, 5);
  for (const page of [1, 2, 3, 2, 1]) await findPage(cursors, 'one', page, read);
  assert.equal(asked(), 5);
  await findPage(cursors, 'other', 3, read);
  assert.equal(asked(), 8);
});
