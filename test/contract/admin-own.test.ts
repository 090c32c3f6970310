/** Tests the security of accounts over HTTP: confirmation, required two-factor authentication, recovery codes, sessions, notices. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAccount, setPassword } from '../../src/admin/access/accounts.ts';
import type { Role } from '../../src/admin/access/roles.ts';
import type { AccountRow } from '../../src/admin/access/store.ts';
import { codeOf, fromBase32, stepAt } from '../../src/admin/access/two-factor/totp.ts';
import { readConfig } from '../../src/config/config.ts';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import {
  type BackOffice,
  backOffice,
  type Cookie,
  command,
  tokenOfSession,
} from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';

const password = 'correct horse battery';
const { admin } = readConfig({});
const unlimited = { ...admin, rate: null, anonymousRate: null };

const codeIn = ({ body }: Answer): unknown => at(body, 'code');

const cookieIn = (answer: Answer): Cookie => ({
  cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
});

/** Operations of the API that match, with a path that leads nowhere. */
const operationsWhere = async (server: TestServer, fits: (operation: unknown) => boolean) => {
  const { body } = await request(server, '/admin/openapi.json', { token: null });
  const paths = at(body, 'paths');
  return keysOf(paths).flatMap((path) =>
    keysOf(at(paths, path))
      .filter((method) => fits(at(paths, path, method)))
      .map((method) => ({
        id: String(at(paths, path, method, 'operationId')),
        method: method.toUpperCase(),
        path: path.replace('/admin/api/', '').replaceAll(/\{\w+\}/g, 'none'),
      })),
  );
};

describe('a sensitive action', () => {
  let server: TestServer;
  let office: BackOffice;
  before(async () => {
    server = await startServer({ config: { admin: unlimited } });
    office = await backOffice(server);
  });
  after(() => server.stop());

  const account = async (name: string, role: Role = 'owner'): Promise<AccountRow> =>
    (await createAccount(office.deps, command, { name, role, password })).account;

  /** A session that signed in long ago. */
  const stale = async (of: AccountRow): Promise<Cookie> => {
    const token = await tokenOfSession(office.deps, of);
    await server.deps.db
      .updateTable('admin_sessions')
      .set({ proved_at: 0 })
      .where('account_id', '=', of.id)
      .execute();
    return { cookie: `simgate-admin=${token}` };
  };

  test('are accounts, roles, secrets, recovery codes and suppliers, and nothing else', async () => {
    const grave = await operationsWhere(server, (one) => at(one, 'x-fresh') === true);
    assert.deepEqual(grave.map(({ id }) => id).sort(), [
      'changeSupplier',
      'createAccount',
      'createClient',
      'createMyRecoveryCodes',
      'createSetup',
      'createSupplier',
      'createToken',
      'removeOperatorSettings',
      'removeSupplier',
      'resetPasskeys',
      'resetTotp',
      'rotateToken',
      'updateAccount',
      'updateOperatorSettings',
    ]);
    const cookie = await stale(office.account('owner'));
    for (const { id, method, path } of grave) {
      const answer = await office.send(method, path, cookie);
      assert.deepEqual([answer.status, codeIn(answer)], [403, 'PROOF_NEEDED'], id);
    }
    const rest = await operationsWhere(
      server,
      (one) => at(one, 'x-fresh') !== true && at(one, 'x-needs') !== 'half',
    );
    for (const { id, method, path } of rest.filter((one) => !one.path.endsWith('/live'))) {
      assert.notEqual(codeIn(await office.send(method, path, cookie)), 'PROOF_NEEDED', id);
    }
  });

  test('is checked for permission before confirmation', async () => {
    const cookie = await stale(office.account('viewer'));
    const answer = await office.send('POST', 'accounts', cookie, { name: 'x', role: 'owner' });
    assert.equal(codeIn(answer), 'RIGHT_MISSING');
  });

  test('continues after confirmation under a new cookie; the old one no longer works', async () => {
    const clerk = await account('clerk');
    const old = await stale(clerk);
    const wanted = { name: 'new-owner', role: 'owner' };
    assert.equal(codeIn(await office.send('POST', 'accounts', old, wanted)), 'PROOF_NEEDED');
    const wrong = await office.send('POST', 'me/proof', old, { password: 'not it' });
    assert.deepEqual([wrong.status, codeIn(wrong)], [403, 'PASSWORD_WRONG']);
    for (const body of [{}, { password, code: '123456' }]) {
      assert.equal(codeIn(await office.send('POST', 'me/proof', old, body)), 'VALIDATION_FAILED');
    }
    const proved = await office.send('POST', 'me/proof', old, { password });
    assert.equal(proved.status, 204, proved.text);
    assert.equal((await office.send('GET', 'me', old)).status, 401);
    const made = await office.send('POST', 'accounts', cookieIn(proved), wanted);
    assert.equal(made.status, 201, made.text);
  });

  test('recovery codes are shown once, work once, and are counted', async () => {
    const cashier = await account('cashier', 'viewer');
    let cookie: Cookie = { cookie: `simgate-admin=${await tokenOfSession(office.deps, cashier)}` };
    assert.equal(
      codeIn(await office.send('POST', 'me/recovery-codes', cookie)),
      'SECOND_FACTOR_OFF',
    );
    const begun = await office.send('POST', 'me/totp', cookie, { password });
    const code = codeOf(
      fromBase32(String(at(begun.body, 'secret'))),
      stepAt(server.deps.clock.now()),
    );
    cookie = cookieIn(await office.send('POST', 'me/totp/confirm', cookie, { code }));
    const made = await office.send('POST', 'me/recovery-codes', cookie);
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    const codes = listOf(at(made.body, 'codes')).map(String);
    assert.equal(at((await office.send('GET', 'me', cookie)).body, 'recovery_codes'), 10);
    const login = { name: 'cashier', password };
    const half = cookieIn(await office.send('POST', 'login', {}, login));
    const whole = await office.send('POST', 'login/code', half, { code: codes[0] });
    assert.equal(whole.status, 200, whole.text);
    const { body } = await office.send('GET', 'me', cookieIn(whole));
    assert.equal(at(body, 'recovery_codes'), 9);
    const again = cookieIn(await office.send('POST', 'login', {}, login));
    const used = await office.send('POST', 'login/code', again, { code: codes[0] });
    assert.equal(codeIn(used), 'CODE_WRONG');
    assert.doesNotMatch(server.logged.join(''), new RegExp(codes[0] ?? 'none'));
  });

  test('sessions and notices are those of the requesting account only', async () => {
    const [one, other] = [await account('one', 'viewer'), await account('other', 'owner')];
    const mine: Cookie = { cookie: `simgate-admin=${await tokenOfSession(office.deps, one)}` };
    const theirs: Cookie = { cookie: `simgate-admin=${await tokenOfSession(office.deps, other)}` };
    const sessions = async (cookie: Cookie) =>
      listOf(at((await office.send('GET', 'me/sessions', cookie)).body, 'data'));
    assert.deepEqual(
      (await sessions(mine)).map((session) => at(session, 'current')),
      [true],
    );
    const [foreign] = await sessions(theirs);
    const ended = await office.send('DELETE', `me/sessions/${String(at(foreign, 'id'))}`, mine);
    assert.deepEqual([ended.status, codeIn(ended)], [404, 'SESSION_NOT_FOUND']);
    assert.deepEqual((await office.send('DELETE', 'me/sessions', mine)).body, { ended: 0 });
    assert.equal((await sessions(theirs)).length, 1);

    await setPassword(office.deps, command, other.id, password);
    // A session confirms what is older than it, to the millisecond.
    await sleep(systemClock, 2);
    const back: Cookie = { cookie: `simgate-admin=${await tokenOfSession(office.deps, other)}` };
    const notices = async (cookie: Cookie) =>
      listOf(at((await office.send('GET', 'me/notices', cookie)).body, 'data'));
    assert.deepEqual(await notices(mine), []);
    const [notice] = await notices(back);
    assert.deepEqual([at(notice, 'action'), at(notice, 'seen')], ['account password', false]);
    const id = String(at(notice, 'id'));
    assert.equal((await office.send('POST', 'me/notices/seen', mine, { id })).status, 204);
    assert.equal(at((await notices(back))[0], 'seen'), false, 'confirmed by another account');
    assert.equal((await office.send('POST', 'me/notices/seen', back, { id })).status, 204);
    assert.equal(at((await notices(back))[0], 'seen'), true);

    const [current] = await sessions(mine);
    const out = await office.send('DELETE', `me/sessions/${String(at(current, 'id'))}`, mine);
    assert.equal(out.status, 204);
    assert.match(out.headers.get('set-cookie') ?? '', /Max-Age=0/);
    assert.equal((await office.send('GET', 'me', mine)).status, 401);
  });

  test('common passwords are refused, with their own code', async () => {
    const trainee = await account('trainee', 'viewer');
    const cookie: Cookie = {
      cookie: `simgate-admin=${await tokenOfSession(office.deps, trainee)}`,
    };
    const change = { current: password, password: 'Password2026!' };
    const answer = await office.send('POST', 'me/password', cookie, change);
    assert.deepEqual([answer.status, codeIn(answer)], [422, 'PASSWORD_COMMON']);
  });
});

describe('a role that requires two-factor authentication', () => {
  let server: TestServer;
  let office: BackOffice;
  before(async () => {
    const policy = { ...unlimited, secondFactorRoles: ['manager' as const, 'owner' as const] };
    server = await startServer({ config: { admin: policy } });
    office = await backOffice(server);
  });
  after(() => server.stop());

  test('can do nothing but set it up; others need not', async () => {
    const owner = await office.enter('owner');
    const open = await operationsWhere(server, (one) =>
      ['none', 'half', 'waiting', 'enroll'].includes(String(at(one, 'x-needs'))),
    );
    assert.deepEqual(open.map(({ id }) => id).sort(), [
      'addMyPasskey',
      'beginMyPasskey',
      'beginMyTotp',
      'beginPasskeySignIn',
      'confirmMyTotp',
      'getCompany',
      'getFactors',
      'getMe',
      'listMyPasskeys',
      'proveMe',
      'sendCode',
      'sendPasskey',
      'setUp',
      'signIn',
      'signOut',
    ]);
    const closed = await operationsWhere(
      server,
      (one) => !open.some(({ id }) => id === at(one, 'operationId')),
    );
    assert.ok(closed.length > 40);
    for (const { id, method, path } of closed) {
      const answer = await office.send(method, path, owner);
      assert.deepEqual([answer.status, codeIn(answer)], [403, 'SECOND_FACTOR_REQUIRED'], id);
    }
    const me = await office.send('GET', 'me', owner);
    assert.equal(at(me.body, 'second_factor_required'), true);
    const viewer = await office.enter('viewer');
    assert.equal(
      at((await office.send('GET', 'me', viewer)).body, 'second_factor_required'),
      false,
    );
    assert.equal((await office.send('GET', 'clients', viewer)).status, 200);
  });

  test('can do all once it is on, and nothing again once it is off', async () => {
    const { account } = await createAccount(office.deps, command, {
      name: 'clerk',
      role: 'owner',
      password,
    });
    let cookie: Cookie = { cookie: `simgate-admin=${await tokenOfSession(office.deps, account)}` };
    const begun = await office.send('POST', 'me/totp', cookie, { password });
    const code = codeOf(
      fromBase32(String(at(begun.body, 'secret'))),
      stepAt(server.deps.clock.now()),
    );
    cookie = cookieIn(await office.send('POST', 'me/totp/confirm', cookie, { code }));
    const list = await office.send('GET', 'accounts', cookie);
    assert.deepEqual(at(list.body, 'second_factor_roles'), ['manager', 'owner']);
    const off = await office.send('DELETE', 'me/totp', cookie, { password });
    assert.equal(off.status, 204);
    const after = await office.send('GET', 'accounts', cookieIn(off));
    assert.equal(codeIn(after), 'SECOND_FACTOR_REQUIRED');
  });
});
