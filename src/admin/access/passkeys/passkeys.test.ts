/** Tests passkey sign-in on a real database: a signature for another page, person or time is refused. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type Cbor,
  createAuthenticator,
  type Statement,
  type TestAuthenticator,
} from '../../../../test/support/authenticator.ts';
import {
  command,
  openOffice,
  password,
  refuses,
  visitor,
} from '../../../../test/support/back-office.ts';
import { createAccount, createSetup } from '../accounts.ts';
import { type SignInResult, setUp, signIn, type Visit } from '../sign-in.ts';
import { findAccount, findSession, listAudit } from '../store.ts';
import { hasTwoFactor } from '../two-factor/two-factor.ts';
import { ceremonyMs } from './ceremonies.ts';
import {
  addPasskey,
  beginPasskey,
  beginProof,
  factorsOf,
  mostPasskeys,
  provePasskey,
  removePasskey,
  resetPasskeys,
  signInByPasskey,
} from './passkeys.ts';
import { relyingPartyOf } from './relying-party.ts';
import { insertPasskey, listPasskeys } from './store.ts';
import type { Registration } from './wire.ts';

const { deps, clock, inside, close } = await openOffice();
after(close);

const party = { id: 'gate.example', origin: 'https://gate.example' };
const here = { host: party.id, origin: party.origin };

const empty = async (): Promise<void> => {
  for (const table of [
    'admin_challenges',
    'admin_passkeys',
    'admin_sessions',
    'admin_attempts',
    'admin_accounts',
  ] as const) {
    await deps.db.deleteFrom(table).execute();
  }
};

/** A test on a database without accounts. */
const scene = (name: string, run: () => Promise<void>): void =>
  void test(name, async () => {
    await empty();
    await run();
  });

const make = async (name: string): Promise<string> =>
  (await createAccount(deps, command, { name, role: 'viewer', password })).account.id;

const enter = async (name: string): Promise<Visit> =>
  inside(await signIn(deps, visitor, { name, password }));

const challengeFor = async (visit: Visit): Promise<string> =>
  (await beginPasskey(deps, visit, { party, password })).challenge;

const add = (visit: Visit, credential: Registration, name = 'a key'): Promise<SignInResult> =>
  addPasskey(deps, visit, { party, name, credential });

/** Registers a passkey for an account that has no second factor yet. */
const register = async (name: string): Promise<TestAuthenticator> => {
  const visit = await enter(name);
  const authenticator = createAuthenticator();
  const challenge = await challengeFor(visit);
  await add(visit, authenticator.register({ ...here, challenge }));
  return authenticator;
};

/** A session that waits for its second factor, and its challenge. */
const half = async (name: string): Promise<{ visit: Visit; challenge: string }> => {
  const visit = await enter(name);
  assert.equal(visit.session.stage, 'code');
  return { visit, challenge: (await beginProof(deps, visit, party)).challenge };
};

const isOver = async ({ session }: Visit): Promise<boolean> =>
  (await findSession(deps.db, session.hash)) === undefined;

const actionsAbout = async (subject: string): Promise<string[]> =>
  (await listAudit(deps.db, { subject, limit: 100 })).map(({ action }) => action).toReversed();

const accountOf = async (id: string) => {
  const account = await findAccount(deps.db, id);
  assert.ok(account !== undefined);
  return account;
};

scene('the password opens half a session, and a passkey the rest', async () => {
  const id = await make('clerk');
  const before = await enter('clerk');
  const key = await register('clerk');
  assert.ok(await isOver(before), 'other sessions are over');
  assert.ok(hasTwoFactor(await accountOf(id)));
  const { visit, challenge } = await half('clerk');
  await clock.advance(1000);
  const credential = key.sign({ ...here, challenge });
  const entered = await signInByPasskey(deps, visit, { party, credential });
  assert.equal((await inside(entered)).session.stage, 'full');
  assert.ok(await isOver(visit));
  const [passkey] = await listPasskeys(deps.db, id);
  assert.deepEqual(
    [passkey?.name, passkey?.rp_id, passkey?.counter, passkey?.used_at],
    ['a key', 'gate.example', 1, clock.now()],
  );
  const actions = await actionsAbout(id);
  assert.ok(actions.includes('passkey add'));
  assert.equal(actions.at(-1), 'sign in');
});

scene('the options name the algorithms, the domain, and what the account has', async () => {
  const id = await make('clerk');
  const first = await beginPasskey(deps, await enter('clerk'), { party, password });
  assert.deepEqual(
    first.pubKeyCredParams.map(({ alg }) => alg),
    [-8, -7, -257],
  );
  assert.deepEqual([first.rp.id, first.attestation], ['gate.example', 'none']);
  assert.equal(Buffer.from(first.user.id, 'base64url').toString(), id);
  assert.equal(Buffer.from(first.challenge, 'base64url').length, 32);
  await register('clerk');
  const [passkey] = await listPasskeys(deps.db, id);
  const { visit } = await half('clerk');
  const options = await beginProof(deps, visit, party);
  assert.equal(options.userVerification, 'preferred');
  assert.deepEqual(
    options.allowCredentials?.map((one) => one.id),
    [passkey?.credential_id],
  );
});

scene('a signature of another page, challenge, session or person is refused', async () => {
  await make('clerk');
  await make('cashier');
  const [clerk, cashier] = [await register('clerk'), await register('cashier')];
  const other = await half('clerk');
  const pages = [
    (challenge: string) => ({ ...here, challenge, origin: 'https://gate.example.evil.example' }),
    (challenge: string) => ({ ...here, challenge, origin: 'http://gate.example' }),
    (challenge: string) => ({ ...here, challenge, host: 'evil.example' }),
    () => ({ ...here, challenge: other.challenge }),
  ];
  for (const page of pages) {
    const { visit, challenge } = await half('clerk');
    const credential = clerk.sign(page(challenge));
    const work = signInByPasskey(deps, visit, { party, credential });
    await refuses(work, 'PASSKEY_WRONG');
    await deps.db.deleteFrom('admin_attempts').execute();
  }
  const { visit, challenge } = await half('clerk');
  const credential = cashier.sign({ ...here, challenge });
  await refuses(signInByPasskey(deps, visit, { party, credential }), 'PASSKEY_WRONG');
});

scene('a signature works once, and within five minutes', async () => {
  await make('clerk');
  const key = await register('clerk');
  const { visit, challenge } = await half('clerk');
  const credential = key.sign({ ...here, challenge });
  const both = await Promise.allSettled(
    [1, 2].map(() => provePasskey(deps, visit, { party, credential })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await refuses(provePasskey(deps, visit, { party, credential }), 'PASSKEY_WRONG');
  await beginProof(deps, visit, party);
  await refuses(provePasskey(deps, visit, { party, credential }), 'PASSKEY_WRONG');

  const late = await beginProof(deps, visit, party);
  const answer = key.sign({ ...here, challenge: late.challenge });
  await clock.advance(ceremonyMs);
  const work = provePasskey(deps, visit, { party, credential: answer });
  await refuses(work, 'PASSKEY_WRONG');
});

scene(
  'a counter that goes back is refused; an authenticator that never counts is not',
  async () => {
    const id = await make('clerk');
    const key = await register('clerk');
    const proves = async (counter: number): Promise<void> => {
      const { visit, challenge } = await half('clerk');
      const credential = key.sign({ ...here, challenge }, counter);
      await provePasskey(deps, visit, { party, credential });
    };
    await proves(0);
    await proves(0);
    await proves(7);
    await refuses(proves(7), 'PASSKEY_WRONG');
    await refuses(proves(6), 'PASSKEY_WRONG');
    await refuses(proves(0), 'PASSKEY_WRONG');
    await proves(8);
    const [passkey] = await listPasskeys(deps.db, id);
    assert.equal(passkey?.counter, 8);
  },
);

const certified: Statement = {
  fmt: 'packed',
  attStmt: new Map<number | string, Cbor>([
    ['alg', -7],
    ['sig', Buffer.from('a signature')],
    ['x5c', [Buffer.from('a certificate')]],
  ]),
};

scene(
  'a registration that does not match its challenge, its page or the rules is refused',
  async () => {
    const id = await make('clerk');
    const visit = await enter('clerk');
    const key = createAuthenticator();
    const tries = [
      (challenge: string) => key.register({ ...here, challenge, origin: 'https://evil.example' }),
      (challenge: string) => key.register({ ...here, challenge, host: 'evil.example' }),
      (challenge: string) => key.register({ ...here, challenge: `${challenge}A` }),
      (challenge: string) => key.register({ ...here, challenge }, certified),
      (challenge: string) => createAuthenticator('ES384').register({ ...here, challenge }),
      (challenge: string) => ({
        ...key.register({ ...here, challenge }),
        id: Buffer.from('another').toString('base64url'),
      }),
    ];
    for (const attempt of tries) {
      const credential = attempt(await challengeFor(visit));
      await refuses(add(visit, credential), 'PASSKEY_WRONG');
    }
    const good = key.register({ ...here, challenge: await challengeFor(visit) });
    await clock.advance(ceremonyMs);
    await refuses(add(visit, good), 'PASSKEY_WRONG');
    assert.deepEqual(await listPasskeys(deps.db, id), []);
    await refuses(beginPasskey(deps, visit, { party, password: 'a guess' }), 'PASSWORD_WRONG');
  },
);

scene(
  'a credential belongs to one account, and an account has a limited number of them',
  async () => {
    const [clerk, cashier] = [await make('clerk'), await make('cashier')];
    const visit = await enter('clerk');
    const key = createAuthenticator();
    await add(visit, key.register({ ...here, challenge: await challengeFor(visit) }));
    const other = await enter('cashier');
    const copy = key.register({ ...here, challenge: await challengeFor(other) });
    await refuses(add(other, copy), 'PASSKEY_KNOWN');
    assert.equal((await accountOf(cashier)).passkeys, 0);

    const [first] = await listPasskeys(deps.db, clerk);
    assert.ok(first !== undefined);
    const fill = (id: string) =>
      deps.db
        .transaction()
        .execute((db) => insertPasskey(db, { ...first, id, credential_id: id }, mostPasskeys));
    for (let count = 1; count < mostPasskeys; count += 1) {
      assert.equal(await fill(`key ${count}`), 'added');
    }
    assert.equal((await accountOf(clerk)).passkeys, mostPasskeys);
    const full = await enter('clerk');
    await refuses(beginPasskey(deps, full, { party, password }), 'PASSKEYS_FULL');
    assert.equal(await fill('one too many'), 'full');
  },
);

scene('guesses meet a pause, also for the right passkey', async () => {
  await make('clerk');
  const key = await register('clerk');
  const { visit } = await half('clerk');
  const attempt = async (origin: string): Promise<void> => {
    const { challenge } = await beginProof(deps, visit, party);
    const credential = key.sign({ ...here, challenge, origin });
    await provePasskey(deps, visit, { party, credential });
  };
  for (let count = 0; count < 5; count += 1) {
    await refuses(attempt('https://evil.example'), 'PASSKEY_WRONG');
  }
  await refuses(attempt(party.origin), 'TOO_MANY_TRIES');
  await clock.advance(1000);
  await attempt(party.origin);
});

scene('a passkey is removed by its owner alone, with the password', async () => {
  const [clerk, cashier] = [await make('clerk'), await make('cashier')];
  await register('cashier');
  const visit = await enter('clerk');
  const first = createAuthenticator();
  const entered = await add(
    visit,
    first.register({ ...here, challenge: await challengeFor(visit) }),
    ' Office ',
  );
  const [mine] = await listPasskeys(deps.db, clerk);
  const [theirs] = await listPasskeys(deps.db, cashier);
  assert.ok(mine !== undefined && theirs !== undefined);
  assert.equal(mine.name, 'Office');
  const whole = await inside(entered);
  const remove = (id: string, typed = password): Promise<SignInResult> =>
    removePasskey(deps, whole, { id, password: typed });
  await refuses(remove(theirs.id), 'PASSKEY_NOT_FOUND');
  await refuses(remove(mine.id, 'a guess'), 'PASSWORD_WRONG');
  await remove(mine.id);
  assert.deepEqual(
    [(await accountOf(clerk)).passkeys, (await accountOf(cashier)).passkeys],
    [0, 1],
  );
  assert.equal((await enter('clerk')).session.stage, 'full');
  const [entry] = await listAudit(deps.db, { subject: clerk, action: 'passkey remove', limit: 1 });
  assert.deepEqual(JSON.parse(entry?.before_it ?? ''), { passkey: 'Office' });
});

scene('an owner removes all passkeys of an account, and its sessions end', async () => {
  const id = await make('clerk');
  await register('clerk');
  const { visit } = await half('clerk');
  await resetPasskeys(deps, command, id);
  assert.ok(await isOver(visit));
  assert.deepEqual([(await accountOf(id)).passkeys, await listPasskeys(deps.db, id)], [0, []]);
  assert.equal((await enter('clerk')).session.stage, 'full');
  const [entry] = await listAudit(deps.db, {
    subject: id,
    action: 'account passkeys reset',
    limit: 1,
  });
  assert.deepEqual([entry?.actor, entry?.before_it], ['root', '{"passkeys":1}']);
  await refuses(resetPasskeys(deps, command, 'missing'), 'ACCOUNT_NOT_FOUND');
});

scene('a link sets a password, and the passkey is still required', async () => {
  const id = await make('clerk');
  await register('clerk');
  const { setup } = await createSetup(deps, command, id);
  const entered = await setUp(deps, visitor, { token: setup.token, password });
  assert.equal(entered.stage, 'code');
});

scene('a passkey for another host locks its account, and cannot be used here', async () => {
  await make('clerk');
  await register('clerk');
  const visit = await enter('clerk');
  assert.equal(visit.session.stage, 'code');
  const moved = { id: 'other.example', origin: 'https://other.example' };
  const hosts = ['gate.example'];
  const has = { totp: false, passkey_hosts: hosts };
  assert.deepEqual(await factorsOf(deps, visit, party), { ...has, passkey: true });
  assert.deepEqual(await factorsOf(deps, visit, moved), { ...has, passkey: false });
  assert.deepEqual(await factorsOf(deps, visit, undefined), { ...has, passkey: false });
  await refuses(beginProof(deps, visit, moved), 'PASSKEY_NOT_FOUND');
  await refuses(beginProof(deps, visit, undefined), 'PASSKEYS_UNAVAILABLE');
});

scene('expired challenges are deleted at the next sign-in', async () => {
  await make('clerk');
  await register('clerk');
  await half('clerk');
  await clock.advance(ceremonyMs + 1);
  await enter('clerk');
  const rows = await deps.db.selectFrom('admin_challenges').select('purpose').execute();
  assert.deepEqual(rows, []);
});

test('a relying party is a domain name over https, or localhost', () => {
  assert.deepEqual(relyingPartyOf('https://Gate.example:8443/below'), {
    id: 'gate.example',
    origin: 'https://gate.example:8443',
  });
  assert.deepEqual(relyingPartyOf('http://localhost:3000'), {
    id: 'localhost',
    origin: 'http://localhost:3000',
  });
  for (const base of [
    'http://gate.example',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    'https://0x7f000001',
    'http://127.0.0.1:3000',
    'not a URL',
  ]) {
    assert.equal(relyingPartyOf(base), undefined, base);
  }
});
