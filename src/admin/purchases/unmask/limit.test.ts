/** Tests how many numbers an account may see within an hour and a day, and when the next is allowed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reachedLimit } from './limit.ts';

const hour = 3_600_000;
const limits = { perHour: 2, perDay: 3 };

test('a limit allows as many as it says, and resets when the oldest leave its window', () => {
  assert.equal(reachedLimit([], 0, limits), undefined);
  assert.equal(reachedLimit([10], 20, limits), undefined);
  assert.deepEqual(reachedLimit([10, 15], 20, limits), {
    limit: 'hour',
    most: 2,
    until: 10 + hour,
  });
  assert.equal(reachedLimit([10, 15], 10 + hour, limits), undefined);
  const day = reachedLimit([10, 15, 10 + hour], 10 + 3 * hour, limits);
  assert.deepEqual(day, { limit: 'day', most: 3, until: 10 + 24 * hour });
});

test('an account with a limit of zero is always refused', () => {
  assert.deepEqual(reachedLimit([], 5, { perHour: 0, perDay: 10 })?.limit, 'hour');
});

test('no sequence of requests shows more than the limit within any hour or day', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: hour }), { maxLength: 80 }), (pauses) => {
      let now = 0;
      const shown: number[] = [];
      for (const pause of pauses) {
        now += pause;
        const reached = reachedLimit(shown, now, limits);
        if (reached === undefined) shown.push(now);
        else {
          assert.ok(reached.until > now);
          assert.equal(reachedLimit(shown, reached.until, { ...limits, perDay: 1000 }), undefined);
        }
      }
      for (const start of shown) {
        const within = (ms: number) => shown.filter((at) => at >= start && at < start + ms).length;
        assert.ok(within(hour) <= limits.perHour && within(24 * hour) <= limits.perDay);
      }
    }),
  );
});
