/** Tests signing in and out on a real database: access, session lifetime and audit entries. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  command,
  openOffice,
  password,
  refuses,
  visitor,
} from '../../../test/support/back-office.ts';
import { testEngine } from '../../../test/support/database.ts';
import { networkOf } from '../../clients/network.ts';
import { readConfig } from '../../config/config.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import { runText } from '../../db/statement.ts';
import { systemRandom } from '../../lib/random.ts';
import { insertDecision } from '../../purchases/review/store.ts';
import { AdminError } from '../errors.ts';
import {
  accountNamed,
  createAccount,
  createSetup,
  endSessions,
  resetTotp,
  setPassword,
  updateAccount,
} from './accounts.ts';
import { beginAttempt } from './attempts/attempts.ts';
import { beginTotp, changePassword, confirmTotp, removeTotp } from './own/account.ts';
import { codeWithinMs, hashSecret } from './session.ts';
import { type SignInResult, sendCode, setUp, signIn, signOut, visitOf } from './sign-in.ts';
import { listAudit, updateAccountRow } from './store.ts';
import { codeOf, fromBase32, stepAt } from './two-factor/totp.ts';

const { deps, clock, inside, make, close } = await openOffice();
after(close);

const withoutKey = {
  ...deps,
  secrets: createSecrets({ ...readConfig({}), databaseUrl: '' }, systemRandom),
};
const auditOf = () => listAudit(deps.db, { limit: 1000 });

/** The audit log's length before the scene began: it cannot be emptied. */
let seen = new Set<string>();

const empty = async (): Promise<void> => {
  for (const table of ['admin_sessions', 'admin_attempts', 'admin_accounts'] as const) {
    await deps.db.deleteFrom(table).execute();
  }
  seen = new Set((await auditOf()).map(({ id }) => id));
};

/** A test without the accounts and attempts of those before it. */
const scene = (name: string, run: () => Promise<void>): void =>
  void test(name, async () => {
    await empty();
    await run();
  });

const enter = (name: string, from = visitor.address): Promise<SignInResult> =>
  signIn(deps, { ...visitor, address: from }, { name, password });

const isOut = async ({ token }: Pick<SignInResult, 'token'>): Promise<boolean> =>
  (await visitOf(deps, { ...visitor, token })) === undefined;

const actions = async (): Promise<string[]> =>
  (await auditOf())
    .filter(({ id }) => !seen.has(id))
    .map(({ action }) => action)
    .sort();

scene(
  'the right password gets in, under whatever case of the name; nothing else does',
  async () => {
    const { id } = await make('Clerk');
    const { session, account } = await inside(await enter(' CLERK '));
    assert.deepEqual([account.id, session.stage, session.address], [id, 'full', '192.0.2.1']);
    await refuses(signIn(deps, visitor, { name: 'clerk', password: 'x' }), 'SIGN_IN_FAILED');
    await refuses(enter('unknown'), 'SIGN_IN_FAILED');
    await updateAccount(deps, command, id, { status: 'disabled' });
    await refuses(enter('clerk'), 'SIGN_IN_FAILED');
  },
);

scene('only the hash of a token is kept, and every way in gives a new one', async () => {
  await make('clerk');
  const first = await enter('clerk');
  const second = await signIn(
    deps,
    { ...visitor, token: first.token },
    { name: 'clerk', password },
  );
  assert.notEqual(first.token, second.token);
  assert.ok(await isOut(first), 'the session that it came with is over');
  const { session } = await inside(second);
  assert.equal(session.hash, hashSecret(second.token));
  const planted = await signIn(deps, { ...visitor, token: 'planted' }, { name: 'clerk', password });
  assert.notEqual(planted.token, 'planted');
  assert.ok(await isOut({ token: 'planted' }));
});

scene('a session ends by signing out, by being idle, and at its absolute end', async () => {
  await make('clerk');
  const one = await enter('clerk');
  await signOut(deps, await inside(one));
  assert.ok(await isOut(one));
  const idle = await enter('clerk');
  await clock.advance(deps.limits.idleMs);
  assert.ok(await isOut(idle));
  const busy = await enter('clerk');
  const pause = deps.limits.idleMs - 120_000;
  for (let at = pause; at < deps.limits.absoluteMs; at += pause) {
    await clock.advance(pause);
    await inside(busy);
  }
  await clock.advance(pause);
  assert.ok(await isOut(busy));
});

scene('the password opens half a session, and each second-factor code works once', async () => {
  const { id } = await make('clerk');
  const { secret } = await beginTotp(deps, await inside(await enter('clerk')), password);
  const code = (): string => codeOf(fromBase32(secret), stepAt(clock.now()));
  const half = await enter('clerk');
  assert.equal(half.stage, 'full', 'it is off until it is confirmed');
  await refuses(confirmTotp(deps, await inside(half), '000000'), 'CODE_WRONG');
  const on = await confirmTotp(deps, await inside(half), code());
  assert.ok((await isOut(half)) && !(await isOut(on)), 'under a new token');
  const again = await enter('clerk');
  assert.equal(again.stage, 'code');
  await refuses(sendCode(deps, await inside(again), code()), 'CODE_WRONG');
  await clock.advance(30_000);
  const visits = [await inside(again), await inside(await enter('clerk'))];
  const ends = await Promise.allSettled(visits.map((visit) => sendCode(deps, visit, code())));
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const won = visits[ends.findIndex(({ status }) => status === 'fulfilled')];
  assert.ok(won !== undefined);
  await clock.advance(30_000);
  await refuses(sendCode(deps, won, code()), 'SESSION_MISSING');
  await clock.advance(30_000);
  const late = await enter('clerk');
  await clock.advance(codeWithinMs);
  assert.ok(await isOut(late), 'half a session is short-lived');
  await resetTotp(deps, command, id);
  assert.equal((await enter('clerk')).stage, 'full');
});

scene(
  'the second factor’s secret is sealed with the key, at the latest when it is next used',
  async () => {
    const { id } = await make('clerk');
    const kept = async (): Promise<string> =>
      (await accountNamed(deps.db, 'clerk')).totp_secret ?? assert.fail('there is none');
    const visit = await inside(await enter('clerk'));
    const { secret } = await beginTotp(withoutKey, visit, password);
    const code = (): string => codeOf(fromBase32(secret), stepAt(clock.now()));
    await confirmTotp(withoutKey, await inside(await enter('clerk')), code());
    const next = async (some: typeof deps) => {
      await clock.advance(30_000);
      return sendCode(some, await inside(await enter('clerk')), code());
    };
    await next(withoutKey);
    assert.equal(await kept(), secret, 'without a key it stays as it is');
    await next(deps);
    const sealed = await kept();
    assert.ok(!sealed.includes(secret) && deps.secrets.isCurrent(sealed));
    await next(deps);
    assert.equal(await kept(), sealed, 'once');
    await refuses(next(withoutKey), 'SECRET_UNREADABLE');
    const other = await createAccount(deps, command, { name: 'cashier', role: 'viewer', password });
    await deps.db
      .updateTable('admin_accounts')
      .set({ totp_secret: sealed })
      .where('id', '=', other.account.id)
      .execute();
    const stolen = await inside(await enter('cashier'));
    await refuses(sendCode(deps, stolen, code()), 'SECRET_UNREADABLE');
    await resetTotp(deps, command, id);
    const begun = await beginTotp(deps, await inside(await enter('clerk')), password);
    const { totp_pending: pending } = await accountNamed(deps.db, 'clerk');
    assert.ok(pending !== null && !pending.includes(begun.secret) && pending.startsWith('v1.'));
  },
);

scene('starting or removing a second factor requires the password', async () => {
  await make('clerk');
  const entered = await enter('clerk');
  const visit = await inside(entered);
  await refuses(beginTotp(deps, visit, 'another password'), 'PASSWORD_WRONG');
  await refuses(confirmTotp(deps, visit, '000000'), 'TOTP_NOT_BEGUN');
  await beginTotp(deps, visit, password);
  await refuses(removeTotp(deps, await inside(entered), 'another'), 'PASSWORD_WRONG');
  const next = await removeTotp(deps, await inside(entered), password);
  assert.equal((await inside(next)).account.totp_pending, null);
});

scene('a new password keeps this session under a new token and ends all others', async () => {
  await make('clerk');
  const [here, there] = [await enter('clerk'), await enter('clerk')];
  const visit = await inside(here);
  const given = { current: password, password: 'another good one' };
  await refuses(changePassword(deps, visit, { ...given, password: 'short' }), 'PASSWORD_WEAK');
  await refuses(changePassword(deps, visit, { ...given, current: 'x' }), 'PASSWORD_WRONG');
  const next = await changePassword(deps, visit, given);
  assert.ok((await isOut(here)) && (await isOut(there)) && !(await isOut(next)));
  await refuses(enter('clerk'), 'SIGN_IN_FAILED');
  const stale = changePassword(deps, visit, given);
  await refuses(stale, 'SESSION_MISSING');
});

scene('a password that is changed while it is compared opens nothing', async () => {
  const { id } = await make('clerk');
  const verify: typeof deps.passwords.verify = async (given, stored) => {
    const verdict = await deps.passwords.verify(given, stored);
    await setPassword(deps, command, id, 'another good one');
    return verdict;
  };
  const slow = { ...deps, passwords: { ...deps.passwords, verify } };
  await refuses(signIn(slow, visitor, { name: 'clerk', password }), 'SIGN_IN_FAILED');
});

/** Turns two-factor authentication on in a session of its own. */
const turnOnTotp = async (name: string): Promise<void> => {
  const entered = await enter(name);
  const { secret } = await beginTotp(deps, await inside(entered), password);
  const code = codeOf(fromBase32(secret), stepAt(clock.now()));
  await confirmTotp(deps, await inside(entered), code);
};

scene('a second factor that is added while the password is compared is asked for', async () => {
  await make('clerk');
  const verify: typeof deps.passwords.verify = async (given, stored) => {
    const verdict = await deps.passwords.verify(given, stored);
    await turnOnTotp('clerk');
    return verdict;
  };
  const slow = { ...deps, passwords: { ...deps.passwords, verify } };
  const entered = await signIn(slow, visitor, { name: 'clerk', password });
  assert.deepEqual([entered.stage, (await inside(entered)).session.stage], ['code', 'code']);
});

scene('a second factor that is added while a link sets a password is asked for', async () => {
  const { id } = await make('clerk');
  const { setup } = await createSetup(deps, command, id);
  const hash: typeof deps.passwords.hash = async (given) => {
    const hashed = await deps.passwords.hash(given);
    await updateAccountRow(deps.db, id, { totp_secret: 'MZXW6YTB' });
    return hashed;
  };
  const slow = { ...deps, passwords: { ...deps.passwords, hash } };
  const entered = await setUp(slow, visitor, { token: setup.token, password });
  assert.deepEqual([entered.stage, (await inside(entered)).session.stage], ['code', 'code']);
});

scene('a link sets one password, once, within a day, and signs in', async () => {
  const { account, setup } = await createAccount(deps, command, {
    name: 'cashier',
    role: 'viewer',
  });
  const token = setup?.token ?? '';
  await refuses(enter('cashier'), 'SIGN_IN_FAILED');
  await refuses(setUp(deps, visitor, { token: `${token}x`, password }), 'SETUP_INVALID');
  await refuses(setUp(deps, visitor, { token, password: 'short' }), 'PASSWORD_WEAK');
  const both = await Promise.allSettled([
    setUp(deps, visitor, { token, password }),
    setUp(deps, visitor, { token, password }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await enter('cashier');
  const late = await createSetup(deps, command, account.id);
  await refuses(enter('cashier'), 'SIGN_IN_FAILED');
  await clock.advance(86_400_000);
  await refuses(setUp(deps, visitor, { token: late.setup.token, password }), 'SETUP_INVALID');
  const unused = await createSetup(deps, command, account.id);
  await updateAccount(deps, command, account.id, { status: 'disabled' });
  await updateAccount(deps, command, account.id, { status: 'active' });
  await refuses(setUp(deps, visitor, { token: unused.setup.token, password }), 'SETUP_INVALID');
});

scene(
  'a new role, a disabled account or a password from a command ends all sessions at once',
  async () => {
    const { id } = await make('clerk');
    const steps = [
      () => updateAccount(deps, command, id, { role: 'viewer' }),
      () => updateAccount(deps, command, id, { status: 'disabled' }),
      () => updateAccount(deps, command, id, { status: 'active' }),
      () => setPassword(deps, command, id, password),
      () => endSessions(deps, command, id),
    ];
    let entered = await enter('clerk');
    for (const step of steps) {
      await step();
      assert.ok(await isOut(entered), String(step));
      const { status } = await accountNamed(deps.db, 'clerk');
      if (status === 'active') entered = await enter('clerk');
    }
  },
);

scene('the last owner who can sign in stays, even if two owners remove each other', async () => {
  const [clerk, cashier] = [await make('clerk'), await make('cashier')];
  await createAccount(deps, command, { name: 'not-yet', role: 'owner' });
  const asClerk = { accountId: clerk.id, name: 'clerk', address: null };
  const asCashier = { accountId: cashier.id, name: 'cashier', address: null };
  const both = await Promise.allSettled([
    updateAccount(deps, asClerk, cashier.id, { role: 'manager' }),
    updateAccount(deps, asCashier, clerk.id, { status: 'disabled' }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const left = both[0].status === 'fulfilled' ? clerk : cashier;
  await refuses(createSetup(deps, asClerk, left.id), 'LAST_OWNER');
  await refuses(createAccount(deps, command, { name: 'CLERK', role: 'owner' }), 'NAME_TAKEN');
  await refuses(createAccount(deps, command, { name: 'a b', role: 'owner' }), 'NAME_INVALID');
  await updateAccount(deps, command, left.id, { status: 'disabled' });
});

scene(
  'guessing meets pauses that grow; after one the right password gets in, whatever was tried',
  async () => {
    await make('clerk');
    const guess = (from: string): Promise<SignInResult> =>
      signIn(deps, { ...visitor, address: from }, { name: 'clerk', password: 'a guess' });
    for (let count = 0; count < 5; count += 1) await refuses(guess('192.0.2.1'), 'SIGN_IN_FAILED');
    await refuses(guess('192.0.2.1'), 'TOO_MANY_TRIES');
    await refuses(enter('clerk'), 'TOO_MANY_TRIES');
    await enter('clerk', '192.0.2.2');
    await clock.advance(1000);
    await enter('clerk');
    await refuses(guess('192.0.2.1'), 'SIGN_IN_FAILED');
  },
);

scene('many guesses at once are counted one by one', async () => {
  await make('clerk');
  const ends = await Promise.allSettled(
    Array.from({ length: 12 }, () => signIn(deps, visitor, { name: 'clerk', password: 'a guess' })),
  );
  const codes = ends.map((end) => {
    assert.ok(end.status === 'rejected' && end.reason instanceof AdminError);
    return end.reason.code;
  });
  assert.equal(codes.filter((code) => code === 'SIGN_IN_FAILED').length, 5);
  assert.equal(codes.filter((code) => code === 'TOO_MANY_TRIES').length, 7);
});

const guessAs = (name: string, address: string): Promise<SignInResult> =>
  signIn(deps, { ...visitor, address }, { name, password: 'a guess' });

scene(
  'guesses from everywhere block neither a known place nor the first tries of a new one',
  async () => {
    await make('clerk');
    await enter('clerk', '198.51.100.1');
    for (let count = 0; count < 60; count += 1) {
      await refuses(guessAs('clerk', `203.0.113.${count}`), 'SIGN_IN_FAILED');
    }
    for (let count = 0; count < 2; count += 1) {
      await refuses(guessAs('clerk', '203.0.113.1'), 'SIGN_IN_FAILED');
    }
    await refuses(guessAs('clerk', '203.0.113.1'), 'TOO_MANY_TRIES');
    await enter('clerk', '198.51.100.1');
    await enter('clerk', '203.0.113.99');
    await refuses(guessAs('clerk', '203.0.113.1'), 'TOO_MANY_TRIES');
  },
);

scene('signing in does not reset the count of guesses at other names', async () => {
  await make('clerk');
  const ends: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    await enter('clerk');
    await guessAs(`name-${count}`, visitor.address).catch((error: unknown) => {
      ends.push(error instanceof AdminError ? error.code : String(error));
    });
  }
  assert.equal(ends.filter((code) => code === 'SIGN_IN_FAILED').length, 20);
  assert.equal(ends.filter((code) => code === 'TOO_MANY_TRIES').length, 40);
});

scene('a new place has no first try of its own at a code', async () => {
  const { id } = await make('clerk');
  const attempt = (count: number) => ({
    subject: `code ${id}`,
    address: `203.0.113.${count}`,
    proof: 'code' as const,
    account: undefined,
  });
  for (let count = 0; count < 20; count += 1) await beginAttempt(deps, attempt(count));
  await refuses(beginAttempt(deps, attempt(20)), 'TOO_MANY_TRIES');
});

scene(
  'guesses at many names from one place cause a pause, except for accounts that signed in there',
  async () => {
    await make('clerk');
    await make('cashier');
    await enter('clerk');
    for (let count = 0; count < 20; count += 1)
      await refuses(enter(`name-${count}`), 'SIGN_IN_FAILED');
    await refuses(enter('cashier'), 'TOO_MANY_TRIES');
    await enter('clerk');
  },
);

test('a place is an address, or the 64 bits of IPv6 that one customer has', () => {
  for (const [address, place] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:db8:0000:0001:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
  ] as const) {
    assert.equal(networkOf(address), place);
  }
});

scene(
  'every change is written down: who, what, before, after, from where; and no secret',
  async () => {
    const { account, setup } = await createAccount(deps, command, {
      name: 'clerk',
      role: 'viewer',
    });
    const entered = await setUp(deps, visitor, { token: setup?.token ?? '', password });
    const actor = { accountId: account.id, name: 'clerk', address: '192.0.2.9' };
    await clock.advance(1);
    await updateAccount(deps, actor, account.id, { role: 'support' });
    await updateAccount(deps, actor, account.id, { role: 'support' });
    assert.deepEqual(await actions(), [
      'account change',
      'account create',
      'password set',
      'sign in',
    ]);
    const [newest] = await listAudit(deps.db, { limit: 1, subject: account.id });
    assert.deepEqual(newest, {
      id: newest?.id,
      at: clock.now(),
      account_id: account.id,
      actor: 'clerk',
      action: 'account change',
      subject: account.id,
      before_it: '{"role":"viewer","status":"active"}',
      after_it: '{"role":"support","status":"active"}',
      address: '192.0.2.9',
    });
    const text = JSON.stringify(await auditOf());
    const kept = await accountNamed(deps.db, 'clerk');
    for (const secret of [
      password,
      kept.password ?? 'none',
      entered.token,
      setup?.token ?? 'none',
    ]) {
      assert.ok(!text.includes(secret));
    }
  },
);

/** Rows that replace others: by their id, and by SQLite's row number. */
const replacements = ['admin_audit', 'audit'].flatMap((table) =>
  ['id', 'rowid'].map((which) => {
    const columns = table === 'audit' ? ', evidence, forced, reason' : '';
    const values = table === 'audit' ? ", '', 0, 'x'" : '';
    const [id, row] = which === 'id' ? ['id', 'null'] : ["'another'", 'rowid'];
    return `insert or replace into ${table}
      (rowid, id, at, actor, action, subject, before_it, after_it${columns})
      select ${row}, ${id}, 0, 'another actor', 'x', 'x', '{}', '{}'${values} from ${table}`;
  }),
);

scene('no statement can change or delete an audit entry', async () => {
  await make('clerk');
  const before = await auditOf();
  const { db } = deps;
  const changes = [
    () => db.updateTable('admin_audit').set({ actor: 'another account' }).execute(),
    () => db.deleteFrom('admin_audit').execute(),
    () => db.updateTable('audit').set({ reason: 'another' }).execute(),
    () => db.deleteFrom('audit').execute(),
    // Only SQLite has these statements.
    ...(testEngine === 'sqlite' ? replacements : []).map((text) => () => runText(db, text, [])),
  ];
  await insertDecision(db, {
    id: deps.newId(),
    at: clock.now(),
    actor: 'clerk',
    action: 'purchase resolve',
    subject: 'a purchase',
    before: {},
    after: {},
    evidence: 'none',
    forced: false,
    reason: 'a test',
  });
  for (const change of changes) await assert.rejects(change, /append-only/);
  assert.deepEqual(await auditOf(), before);
});
