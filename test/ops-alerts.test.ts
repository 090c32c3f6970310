/** Tests that Prometheus can load the alerts, that they query existing metrics, and that each links a runbook. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { at, listOf } from './support/answers.ts';
import { parsed } from './support/live.ts';
import { scrapeOfAll } from './support/metrics-scrape.ts';
import { assertAnswerable } from './support/promql.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

type Alert = { readonly name: string; readonly fields: Readonly<Record<string, string>> };

/** A YAML scalar: quoted as in JSON, or plain without special characters. */
const scalar = (text: string): string => {
  if (text.startsWith('"')) {
    const value = parsed(text);
    assert.equal(typeof value, 'string', text);
    return String(value);
  }
  assert.doesNotMatch(text, /^[\s&*!|>'%@`{[#,?:-]|: | #|:$/, `not a plain scalar: ${text}`);
  return text;
};

/**
 * Parses the subset of YAML that the file uses, and fails on every other line. Everything it accepts is YAML
 * in any parser.
 */
const readAlerts = (text: string): Alert[] => {
  const alerts: { name: string; fields: Record<string, string> }[] = [];
  let [folded, groups] = ['', 0];
  for (const line of text.split('\n')) {
    const last = alerts.at(-1);
    const [, indent = '', key = '', value = ''] = /^( *)(?:- )?(\w+): ?(.*)$/.exec(line) ?? [];
    if (folded !== '' && line.startsWith('          ') && last !== undefined) {
      last.fields[folded] = `${last.fields[folded] ?? ''}${line.slice(10)}\n`;
      continue;
    }
    folded = '';
    if (line === '' || line.startsWith('#') || line === 'groups:' || line === '    rules:')
      continue;
    if (/^ {2}- name: [\w-]+$/.test(line)) groups += 1;
    else if (/^ {6}- alert: \w+$/.test(line)) alerts.push({ name: value, fields: {} });
    else if (/^ {8}(?:labels|annotations):$/.test(line)) continue;
    else if (line === '        expr: |') folded = 'expr';
    else {
      assert.match(line, /^(?: {8}(?:expr|for)| {10}(?:severity|summary|runbook_url)): \S/, line);
      assert.ok(last !== undefined && indent.length >= 8, line);
      assert.equal(last.fields[key], undefined, `told twice: ${line}`);
      last.fields[key] = scalar(value);
    }
  }
  assert.ok(groups > 3);
  return alerts;
};

const alerts = readAlerts(read('ops/prometheus/alerts.yml'));
const scrape = await scrapeOfAll();

/** The anchors of a page, from its headings. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );

describe('The alerts', () => {
  test('are many, each with its own name', () => {
    assert.ok(alerts.length >= 18);
    assert.equal(new Set(alerts.map(({ name }) => name)).size, alerts.length);
  });

  for (const { name, fields } of alerts) {
    test(`${name} uses existing metrics, and has a severity, a meaning and a link`, () => {
      const { expr = '', severity = '', summary = '', runbook_url: url = '' } = fields;
      assertAnswerable(expr, scrape);
      if (fields['for'] !== undefined) assert.match(fields['for'], /^\d+[mh]$/);
      assert.ok(['critical', 'warning'].includes(severity), severity);
      assert.match(summary, /^(?:[A-Z]|\{\{).*\.$/);
      for (const [, label = ''] of summary.matchAll(/\$labels\.(\w+)/g)) {
        const kept = expr.includes(`by (${label})`) || !/\bby \(|^(?:max|min|sum)\(/.test(expr);
        assert.ok(kept, `${label} is not left by ${expr}`);
      }
      const [page = '', anchor = ''] = url.split('#');
      assert.ok(anchorsOf(page).has(anchor), url);
    });
  }

  test('cover what an operator of the gateway has to know', () => {
    const asked = alerts.map(({ fields }) => fields['expr'] ?? '').join('\n');
    for (const metric of [
      'simgate_operator_suspended',
      'simgate_operator_settings_unusable',
      'simgate_selling',
      'simgate_reports_unmatched_total',
      'simgate_webhook_messages_waiting',
      'simgate_webhook_oldest_waiting_seconds',
      'simgate_purchases_oldest_open_seconds',
    ]) {
      assert.ok(asked.includes(metric), metric);
    }
  });

  test('come with the package, and so do their runbooks', () => {
    const files = listOf(at(parsed(read('package.json')), 'files'));
    assert.ok(files.includes('ops/') && files.includes('docs/**/*.md'));
  });
});

describe('The runbooks', () => {
  const sections = read('docs/operate/runbooks.md').split(/^## /m).slice(1);

  test('are one for each alert, and no other', () => {
    const names = sections.map((section) => section.split('\n')[0] ?? '');
    assert.deepEqual(names.toSorted(), alerts.map(({ name }) => name).toSorted());
  });

  for (const section of sections) {
    const [name = ''] = section.split('\n');
    test(`${name} says what it means, whether money is at risk, and what to do`, () => {
      assert.match(section, /^\*\*Means\.\*\* \S/m);
      assert.match(section, /^\*\*Money\.\*\* \S/m);
      assert.match(section, /^1\. \S/m);
    });
  }

  test('name existing metrics', () => {
    const names = read('docs/operate/runbooks.md').match(/\bsimgate_\w+/g) ?? [];
    assert.ok(names.length > 5);
    for (const name of names)
      assert.match(scrape, new RegExp(`^${name}(?:_bucket|_count)?[{ ]`, 'm'));
  });

  for (const page of [
    'docs/operate/runbooks.md',
    'docs/operate/slo.md',
    'docs/operate/metrics.md',
  ]) {
    test(`the links of ${page} into pages lead to headings`, () => {
      for (const [, target = '', anchor = ''] of read(page).matchAll(
        /\]\(([\w./-]*)#([\w-]+)\)/g,
      )) {
        const found = target === '' ? page : new URL(target, new URL(page, root)).pathname;
        const path = target === '' ? page : found.slice(root.pathname.length);
        assert.ok(anchorsOf(path).has(anchor), `${page} → ${target}#${anchor}`);
      }
    });
  }
});
