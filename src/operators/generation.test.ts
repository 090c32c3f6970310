/** Tests that a connection can be replaced in use: calls in flight finish on the old one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { manualClock } from '../../test/support/manual-clock.ts';
import { callWithin } from '../connector/call.ts';
import { defineConnector, type OrderOutcome } from '../connector/connector.ts';
import { inquireAt } from '../connector/suite/inquire-at.ts';
import { systemRandom, uuidV7 } from '../lib/random.ts';
import { openRegistry } from './registry.ts';

const graceMs = 3000;
const deadlineMs = 5000;
const order = { ref: 'a', mobile: '989120000000', amount: 1, productId: 1 };

/** An operator whose connections identify themselves, and answer when a test lets them. */
const createStage = (settings: { readonly mark?: string } = { mark: 'first' }) => {
  const clock = manualClock();
  const log: string[] = [];
  const waiting = new Map<string, (outcome: OrderOutcome) => void>();
  const connector = defineConnector({
    name: 'marked',
    settings: Type.Object({ mark: Type.String() }),
    connect: ({ mark }) => {
      if (mark === 'broken') throw new Error('the mark is broken');
      return {
        buy: ({ ref }) => {
          log.push(`${mark} ordered`);
          return new Promise((resolve) => waiting.set(ref, resolve));
        },
        status: async () => ({ kind: 'unknown', detail: mark }),
        reports: async () => ({ kind: 'unknown', detail: mark }),
        deadlineMs,
        close: async () => void log.push(`${mark} closed`),
      };
    },
  });
  const newId = uuidV7(clock, systemRandom);
  const registry = openRegistry(
    [{ id: 1, name: 'one', connector: 'marked', settings }],
    [connector],
    (operatorId) => ({ operatorId, clock, random: systemRandom, newId, call: callWithin(clock) }),
    { graceMs, excused: new Set(settings.mark === undefined ? [1] : []) },
  );
  const operator = () => registry.byId(1) ?? assert.fail('there is no operator');
  const answer = (ref: string): void => waiting.get(ref)?.({ kind: 'done', ref });
  return { clock, log, registry, operator, answer };
};

test('calls in flight at a replacement end on the old connection, which is closed after them', async () => {
  const { clock, log, registry, operator, answer } = createStage();
  const before = operator();
  const bought = before.connection.buy(order);
  registry.prepare(1, { mark: 'second' }).use();
  assert.deepEqual(await inquireAt(operator().connection, 'x'), {
    kind: 'unknown',
    detail: 'second',
  });
  await clock.advance(graceMs + 1000);
  assert.deepEqual(log, ['first ordered']);
  answer('a');
  assert.deepEqual(await bought, { kind: 'done', ref: 'a' });
  await clock.advance(2 * graceMs);
  assert.deepEqual(log, ['first ordered', 'first closed']);
  assert.equal('offers' in operator().connection, false);
});

test('a holder of the old connection can still send on it for the allowed time', async () => {
  const { clock, log, registry, operator, answer } = createStage();
  const before = operator();
  registry.prepare(1, { mark: 'second' }).use();
  await clock.advance(graceMs - 1);
  const bought = before.connection.buy(order);
  answer('a');
  assert.equal((await bought).kind, 'done');
  await clock.advance(graceMs - 1);
  assert.deepEqual(log, ['first ordered']);
  await clock.advance(2 * graceMs);
  assert.deepEqual(log, ['first ordered', 'first closed']);
});

test('a connection that never answers is closed when every call has timed out', async () => {
  const { clock, log, registry, operator } = createStage();
  void operator().connection.buy(order);
  registry.prepare(1, { mark: 'second' }).use();
  await clock.advance(deadlineMs);
  assert.deepEqual(log, ['first ordered']);
  await clock.advance(2 * graceMs);
  assert.deepEqual(log, ['first ordered', 'first closed']);
});

test('a connection that cannot be opened, or is not put in use, leaves the old one', async () => {
  const { clock, log, registry, operator } = createStage();
  const before = operator();
  assert.throws(() => registry.prepare(1, { mark: 'broken' }), /broken/);
  assert.throws(() => registry.prepare(1, { mark: 1 }), /setting "mark" must be string/);
  assert.throws(() => registry.prepare(2, { mark: 'x' }), /no operator 2/);
  await registry.prepare(1, { mark: 'second' }).discard();
  await clock.advance(10 * graceMs);
  assert.deepEqual(log, ['second closed']);
  assert.equal(operator(), before);
});

test('closing ends the connections in use and the replaced ones, each once', async () => {
  const { clock, log, registry } = createStage();
  registry.prepare(1, { mark: 'second' }).use();
  registry.prepare(1, { mark: 'third' }).use();
  await registry.close();
  await clock.advance(10 * graceMs);
  assert.deepEqual(log.sort(), ['first closed', 'second closed', 'third closed']);
});

test('an operator that may lack settings is unreachable until it has some', async () => {
  const { registry, operator } = createStage({});
  const refused = await operator().connection.buy(order);
  assert.ok(refused.kind === 'refused' && refused.code === 'unreachable');
  assert.equal((await inquireAt(operator().connection, 'x')).kind, 'unknown');
  registry.prepare(1, { mark: 'first' }).use();
  assert.deepEqual(await inquireAt(operator().connection, 'x'), {
    kind: 'unknown',
    detail: 'first',
  });
});
