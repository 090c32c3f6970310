/** Tests admission: the global limit, each operator's limit, and its circuit breaker. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/support/manual-clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { type Admission, createAdmission } from './admission.ts';

const createStage = (
  carries?: (operatorId: number) => number | undefined,
  suspended: ReadonlySet<number> = new Set(),
) => {
  const clock = manualClock();
  const changes: string[] = [];
  const admission = createAdmission({
    clock,
    bounds: { purchases: 5, purchasesPerOperator: 3, waiting: 2 },
    ...(carries === undefined ? {} : { carries }),
    suspended,
    breaker: { windowMs: 1000, leastCalls: 4, silentPercent: 50, pauseMs: 2500, trials: 1 },
    changed: (operator, kind) => void changes.push(`${operator} ${kind}`),
  });
  return { clock, changes, admission };
};

const silent = { kind: 'unknown' };
const done = { kind: 'done' };

const refusedWith = (code: string, retryAfter: string) => (error: unknown) =>
  error instanceof GatewayError &&
  error.code === code &&
  error.details.headers?.['retry-after'] === retryAfter;

const enterMany = (admission: Admission, operatorId: number | undefined, count: number) =>
  Array.from({ length: count }, () => admission.enter(operatorId));

describe('Places', () => {
  test('of one operator run out before the total, so that others continue', () => {
    const { admission } = createStage();
    const [leave = assert.fail] = enterMany(admission, 1, 3);
    assert.throws(() => admission.enter(1), refusedWith('OVERLOADED', '1'));
    enterMany(admission, 2, 2);
    assert.throws(() => admission.enter(2), refusedWith('OVERLOADED', '1'), 'now all are taken');
    assert.throws(() => admission.enter(undefined), refusedWith('OVERLOADED', '1'));
    leave();
    leave();
    admission.enter(1);
    assert.throws(() => admission.enter(1), refusedWith('OVERLOADED', '1'), 'one was released');
  });

  test('of one operator are no more than its connection carries', () => {
    const { admission } = createStage((id) => (id === 1 ? 2 : undefined));
    const [leave = assert.fail] = enterMany(admission, 1, 2);
    assert.throws(() => admission.enter(1), refusedWith('OVERLOADED', '1'));
    leave();
    admission.enter(1);
    enterMany(admission, 2, 3);
  });

  test('follow the capacity of the connection, also when it changes', () => {
    let carried = 1;
    const { admission } = createStage(() => carried);
    admission.enter(1);
    assert.throws(() => admission.enter(1), refusedWith('OVERLOADED', '1'));
    carried = 2;
    admission.enter(1);
    carried = 1;
    assert.throws(() => admission.enter(1), refusedWith('OVERLOADED', '1'));
  });

  test('of a suspended operator are zero, whatever its breaker says, until it is resumed', () => {
    const suspended = new Set([1]);
    const { admission } = createStage(undefined, suspended);
    assert.throws(() => admission.enter(1), refusedWith('OPERATOR_UNAVAILABLE', '30'));
    assert.equal(admission.state(1).inFlight, 0);
    admission.enter(2);
    suspended.delete(1);
    admission.enter(1);
  });

  test('of waiting requests are counted separately', () => {
    const { admission } = createStage();
    enterMany(admission, undefined, 5);
    const leave = admission.wait();
    assert.ok(admission.wait());
    assert.equal(admission.wait(), undefined);
    leave?.();
    assert.ok(admission.wait());
  });

  test('never exceed their limits, and all are released, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 60 }), (steps) => {
        const { admission } = createStage();
        const inside: { readonly id: number; readonly leave: () => void }[] = [];
        for (const step of steps) {
          if (step >= 6) inside.splice(0, 1)[0]?.leave();
          else {
            const id = step % 3;
            try {
              inside.push({ id, leave: admission.enter(id) });
            } catch {
              const own = inside.filter((one) => one.id === id).length;
              assert.ok(inside.length === 5 || own === 3, 'refused unnecessarily');
            }
          }
          assert.ok(inside.length <= 5);
          for (const id of [0, 1, 2]) {
            assert.ok(inside.filter((one) => one.id === id).length <= 3);
          }
        }
        for (const { leave } of inside) leave();
        enterMany(admission, 0, 3);
        enterMany(admission, 1, 2);
      }),
    );
  });
});

describe('An operator that does not answer', () => {
  test('is paused, the others are not, and start and end of the pause are reported', async () => {
    const { clock, changes, admission } = createStage();
    for (let count = 0; count < 4; count += 1) admission.recordOutcome(1, 'order', silent);
    assert.throws(() => admission.enter(1), refusedWith('OPERATOR_UNAVAILABLE', '3'));
    admission.enter(2)();
    await clock.advance(2500);
    const leave = admission.enter(1);
    assert.throws(() => admission.enter(1), refusedWith('OPERATOR_UNAVAILABLE', '1'), 'one trial');
    admission.recordOutcome(1, 'order', done);
    leave();
    admission.enter(1);
    assert.deepEqual(changes, ['1 open', '1 closed']);
  });

  test('is tried again as soon as it answers an inquiry', () => {
    const { admission } = createStage();
    for (let count = 0; count < 4; count += 1) admission.recordOutcome(1, 'order', silent);
    admission.alive(1);
    admission.enter(1);
  });

  test('is refused for its timeouts, not for its full slots', () => {
    const { admission } = createStage();
    enterMany(admission, 1, 3);
    for (let count = 0; count < 4; count += 1) admission.recordOutcome(1, 'order', silent);
    assert.throws(() => admission.enter(1), refusedWith('OPERATOR_UNAVAILABLE', '3'));
  });

  test('is not caused by a subscriber’s fault, but is by a failed connection', () => {
    const { admission } = createStage();
    const refusals = ['declined', 'not_subscriber', 'wrong_sim_type', 'offer_gone', 91];
    for (const code of [...refusals, ...refusals]) {
      admission.recordOutcome(1, 'order', { kind: 'refused', code });
      admission.recordOutcome(1, 'question', { kind: 'not_subscriber' });
    }
    admission.enter(1);
    for (let count = 0; count < 4; count += 1) {
      admission.recordOutcome(2, 'order', { kind: 'refused', code: 'unreachable' });
    }
    assert.throws(() => admission.enter(2), refusedWith('OPERATOR_UNAVAILABLE', '3'));
  });
});

test('An operator’s health includes the time since which it holds', async () => {
  const { admission, clock } = createStage();
  const health = () => {
    const { breaker, since } = admission.state(1);
    return [breaker, since === undefined ? undefined : since - begin];
  };
  const begin = clock.now();
  assert.deepEqual(health(), ['closed', undefined]);
  await clock.advance(100);
  for (let count = 0; count < 4; count += 1) admission.recordOutcome(1, 'order', silent);
  await clock.advance(50);
  assert.deepEqual(health(), ['open', 100]);
  await clock.advance(2500);
  assert.deepEqual(
    health(),
    ['trying', 2600],
    'since the end of its pause, not since the question',
  );
  admission.recordOutcome(1, 'order', silent);
  assert.deepEqual(health(), ['open', 2650]);
  await clock.advance(2600);
  admission.recordOutcome(1, 'question', done);
  assert.deepEqual(health(), ['trying', 5150], 'an answer to a question changes nothing');
  await clock.advance(10);
  admission.recordOutcome(1, 'order', done);
  assert.deepEqual(health(), ['closed', 5260]);
  assert.equal(admission.state(2).since, undefined);
});
