/** Tests how an instance is named in its log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { instanceName } from './instance.ts';

test('an instance has its configured name', () => {
  const config = readConfig({ SIMGATE_INSTANCE: 'tehran-1' });
  assert.equal(instanceName(config, 'machine'), 'tehran-1');
});

test('without a name it has that of its machine and port, which a restart keeps', () => {
  const config = readConfig({ PORT: '3001' });
  assert.equal(instanceName(config, 'web-1.internal'), 'web-1.internal:3001');
  assert.equal(instanceName(config, 'web "1"'), 'web--1-:3001');
  assert.equal(instanceName(config, 'w'.repeat(200)).length, 64);
});

test('a name that would have to be escaped in the log is refused', () => {
  assert.throws(
    () => readConfig({ SIMGATE_INSTANCE: 'a"b' }),
    /instance does not have the right format/,
  );
});
