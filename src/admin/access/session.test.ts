/** Tests sessions, roles and throttling without a database: secrets, expiry, permissions, pauses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemRandom } from '../../lib/random.ts';
import { countAttempt, type FailedAttempts, noAttempts, pauseAfter } from './attempts/throttle.ts';
import { mayDo, rightsOf, roles } from './roles.ts';
import { codeWithinMs, endOf, hashSecret, isOver, isToBeSeen, makeSecret } from './session.ts';

const limits = { idleMs: 1_800_000, absoluteMs: 43_200_000 };

test('a secret has 256 bits, and only its hash is stored', () => {
  const secret = makeSecret(systemRandom);
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  assert.notEqual(secret, makeSecret(systemRandom));
  assert.match(hashSecret(secret), /^[\da-f]{64}$/);
});

test('a session ends when idle, and at its absolute end however much it is used', () => {
  const session = { stage: 'full', created_at: 0, seen_at: 0 } as const;
  assert.ok(!isOver(session, limits, limits.idleMs - 1));
  assert.ok(isOver(session, limits, limits.idleMs));
  const used = { ...session, seen_at: limits.absoluteMs - 1 };
  assert.ok(!isOver(used, limits, limits.absoluteMs - 1));
  assert.ok(isOver(used, limits, limits.absoluteMs));
  assert.equal(endOf({ ...used, stage: 'code' }, limits), codeWithinMs);
});

test('the use of a busy session is recorded often enough to keep it alive', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 3_600_000 }), (idleMs) => {
      const own = { idleMs, absoluteMs: 43_200_000 };
      const session = { stage: 'full', created_at: 0, seen_at: 0 } as const;
      const unwritten = Array.from({ length: 40 }, (_, index) => (index * idleMs) / 40).filter(
        (now) => !isToBeSeen(session, own, now),
      );
      assert.ok(Math.max(...unwritten) <= idleMs / 10);
    }),
  );
});

test('each role may do what those below it may, and only an owner may change accounts', () => {
  assert.deepEqual(rightsOf('viewer'), ['read']);
  assert.deepEqual(rightsOf('support'), [
    'read',
    'resolve',
    'unmask',
    'routes_read',
    'prices_read',
    'cost',
  ]);
  const allowed = (right: Parameters<typeof mayDo>[1]) =>
    roles.filter((role) => mayDo(role, right));
  assert.deepEqual(allowed('read'), roles);
  for (const right of ['resolve', 'unmask', 'routes_read', 'prices_read', 'cost'] as const) {
    assert.deepEqual(allowed(right), ['support', 'manager', 'owner']);
  }
  for (const right of [
    'catalogue',
    'routes',
    'prices',
    'clients',
    'money',
    'credit',
    'float',
    'audit',
  ] as const) {
    assert.deepEqual(allowed(right), ['manager', 'owner']);
  }
  for (const right of ['accounts', 'settings'] as const)
    assert.deepEqual(allowed(right), ['owner']);
});

const policy = { free: 5, longestMs: 900_000 };

test('pauses begin after some tries, double, and have a maximum', () => {
  assert.equal(pauseAfter(4, policy), 0);
  assert.equal(pauseAfter(5, policy), 1000);
  assert.equal(pauseAfter(6, policy), 2000);
  assert.equal(pauseAfter(14, policy), 512_000);
  assert.equal(pauseAfter(15, policy), 900_000);
  assert.equal(pauseAfter(100_000, policy), 900_000);
});

test('however often others try, there is another try within the longest pause', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2_000_000 }), { maxLength: 50 }), (waits) => {
      let attempts: FailedAttempts = noAttempts;
      let now = 1_000_000;
      for (const wait of waits) {
        now += wait;
        const counted = countAttempt(attempts, now, policy);
        assert.equal(counted === undefined, now < attempts.until);
        attempts = counted ?? attempts;
        assert.ok(attempts.until <= now + policy.longestMs);
        assert.notEqual(countAttempt(attempts, attempts.until, policy), undefined);
      }
    }),
  );
});
