/** Tests that commands work beside a running server, which notices their changes on its own. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { at, listOf } from '../support/answers.ts';
import { largeCatalogue } from '../support/large-catalogue.ts';
import { type Asked, ask, eventually, parsed } from '../support/live.ts';
import { emptyFolder, type Served, serveProcess, simgate } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const products = '/api/clients/products';

describe('A command beside a running server', { concurrency: 2, timeout: 480_000 }, () => {
  const folder = emptyFolder();
  let served: Served | undefined;
  /** For the tests that leave it unchanged. */
  let reseller = { id: '', token: '' };

  before(async () => {
    served = await serveProcess(folder, { SIMGATE_DEMO: 'off' });
    reseller = await newClient(0);
  });
  after(async () => {
    await served?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command that must succeed, and returns its JSON output. */
  const done = async (...args: readonly string[]): Promise<unknown> => {
    const { status, out, err } = await simgate(folder, [...args, '--json']);
    assert.deepEqual({ status, err }, { status: 0, err: '' });
    assert.match(out, /^.+\n$/, 'one line');
    return parsed(out);
  };

  const newClient = async (balance: number): Promise<{ id: string; token: string }> => {
    const made = await done('client', 'create', '--name', 'Reseller', '--balance', `${balance}`);
    return { id: String(at(made, 'id')), token: String(at(made, 'token')) };
  };

  const asked = (token: string, path: string = products, json?: unknown): Promise<Asked> =>
    ask(served?.url ?? '', token, path, json);

  const untilRefused = async (token: string, status: number, code: string): Promise<void> =>
    eventually(`${code} is answered`, async () => {
      const { status: is, body } = await asked(token);
      return is === status && at(body, 'code') === code;
    });

  it('creates clients whose tokens work at once, also two of one name', async () => {
    const [one, two] = await Promise.all([newClient(70), newClient(500)]);
    assert.notEqual(one.id, two.id);
    assert.notEqual(one.token, two.token);
    assert.equal(at((await asked(one.token)).body, 'balance'), 70);
    assert.equal(at((await asked(two.token)).body, 'balance'), 500);
    const listed = listOf(await done('client', 'list'));
    for (const [{ id }, available] of [
      [one, 70],
      [two, 500],
    ] as const) {
      const shown = listed.find((client) => at(client, 'id') === id);
      assert.equal(at(shown, 'name'), 'Reseller');
      assert.equal(at(shown, 'status'), 'active');
      assert.equal(at(shown, 'available'), available);
      assert.equal(at(shown, 'held'), 0);
    }
  });

  it('deposits money that the very next answer shows as balance', async () => {
    const { id, token } = await newClient(1000);
    assert.equal(at((await asked(token)).body, 'balance'), 1000);
    const result = await done('client', 'deposit', id, '234', '--note', 'bank transfer 7');
    assert.deepEqual(result, { id, deposited: 234, available: 1234, held: 0, currency: null });
    assert.equal(at((await asked(token)).body, 'balance'), 1234);
  });

  it('loses no concurrent deposit', async () => {
    const { id, token } = await newClient(0);
    await Promise.all([1, 20, 300].map((sum) => done('client', 'deposit', id, `${sum}`)));
    assert.equal(at((await asked(token)).body, 'balance'), 321);
    assert.equal(at(await done('verify'), 'ok'), true);
  });

  it('sets a rule for a client, which the server applies within a second', async () => {
    const { id, token } = await newClient(1000);
    const limitsOf = async (): Promise<unknown> =>
      at((await asked(token, '/api/account')).body, 'limits');
    assert.equal(at(await limitsOf(), 'repeat_guard_seconds'), null);
    await done('client', 'rules', id, '--repeat-guard', '30', '--operators', '3');
    await eventually('the rule holds', async () => {
      const limits = await limitsOf();
      return at(limits, 'repeat_guard_seconds') === 30 && at(limits, 'operators', 0) === 3;
    });
  });

  it('suspends a client and resumes it', async () => {
    const { id, token } = await newClient(0);
    assert.equal((await asked(token)).status, 200);
    assert.deepEqual(await done('client', 'suspend', id), { id, status: 'suspended' });
    await untilRefused(token, 403, 'CLIENT_SUSPENDED');
    assert.deepEqual(await done('client', 'resume', id), { id, status: 'active' });
    await eventually('the client is let in', async () => (await asked(token)).status === 200);
  });

  it('issues a token with exactly its scopes', async () => {
    const { id } = reseller;
    const made = await done('token', 'create', id, '--scope', 'offers', '--name', 'shop');
    assert.deepEqual(at(made, 'scopes'), ['offers']);
    assert.equal(at(made, 'client_id'), id);
    const token = String(at(made, 'token'));
    const offers = await asked(token, '/api/operator_2/offers', { mobile: '989121234500' });
    assert.equal(offers.status, 200);
    const refused = await asked(token);
    assert.deepEqual([refused.status, at(refused.body, 'code')], [403, 'SCOPE_MISSING']);
  });

  it('issues a token that works from its networks only', async () => {
    const { id } = reseller;
    const [far, near] = await Promise.all([
      done('token', 'create', id, '--network', '192.0.2.0/24', '--network', '2001:db8::/32'),
      done('token', 'create', id, '--network', '192.0.2.0/24', '--network', '127.0.0.1'),
    ]);
    const refused = await asked(String(at(far, 'token')));
    assert.deepEqual([refused.status, at(refused.body, 'code')], [403, 'IP_NOT_ALLOWED']);
    assert.equal((await asked(String(at(near, 'token')))).status, 200);
  });

  it('issues a token that expires on time', async () => {
    const made = await done('token', 'create', reseller.id, '--expires', '12h');
    const sooner = 'update tokens set expires_at = expires_at - ? where id = ?';
    await runSql(folder, sooner, 12 * 3_600_000 + 1, String(at(made, 'id')));
    await untilRefused(String(at(made, 'token')), 401, 'TOKEN_EXPIRED');
  });

  it('lists tokens with all but the tokens themselves', async () => {
    const { id, token: first } = reseller;
    const made = await done('token', 'create', id, '--name', 'shop', '--expires', '90d');
    const token = String(at(made, 'token'));
    const tokens = listOf(await done('token', 'list', id));
    const shown = tokens.find((one) => at(one, 'id') === at(made, 'id'));
    assert.equal(at(shown, 'name'), 'shop');
    assert.equal(at(shown, 'ending'), token.slice(-4));
    assert.equal(at(shown, 'state'), 'valid');
    assert.deepEqual(at(shown, 'scopes'), ['catalogue', 'offers', 'purchase', 'webhooks']);
    assert.deepEqual(at(shown, 'networks'), []);
    const lasts = Date.parse(String(at(shown, 'expires_at'))) - Date.now();
    assert.ok(Math.abs(lasts - 90 * 86_400_000) < 3_600_000, `it lasts ${lasts} ms`);
    const { out } = await simgate(folder, ['token', 'list']);
    for (const text of [JSON.stringify(tokens), out]) {
      assert.ok(!text.includes(token) && !text.includes(first), 'a token is shown');
      assert.doesNotMatch(text, /simgate_|\b[0-9a-f]{64}\b/, 'a token or its hash is shown');
    }
  });

  it('revokes one token for good and leaves the others of the client', async () => {
    const { id, token } = reseller;
    const made = await done('token', 'create', id);
    const [other, otherId] = [String(at(made, 'token')), String(at(made, 'id'))];
    assert.equal((await asked(other)).status, 200);
    assert.deepEqual(await done('token', 'revoke', otherId), { id: otherId, state: 'revoked' });
    await untilRefused(other, 401, 'TOKEN_INVALID');
    assert.equal((await asked(token)).status, 200);
    const shown = listOf(await done('token', 'list', id));
    const revoked = shown.filter((one) => at(one, 'state') === 'revoked');
    assert.deepEqual(
      revoked.map((one) => at(one, 'id')),
      [otherId],
    );
  });

  it('imports 5,000 products, which the server then lists, all or none at any time', async () => {
    const { token } = reseller;
    const file = join(folder, 'large.json');
    writeFileSync(file, [...printCatalogue(largeCatalogue(5000), 'json')].join(''));
    const totals = new Set([at((await asked(token)).body, 'meta', 'total')]);
    const importing = done('catalogue', 'import', file);
    await eventually('5,000 products are listed', async () => {
      const { status, body } = await asked(token);
      assert.equal(status, 200);
      totals.add(at(body, 'meta', 'total'));
      return totals.has(5000);
    });
    assert.deepEqual(await importing, { ok: true, created: 5000, updated: 0, unchanged: 0 });
    assert.deepEqual(totals, new Set([0, 5000]));
    const last = await asked(token, `${products}?page=50`);
    assert.equal(at(last.body, 'data', 99, 'id'), 5000);
  });
});
