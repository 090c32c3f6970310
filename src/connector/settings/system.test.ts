/** Tests which settings identify a system. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { type Connector, defineConnector } from '../connector.ts';
import { systemOf } from './system.ts';

const settings = Type.Object({
  url: Type.String(),
  account: Type.Object({ id: Type.String(), pin: Type.Optional(Type.String({ secret: true })) }),
  token: Type.Optional(Type.String({ secret: true })),
  timeoutMs: Type.Optional(Type.Integer()),
});
const connect = (): never => assert.fail('nothing is connected');
const declared = defineConnector({
  name: 'declared',
  settings,
  identifiedBy: ['url', 'account'],
  connect,
});
const silent: Connector = defineConnector({ name: 'silent', settings, connect });
const connectors: readonly Connector[] = [declared, silent];

const before = { url: 'https://one.example/v1', account: { id: 'a', pin: '1' }, token: 't' };

const same = (connector: Connector, other: Readonly<Record<string, unknown>>): boolean =>
  systemOf(connector, before) === systemOf(connector, other);

test('an address, its path or an account identifies another system', () => {
  for (const connector of connectors) {
    for (const other of [
      { ...before, url: 'https://two.example/v1' },
      { ...before, url: 'https://one.example/v2' },
      { ...before, url: 'https://one.example:8443/v1' },
      { ...before, url: 'http://one.example/v1' },
      { ...before, url: 'https://one.example/V1' },
      { ...before, account: { id: 'b', pin: '1' } },
    ]) {
      assert.equal(same(connector, other), false, JSON.stringify(other));
    }
  }
});

test('a secret, the order of settings and the spelling of an address do not', () => {
  for (const connector of connectors) {
    for (const other of [
      { ...before, token: 'rotated' },
      { url: before.url, account: { pin: '2', id: 'a' } },
      { account: { id: 'a' }, url: 'HTTPS://ONE.example:443/v1/' },
    ]) {
      assert.equal(same(connector, other), true, JSON.stringify(other));
    }
  }
});

test('settings that a connector does not name are ignored; if it names none, all but secrets count', () => {
  assert.equal(same(declared, { ...before, timeoutMs: 1 }), true);
  assert.equal(same(silent, { ...before, timeoutMs: 1 }), false);
});

test('two connectors never lead to the same system', () => {
  assert.notEqual(systemOf(declared, before), systemOf(silent, before));
});

test('secrets and keys in another order never change the system, other identities always do', () => {
  const text = fc.string();
  const one = fc.record({ url: text, id: text, pin: text, token: text, timeoutMs: fc.nat() });
  type Drawn = Readonly<Record<'url' | 'id' | 'pin' | 'token', string>> & { timeoutMs?: number };
  const whole = ({ url, id, pin, token, timeoutMs }: Drawn) => ({
    timeoutMs,
    token,
    account: { pin, id },
    url,
  });
  fc.assert(
    fc.property(one, one, (first, second) => {
      const rotated = { ...first, pin: second.pin, token: second.token };
      for (const connector of connectors) {
        assert.equal(systemOf(connector, whole(first)), systemOf(connector, whole(rotated)));
      }
      assert.match(systemOf(declared, whole(first)), /^[\w-]{16}$/);
      if (first.id !== second.id) {
        assert.notEqual(systemOf(declared, whole(first)), systemOf(declared, whole(second)));
      }
    }),
  );
});
