/** Tests the security of one's own account: recovery codes, confirmation, sessions, notices of changes. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  command,
  type Office,
  openOffice,
  password,
  refuses,
  visitor,
} from '../../../../test/support/back-office.ts';
import { systemRandom, uuidV7 } from '../../../lib/random.ts';
import { createAccount, createSetup, resetTotp, setPassword } from '../accounts.ts';
import { actorOf, type SignInResult, sendCode, setUp, signIn } from '../sign-in.ts';
import { changePassword, removeTotp } from './account.ts';
import { prove } from './confirm.ts';
import { listNotices, markNoticesSeen } from './notices.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { endOtherSessions, endOwnSession, ownSessions } from './sessions.ts';
import { countRecoveryCodes } from './store.ts';

let office: Office;
/** For each test of a suite: other files of the process have theirs. */
const openEach = (): void => {
  beforeEach(async () => {
    office = await openOffice();
  });
  afterEach(() => office.close());
};

const codesOf = async (entered: Pick<SignInResult, 'token'>): Promise<readonly string[]> => {
  const { account } = await office.inside(entered);
  return createRecoveryCodes(office.deps, actorOf(account, visitor.address), account);
};

/** An account with two-factor authentication. */
const withFactor = async (name: string) => {
  const { id } = await office.make(name);
  const code = await office.withFactor(name);
  const enter = async (): Promise<SignInResult> =>
    sendCode(office.deps, await office.inside(await office.enter(name)), await code());
  return { id, code, enter };
};

const spend = async (name: string, code: string): Promise<SignInResult> =>
  sendCode(office.deps, await office.inside(await office.enter(name)), code);

describe('recovery codes', () => {
  openEach();

  test('let in once each, however they are typed, and are kept as hashes', async () => {
    const { id, enter } = await withFactor('clerk');
    const codes = await codesOf(await enter());
    assert.equal(new Set(codes).size, 10);
    const [first = '', second = ''] = codes;
    assert.match(first, /^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/);
    const entered = await spend('clerk', ` ${first.toUpperCase().replaceAll('-', ' ')}`);
    assert.equal((await office.inside(entered)).session.stage, 'full');
    await refuses(spend('clerk', first), 'CODE_WRONG');
    await office.clock.advance(1);
    const both = await Promise.allSettled([spend('clerk', second), spend('clerk', second)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal(await countRecoveryCodes(office.deps.db, id), 8);
    const kept = await office.deps.db.selectFrom('admin_recovery_codes').select('hash').execute();
    assert.ok(kept.every(({ hash }) => /^[\da-f]{64}$/.test(hash)));
    const used = await office.audit({ action: 'recovery code use' });
    assert.deepEqual(
      used.map(({ after_it: after }) => after),
      ['{"recovery_codes":8}', '{"recovery_codes":9}'],
    );
    assert.ok(!JSON.stringify(await office.audit()).includes(first));
  });

  test('are replaced as a whole, and do not work for another account', async () => {
    const clerk = await withFactor('clerk');
    const cashier = await withFactor('cashier');
    const old = await codesOf(await clerk.enter());
    const fresh = await codesOf(await clerk.enter());
    await codesOf(await cashier.enter());
    await refuses(spend('clerk', old[0] ?? ''), 'CODE_WRONG');
    await refuses(spend('cashier', fresh[0] ?? ''), 'CODE_WRONG');
    await spend('clerk', fresh[0] ?? '');
  });

  test('need a second factor, and are deleted with it', async () => {
    await office.make('auditor');
    await refuses(codesOf(await office.enter('auditor')), 'SECOND_FACTOR_OFF');
    const { id, enter } = await withFactor('clerk');
    const entered = await enter();
    await codesOf(entered);
    await removeTotp(office.deps, await office.inside(entered), password);
    assert.equal(await countRecoveryCodes(office.deps.db, id), 0);
    await office.clock.advance(30_000);
    await office.withFactor('clerk');
    await resetTotp(office.deps, command, id);
    assert.equal(await countRecoveryCodes(office.deps.db, id), 0);
  });

  test('are not created if the second factor has just been removed', async () => {
    const { id, enter } = await withFactor('clerk');
    const { account } = await office.inside(await enter());
    await resetTotp(office.deps, command, id);
    const actor = actorOf(account, visitor.address);
    await refuses(createRecoveryCodes(office.deps, actor, account), 'SECOND_FACTOR_OFF');
    assert.equal(await countRecoveryCodes(office.deps.db, id), 0);
  });

  test('are rate-limited like codes of the app', async () => {
    await withFactor('clerk');
    const visit = await office.inside(await office.enter('clerk'));
    const guess = () => sendCode(office.deps, visit, 'aaaa-bbbb-cccc-dddd-eeee-ffff');
    for (let count = 0; count < 5; count += 1) await refuses(guess(), 'CODE_WRONG');
    await refuses(guess(), 'TOO_MANY_TRIES');
  });
});

describe('a fresh proof', () => {
  openEach();

  test('by password or code renews the session under a new token, with the same expiry', async () => {
    const { code, enter } = await withFactor('clerk');
    const entered = await enter();
    const before = await office.inside(entered);
    await office.clock.advance(600_000);
    const byPassword = await prove(office.deps, before, { password });
    assert.ok(await office.isOut(entered), 'the old token no longer works');
    const { session } = await office.inside(byPassword);
    assert.equal(session.proved_at, office.clock.now());
    assert.equal(session.created_at, before.session.created_at);
    const next = { code: await code() };
    const byCode = await prove(office.deps, await office.inside(byPassword), next);
    assert.equal((await office.inside(byCode)).session.proved_at, office.clock.now());
  });

  test('that is wrong changes nothing, and is counted', async () => {
    await office.make('clerk');
    const entered = await office.enter('clerk');
    const visit = await office.inside(entered);
    const wrong = () => prove(office.deps, visit, { password: 'not it' });
    for (let count = 0; count < 5; count += 1) await refuses(wrong(), 'PASSWORD_WRONG');
    await refuses(wrong(), 'TOO_MANY_TRIES');
    await refuses(prove(office.deps, visit, { code: '000000' }), 'CODE_WRONG');
    assert.deepEqual((await office.inside(entered)).session, visit.session);
  });
});

describe('one’s own sessions', () => {
  openEach();

  test('are listed with where they come from, and ended one by one or all but this', async () => {
    await office.make('clerk');
    await office.make('cashier');
    const here = await office.enter('clerk');
    await office.clock.advance(1000);
    const there = await office.enter('clerk', '198.51.100.1');
    const third = await office.enter('clerk', '198.51.100.2');
    const other = await office.enter('cashier');
    const visit = await office.inside(here);
    const list = await ownSessions(office.deps, visit);
    assert.deepEqual(
      list
        .map(({ current, session }) => [current, session.address, session.agent])
        .sort((one, other) => String(one).localeCompare(String(other))),
      [
        [false, '198.51.100.1', 'a browser'],
        [false, '198.51.100.2', 'a browser'],
        [true, '192.0.2.1', 'a browser'],
      ],
    );
    assert.ok(!JSON.stringify(list.map(({ id }) => id)).includes(visit.session.hash));
    const target = list.find(({ session }) => session.address === '198.51.100.1');
    assert.equal(await endOwnSession(office.deps, visit, target?.id ?? ''), false);
    assert.ok((await office.isOut(there)) && !(await office.isOut(third)));
    await refuses(endOwnSession(office.deps, visit, target?.id ?? ''), 'SESSION_NOT_FOUND');
    const [foreign] = await ownSessions(office.deps, await office.inside(other));
    await refuses(endOwnSession(office.deps, visit, foreign?.id ?? ''), 'SESSION_NOT_FOUND');
    assert.equal(await endOtherSessions(office.deps, visit), 1);
    assert.ok((await office.isOut(third)) && !(await office.isOut(here)));
    assert.ok(!(await office.isOut(other)), 'of another account');
    assert.equal((await office.audit({ action: 'own sessions end' })).length, 2);
  });

  test('that are over are not listed', async () => {
    await office.make('clerk');
    await office.enter('clerk', '198.51.100.1');
    await office.clock.advance(office.deps.limits.idleMs);
    const visit = await office.inside(await office.enter('clerk'));
    assert.equal((await ownSessions(office.deps, visit)).length, 1);
  });
});

describe('notices of changed credentials', () => {
  openEach();

  const noticesOf = async (entered: Pick<SignInResult, 'token'>) =>
    listNotices(office.deps, (await office.inside(entered)).account);

  test('tell what was changed, from where, until they are confirmed', async () => {
    const { id } = await office.make('clerk');
    const entered = await office.enter('clerk');
    assert.deepEqual(await noticesOf(entered), []);
    const given = { current: password, password: 'another good one' };
    const elsewhere = { ...visitor, address: '203.0.113.9' };
    const there = { ...(await office.inside(entered)), visitor: elsewhere };
    const next = await changePassword(office.deps, there, given);
    await office.clock.advance(1);
    await setPassword(office.deps, command, id, password);
    await office.clock.advance(1);
    const again = await office.enter('clerk');
    assert.ok(await office.isOut(next));
    const notices = await noticesOf(again);
    assert.deepEqual(
      notices.map(({ action, address, seen }) => [action, address, seen]),
      [
        ['account password', null, false],
        ['password change', '203.0.113.9', false],
      ],
    );
    const visit = await office.inside(again);
    await markNoticesSeen(office.deps, visit, 'zzzz');
    assert.ok(
      (await noticesOf(again)).every(({ seen }) => !seen),
      'only what was shown',
    );
    await markNoticesSeen(office.deps, visit, notices[1]?.id ?? '');
    assert.deepEqual(
      (await noticesOf(again)).map(({ seen }) => seen),
      [false, true],
    );
    await markNoticesSeen(office.deps, visit, notices[0]?.id ?? '');
    await markNoticesSeen(office.deps, visit, notices[1]?.id ?? '');
    assert.ok(
      (await noticesOf(again)).every(({ seen }) => seen),
      'it does not go back',
    );
  });

  test('are confirmed by a session that began after the change, and not by the one that made it', async () => {
    const { code, enter } = await withFactor('clerk');
    await office.clock.advance(1);
    const first = await enter();
    const unseen = async (entered: Pick<SignInResult, 'token'>): Promise<readonly string[]> => {
      const visit = await office.inside(entered);
      const [newest] = await listNotices(office.deps, visit.account);
      await markNoticesSeen(office.deps, visit, newest?.id ?? '');
      return (await noticesOf(entered)).filter(({ seen }) => !seen).map(({ action }) => action);
    };
    assert.deepEqual(await unseen(first), []);

    const [recovery = ''] = await codesOf(first);
    assert.deepEqual(await unseen(first), ['recovery codes create']);

    // Each look at the clock gives another time, as a busy machine does within a transaction.
    let now = office.clock.now();
    const clock = { now: () => (now += 1) };
    const ticking = { ...office.deps, clock, newId: uuidV7(clock, systemRandom) };
    const given = { current: password, password: 'another good one' };
    const changed = await changePassword(ticking, await office.inside(first), given);
    assert.deepEqual(await unseen(changed), ['password change', 'recovery codes create']);
    const login = { name: 'clerk', password: given.password };
    const recovered = await sendCode(
      ticking,
      await office.inside(await signIn(ticking, visitor, login)),
      recovery,
    );
    assert.deepEqual(await unseen(recovered), ['recovery code use']);

    await office.clock.advance(60_000);
    const half = await office.inside(await signIn(office.deps, visitor, login));
    assert.deepEqual(await unseen(await sendCode(office.deps, half, await code())), []);
  });

  test('are not made of the first password, but of one that a new link has set', async () => {
    const { account, setup } = await createAccount(office.deps, command, {
      name: 'cashier',
      role: 'viewer',
    });
    const first = await setUp(office.deps, visitor, { token: setup?.token ?? '', password });
    assert.ok((await noticesOf(first)).every(({ seen }) => seen));
    await office.clock.advance(1);
    const link = await createSetup(office.deps, command, account.id);
    await office.clock.advance(1);
    const later = await setUp(office.deps, visitor, { token: link.setup.token, password });
    assert.deepEqual(
      (await noticesOf(later)).filter(({ seen }) => !seen).map(({ action }) => action),
      ['password set', 'account setup'],
    );
  });
});
