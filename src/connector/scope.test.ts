/** Tests that unhandled errors are attributed to the connector that they come from. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { manualClock } from '../../test/support/manual-clock.ts';
import { systemRandom } from '../lib/random.ts';
import { callWithin } from './call.ts';
import type { Connection } from './connector.ts';
import { scopedConnector } from './scope.ts';

const unknown = { kind: 'unknown', detail: 'no answer' } as const;

const run = promisify(execFile);

const addressOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

/** In its own process, because the errors of this one belong to its tests. */
const hear = async (stray: string): Promise<{ readonly code: unknown; readonly out: string }> => {
  const code = `
    import { onStrayError, scopedConnector } from ${addressOf('./scope.ts')};
    onStrayError((scope, error) => console.log(JSON.stringify([scope, error.message])));
    const stray = () => { ${stray} };
    const connection = scopedConnector({
      name: 'cedar',
      connect: () => ({ buy: async () => { stray(); return 1; }, status() {}, close() {}, deadlineMs: 1 }),
    }).connect({}, { operatorId: 3 });
    await connection.buy();
    setTimeout(() => console.log('alive'), 50);
  `;
  try {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
    return { code: 0, out: stdout };
  } catch (error) {
    return {
      code: Reflect.get(Object(error), 'code'),
      out: String(Reflect.get(Object(error), 'stdout')),
    };
  }
};

const contained = `[{"operatorId":3,"connector":"cedar"},"lost"]\nalive\n`;

describe('an unhandled error', () => {
  for (const [what, stray] of Object.entries({
    'a rejection': `Promise.reject(new Error('lost'))`,
    'a rejection later on': `void (async () => { await null; throw new Error('lost'); })()`,
    'an exception in a timer': `setTimeout(() => { throw new Error('lost'); }, 5)`,
    'a socket without a listener for errors': `import('node:events').then(({ EventEmitter }) => setImmediate(() => new EventEmitter().emit('error', new Error('lost'))))`,
  })) {
    test(`is attributed, and the process continues: ${what}`, async () => {
      assert.deepEqual(await hear(stray), { code: 0, out: contained });
    });
  }

  test('ends the process if it is not from a connector', async () => {
    const { code, out } = await hear(`globalThis.later = true`);
    assert.deepEqual([code, out], [0, 'alive\n']);
    const outside = await hear(`} ; queueMicrotask(() => Promise.reject(new Error('ours'))); {`);
    assert.notEqual(outside.code, 0);
    assert.equal(outside.out, '');
  });
});

test('a scope leaves out nothing that a connection can do', () => {
  const whole: Required<Connection> = {
    offers: async () => unknown,
    subscriber: async () => unknown,
    buy: async () => unknown,
    status: async () => unknown,
    reports: async () => unknown,
    balance: async () => unknown,
    callbacks: { final: true, read: () => ({ kind: 'rejected', detail: 'no' }) },
    deadlineMs: 1,
    atOnce: 2,
    settlesWithin: 3,
    deduplicates: true,
    ordersTellSubscriber: true,
    inquiries: { firstInquiryMs: 1, widestInquiryMs: 2, reviewAfterMs: 3 },
    close: async () => {},
  };
  const settings = Type.Object({});
  const connector = scopedConnector({ name: 'cedar', settings, connect: () => whole });
  const clock = manualClock();
  const context = { operatorId: 3, clock, random: systemRandom, newId: () => 'id' };
  const scoped = connector.connect({}, { ...context, call: callWithin(clock) });
  assert.deepEqual(Object.keys(scoped).sort(), Object.keys(whole).sort());
  assert.equal(scoped.callbacks?.final, true);
});
