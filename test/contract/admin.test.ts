/** Tests access to every route of the back office: each role, no session, half a session, a forged origin. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAccount, updateAccount } from '../../src/admin/access/accounts.ts';
import { isSameOrigin, tokenIn } from '../../src/admin/access/guard.ts';
import { type Role, roles } from '../../src/admin/access/roles.ts';
import { makeSecret, type Stage } from '../../src/admin/access/session.ts';
import { openSession } from '../../src/admin/access/sign-in.ts';
import type { AccountRow } from '../../src/admin/access/store.ts';
import { codeOf, fromBase32, stepAt } from '../../src/admin/access/two-factor/totp.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLockRetry } from '../../src/db/lock-retry.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { resolveDocument } from '../support/openapi.ts';
import { quickPasswords } from '../support/passwords.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';

const password = 'correct horse battery';
const limits = { idleMs: 1_800_000, absoluteMs: 43_200_000 };
const command = { accountId: null, name: 'root', address: null };
const visitor = { address: '127.0.0.1', agent: 'a test', token: undefined };
const here = { 'sec-fetch-site': 'same-origin' };

let server: TestServer;
const accounts = new Map<Role, AccountRow>();

const deps = () => ({
  ...server.deps,
  limits,
  passwords: quickPasswords,
  retryLocked: createLockRetry(systemClock),
});

before(async () => {
  const { admin } = readConfig({});
  // These requests are very frequent.
  server = await startServer({ config: { admin: { ...admin, rate: null, anonymousRate: null } } });
  for (const role of roles) {
    const { account } = await createAccount(deps(), command, { name: `the-${role}`, role });
    accounts.set(role, account);
  }
});
after(() => server.stop());

const cookieOf = (token: string): { cookie: string } => ({ cookie: `simgate-admin=${token}` });

/** A session as it is after signing in. */
const sessionOf = async (role: Role, stage: Stage = 'full'): Promise<{ cookie: string }> => {
  const account = accounts.get(role);
  assert.ok(account !== undefined);
  const { token } = await server.deps.db
    .transaction()
    .execute((db) => openSession(db, deps(), account, { visitor, stage }));
  return cookieOf(token);
};

type Headers = Readonly<Record<string, string>>;
type Sent = { readonly method: string; readonly path: string; readonly json?: unknown };

/** A stream is opened and left. */
const glance = async (path: string, headers: Headers): Promise<Answer> => {
  const stop = new AbortController();
  const response = await fetch(server.url + path, { headers, signal: stop.signal });
  const text = response.status === 200 ? '' : await response.text();
  stop.abort();
  const body: unknown = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
};

const send = ({ method, path, json }: Sent, headers: Headers, to = server): Promise<Answer> =>
  path.endsWith('/live') ? glance(path, headers) : ask({ method, path, json }, headers, to);

const ask = ({ method, path, json }: Sent, headers: Headers, to: TestServer): Promise<Answer> =>
  request(to, path, { token: null, method, headers, ...(json === undefined ? {} : { json }) });

const post = (path: string, json: unknown, headers: Headers = {}, to = server): Promise<Answer> =>
  send({ method: 'POST', path: `/admin/api/${path}`, json }, { ...here, ...headers }, to);

const given = (answer: Answer): string => {
  const cookie = answer.headers.get('set-cookie') ?? '';
  return /=([\w-]{43});/.exec(cookie)?.[1] ?? '';
};

const codeIn = ({ body }: Answer): unknown => at(body, 'code');

/** Written out: what each operation needs, so that the routes do not judge themselves. */
const needs: Readonly<Record<string, 'none' | 'half' | 'waiting' | readonly Role[]>> = {
  getCompany: 'none',
  signIn: 'none',
  setUp: 'none',
  sendCode: 'waiting',
  signOut: 'half',
  getMe: roles,
  changeMyPassword: roles,
  beginMyTotp: roles,
  confirmMyTotp: roles,
  removeMyTotp: roles,
  getFactors: 'half',
  beginPasskeySignIn: 'waiting',
  sendPasskey: 'waiting',
  listMyPasskeys: roles,
  beginMyPasskey: roles,
  addMyPasskey: roles,
  removeMyPasskey: roles,
  proveMe: roles,
  createMyRecoveryCodes: roles,
  listMySessions: roles,
  endMySession: roles,
  endMyOtherSessions: roles,
  listMyNotices: roles,
  seeMyNotices: roles,
  listAccounts: ['owner'],
  createAccount: ['owner'],
  updateAccount: ['owner'],
  createSetup: ['owner'],
  endSessions: ['owner'],
  resetTotp: ['owner'],
  resetPasskeys: ['owner'],
  listAudit: ['manager', 'owner'],
  listAuditActors: ['manager', 'owner'],
  exportAudit: ['manager', 'owner'],
  listClients: roles,
  exportClients: roles,
  getClient: roles,
  countClientOutcomes: roles,
  getClientContact: roles,
  setClientContact: ['manager', 'owner'],
  listClientNotes: roles,
  addClientNote: ['manager', 'owner'],
  createClient: ['manager', 'owner'],
  updateClient: ['manager', 'owner'],
  setClientRules: ['manager', 'owner'],
  createToken: ['manager', 'owner'],
  rotateToken: ['manager', 'owner'],
  revokeToken: ['manager', 'owner'],
  depositMoney: ['manager', 'owner'],
  correctBalance: ['manager', 'owner'],
  setClientCredit: ['manager', 'owner'],
  getClientStatement: roles,
  exportClientStatement: roles,
  listClientWebhooks: roles,
  listClientMessages: roles,
  getClientMessage: roles,
  replayClientMessage: ['manager', 'owner'],
  updateClientWebhook: ['manager', 'owner'],
  getOverview: roles,
  getSales: roles,
  getSalesOverview: roles,
  getSetup: roles,
  listAlerts: roles,
  exportSales: roles,
  exportSalesAsXlsx: roles,
  watchOverview: roles,
  getSettings: roles,
  updateSettings: ['owner'],
  listAlarms: roles,
  getAlarmSettings: roles,
  updateAlarmSettings: ['owner'],
  testAlarms: ['owner'],
  rotateAlarmSecret: ['owner'],
  listProducts: roles,
  getProduct: roles,
  listCategories: roles,
  exportCatalogue: roles,
  listProductPrices: roles,
  createProduct: ['manager', 'owner'],
  updateProduct: ['manager', 'owner'],
  listPriceChanges: roles,
  getPriceChange: roles,
  previewRevert: ['manager', 'owner'],
  revertPrices: ['manager', 'owner'],
  switchProducts: ['manager', 'owner'],
  previewPrices: ['manager', 'owner'],
  updatePrices: ['manager', 'owner'],
  previewImport: ['manager', 'owner'],
  importCatalogue: ['manager', 'owner'],
  listRoutes: ['support', 'manager', 'owner'],
  listRouteVersions: ['support', 'manager', 'owner'],
  explainRoutes: ['support', 'manager', 'owner'],
  exportRoutes: ['support', 'manager', 'owner'],
  createRoute: ['manager', 'owner'],
  changeRoute: ['manager', 'owner'],
  removeRoute: ['manager', 'owner'],
  previewRouteImport: ['manager', 'owner'],
  importRoutes: ['manager', 'owner'],
  listBilledMonths: roles,
  listInvoices: roles,
  getInvoice: roles,
  exportInvoice: roles,
  makeInvoices: ['manager', 'owner'],
  creditInvoice: ['manager', 'owner'],
  listPriceLists: ['support', 'manager', 'owner'],
  listFloats: ['support', 'manager', 'owner'],
  getFloat: ['support', 'manager', 'owner'],
  getPriceList: ['support', 'manager', 'owner'],
  explainPrice: ['support', 'manager', 'owner'],
  exportPriceList: ['support', 'manager', 'owner'],
  getClientPriceList: ['support', 'manager', 'owner'],
  createPriceList: ['manager', 'owner'],
  changePriceList: ['manager', 'owner'],
  removePriceList: ['manager', 'owner'],
  setPriceEntry: ['manager', 'owner'],
  removePriceListVersion: ['manager', 'owner'],
  previewPriceListImport: ['manager', 'owner'],
  importPriceList: ['manager', 'owner'],
  assignPriceList: ['manager', 'owner'],
  listOperators: roles,
  getOperator: roles,
  listOperatorConnectors: ['owner'],
  updateOperatorSettings: ['owner'],
  createSupplier: ['owner'],
  changeSupplier: ['owner'],
  removeSupplier: ['owner'],
  removeOperatorSettings: ['owner'],
  checkOperator: ['owner'],
  suspendOperator: ['manager', 'owner'],
  resumeOperator: ['manager', 'owner'],
  trustOperator: ['manager', 'owner'],
  recordFloatEntry: ['manager', 'owner'],
  getOperatorFaults: ['owner'],
  updateOperatorFaults: ['owner'],
  searchPurchases: roles,
  sumPurchases: roles,
  getPurchase: roles,
  exportPurchases: roles,
  inquirePurchase: ['support', 'manager', 'owner'],
  previewResolution: ['support', 'manager', 'owner'],
  resolvePurchase: ['support', 'manager', 'owner'],
  unmaskPurchase: ['support', 'manager', 'owner'],
};

type Operation = Sent & { readonly id: string };

/** The required query of an operation, from its examples. */
const neededQuery = (operation: unknown): string => {
  const parameters = at(operation, 'parameters') ?? [];
  const needed = listOf(parameters).filter(
    (one) => at(one, 'in') === 'query' && at(one, 'required') === true,
  );
  const pairs = needed.map(
    (one) => `${String(at(one, 'name'))}=${String(at(one, 'schema', 'examples', 0))}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

const operations = async (): Promise<Operation[]> => {
  const { body } = await request(server, '/admin/openapi.json', { token: null });
  const paths = at(resolveDocument(body), 'paths');
  return keysOf(paths).flatMap((path) =>
    keysOf(at(paths, path)).map((method) => {
      const one = at(paths, path, method);
      const schema = at(one, 'requestBody', 'content', 'application/json', 'schema');
      const example =
        at(schema, 'examples', 0) ??
        at(one, 'requestBody', 'content', 'application/json', 'example') ??
        at(schema, 'example');
      return {
        id: String(at(one, 'operationId')),
        method: method.toUpperCase(),
        // No one's, so that owners reach it and change nothing.
        path: path.replaceAll(/\{\w+\}/g, 'unknown') + neededQuery(one),
        ...(schema === undefined ? {} : { json: example }),
      };
    }),
  );
};

const gates = new Set([
  'SESSION_MISSING',
  'CODE_NEEDED',
  'SECOND_FACTOR_REQUIRED',
  'RIGHT_MISSING',
  'PROOF_NEEDED',
  'FORGED_ORIGIN',
]);

const assertPassed = (answer: Answer, what: string): void => {
  assert.ok(!gates.has(String(codeIn(answer))), `${what}: ${answer.text}`);
  assert.ok(answer.status < 500 && answer.status !== 422, `${what}: ${answer.text}`);
};

describe('every route of the back office', () => {
  test('is in its own document, and none in that of clients', async () => {
    const found = await operations();
    assert.deepEqual(found.map(({ id }) => id).sort(), Object.keys(needs).sort());
    const { body } = await request(server, '/openapi.json', { token: null });
    assert.ok(keysOf(at(body, 'paths')).length > 10);
    assert.doesNotMatch(JSON.stringify(body), /\/admin\/|x-needs/);
  });

  test('admits exactly the permitted callers', async () => {
    const open = new Map<string, Promise<{ cookie: string }>>();
    const sessionFor = (role: Role, stage: Stage = 'full'): Promise<{ cookie: string }> => {
      const session = open.get(role + stage) ?? sessionOf(role, stage);
      open.set(role + stage, session);
      return session;
    };
    const strangers = [
      {},
      cookieOf(makeSecret(systemRandom)),
      { cookie: 'simgate-admin=' },
      { authorization: `Bearer ${server.client.token}` },
    ];
    for (const operation of await operations()) {
      const needed = needs[operation.id] ?? [];
      for (const headers of strangers) {
        const answer = await send(operation, { ...here, ...headers });
        if (needed === 'none') assertPassed(answer, operation.id);
        else {
          assert.equal(codeIn(answer), 'SESSION_MISSING', operation.id);
          assert.equal(answer.status, 401);
        }
      }
      if (needed === 'none') continue;
      const half = await send(operation, { ...here, ...(await sessionFor('owner', 'code')) });
      if (needed === 'half' || needed === 'waiting') assertPassed(half, operation.id);
      else assert.equal(codeIn(half), 'CODE_NEEDED', operation.id);
      for (const role of roles) {
        const answer = await send(operation, { ...here, ...(await sessionFor(role)) });
        const what = `${operation.id} as ${role}`;
        if (needed === 'waiting') assert.equal(codeIn(answer), 'SIGNED_IN', what);
        else if (needed === 'half' || needed.includes(role)) assertPassed(answer, what);
        else assert.deepEqual([answer.status, codeIn(answer)], [403, 'RIGHT_MISSING'], what);
        // It may have ended sessions.
        if (needed === 'half' || operation.id === 'endMyOtherSessions') open.clear();
      }
    }
  });

  test('refuses requests from other pages, before the session is looked up', async () => {
    const owner = await sessionOf('owner');
    const forged: Headers[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: server.url },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const operation of await operations()) {
      const silent = operation.method === 'GET' ? [] : [{}, { 'sec-fetch-site': 'none' }];
      for (const headers of [...forged, ...silent]) {
        const answer = await send(operation, { ...owner, ...headers });
        const what = `${operation.id} with ${JSON.stringify(headers)}`;
        assert.deepEqual([answer.status, codeIn(answer)], [403, 'FORGED_ORIGIN'], what);
        assert.equal(answer.headers.get('set-cookie'), null);
      }
    }
    const me = { method: 'GET', path: '/admin/api/me' };
    assert.equal((await send(me, { ...owner, origin: server.url })).status, 200);
    assert.equal((await send(me, owner)).status, 200, 'the session was not touched');
  });

  test('takes JSON only, is never cached, and has one form of errors', async () => {
    const form = await request(server, '/admin/api/login', {
      token: null,
      method: 'POST',
      headers: here,
      body: new URLSearchParams({ name: 'a', password: 'b' }),
    });
    assert.equal(form.status, 415);
    const me = await send({ method: 'GET', path: '/admin/api/me' }, {});
    assert.deepEqual(keysOf(me.body), ['message', 'code', 'request_id']);
    assert.equal(me.headers.get('cache-control'), 'no-store');
    assert.equal((await post('login', { name: 'a' })).status, 422);
  });
});

const me = (headers: Headers, to = server): Promise<Answer> =>
  send({ method: 'GET', path: '/admin/api/me' }, headers, to);

/** Attempts of other tests from this address are forgotten. */
const forgetTries = async (): Promise<void> => {
  await server.deps.db.deleteFrom('admin_attempts').execute();
};

describe('a session', () => {
  before(forgetTries);

  test('begins by a link, ends by signing out, and no planted cookie becomes one', async () => {
    const { account, setup } = await createAccount(deps(), command, {
      name: 'clerk',
      role: 'owner',
    });
    const planted = cookieOf(makeSecret(systemRandom));
    const first = await post('setup', { token: setup?.token, password }, planted);
    assert.deepEqual([first.status, first.body], [200, { code_needed: false }]);
    assert.equal((await me(planted)).status, 401);
    assert.match(
      first.headers.get('set-cookie') ?? '',
      /^simgate-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieOf(given(first));
    const seen = await me(cookie);
    assert.equal(at(seen.body, 'account', 'id'), account.id);
    assert.ok(listOf(at(seen.body, 'rights')).includes('accounts'));
    const second = await post('login', { name: 'CLERK', password }, cookie);
    assert.notEqual(given(second), given(first));
    assert.equal((await me(cookie)).status, 401, 'the session before signing in again has ended');
    const next = cookieOf(given(second));
    const out = await send({ method: 'POST', path: '/admin/api/logout' }, { ...here, ...next });
    assert.equal(out.status, 204);
    assert.match(out.headers.get('set-cookie') ?? '', /^simgate-admin=; Max-Age=0; Path=\//);
    assert.equal((await me(next)).status, 401, 'replayed');
    assert.equal((await post('setup', { token: setup?.token, password })).status, 401);
  });

  test('that is too old, or of a disabled account, is refused', async () => {
    const old = await sessionOf('viewer');
    assert.equal((await me(old)).status, 200);
    await server.deps.db.updateTable('admin_sessions').set({ seen_at: 0 }).execute();
    assert.equal((await me(old)).status, 401);
    const left = await sessionOf('support');
    const id = accounts.get('support')?.id ?? '';
    await updateAccount(deps(), command, id, { status: 'disabled' });
    assert.equal((await me(left)).status, 401);
    await updateAccount(deps(), command, id, { status: 'active' });
    assert.equal((await me(left)).status, 401);
  });

  test('with a second factor needs password, then code; guesses cause a pause', async () => {
    const { setup } = await createAccount(deps(), command, { name: 'trainee', role: 'manager' });
    const first = cookieOf(given(await post('setup', { token: setup?.token, password })));
    const begun = await post('me/totp', { password }, first);
    const secret = fromBase32(String(at(begun.body, 'secret')));
    const step = stepAt(server.deps.clock.now());
    const on = await post('me/totp/confirm', { code: codeOf(secret, step) }, first);
    assert.equal(on.status, 204);
    assert.deepEqual(
      [(await me(first)).status, (await me(cookieOf(given(on)))).status],
      [401, 200],
    );
    const half = await post('login', { name: 'trainee', password });
    assert.deepEqual(half.body, { code_needed: true });
    assert.equal(codeIn(await me(cookieOf(given(half)))), 'CODE_NEEDED');
    const whole = await post(
      'login/code',
      { code: codeOf(secret, step + 1) },
      cookieOf(given(half)),
    );
    assert.equal(whole.status, 200, whole.text);
    assert.equal((await me(cookieOf(given(whole)))).status, 200);
    assert.equal((await me(cookieOf(given(half)))).status, 401);
    const guess = { name: 'trainee', password: 'a guess' };
    for (let count = 0; count < 5; count += 1)
      assert.equal((await post('login', guess)).status, 401);
    const paused = await post('login', { ...guess, password });
    assert.deepEqual([paused.status, codeIn(paused)], [429, 'TOO_MANY_TRIES']);
    assert.equal(paused.headers.get('retry-after'), '1');
  });

  test('over https has a cookie that only this host can set', async () => {
    const secure = await startServer({ config: { publicUrl: 'https://gate.example' } });
    try {
      const { setup } = await createAccount({ ...deps(), ...secure.deps }, command, {
        name: 'clerk',
        role: 'owner',
      });
      const origin = { 'sec-fetch-site': 'same-origin', origin: 'https://gate.example' };
      const entered = await post('setup', { token: setup?.token, password }, origin, secure);
      assert.match(
        entered.headers.get('set-cookie') ?? '',
        /^__Host-simgate-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
      const token = given(entered);
      assert.equal((await me({ cookie: `__Host-simgate-admin=${token}` }, secure)).status, 200);
      assert.equal((await me(cookieOf(token), secure)).status, 401);
    } finally {
      await secure.stop();
    }
  });
});

test('a cookie is Secure whenever the request came by TLS, and an untrusted header says nothing', async () => {
  const byTls = { ...here, 'x-forwarded-proto': 'https' };
  const secure = /^__Host-simgate-admin=[\w-]{43}; .*; Secure$/;
  const plain = /^simgate-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/;
  const trusted = { trustedProxies: ['127.0.0.1'] };
  for (const [config, headers, cookie] of [
    [trusted, byTls, secure],
    [trusted, here, plain],
    [{ ...trusted, publicUrl: 'http://gate.example' }, byTls, secure],
    [{ ...trusted, publicUrl: 'http://gate.example' }, here, plain],
    [{ publicUrl: 'https://gate.example' }, here, secure],
    [{}, byTls, plain],
  ] as const) {
    const proxied = await startServer({ config });
    try {
      const { setup } = await createAccount({ ...deps(), ...proxied.deps }, command, {
        name: 'clerk',
        role: 'owner',
      });
      const entered = await post('setup', { token: setup?.token, password }, headers, proxied);
      assert.equal(entered.status, 200, entered.text);
      assert.match(entered.headers.get('set-cookie') ?? '', cookie);
      const name = cookie === secure ? '__Host-simgate-admin' : 'simgate-admin';
      const session = { ...headers, cookie: `${name}=${given(entered)}` };
      assert.equal((await me(session, proxied)).status, 200);
    } finally {
      await proxied.stop();
    }
  }
});

test('an owner creates an account, changes its role, and all of it is audited', async () => {
  const owner = await sessionOf('owner');
  const made = await post('accounts', { name: 'Cashier', role: 'viewer' }, owner);
  assert.equal(made.status, 201, made.text);
  const id = String(at(made.body, 'account', 'id'));
  const path = `/admin/api/accounts/${id}`;
  const all = { ...here, ...owner };
  const changed = await send({ method: 'PATCH', path, json: { role: 'support' } }, all);
  assert.deepEqual([changed.status, at(changed.body, 'role')], [200, 'support']);
  const audit = `/admin/api/audit?subject=${id}`;
  const { body } = await send({ method: 'GET', path: audit }, owner);
  const [last, first] = listOf(at(body, 'data'));
  assert.deepEqual([at(last, 'action'), at(first, 'action')], ['account change', 'account create']);
  assert.deepEqual([at(last, 'before', 'role'), at(last, 'after', 'role')], ['viewer', 'support']);
  assert.deepEqual([at(last, 'actor'), at(last, 'address')], ['the-owner', '127.0.0.1']);
  const rest = await send(
    { method: 'GET', path: `${audit}&before=${String(at(last, 'id'))}` },
    owner,
  );
  assert.deepEqual(listOf(at(rest.body, 'data')), [first]);
});

test('the audit log is sorted by its columns, page by page', async () => {
  const owner = await sessionOf('owner');
  const { db } = server.deps;
  const read = async (query: string): Promise<readonly unknown[]> => {
    const { body, text, status } = await send(
      { method: 'GET', path: `/admin/api/audit?${query}` },
      owner,
    );
    assert.equal(status, 200, text);
    return listOf(at(body, 'data'));
  };
  const all = await db
    .selectFrom('admin_audit')
    .select(['id', 'action', 'actor', 'subject'])
    .execute();
  for (const sort of ['action', 'actor', 'subject'] as const) {
    const rows = (await read(`sort=${sort}&order=asc`)).map((row) => String(at(row, 'id')));
    const stored = await db
      .selectFrom('admin_audit')
      .select('id')
      .orderBy(sort)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows,
      stored.slice(0, 100).map(({ id }) => id),
    );
    const third = rows[2];
    const rest = await read(`sort=${sort}&order=asc&before=${third}`);
    assert.deepEqual(
      rest.map((row) => String(at(row, 'id'))).slice(0, 5),
      stored.slice(3, 8).map(({ id }) => id),
    );
    const last = await read(`sort=${sort}`);
    assert.equal(at(last[0], 'id'), stored.at(-1)?.id);
  }
  assert.ok(all.length > 8);
  const oldest = await read('order=asc');
  assert.equal(at(oldest[0], 'id'), all.map(({ id }) => id).sort()[0]);
  assert.deepEqual(await read('sort=actor&before=unknown'), []);
});

test('a request’s origin is judged by what a page cannot set', () => {
  const host = 'gate.example:3000';
  assert.ok(isSameOrigin('POST', { origin: 'https://gate.example:3000' }, host));
  assert.ok(isSameOrigin('POST', { 'sec-fetch-site': 'same-origin' }, host));
  assert.ok(isSameOrigin('GET', {}, host));
  for (const origin of [
    'https://gate.example',
    'https://gate.example:3000.evil.example',
    '',
    'x',
  ]) {
    assert.ok(!isSameOrigin('POST', { origin }, host), origin);
  }
  const token = 'a'.repeat(43);
  assert.equal(tokenIn(`a=b; simgate-admin=${token}`, 'simgate-admin'), token);
  for (const header of [`simgate-admin=${token}; simgate-admin=${token}`, 'simgate-admin=a', '']) {
    assert.equal(tokenIn(header, 'simgate-admin'), undefined);
  }
});
