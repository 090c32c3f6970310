/** Checks Prometheus queries: whether a scrape has every metric, label and value they name. */
import assert from 'node:assert/strict';

const words = new Set([
  'sum',
  'max',
  'min',
  'avg',
  'rate',
  'increase',
  'min_over_time',
  'avg_over_time',
  'by',
  'and',
  'or',
  'unless',
  'bool',
]);

/** Those that Prometheus itself adds. */
const added = new Set(['instance', 'job', 'le']);

type Matcher = { readonly label: string; readonly operator: string; readonly value: string };

const matchersIn = (text: string): Matcher[] => {
  const found = [...text.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"(?:,|$)/g)];
  assert.equal(found.map(([whole]) => whole).join(''), text, `not a list of matchers: ${text}`);
  return found.map(([, label = '', operator = '', value = '']) => ({ label, operator, value }));
};

/** The values that a label of a metric has in a scrape. */
const valuesOf = (scrape: string, metric: string, label: string): string[] =>
  [...scrape.matchAll(new RegExp(`^${metric}\\{(.*)\\} `, 'gm'))].flatMap(([, labels = '']) => {
    const value = new RegExp(`\\b${label}="([^"]*)"`).exec(labels)?.[1];
    return value === undefined ? [] : [value];
  });

const assertMatcher = (
  scrape: string,
  metric: string,
  { label, operator, value }: Matcher,
): void => {
  if (metric === 'up') return assert.ok(added.has(label), `up has no ${label}`);
  const there = valuesOf(scrape, metric, label);
  assert.ok(there.length > 0, `${metric} has no label ${label}`);
  // Routes are the program's patterns, and a test's scrape does not contain all of them.
  if (label === 'route') return;
  const wanted = operator === '=~' ? value.split('|') : [value];
  for (const one of wanted) assert.ok(there.includes(one), `${metric} has no ${label}="${one}"`);
};

const assertBalanced = (query: string): void => {
  const open: string[] = [];
  const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  for (const [sign] of query.replace(/"[^"]*"/g, '').matchAll(/[()[\]{}]/g)) {
    const expected = closing[sign];
    if (expected === undefined) open.push(sign);
    else assert.equal(open.pop(), expected, `unbalanced: ${query}`);
  }
  assert.deepEqual(open, [], `unbalanced: ${query}`);
};

/** Fails unless a scrape can answer the query, by its names, labels and values. */
export const assertAnswerable = (query: string, scrape: string): void => {
  assertBalanced(query);
  const metrics = [...query.matchAll(/\b(simgate_\w+|up)\b(?:\{([^}]*)\})?/g)];
  assert.ok(metrics.length > 0, `no metric: ${query}`);
  for (const [, metric = '', matchers = ''] of metrics) {
    if (metric !== 'up') {
      assert.match(scrape, new RegExp(`^${metric}(?:\\{| )`, 'm'), `${metric} is not there`);
    }
    for (const matcher of matchersIn(matchers)) assertMatcher(scrape, metric, matcher);
  }
  for (const [, labels = ''] of query.matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of labels.split(/, ?/).filter((one) => !added.has(one))) {
      const carried = metrics.some(([, metric = '']) => valuesOf(scrape, metric, label).length > 0);
      assert.ok(carried, `nothing has the label ${label}: ${query}`);
    }
  }
  const rest = query
    .replace(/\bby \([^)]*\)/g, ' ')
    .replace(/\b(?:simgate_\w+|up)\b(?:\{[^}]*\})?/g, ' ')
    .replace(/\[\d+[smhd](?::\d+[smhd])?\]/g, ' ')
    .replace(/\b\d+(?:\.\d+)?\b/g, ' ');
  for (const [word] of rest.matchAll(/\w+/g)) assert.ok(words.has(word), `unknown: ${word}`);
  assert.match(rest, /^[\w\s()/*<>=-]*$/, `unknown signs: ${query}`);
};
