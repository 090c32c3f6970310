/** Tests which settings the console shows and accepts, and that no secret leaks. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { checkSettings } from '../../connector/settings/check.ts';
import { formOf } from '../../connector/settings/form.ts';
import {
  changedSecrets,
  keptSecrets,
  maskSettings,
  mergeSettings,
  withoutSecrets,
} from '../../connector/settings/mask.ts';
import { changesDestination } from '../../connector/settings/moved.ts';
import { isUnknown } from '../../lib/field-texts.ts';
import { http } from '../http/index.ts';
import { simulator } from '../simulator/index.ts';

const connector = {
  name: 'drawn',
  settings: Type.Object({
    url: Type.String({ description: 'Where.' }),
    pin: Type.Optional(Type.String({ secret: true, default: 'never shown' })),
    tries: Type.Integer({ default: 3, minimum: 1, maximum: 9 }),
    share: Type.Optional(Type.Number()),
    quick: Type.Boolean({ default: false }),
    mode: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    level: Type.Optional(Type.Enum(['low', 'high'])),
    proxy: Type.Optional(
      Type.Object({ host: Type.String(), key: Type.Optional(Type.String({ secret: true })) }),
    ),
    hosts: Type.Optional(Type.Array(Type.String())),
    keys: Type.Optional(Type.Array(Type.Object({ key: Type.String({ secret: true }) }))),
  }),
};

test('a form has a field for each setting, with all that is needed to render it', () => {
  const fields = formOf(connector.settings);
  const blank = { description: '', secret: false, default: null, minimum: null, maximum: null };
  // Without texts, the name is the label.
  const named = (name: string) => ({
    ...blank,
    name,
    label: { en: name, fa: null },
    help: { en: '', fa: null },
  });
  assert.deepEqual(
    fields.map(({ name, type, required }) => [name, type, required]),
    [
      ['url', 'string', true],
      ['pin', 'string', false],
      ['tries', 'integer', false],
      ['share', 'number', false],
      ['quick', 'boolean', false],
      ['mode', 'enum', false],
      ['level', 'enum', false],
      ['proxy', 'object', false],
      ['hosts', 'json', false],
      ['keys', 'json', false],
    ],
  );
  const [, pin, tries, , , mode, level, proxy, , keys] = fields;
  assert.deepEqual([pin?.secret, pin?.default, keys?.secret], [true, null, true]);
  assert.deepEqual([tries?.default, tries?.minimum, tries?.maximum], [3, 1, 9]);
  assert.deepEqual(
    [mode?.values, level?.values],
    [
      ['a', 'b'],
      ['low', 'high'],
    ],
  );
  assert.deepEqual(proxy?.fields, [
    { ...named('host'), type: 'string', required: true },
    { ...named('key'), type: 'string', required: false, secret: true },
  ]);
});

test('every field of the built-in connectors’ forms can be rendered', () => {
  for (const { settings } of [http, simulator]) {
    const fields = formOf(settings).flatMap((field) => [field, ...(field.fields ?? [])]);
    assert.ok(fields.length > 3);
    for (const { name, type, description } of fields) {
      assert.notEqual(type, 'json', name);
      assert.ok(description !== '' || name.endsWith('Ms'), name);
    }
  }
});

// Long enough not to be part of something else by chance.
const secret = fc.string({ minLength: 12 }).map((text) => `S${text}S`);
const settingsOf = fc.record(
  {
    url: fc.string(),
    pin: secret,
    tries: fc.integer({ min: 1, max: 9 }),
    proxy: fc.record(
      { host: fc.string(), key: secret },
      { requiredKeys: ['host'], noNullPrototype: true },
    ),
    keys: fc.array(fc.record({ key: secret }, { noNullPrototype: true }), { minLength: 1 }),
  },
  { requiredKeys: ['url'], noNullPrototype: true },
);

const secretsOf = ({
  pin,
  proxy,
  keys = [],
}: typeof settingsOf extends fc.Arbitrary<infer T> ? T : never) =>
  [pin, proxy?.key, ...keys.map(({ key }) => key)].filter((one) => one !== undefined);

test('the form holds no secret, and sending it back unchanged changes nothing', () => {
  fc.assert(
    fc.property(settingsOf, (settings) => {
      const shown = maskSettings(connector, settings);
      const text = JSON.stringify(shown);
      for (const one of secretsOf(settings)) assert.ok(!text.includes(JSON.stringify(one)));
      const merged = mergeSettings(connector, settings, shown);
      assert.deepEqual(merged, settings);
      assert.deepEqual(changedSecrets(connector, settings, merged), []);
    }),
  );
});

test('a secret that is left out stays, null removes it, and another replaces it', () => {
  const before = { url: 'u', pin: 'old', proxy: { host: 'h', key: 'k' } };
  const merge = (given: Readonly<Record<string, unknown>>) =>
    mergeSettings(connector, before, given);
  assert.deepEqual(merge({ url: 'v' }), { url: 'v', pin: 'old' });
  assert.deepEqual(merge({ url: 'v', proxy: { host: 'i' } }), {
    url: 'v',
    pin: 'old',
    proxy: { host: 'i', key: 'k' },
  });
  assert.deepEqual(merge({ url: null, pin: null }), {});
  const next = merge({ url: 'u', pin: 'new', proxy: { host: 'h', key: null } });
  assert.deepEqual(next, { url: 'u', pin: 'new', proxy: { host: 'h' } });
  assert.deepEqual(changedSecrets(connector, before, next), ['pin', 'proxy.key']);
});

test('the kept secrets are named; those sent, removed or never set are not', () => {
  const before = { url: 'u', pin: 'old', proxy: { host: 'h', key: 'k' }, keys: [{ key: 'k' }] };
  const kept = (given: Readonly<Record<string, unknown>>) => keptSecrets(connector, before, given);
  assert.deepEqual(kept({ url: 'v' }), ['pin', 'keys']);
  assert.deepEqual(kept({ pin: '***', proxy: { host: 'h', key: '***' }, keys: null }), [
    'pin',
    'proxy.key',
  ]);
  assert.deepEqual(kept({ pin: 'new', proxy: { host: 'h', key: 'new' }, keys: [] }), []);
  assert.deepEqual(keptSecrets(connector, { url: 'u', pin: '' }, { url: 'u' }), []);
});

test('requests go elsewhere if a URL’s origin changes, or a setting marked as part of an address', () => {
  const placed = {
    name: 'placed',
    settings: Type.Object({
      baseUrl: Type.String({ default: 'https://usual.example/' }),
      port: Type.Optional(Type.Integer({ address: true })),
      host: Type.Optional(Type.String({ address: true })),
      note: Type.Optional(Type.String()),
      proxy: Type.Optional(Type.Object({ url: Type.String() })),
      more: Type.Optional(Type.Array(Type.String())),
    }),
  };
  const moves = (one: Readonly<Record<string, unknown>>, other: typeof one): boolean => {
    const found = changesDestination(placed, one, other);
    assert.equal(changesDestination(placed, other, one), found);
    return found;
  };
  const before = { baseUrl: 'https://one.example/v1', host: 'h', port: 1 };
  for (const same of [
    { ...before },
    { ...before, baseUrl: 'https://one.example/v2' },
    { ...before, baseUrl: 'HTTPS://ONE.example:443' },
    { ...before, note: 'another' },
    { ...before, more: ['no address'] },
  ]) {
    assert.equal(moves(before, same), false, JSON.stringify(same));
  }
  for (const other of [
    { ...before, baseUrl: 'https://two.example/v1' },
    { ...before, baseUrl: 'http://one.example/v1' },
    { ...before, baseUrl: 'https://one.example:8443/v1' },
    { ...before, baseUrl: 'https://one.example.two.example/v1' },
    { host: 'h', port: 1 },
    { ...before, host: 'i' },
    { ...before, port: 2 },
    { ...before, proxy: { url: 'socks5://proxy.example' } },
    { ...before, more: ['https://two.example'] },
  ]) {
    assert.equal(moves(before, other), true, JSON.stringify(other));
  }
  assert.equal(moves({}, { baseUrl: 'https://usual.example/v1' }), false, 'the default counts');
});

test('an invalid setting is named without its value', () => {
  const wrong = checkSettings(connector, { url: 1, tries: 'hunter2', mode: 'hunter2', ulr: 'x' });
  assert.ok(wrong.kind === 'wrong');
  assert.deepEqual(wrong.errors, { ulr: [isUnknown('ulr')] });
  const more = checkSettings(connector, { tries: 'hunter2', mode: 'hunter2', proxy: {} });
  assert.ok(more.kind === 'wrong');
  assert.deepEqual(Object.keys(more.errors).sort(), ['mode', 'proxy.host', 'tries', 'url']);
  assert.doesNotMatch(JSON.stringify([wrong, more]), /hunter2/);
});

test('a sentence that repeats a secret is shown without it', () => {
  const settings = { url: 'u', pin: '4711', proxy: { host: 'h', key: 'topsecret' } };
  assert.equal(
    withoutSecrets(connector, settings, 'no answer to /?pin=4711&key=topsecret of u'),
    'no answer to /?pin=***&key=*** of u',
  );
});
