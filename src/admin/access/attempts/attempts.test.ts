/** Tests which sign-in attempts count as wrong guesses, which are undone, and how many a new address gets. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  type Office,
  openOffice,
  password,
  refuses,
  visitor,
} from '../../../../test/support/back-office.ts';
import type { Db } from '../../../db/types.ts';
import { GatewayError } from '../../../lib/errors.ts';
import { sendCode, signIn } from '../sign-in.ts';
import { type Attempt, beginAttempt, forgiveAttempt, undoAttempt } from './attempts.ts';

let office: Office;
/** For each test of a suite: other files of the process have theirs. */
const openEach = (): void => {
  beforeEach(async () => {
    office = await openOffice();
  });
  afterEach(() => office.close());
};

const failuresOf = async (key: string): Promise<number | undefined> =>
  (
    await office.deps.db
      .selectFrom('admin_attempts')
      .select('failures')
      .where('key', '=', key)
      .executeTakeFirst()
  )?.failures;

const attempt: Attempt = {
  subject: 'name clerk',
  address: '192.0.2.1',
  hasManyValues: true,
  proof: 'password',
  account: undefined,
};

const transaction = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  office.deps.db.transaction().execute(work);

describe('an attempt that is not judged', () => {
  openEach();

  for (const [what, error] of [
    ['an overload', new GatewayError('OVERLOADED')],
    ['a database that went away', new GatewayError('DATABASE_UNAVAILABLE')],
  ] as const) {
    test(`because of ${what} is no wrong guess, however often it happens`, async () => {
      await office.make('clerk');
      const verify = () => Promise.reject(error);
      const failing = { ...office.deps, passwords: { ...office.deps.passwords, verify } };
      for (let count = 0; count < 30; count += 1) {
        await assert.rejects(signIn(failing, visitor, { name: 'clerk', password }), error);
      }
      assert.equal(await failuresOf('pair 192.0.2.1 name clerk'), 0);
      assert.equal(await failuresOf('place 192.0.2.1'), 0);
      assert.equal(await failuresOf('subject name clerk'), 0);
      await office.enter('clerk');
    });
  }

  test('because the session ended meanwhile leaves the code unguessed', async () => {
    const { id } = await office.make('clerk');
    const code = await office.withFactor('clerk');
    const half = await office.enter('clerk');
    const visit = await office.inside(half);
    await office.deps.db.deleteFrom('admin_sessions').execute();
    await refuses(sendCode(office.deps, visit, await code()), 'SESSION_MISSING');
    assert.equal(await failuresOf(`subject code ${id}`), 0);
  });
});

describe('a new place', () => {
  openEach();

  /** Others guess until only new addresses get through. */
  const pauseName = async (): Promise<void> => {
    for (let count = 0; count < 40; count += 1) {
      await refuses(office.guess('clerk', `203.0.113.${count}`), 'SIGN_IN_FAILED');
    }
  };

  test('has three tries of its own, so people may mistype twice', async () => {
    await office.make('clerk');
    await pauseName();
    await refuses(office.guess('clerk', '198.51.100.1'), 'SIGN_IN_FAILED');
    await refuses(office.guess('clerk', '198.51.100.1'), 'SIGN_IN_FAILED');
    await office.enter('clerk', '198.51.100.1');
    for (let count = 0; count < 3; count += 1) {
      await refuses(office.guess('clerk', '198.51.100.2'), 'SIGN_IN_FAILED');
    }
    await refuses(office.enter('clerk', '198.51.100.2'), 'TOO_MANY_TRIES');
  });

  test('of IPv6 shares twenty first tries a day with its /48', async () => {
    await office.make('clerk');
    await pauseName();
    const ends: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      const place = `2001:db8:7:${count.toString(16)}::1`;
      await office.guess('clerk', place).catch((error: unknown) => {
        ends.push(error instanceof Error && 'code' in error ? String(error.code) : 'none');
      });
    }
    assert.equal(ends.filter((code) => code === 'SIGN_IN_FAILED').length, 20);
    assert.equal(ends.filter((code) => code === 'TOO_MANY_TRIES').length, 40);
    await office.enter('clerk', '2001:db8:8::1');
    await office.clock.advance(86_400_000);
    await office.enter('clerk', '2001:db8:7:aaaa::1');
  });

  test('counts its first tries under the name without extending the pause', async () => {
    await office.make('clerk');
    await pauseName();
    const before = await failuresOf('subject name clerk');
    const until = async () =>
      (
        await office.deps.db
          .selectFrom('admin_attempts')
          .select('until_at')
          .where('key', '=', 'subject name clerk')
          .executeTakeFirstOrThrow()
      ).until_at;
    const pause = await until();
    assert.ok(pause > office.clock.now());
    await refuses(office.guess('clerk', '198.51.100.1'), 'SIGN_IN_FAILED');
    assert.equal(await failuresOf('subject name clerk'), (before ?? 0) + 1);
    assert.equal(await until(), pause);
  });
});

describe('a try that ends well', () => {
  openEach();

  const now = () => office.clock.now();

  test('lifts its own pause only, not one that another try set', async () => {
    const other: Attempt = { ...attempt, subject: 'name cashier' };
    for (let count = 0; count < 18; count += 1) {
      await beginAttempt(office.deps, { ...attempt, subject: `name n${count}` });
    }
    const good = await beginAttempt(office.deps, attempt);
    await beginAttempt(office.deps, other);
    await transaction((db) => forgiveAttempt(db, attempt, { counted: good, now: now() }));
    const third: Attempt = { ...attempt, subject: 'name new' };
    await refuses(beginAttempt(office.deps, third), 'TOO_MANY_TRIES');
    await office.clock.advance(1000);
    const own = await beginAttempt(office.deps, third);
    await transaction((db) => forgiveAttempt(db, third, { counted: own, now: now() }));
    await beginAttempt(office.deps, { ...attempt, subject: 'name after' });
  });

  test('leaves no trace when it is undone', async () => {
    const counted = await beginAttempt(office.deps, attempt);
    await transaction((db) => undoAttempt(db, attempt, { counted, now: now() }));
    const { pair, place, subject } = await beginAttempt(office.deps, attempt);
    assert.deepEqual([pair.failures, place?.failures, subject?.failures], [1, 1, 1]);
  });
});
