/** Tests how the process metrics of several workers are aggregated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry } from 'prom-client';
import { processMetrics } from './process.ts';

const ofWorkers = async (name: string, values: readonly number[]): Promise<string> => {
  const figures = await processMetrics().getMetricsAsJSON();
  const workers = values.map((value) =>
    figures.map((metric) =>
      metric.name === name ? { ...metric, values: [{ value, labels: {} }] } : metric,
    ),
  );
  const text = await AggregatorRegistry.aggregate(workers).metrics();
  return new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? 'nothing';
};

test('of several workers the slowest event loop shows, and the first start', async () => {
  for (const stat of ['p50', 'p90', 'p99', 'max']) {
    assert.equal(await ofWorkers(`simgate_nodejs_eventloop_lag_${stat}_seconds`, [1, 3, 2]), '3');
  }
  assert.equal(await ofWorkers('simgate_process_start_time_seconds', [7, 5, 6]), '5');
});

test('memory, processor time and open files of several workers are summed', async () => {
  for (const name of ['resident_memory_bytes', 'cpu_seconds_total', 'open_fds']) {
    assert.equal(await ofWorkers(`simgate_process_${name}`, [1, 3, 2]), '6');
  }
});

test('a process has one registry, so that its servers watch the event loop once', () => {
  assert.equal(processMetrics(), processMetrics());
});
