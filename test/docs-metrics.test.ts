/** Tests that the metrics guide lists every metric as it is, and that dashboard and objectives query existing ones. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, listOf } from './support/answers.ts';
import { scrapeOfAll } from './support/metrics-scrape.ts';
import { assertAnswerable } from './support/promql.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../docs/${path}`, import.meta.url), 'utf8');

const text = await scrapeOfAll();

const types = new Map(
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
);

const series = new Set([...text.matchAll(/^(simgate_\w+)/gm)].map(([, name = '']) => name));

/** The labels of a metric, except the bound of a bucket. */
const labelsOf = (name: string): string[] => {
  const line = new RegExp(`^${name}(?:_bucket)?(?:\\{(.*)\\})? `, 'm').exec(text);
  // Only Linux reports open files.
  assert.ok(line !== null || process.platform !== 'linux', `${name} has no figure`);
  const labels = [...(line?.[1] ?? '').matchAll(/(\w+)="/g)].map(([, label = '']) => label);
  return labels.filter((label) => label !== 'le');
};

test('the guide’s table holds every metric with its type and its labels, and no other', () => {
  const rows = [
    ...read('operate/metrics.md').matchAll(/^\| `(simgate_\w+)` \| (\w+) \| (.*?) ?\| \S/gm),
  ];
  const told = rows.map(([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
  }));
  const there = [...types].map(([name, type]) => ({ name, type, labels: labelsOf(name) }));
  const byName = (one: { name: string }, other: { name: string }) =>
    one.name < other.name ? -1 : 1;
  assert.ok(there.length > 20);
  assert.deepEqual(told.toSorted(byName), there.toSorted(byName));
});

test('metric names follow Prometheus: a prefix, and their unit', () => {
  for (const [name, type] of types) {
    assert.match(name, /^simgate_(?:[a-z_]+|nodejs_eventloop_lag_p\d\d_seconds)$/);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    assert.doesNotMatch(name, /_(?:ms|milliseconds|kb|mb)\b/);
  }
});

const assertAsked = (expressions: readonly string[]): void => {
  const names = expressions.flatMap((one) => one.match(/\bsimgate_\w+/g) ?? []);
  assert.ok(names.length >= 10);
  for (const name of names) assert.ok(series.has(name), `${name} is not there`);
};

test('the objectives’ queries use existing metrics', () => {
  const queries = [...read('operate/slo.md').matchAll(/^```promql\n([^]*?)^```$/gm)];
  assert.ok(queries.length > 5);
  for (const [, query = ''] of queries) assertAnswerable(query, text);
});

/** Every value under one of the names, wherever it is. */
const valuesUnder = (value: unknown, names: readonly string[]): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => [
    ...(names.includes(key) ? [inner] : []),
    ...valuesUnder(inner, names),
  ]);
};

// Grafana's syntax for a selected data source.
const chosen = ['$', '{datasource}'].join('');

const dashboard: unknown = JSON.parse(read('grafana-dashboard.json'));

test('the dashboard’s queries use existing metrics', () => {
  const queries = valuesUnder(dashboard, ['expr', 'definition']).map(String);
  assert.ok(queries.length > 30);
  for (const query of queries) assert.match(query, /simgate_/);
  assertAsked(queries);
});

test('the dashboard shows every metric that an alert uses', () => {
  const shown = valuesUnder(dashboard, ['expr']).join('\n');
  const asked = new Set(read('../ops/prometheus/alerts.yml').match(/\bsimgate_\w+/g));
  assert.ok(asked.size > 10);
  for (const name of asked) assert.match(shown, new RegExp(`\\b${name}\\b`), name);
});

test('the dashboard queries the selected Prometheus, and each panel has its own position', () => {
  const sources = valuesUnder(dashboard, ['datasource']);
  assert.ok(sources.length > 30);
  for (const source of sources) {
    assert.deepEqual(source, { type: 'prometheus', uid: chosen });
  }
  const [first] = listOf(at(dashboard, 'templating', 'list'));
  assert.deepEqual([at(first, 'name'), at(first, 'type')], ['datasource', 'datasource']);
  const panels = listOf(at(dashboard, 'panels'));
  const places = panels.map((panel) => JSON.stringify(at(panel, 'gridPos')));
  assert.equal(new Set(places).size, panels.length);
  assert.equal(new Set(panels.map((panel) => at(panel, 'id'))).size, panels.length);
});
