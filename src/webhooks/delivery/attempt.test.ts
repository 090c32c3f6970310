/** Tests what follows a delivery attempt: the retry schedule over three days, and its end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../../config/config.ts';
import { afterAttempt, readAttempts } from './attempt.ts';
import { failureOf } from './failure.ts';
import type { Sent } from './send.ts';

const { pausesMs } = readConfig({}).webhooks;
const hours = (count: number): number => count * 3_600_000;

/** Sends a message repeatedly, each attempt when it is due, until it has ended. */
const sendAll = (answer: (attempt: number) => Sent, chance: number) => {
  const times: number[] = [];
  let [message, at] = [{ step: 0, tried: '[]' }, 0];
  for (;;) {
    const sent = answer(times.push(at));
    const after = afterAttempt(message, { sent, at, ms: 0, chance }, pausesMs);
    if (after.due_at === null) return { times, after };
    [message, at] = [after, after.due_at];
  }
};

const failing: Sent = { kind: 'failed', failure: failureOf('connection_refused') };

test('An undelivered message is tried ten times, with the pauses of the specification, for three days', () => {
  const { times, after } = sendAll(() => failing, 0);
  assert.equal(after.state, 'failed');
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  assert.deepEqual(pauses, [5000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map(hours)]);
  const whole = times.at(-1) ?? 0;
  assert.ok(whole > hours(72) && whole < hours(80), String(whole));
});

test('Jitter makes a pause longer by a tenth at most, and never shorter', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (chance) => {
      const { times } = sendAll(() => failing, chance);
      for (const [index, pause] of pausesMs.entries()) {
        const taken = (times[index + 1] ?? 0) - (times[index] ?? 0);
        assert.ok(taken >= pause && taken <= pause * 1.1 + 1);
      }
    }),
  );
});

test('Any 2xx ends it as delivered, 410 ends it as failed, and everything else is retried', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
      const attempt = { sent: { kind: 'answered', status }, at: 1, ms: 2, chance: 0 } as const;
      const { state, due_at } = afterAttempt({ step: 0, tried: '[]' }, attempt, pausesMs);
      if (status >= 200 && status < 300) assert.equal(state, 'delivered');
      else if (status === 410) assert.equal(state, 'failed');
      else assert.equal(state, 'waiting');
      assert.equal(due_at === null, state !== 'waiting');
    }),
  );
});

test('The last twenty attempts are kept, in order', () => {
  let message = { step: 0, tried: '[]' };
  for (let at = 0; at < 50; at += 1) {
    message = afterAttempt(message, { sent: failing, at, ms: 1, chance: 0 }, pausesMs);
  }
  const kept = readAttempts(message.tried).map(({ at }) => at);
  assert.deepEqual(
    kept,
    Array.from({ length: 20 }, (_, index) => 30 + index),
  );
});
