/** Tests that invalid operator configuration is rejected clearly, and valid configuration connects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { manualClock } from '../../test/support/manual-clock.ts';
import type { OperatorConfig } from '../config/config.ts';
import { callWithin } from '../connector/call.ts';
import { type Connector, type ConnectorContext, defineConnector } from '../connector/connector.ts';
import { maskSettings } from '../connector/settings/mask.ts';
import { UsageError } from '../lib/errors.ts';
import { systemRandom, uuidV7 } from '../lib/random.ts';
import { openRegistry } from './registry.ts';
import { simulator } from './simulator/index.ts';

const contextFor = (operatorId: number): ConnectorContext => {
  const clock = manualClock();
  const newId = uuidV7(clock, systemRandom);
  return { operatorId, clock, random: systemRandom, newId, call: callWithin(clock) };
};

/** A connector that records its settings, and when it was closed. */
const recorder = () => {
  const log: unknown[] = [];
  const connector = defineConnector({
    name: 'recorder',
    settings: Type.Object({
      url: Type.String({ minLength: 1 }),
      password: Type.Optional(Type.String({ secret: true })),
      deadline: Type.Integer({ default: 5_000, minimum: 1 }),
      mode: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
      proxy: Type.Optional(
        Type.Object({ host: Type.String(), key: Type.String({ secret: true }) }),
      ),
    }),
    connect: (settings, { operatorId }) => {
      log.push({ operatorId, settings });
      return {
        buy: async () => ({ kind: 'unknown', detail: 'it only records' }),
        status: async () => ({ kind: 'not_found' }),
        deadlineMs: 1000,
        close: async () => {
          log.push(`closed ${operatorId}`);
        },
      };
    },
  });
  return { log, connector };
};

const one: OperatorConfig = { id: 1, name: 'first', connector: 'simulator', settings: {} };

const refusal = (
  operators: readonly OperatorConfig[],
  connectors: readonly Connector[],
): string => {
  try {
    openRegistry(operators, connectors, contextFor);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  return assert.fail('the configuration was accepted');
};

test('operators are found by id and by name, in the order of the configuration', () => {
  const two = { ...one, id: 2, name: 'second', settings: { offers: true } };
  const registry = openRegistry([two, one], [simulator], contextFor);
  assert.deepEqual(
    registry.all.map(({ id }) => id),
    [2, 1],
  );
  assert.equal(registry.byId(1)?.name, 'first');
  assert.equal(registry.byId(3), undefined);
  assert.equal('offers' in (registry.byId(1)?.connection ?? {}), false);
  assert.equal('offers' in (registry.byId(2)?.connection ?? {}), true);
  assert.equal(registry.byId(1)?.connector.name, 'simulator');
});

test('suppliers are reached like operators, and are none', async () => {
  const suppliers = [{ ...one, id: 100, name: 'other', group: 'shared' }];
  const registry = openRegistry([one], [simulator], contextFor, { suppliers });
  assert.deepEqual(
    registry.all.map(({ id, kind, group }) => [id, kind, group]),
    [
      [1, 'operator', undefined],
      [100, 'supplier', 'shared'],
    ],
  );
  assert.deepEqual(
    registry.operators.map(({ id }) => id),
    [1],
  );
  assert.equal(registry.byId(100)?.name, 'other');
  assert.equal(registry.operatorById(100), undefined);
  assert.equal(registry.operatorById(1)?.name, 'first');
  await registry.close();
  const same = [{ ...one, id: 100 }];
  assert.throws(
    () => openRegistry([one], [simulator], contextFor, { suppliers: same }),
    /^UsageError: Two operators or suppliers have the name "first"\.$/,
  );
});

test('an operator knows the system of its connection, or null without one', () => {
  const { connector } = recorder();
  const registry = openRegistry(
    [{ ...one, connector: 'recorder', settings: { url: 'a' } }],
    [connector],
    contextFor,
  );
  const system = () => registry.byId(1)?.system;
  const first = registry.byId(1);
  registry.prepare(1, { url: 'a', deadline: 5_000, password: 'rotated' }).use();
  assert.equal(system(), first?.system, 'defaults and secrets make no difference');
  registry.prepare(1, { url: 'b' }).use();
  assert.notEqual(system(), first?.system);
  registry.cutOff(1);
  assert.equal(system(), null);
  registry.prepare(1, { url: 'a' }).use();
  assert.equal(system(), first?.system, 'moved back');
});

test('missing settings get their defaults, and the configuration stays unchanged', () => {
  const { log, connector } = recorder();
  const settings = Object.freeze({ url: 'https://operator.example' });
  openRegistry([{ ...one, connector: 'recorder', settings }], [connector], contextFor);
  assert.deepEqual(log, [
    { operatorId: 1, settings: { url: 'https://operator.example', deadline: 5_000 } },
  ]);
  assert.deepEqual(settings, { url: 'https://operator.example' });
});

test('closing closes every connection', async () => {
  const { log, connector } = recorder();
  const settings = { url: 'https://operator.example' };
  const operators = [1, 2].map((id) => ({ id, name: `n${id}`, connector: 'recorder', settings }));
  await openRegistry(operators, [connector], contextFor).close();
  assert.deepEqual(log.slice(2), ['closed 1', 'closed 2']);
});

test('an unknown connector is refused with the list of known ones', () => {
  assert.equal(
    refusal([{ ...one, connector: 'telegraph' }], [simulator, recorder().connector]),
    'Operator "first": there is no connector "telegraph". Known are: "simulator", "recorder".',
  );
});

test('an unknown setting is refused with the list of known ones', () => {
  const known =
    'It has: "offers", "deadline", "reversesAfter", "second", "discountPercent", "float", "faults".';
  for (const key of ['ofers', 'constructor', 'toString']) {
    assert.equal(
      refusal([{ ...one, settings: { [key]: true } }], [simulator]),
      `Operator "first": the connector "simulator" has no setting "${key}". ${known}`,
    );
  }
});

test('a setting of the wrong type is refused by name, without its value', () => {
  const cases = [
    [{ url: 'x', deadline: 0 }, 'setting "deadline" must be >= 1'],
    [{ url: 'x', deadline: '5 seconds' }, 'setting "deadline" must be integer'],
    [{ url: 'x', password: 12_345 }, 'setting "password" must be string'],
    [{ url: 'x', proxy: { host: 'h', key: 1 } }, 'setting "proxy.key" must be string'],
    [{ url: 'x', proxy: { host: 'h' } }, 'setting "proxy.key" is missing'],
    [{ url: 'x', mode: 'c' }, 'setting "mode" must be one of "a", "b"'],
    [{}, 'setting "url" is missing'],
  ] as const;
  for (const [settings, fault] of cases) {
    const { connector } = recorder();
    const message = refusal([{ ...one, connector: 'recorder', settings }], [connector]);
    assert.equal(message, `Operator "first": ${fault}.`);
  }
});

test('two operators may not share an id or a name', () => {
  assert.equal(
    refusal([one, { ...one, name: 'x' }], [simulator]),
    'Two operators have the id "1".',
  );
  assert.equal(
    refusal([one, { ...one, id: 2 }], [simulator]),
    'Two operators have the name "first".',
  );
});

test('nothing is connected if one of the operators is wrong', () => {
  const { log, connector } = recorder();
  const right = { ...one, connector: 'recorder', settings: { url: 'x' } };
  refusal([right, { ...right, id: 2, name: 'second', settings: {} }], [connector]);
  assert.deepEqual(log, []);
});

test('a masked setting shows only that a secret is set', () => {
  const { connector } = recorder();
  const proxy = { host: 'h', key: 'k' };
  assert.deepEqual(maskSettings(connector, { url: 'x', password: 'p', deadline: 1, proxy }), {
    url: 'x',
    password: '***',
    deadline: 1,
    proxy: { host: 'h', key: '***' },
  });
  assert.deepEqual(maskSettings(connector, { url: 'x', password: '' }), { url: 'x', password: '' });
});

test('a key that the schema does not know is masked: it may be a mistyped secret', () => {
  assert.deepEqual(maskSettings(recorder().connector, { pasword: 'p' }), { pasword: '***' });
});
