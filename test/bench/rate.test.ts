/** Tests the schedule of a load: the rate after the ramp, and when each request is due. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dueAt, dueBy } from '../../bench/rate.ts';

const rates = fc.record({
  perSecond: fc.integer({ min: 1, max: 5000 }),
  rampSeconds: fc.integer({ min: 0, max: 60 }),
});

test('when a request is due, exactly the earlier ones are', () => {
  fc.assert(
    fc.property(rates, fc.nat(1_000_000), (rate, index) => {
      assert.ok(Math.abs(dueBy(rate, dueAt(rate, index)) - index) < 1e-4);
    }),
  );
});

test('they are due one after the other, at the full rate once the ramp is over', () => {
  fc.assert(
    fc.property(rates, fc.nat(1_000_000), (rate, index) => {
      const between = dueAt(rate, index + 1) - dueAt(rate, index);
      assert.ok(between > 0);
      if (dueAt(rate, index) < rate.rampSeconds) return;
      assert.ok(Math.abs(between - 1 / rate.perSecond) < 1e-6);
    }),
  );
});
