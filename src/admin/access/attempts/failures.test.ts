/** Tests that failed sign-ins are in the audit log with their source, and that anonymous callers cannot fill it. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  type Office,
  openOffice,
  password,
  refuses,
} from '../../../../test/support/back-office.ts';
import { changePassword } from '../own/account.ts';
import { sendCode } from '../sign-in.ts';
import { isLoggedCount } from './failures.ts';

let office: Office;
/** For each test of a suite: other files of the process have theirs. */
const openEach = (): void => {
  beforeEach(async () => {
    office = await openOffice();
  });
  afterEach(() => office.close());
};

/** A number or a word in an entry's values. */
const toldOf = ({ told }: { readonly told: unknown }, name: string): unknown =>
  typeof told === 'object' && told !== null
    ? Object.entries(told).find(([key]) => key === name)?.[1]
    : undefined;

const failed = async () => {
  const rows = await office.audit({ action: 'sign in failed' });
  return rows
    .reverse()
    .map(({ subject, actor, address, account_id: accountId, after_it: after }) => {
      const told: unknown = JSON.parse(after);
      return { subject, actor, address, accountId, told };
    });
};

/** Guesses as often as allowed, waiting out the pauses. */
const guessPatiently = async (name: string, address: string, times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) {
    await office.clock.advance(900_000);
    await refuses(office.guess(name, address), 'SIGN_IN_FAILED');
  }
};

describe('failed sign-ins in the audit', () => {
  openEach();

  test('name the account and the address, first at once and then by steps', async () => {
    const { id } = await office.make('clerk');
    await guessPatiently('clerk', '203.0.113.9', 12);
    const rows = await failed();
    assert.deepEqual(
      rows.map((row) => toldOf(row, 'failures')),
      [1, 2, 5, 10],
    );
    assert.deepEqual(rows[0], {
      subject: id,
      actor: 'anonymous',
      address: '203.0.113.9',
      accountId: null,
      told: { proof: 'password', failures: 1, all_failures: 1 },
    });
  });

  test('do not hold a name that does not exist, as it may be a password', async () => {
    await refuses(office.guess('my-secret-password', '203.0.113.9'), 'SIGN_IN_FAILED');
    const [row] = await failed();
    assert.equal(row?.subject, 'sign-in');
    assert.doesNotMatch(JSON.stringify(await office.audit()), /my-secret-password/);
  });

  test('record what was wrong: a code after the password, a confirmation within a session', async () => {
    const { id } = await office.make('clerk');
    await office.withFactor('clerk');
    const half = await office.enter('clerk');
    await refuses(sendCode(office.deps, await office.inside(half), '000000'), 'CODE_WRONG');
    await office.make('cashier');
    await office.clock.advance(1);
    const visit = await office.inside(await office.enter('cashier'));
    const given = { current: 'not it', password: 'another good one' };
    await refuses(changePassword(office.deps, visit, given), 'PASSWORD_WRONG');
    const rows = await failed();
    assert.deepEqual(
      rows.map((row) => [row.subject, row.actor, toldOf(row, 'proof')]),
      [
        [id, 'anonymous', 'code'],
        [visit.account.id, 'cashier', 'confirmation'],
      ],
    );
  });

  test('of names that do not exist are at most twenty an hour, and hide none at an account', async () => {
    const { id } = await office.make('clerk');
    for (let count = 0; count < 60; count += 1) {
      const address = `203.0.113.${count}`;
      await refuses(office.guess(`name-${count}`, address), 'SIGN_IN_FAILED');
    }
    assert.equal((await failed()).length, 20);
    await office.clock.advance(1);
    await refuses(office.guess('clerk', '198.51.100.7'), 'SIGN_IN_FAILED');
    const last = (await failed()).at(-1);
    assert.deepEqual([last?.subject, last?.address], [id, '198.51.100.7']);
    await office.clock.advance(3_600_000);
    await refuses(office.guess('name-next', '198.51.100.8'), 'SIGN_IN_FAILED');
    const next = (await failed()).at(-1) ?? assert.fail('nothing was written');
    assert.equal(toldOf(next, 'left_out'), 40);
  });

  test('of one account from everywhere are limited too, and its steps are still recorded', async () => {
    await office.make('clerk');
    for (let count = 0; count < 110; count += 1) {
      const address = `203.0.113.${count}`;
      await refuses(office.guess('clerk', address), 'SIGN_IN_FAILED');
    }
    const rows = await failed();
    assert.ok(rows.length <= 61, `${rows.length} entries`);
    const told = rows.map((row) => Number(toldOf(row, 'all_failures')));
    assert.equal(Math.max(...told), 100);
  });

  test('do not keep rows of attempts forever', async () => {
    for (let count = 0; count < 50; count += 1) {
      await refuses(office.guess(`name-${count}`, `203.0.113.${count}`), 'SIGN_IN_FAILED');
    }
    await office.clock.advance(2 * 86_400_000);
    await refuses(office.guess('another', '198.51.100.1'), 'SIGN_IN_FAILED');
    const rows = await office.deps.db.selectFrom('admin_attempts').select('key').execute();
    assert.ok(rows.length <= 4, JSON.stringify(rows));
  });

  test('the password is in no entry', async () => {
    await office.make('clerk');
    await refuses(office.guess('clerk'), 'SIGN_IN_FAILED');
    await office.enter('clerk');
    const text = JSON.stringify(await office.audit());
    for (const secret of ['a guess', password]) assert.ok(!text.includes(secret));
  });
});

test('steps get rarer by and by', () => {
  const steps = Array.from({ length: 1000 }, (_, index) => index + 1).filter(isLoggedCount);
  assert.deepEqual(steps, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
});
