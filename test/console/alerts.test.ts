/** Tests which alerts are new to an account, and what its browser remembers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAccountPreferences } from '../../console/src/account-preferences.ts';
import {
  axisValues,
  labelAnchor,
  labelPlaces,
  labelsThatFit,
  niceTop,
} from '../../console/src/overview/chart-scale.ts';
import { seenAfter, stillSeen, unreadOf } from '../../console/src/shell/unread.ts';

const review = { id: 'review', count: 2, since: '2026-01-31T09:00:00Z' };
const down = { id: 'operator_down:1', count: null, since: '2026-01-31T08:00:00Z' };
const low = { id: 'low_balances', count: 1, since: null };

describe('Alerts', () => {
  test('are new until one looks, and again when they grow or begin again', () => {
    const all = [review, down, low];
    assert.deepEqual(unreadOf(all, {}), all);
    const seen = seenAfter(all);
    assert.deepEqual(unreadOf(all, seen), []);
    const more = { ...review, count: 3 };
    const other = { ...review, count: 2, since: '2026-01-31T09:10:00Z' };
    const fewer = { ...review, count: 1 };
    const again = { ...down, since: '2026-01-31T10:00:00Z' };
    assert.deepEqual(unreadOf([more, again, low], seen), [more, again]);
    assert.deepEqual(unreadOf([other], seen), [other], 'one was decided, and another came');
    assert.deepEqual(unreadOf([fewer], seen), []);
  });

  test('are new when they return after they ended', () => {
    const kept = stillSeen([down], seenAfter([review, down, low]));
    assert.deepEqual(Object.keys(kept), ['operator_down:1']);
    assert.deepEqual(unreadOf([low, down], kept), [low]);
  });

  test('are remembered as far as the browser’s storage makes sense', () => {
    const nothing = { seenAlerts: {}, hidesSetup: false };
    for (const stored of [null, '', '{', '[]', '"a"', '{"seenAlerts":3,"hidesSetup":"yes"}']) {
      assert.deepEqual(readAccountPreferences(stored), nothing, String(stored));
    }
    const known = { seenAlerts: { review: { count: 2, since: '' } }, hidesSetup: true };
    const stored = { ...known, seenAlerts: { ...known.seenAlerts, low: 1, other: { count: 'x' } } };
    assert.deepEqual(readAccountPreferences(JSON.stringify(stored)), known);
  });
});

describe('An axis', () => {
  test('ends at a round value, and has a line in its middle where that is round too', () => {
    const ends = [0, 0.4, 1, 3, 5, 11, 79, 81, 1234].map(niceTop);
    assert.deepEqual(ends, [1, 1, 1, 4, 6, 20, 80, 100, 2000]);
    assert.deepEqual(axisValues(1), [0, 1]);
    assert.deepEqual(axisValues(6), [0, 3, 6]);
  });

  test('has as many labels as fit, at least its ends', () => {
    assert.deepEqual(
      [300, 300, 100, 2000].map((inner, place) => labelsThatFit(inner, place === 1 ? 80 : 40)),
      [5, 3, 2, 7],
    );
  });

  test('has its labels at even distances, none beyond an edge', () => {
    assert.deepEqual(labelPlaces(14, 5), [0, 4, 8, 12]);
    assert.deepEqual(labelPlaces(24, 7), [0, 4, 8, 12, 16, 20]);
    assert.deepEqual(labelPlaces(7, 7), [0, 1, 2, 3, 4, 5, 6]);
    assert.deepEqual(
      [0, 1, 2].map((points) => labelPlaces(points, 2)),
      [[], [0], [0, 1]],
    );
    const anchors = [10, 20, 80, 90].map((x) => labelAnchor(x, 40, 100));
    assert.deepEqual(anchors, ['start', 'middle', 'middle', 'end']);
  });
});
