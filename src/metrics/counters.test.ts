/** Tests that counters, gauges and histograms are printed in the Prometheus format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry, Registry } from 'prom-client';
import { perKey } from '../lib/memo.ts';
import { createCounter, createHistogram, readGauge } from './counters.ts';

const described = { name: 'simgate_test', help: 'Of a test.', labelNames: ['kind'] };

/** The lines of figures, in their order. */
const linesOf = async (registry: Registry): Promise<string[]> => {
  const printed = AggregatorRegistry.aggregate([await registry.getMetricsAsJSON()]);
  return (await printed.metrics()).split('\n').filter((line) => /^\w/.test(line));
};

test('a histogram counts each value in its bucket and in all wider ones, bounds included', async () => {
  const registry = new Registry();
  const observe = createHistogram(registry, { ...described, bounds: [1, 2.5] })({ kind: 'a' });
  for (const value of [0, 1, 1.5, 2.5, 2.6, 100]) observe(value);
  assert.deepEqual(await linesOf(registry), [
    'simgate_test_bucket{kind="a",le="1"} 2',
    'simgate_test_bucket{kind="a",le="2.5"} 4',
    'simgate_test_bucket{kind="a",le="+Inf"} 6',
    'simgate_test_sum{kind="a"} 107.6',
    'simgate_test_count{kind="a"} 6',
  ]);
});

test('a counter exists from the start, and its children count separately', async () => {
  const registry = new Registry();
  const child = createCounter(registry, described);
  const [one, other] = [child({ kind: 'a' }), child({ kind: 'b' })];
  assert.deepEqual(await linesOf(registry), [
    'simgate_test{kind="a"} 0',
    'simgate_test{kind="b"} 0',
  ]);
  one();
  other();
  one();
  assert.deepEqual(await linesOf(registry), [
    'simgate_test{kind="a"} 2',
    'simgate_test{kind="b"} 1',
  ]);
});

test('a gauge is read at each scrape, and is absent while its value is unknown', async () => {
  const registry = new Registry();
  let values: number[] = [];
  readGauge(registry, { name: 'simgate_test', help: 'Of a test.' }, () =>
    values.map((value) => ({ labels: {}, value })),
  );
  assert.deepEqual(await linesOf(registry), []);
  values = [7];
  assert.deepEqual(await linesOf(registry), ['simgate_test 7']);
});

test('several processes add up, unless a metric says otherwise', async () => {
  const figuresOf = async (value: number) => {
    const registry = new Registry();
    const observe = createHistogram(registry, { ...described, bounds: [1] })({ kind: 'a' });
    for (let count = 0; count < value; count += 1) observe(1);
    const widest = { name: 'simgate_widest', help: 'Of a test.', aggregator: 'max' } as const;
    readGauge(registry, widest, () => [{ labels: {}, value }]);
    return registry.getMetricsAsJSON();
  };
  const all = AggregatorRegistry.aggregate([await figuresOf(2), await figuresOf(3)]);
  const text = await all.metrics();
  assert.match(text, /^simgate_test_bucket\{kind="a",le="1"\} 5$/m);
  assert.match(text, /^simgate_test_count\{kind="a"\} 5$/m);
  assert.match(text, /^simgate_widest 3$/m);
});

test('a key’s child is created once', () => {
  let made = 0;
  const numberOf = perKey((key: string) => `${key}${(made += 1)}`);
  assert.deepEqual([numberOf('a'), numberOf('b'), numberOf('a')], ['a1', 'b2', 'a1']);
});
