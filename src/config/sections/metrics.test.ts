/** Tests where the metrics settings come from, and that their token is masked. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../lib/errors.ts';
import { readConfig } from '../config.ts';
import { maskMetrics } from './metrics.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const withFile = (content: unknown) => {
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(content));
  return { SIMGATE_CONFIG: file };
};

const token = 'sixteen-letters-or-more';

test('by default there is neither a port nor a token', () => {
  assert.deepEqual(readConfig({}).metrics, { host: '127.0.0.1' });
});

test('the environment wins over the file, setting by setting', () => {
  const env = withFile({ metrics: { port: 9464, token } });
  assert.deepEqual(readConfig(env).metrics, { port: 9464, host: '127.0.0.1', token });
  assert.deepEqual(readConfig({ ...env, METRICS_PORT: '9000', METRICS_HOST: '::1' }).metrics, {
    port: 9000,
    host: '::1',
    token,
  });
  assert.equal(readConfig({ METRICS_TOKEN: token }).metrics.token, token);
  assert.deepEqual(readConfig({ METRICS_PORT: '', METRICS_TOKEN: '' }).metrics, {
    host: '127.0.0.1',
  });
});

for (const [mistake, env, told] of [
  ['a port that is not a number', { METRICS_PORT: 'x' }, /metrics\.port must be a whole number/],
  ['a port out of range', { METRICS_PORT: '70000' }, /metrics\.port must be at most 65535/],
  ['a token that can be guessed', { METRICS_TOKEN: 'hunter2' }, /metrics\.token/],
  ['a token that is invalid in a header', { METRICS_TOKEN: `hunter2 ${token}` }, /metrics\.token/],
] as const) {
  test(`${mistake} is refused by name, and not repeated`, () => {
    assert.throws(
      () => readConfig(env),
      (error: unknown) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, told);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  });
}

test('settings that are not an object are refused, whatever the environment adds', () => {
  for (const metrics of ['on', null, 1, [1]]) {
    const env = { ...withFile({ metrics }), METRICS_PORT: '9464' };
    assert.throws(() => readConfig(env), /metrics/);
  }
});

test('the token is masked, and settings without one stay unchanged', () => {
  const settings = { host: '::1', port: 1 };
  assert.deepEqual(maskMetrics({ ...settings, token }), { ...settings, token: '***' });
  assert.deepEqual(maskMetrics(settings), settings);
});
