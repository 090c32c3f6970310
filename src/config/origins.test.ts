/** Tests that each setting is listed once, with its origin and description. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { configFrom, readConfigSources } from './config.ts';
import { describeSettings, originsOf } from './origins.ts';

test('a setting is from the environment, else from the file, else the default; all have a description', () => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  try {
    const file = join(folder, 'simgate.json');
    const content = { port: 1, vatPercent: '9', limits: { waiting: 5 }, metrics: { host: '::1' } };
    writeFileSync(file, JSON.stringify(content));
    const env = { SIMGATE_CONFIG: file, PORT: '8080', METRICS_PORT: '9', SIMGATE_DEMO: 'off' };
    const given = readConfigSources(env);
    const settings = describeSettings({ ...configFrom(given), workers: 2 }, originsOf(given));
    const found = new Map(settings.map((setting) => [setting.name, setting]));
    assert.equal(found.size, settings.length);
    const froms = (...names: readonly string[]) => names.map((name) => found.get(name)?.from);
    assert.deepEqual(froms('port', 'demo', 'metrics.port'), Array(3).fill('environment'));
    assert.deepEqual(froms('vatPercent', 'limits.waiting', 'metrics.host'), Array(3).fill('file'));
    assert.deepEqual(froms('host', 'limits.requests', 'publicUrl'), Array(3).fill('default'));
    assert.deepEqual(froms('workers'), ['environment'], 'from the command line');
    assert.deepEqual(
      [found.get('port')?.value, found.get('port')?.default, found.get('publicUrl')?.value],
      [8080, 3000, null],
    );
    for (const { name, description } of settings) assert.ok(description.length > 5, name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
