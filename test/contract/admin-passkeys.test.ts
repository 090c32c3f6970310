/** Tests passkeys over HTTP: by the public URL or the request's host, per person, never on an IP address. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { command, here, officeDeps } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { createAuthenticator, type TestAuthenticator } from '../support/authenticator.ts';
import { type Answer, request, type StartedServer, startServer } from '../support/server.ts';

const password = 'correct horse battery';

let server: StartedServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

/** A person's browser: the gateway's URL, the page's origin, and the last cookie. */
type Browser = {
  readonly send: (method: string, path: string, json?: unknown) => Promise<Answer>;
  readonly origin: string;
};

const browse = (to: StartedServer, url: string, origin = url): Browser => {
  let cookie = '';
  return {
    origin,
    send: async (method, path, json) => {
      const answer = await request({ ...to, url }, `/admin/api/${path}`, {
        token: null,
        method,
        headers: { ...here, cookie },
        ...(json === undefined ? {} : { json }),
      });
      cookie = /^[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? cookie;
      return answer;
    },
  };
};

const atLocalhost = (): Browser => browse(server, server.url.replace('127.0.0.1', 'localhost'));

const signIn = async (browser: Browser, to: StartedServer, name: string): Promise<void> => {
  await createAccount(officeDeps(to), command, { name, role: 'viewer', password });
  assert.equal((await browser.send('POST', 'login', { name, password })).status, 200);
};

/** Adds a passkey as a page does. */
const add = async ({ send, origin }: Browser, key: TestAuthenticator): Promise<Answer> => {
  const options = await send('POST', 'me/passkeys/options', { password });
  assert.equal(options.status, 200, options.text);
  const challenge = String(at(options.body, 'challenge'));
  const host = String(at(options.body, 'rp', 'id'));
  const credential = key.register({ origin, host, challenge });
  return send('POST', 'me/passkeys', { name: 'a key', credential });
};

const use = async ({ send, origin }: Browser, key: TestAuthenticator): Promise<Answer> => {
  const options = await send('POST', 'login/passkey/options');
  const challenge = String(at(options.body, 'challenge'));
  const host = String(at(options.body, 'rpId'));
  return send('POST', 'login/passkey', { credential: key.sign({ origin, host, challenge }) });
};

test('a passkey is added, listed, used and removed by the host of the request', async () => {
  const browser = atLocalhost();
  const { send } = browser;
  await signIn(browser, server, 'clerk');
  const key = createAuthenticator();
  assert.equal((await add(browser, key)).status, 204);
  const list = await send('GET', 'me/passkeys');
  const [passkey] = listOf(at(list.body, 'data'));
  assert.deepEqual(
    [at(list.body, 'available'), at(passkey, 'name'), at(passkey, 'host'), at(passkey, 'usable')],
    [true, 'a key', 'localhost', true],
  );
  assert.equal(at((await send('GET', 'me')).body, 'account', 'passkeys'), 1);

  const entered = await send('POST', 'login', { name: 'clerk', password });
  assert.deepEqual(entered.body, { code_needed: true });
  assert.equal(at((await send('GET', 'me')).body, 'code'), 'CODE_NEEDED');
  const factors = await send('GET', 'login/factors');
  assert.deepEqual(factors.body, { totp: false, passkey: true, passkey_hosts: ['localhost'] });
  const whole = await use(browser, key);
  assert.deepEqual([whole.status, whole.body], [200, { code_needed: false }], whole.text);
  assert.equal((await send('GET', 'me')).status, 200);

  const id = String(at(passkey, 'id'));
  const removed = await send('DELETE', `me/passkeys/${id}`, { password });
  assert.equal(removed.status, 204, removed.text);
  assert.deepEqual(at((await send('GET', 'me/passkeys')).body, 'data'), []);
});

test('each person sees, uses and removes only their own passkeys', async () => {
  const [clerk, cashier] = [atLocalhost(), atLocalhost()];
  await signIn(clerk, server, 'clerk-2');
  await signIn(cashier, server, 'cashier-2');
  const [theirs, others] = [createAuthenticator(), createAuthenticator()];
  assert.equal((await add(clerk, theirs)).status, 204);
  assert.equal((await add(cashier, others)).status, 204);
  const list = await clerk.send('GET', 'me/passkeys');
  assert.equal(listOf(at(list.body, 'data')).length, 1);
  const id = String(at(list.body, 'data', 0, 'id'));
  const removed = await cashier.send('DELETE', `me/passkeys/${id}`, { password });
  assert.deepEqual([removed.status, at(removed.body, 'code')], [404, 'PASSKEY_NOT_FOUND']);
  await cashier.send('POST', 'login', { name: 'cashier-2', password });
  const used = await use(cashier, theirs);
  assert.deepEqual([used.status, at(used.body, 'code')], [401, 'PASSKEY_WRONG']);
  assert.equal(listOf(at((await clerk.send('GET', 'me/passkeys')).body, 'data')).length, 1);
});

test('on an IP address passkeys are not offered, and the answer says why', async () => {
  const browser = browse(server, server.url);
  await signIn(browser, server, 'trainee-2');
  assert.equal(at((await browser.send('GET', 'me/passkeys')).body, 'available'), false);
  const options = await browser.send('POST', 'me/passkeys/options', { password });
  assert.deepEqual([options.status, at(options.body, 'code')], [409, 'PASSKEYS_UNAVAILABLE']);
  await server.deps.db
    .updateTable('admin_accounts')
    .set({ passkeys: 1 })
    .where('name', '=', 'trainee-2')
    .execute();
  await browser.send('POST', 'login', { name: 'trainee-2', password });
  const asked = await browser.send('POST', 'login/passkey/options');
  assert.equal(at(asked.body, 'code'), 'PASSKEYS_UNAVAILABLE');
});

test('behind a public URL its host and origin count, whatever the Host header', async () => {
  const gate = await startServer({ config: { publicUrl: 'https://gate.example/below' } });
  try {
    const browser = browse(gate, gate.url, 'https://gate.example');
    await signIn(browser, gate, 'clerk');
    const key = createAuthenticator();
    const forged = await add({ ...browser, origin: gate.url }, key);
    assert.deepEqual([forged.status, at(forged.body, 'code')], [401, 'PASSKEY_WRONG']);
    assert.equal((await add(browser, key)).status, 204);
    const list = await browser.send('GET', 'me/passkeys');
    assert.equal(at(list.body, 'data', 0, 'host'), 'gate.example');
    await browser.send('POST', 'login', { name: 'clerk', password });
    assert.equal((await use(browser, key)).status, 200);
  } finally {
    await gate.stop();
  }
});

test('input that is too long, or not base64url, is refused unread', async () => {
  const browser = atLocalhost();
  await signIn(browser, server, 'clerk-3');
  const response = { clientDataJSON: 'YQ', attestationObject: 'YQ' };
  for (const body of [
    { name: ' ', credential: { id: 'YQ', response } },
    { name: 'a key', credential: { id: 'a+b/', response } },
    { name: 'a key', credential: { id: 'a'.repeat(1365), response } },
    { name: 'a key', credential: { id: 'YQ', response: { ...response, clientDataJSON: '' } } },
  ]) {
    const answer = await browser.send('POST', 'me/passkeys', body);
    assert.equal(answer.status, 422, JSON.stringify(body));
  }
});
