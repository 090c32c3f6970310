/** Tests the saved views of lists, and the runs of a timeline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addressOfView,
  hasRoom,
  isSameQuery,
  readViews,
  type SavedView,
  viewQuery,
  withinView,
  withView,
} from '../../console/src/lists/views.ts';
import { runsOf } from '../../console/src/purchases/timeline-runs.ts';

const view: SavedView = { id: 'v1', name: 'Mine', query: 'state=failed', hidden: ['code'] };

test('a view keeps the filters of an address, in any order, and not the page', () => {
  const address = new URLSearchParams('type=x&view=v1&state=failed&before=b&page=3&q=');
  assert.equal(viewQuery(address), 'state=failed&type=x');
  assert.ok(isSameQuery('b=2&a=1', 'a=1&b=2&page=2'));
  assert.ok(!isSameQuery('a=1', 'a=2'));
  assert.equal(addressOfView(view), '?state=failed&view=v1');
  assert.equal(viewQuery(new URLSearchParams(addressOfView(view))), view.query);
  const within = withinView(new URLSearchParams('a=1'), new URLSearchParams('view=v1&b=2'));
  assert.equal(String(within), 'a=1&view=v1');
});

test('stored views are read, and whatever else is stored is not', () => {
  assert.deepEqual(readViews(JSON.stringify([view])), [view]);
  for (const stored of [null, '', '{', '{}', 'null', '[1,null,{"id":"x"}]'])
    assert.deepEqual(readViews(stored), []);
  assert.deepEqual(readViews(JSON.stringify([{ ...view, hidden: [1] }, view])), [view]);
});

test('a view is changed in its place, or added at the end', () => {
  const other = { ...view, id: 'v2' };
  assert.deepEqual(withView([view, other], { ...view, name: 'New' }), [
    { ...view, name: 'New' },
    other,
  ]);
  assert.deepEqual(withView([view], other), [view, other]);
  assert.ok(hasRoom(Array.from({ length: 29 }, () => view)));
  assert.ok(!hasRoom(Array.from({ length: 30 }, () => view)));
});

test('three or more of the same kind in a row are a run, and nothing is lost or moved', () => {
  const kinds = fc.array(fc.constantFrom('order', 'inquiry', 'report'), { maxLength: 30 });
  fc.assert(
    fc.property(kinds, (drawn) => {
      const entries = drawn.map((kind, place) => ({ kind, place }));
      const runs = runsOf(entries);
      assert.deepEqual(runs.flat(), entries);
      for (const run of runs) {
        assert.ok(run.length === 1 || run.length >= 3);
        assert.equal(new Set(run.map(({ kind }) => kind)).size, 1);
      }
      for (const [index, run] of runs.entries()) {
        const next = runs[index + 1];
        if (run.length > 1) assert.notEqual(next?.[0].kind, run[0].kind);
      }
    }),
  );
});
