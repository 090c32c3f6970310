/** Tests what a soak test sends and how it judges: the share of faults, repeatable purchases, growing memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { delayIn } from '../../bench/event-loop.ts';
import { memoryGrowth } from '../../bench/soak-judge.ts';
import { planned, requestFor } from '../../bench/soak-orders.ts';
import { behaviourOf, simTypeOf } from '../../src/operators/simulator/numbers.ts';

test('one purchase in twenty meets a fault, evenly over all ten kinds and all operators', () => {
  const all = Array.from({ length: 200_000 }, (_, index) => planned(index));
  const faulty = all.filter(({ healthy }) => !healthy);
  assert.ok(Math.abs(faulty.length / all.length - 0.05) < 0.002);
  for (const group of [
    Map.groupBy(faulty, ({ lastDigits }) => lastDigits),
    Map.groupBy(faulty, ({ lastDigits, operator }) => (lastDigits % 2) * 5 + operator),
  ]) {
    assert.equal(group.size, 10);
    for (const { length } of group.values()) assert.ok(Math.abs(length - 1000) < 150, `${length}`);
  }
});

test('a purchase is healthy if its number is, and its product matches the SIM', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (index) => {
      const { healthy, mobile, product } = planned(index);
      assert.match(mobile, /^98\d{10}$/);
      assert.equal(behaviourOf(mobile) === 'success', healthy);
      assert.equal(simTypeOf(mobile), product % 2 === 0 ? 'credit' : 'permanent');
      assert.equal(requestFor(index, ['a', 'b']), requestFor(index, ['a', 'b']));
    }),
  );
});

test('memory is compared from the third minute to the last fifth, and not in a short run', () => {
  const rest = { databaseMb: 0, logMb: 0, delayMs: 0, pending: 0, review: 0 };
  const run = (seconds: number) =>
    Array.from({ length: seconds }, (_, at) => ({ ...rest, at, memoryMb: at < 120 ? 500 : at }));
  assert.equal(memoryGrowth(run(200)), undefined);
  assert.deepEqual(memoryGrowth(run(601)), { beforeMb: 150, afterMb: 540 });
});

test('the delay of the event loop is found by any of its usual names, in milliseconds', () => {
  const metrics = (line: string): string => `# TYPE x gauge\nother 5\n${line}\n`;
  for (const [line, expected] of [
    ['nodejs_eventloop_lag_p99_seconds 0.25', 250],
    ['simgate_nodejs_eventloop_lag_p99_seconds 0.25', 250],
    ['event_loop_delay_seconds{quantile="0.99"} 0.5', 500],
    ['event_loop_delay_seconds_count 7', undefined],
    ['event_loop_delay_seconds NaN', undefined],
    ['nothing 1', undefined],
  ] as const) {
    assert.equal(delayIn(metrics(line)), expected, line);
  }
});
