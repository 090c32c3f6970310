/** Tests that numbered pages of a cursor-based list are right, in whatever order they are requested. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressOf, newerThan, olderThan, placeIn } from '../../console/src/api/cursors.ts';

const size = 5;

/** A page of this many rows, newest first, read by what comes before a row. */
const read = (rows: number, before: string) => {
  const from = before === '' ? 0 : Number(before) + 1;
  const data = Array.from({ length: rows }, (_, row) => row).slice(from, from + size);
  const last = data.at(-1);
  return { data, next: last === undefined || last === rows - 1 ? null : String(last) };
};

const rowsOf = (rows: number, page: number): number[] =>
  Array.from({ length: rows }, (_, row) => row).slice((page - 1) * size, page * size);

test('a page holds its rows, in whatever order pages are visited', () => {
  const steps = fc.array(fc.constantFrom('older', 'newer'), { maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), steps, (rows, ways) => {
      let address = new URLSearchParams({ subject: 'x' });
      let state: unknown = null;
      let page = 1;
      for (const way of ways) {
        const place = placeIn(address, state);
        const { next } = read(rows, place.before);
        if (way === 'older' && next === null) continue;
        page = way === 'older' ? page + 1 : Math.max(1, page - 1);
        const wanted = next !== null && way === 'older' ? olderThan(place, next) : newerThan(place);
        // A history entry is copied, as a browser does.
        state = structuredClone({ trail: wanted.trail });
        address = addressOf(address, wanted);
        const shown = placeIn(address, state);
        assert.equal(shown.page, page);
        assert.deepEqual(read(rows, shown.before).data, rowsOf(rows, page));
        assert.equal(address.get('subject'), 'x');
        assert.equal(address.has('before'), page > 1);
      }
    }),
  );
});

test('a page opened by its address is shown, and leads to the first', () => {
  for (const state of [null, undefined, 'x', { trail: 'x' }, { trail: [7] }, { sought: 'x' }]) {
    const place = placeIn(new URLSearchParams('before=9&page=3'), state);
    assert.deepEqual(place, { page: 3, before: '9', trail: [] });
    assert.deepEqual(newerThan(place), { page: 1, before: '', trail: [] });
  }
});

test('a page number typed into the address does no harm', () => {
  for (const page of ['', '1', '-3', '2.5', 'x', '1e400']) {
    assert.equal(placeIn(new URLSearchParams({ before: '9', page }), null).page, 2, page);
    assert.equal(placeIn(new URLSearchParams({ page }), null).page, 1, page);
  }
});
