/** Tests clients in the back office: money moved once, rules, tokens and webhooks, all in the audit log. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { readVersions } from '../../src/db/changes/versions.ts';
import { writePostings } from '../../src/ledger/store.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { messageIdFrom } from '../../src/webhooks/event.ts';
import { insertMessages } from '../../src/webhooks/store.ts';
import { type Ask, enterOffice, officeDeps } from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { createToken, deposit } from '../support/clients.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { makeEndpoint } from '../support/webhooks.ts';

let server: TestServer;
let manager: Ask;
let viewer: Ask;

before(async () => {
  server = await startServer();
  manager = await enterOffice(server, 'manager');
  viewer = await enterOffice(server, 'viewer');
});
after(() => server.stop());

const codeIn = ({ status, body }: Answer): readonly unknown[] => [status, at(body, 'code')];
const dataOf = ({ body }: Answer): readonly unknown[] => listOf(at(body, 'data'));
const idsOf = (answer: Answer): unknown[] => dataOf(answer).map((one) => at(one, 'id'));

const auditOf = async (clientId: string): Promise<readonly unknown[]> =>
  dataOf(await manager('GET', `audit?subject=${clientId}`));

const version = async (): Promise<string | undefined> =>
  (await readVersions(server.deps.db)).get('clients');

/** Whether servers dropped their cached tokens and clients. */
const isHeard = async (work: () => Promise<unknown>): Promise<boolean> => {
  const before = await version();
  await work();
  return (await version()) !== before;
};

describe('clients', () => {
  test('are listed, the newest first, by part of the name, by id, by status, and page by page', async () => {
    const made = [];
    for (const name of ['Page 50% one', 'page 50_ two', 'Page Three']) {
      made.push((await addClient(server, { name, balance: 5 })).id);
      // Ids of one millisecond are in no order.
      await sleep(10);
    }
    const [first = '', second = '', third = ''] = made;
    assert.deepEqual(idsOf(await viewer('GET', 'clients?search=PAGE')), [third, second, first]);
    assert.deepEqual(idsOf(await viewer('GET', 'clients?search=50%25')), [first]);
    assert.deepEqual(idsOf(await viewer('GET', 'clients?search=50_')), [second]);
    assert.deepEqual(idsOf(await viewer('GET', `clients?search=${second}`)), [second]);
    await manager('PATCH', `clients/${third}`, { status: 'suspended' });
    assert.deepEqual(idsOf(await viewer('GET', 'clients?search=page&status=suspended')), [third]);
    const page = await viewer('GET', 'clients?search=page&limit=2');
    assert.deepEqual(idsOf(page), [third, second]);
    const rest = await viewer(
      'GET',
      `clients?search=page&limit=2&before=${String(at(page.body, 'next'))}`,
    );
    assert.deepEqual([idsOf(rest), at(rest.body, 'next')], [[first], null]);
    assert.equal((await viewer('GET', 'clients?limit=101')).status, 422);
    const [one] = dataOf(rest);
    assert.deepEqual(
      [at(one, 'available'), at(one, 'held'), at(one, 'low'), at(one, 'status')],
      [5, 0, true, 'active'],
    );
    const [rich] = dataOf(await viewer('GET', `clients?search=${server.client.id}`));
    assert.equal(at(rich, 'low'), false);
  });

  test('are sorted across pages, summed over all pages, and exported in the same order', async () => {
    const balances = [300, 100, 300, 200];
    const made: string[] = [];
    for (const [index, balance] of balances.entries()) {
      made.push((await addClient(server, { name: `=Sorted ${index}`, balance })).id);
      await sleep(10);
    }
    const [a = '', b = '', c = '', d = ''] = made;
    const query = 'clients?search=sorted&sort=available';
    const first = await viewer('GET', `${query}&limit=2`);
    assert.deepEqual(idsOf(first), [c, a]);
    assert.deepEqual(at(first.body, 'totals'), { clients: 4, available: 900, held: 0 });
    const rest = await viewer('GET', `${query}&limit=2&before=${String(at(first.body, 'next'))}`);
    assert.deepEqual([idsOf(rest), at(rest.body, 'next')], [[d, b], null]);
    assert.deepEqual(at(rest.body, 'totals'), at(first.body, 'totals'));
    assert.deepEqual(idsOf(await viewer('GET', `${query}&order=asc`)), [b, d, a, c]);
    const byName = await viewer('GET', 'clients?search=sorted&sort=name&order=asc');
    assert.deepEqual(idsOf(byName), [a, b, c, d]);
    assert.equal((await viewer('GET', 'clients?sort=secret')).status, 422);

    const csv = await viewer('GET', `clients.csv?search=sorted&sort=available&order=asc`);
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
    const [titles, ...lines] = csv.text.trimEnd().split('\r\n');
    assert.equal(
      titles,
      'id,name,status,available,held,low,created_at,test,credit_limit,credit_used',
    );
    assert.deepEqual(
      lines.map((line) => line.split(',').slice(0, 5)),
      [b, d, a, c].map((id) => {
        const index = made.indexOf(id);
        return [id, `'=Sorted ${index}`, 'active', String(balances[index]), '0'];
      }),
    );
  });

  test('with a low balance are found, and those with enough are not', async () => {
    const { id: poor } = await addClient(server, { name: 'Purse poor', balance: 1 });
    const { id: rich } = await addClient(server, { name: 'Purse rich', balance: 900_000_000 });
    const low = await viewer('GET', 'clients?search=purse&low=true');
    assert.deepEqual([idsOf(low), at(low.body, 'totals', 'available')], [[poor], 1]);
    const all = await viewer('GET', 'clients?search=purse&low=false');
    assert.deepEqual(idsOf(all), [rich, poor]);
  });

  test('are created once for a key, even by concurrent requests, and their token is shown once', async () => {
    const body = { name: ' Made once ', key: randomUUID() };
    const answers = await Promise.all([1, 2, 3, 4].map(() => manager('POST', 'clients', body)));
    const [made, ...more] = answers.filter(({ status }) => status === 201);
    assert.ok(made !== undefined && more.length === 0, answers.map(({ text }) => text).join());
    const id = String(at(made.body, 'client', 'id'));
    for (const answer of answers.filter((one) => one !== made)) {
      assert.deepEqual(codeIn(answer), [409, 'ALREADY_DONE']);
      assert.match(String(at(answer.body, 'message')), new RegExp(`client ${id} is "Made once"`));
    }
    const token = String(at(made.body, 'token'));
    assert.equal((await request(server, '/api/account', { token })).status, 200);
    assert.deepEqual(idsOf(await viewer('GET', 'clients?search=made%20once')), [id]);
    const other = await manager('POST', 'clients', { ...body, name: 'Another' });
    assert.deepEqual(codeIn(other), [409, 'KEY_REUSED']);
    const colleague = await enterOffice(server, 'owner');
    assert.deepEqual(codeIn(await colleague('POST', 'clients', body)), [409, 'KEY_REUSED']);
    const kept = await server.deps.db.selectFrom('admin_keys').selectAll().execute();
    assert.ok(!JSON.stringify(kept).includes(token));
    const nameless = await manager('POST', 'clients', { name: '  ', key: randomUUID() });
    assert.deepEqual(codeIn(nameless), [422, 'VALIDATION_FAILED']);
  });

  test('are renamed and suspended, which notifies servers and is audited with the old value', async () => {
    const { id, token } = await addClient(server, { name: 'Before' });
    const path = `clients/${id}`;
    const rename = () => manager('PATCH', path, { name: 'After' });
    assert.equal(await isHeard(rename), false);
    assert.equal(await isHeard(() => manager('PATCH', path, { status: 'suspended' })), true);
    assert.equal((await request(server, '/api/account', { token })).status, 403);
    assert.equal(await isHeard(() => manager('PATCH', path, { status: 'suspended' })), false);
    const seen = await viewer('GET', path);
    assert.deepEqual([at(seen.body, 'name'), at(seen.body, 'status')], ['After', 'suspended']);
    const [last, first, ...others] = await auditOf(id);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [at(first, 'action'), at(first, 'before', 'name'), at(first, 'after', 'name')],
      ['client change', 'Before', 'After'],
    );
    assert.deepEqual(
      [at(last, 'actor'), at(last, 'before', 'status'), at(last, 'after', 'status')],
      ['manager', 'active', 'suspended'],
    );
  });

  test('get all their rules at once, each list in order and each id once', async () => {
    const { id } = await addClient(server);
    const rules = {
      products: [12, 3, 12],
      operators: [2, 1],
      repeat_seconds: 60,
      daily_limit: 5000,
      pending_status: 409,
    };
    const none = {
      products: null,
      operators: null,
      repeat_seconds: null,
      daily_limit: null,
      pending_status: 202,
    };
    const set = { ...rules, products: [3, 12], operators: [1, 2] };
    const path = `clients/${id}/rules`;
    let changed: Answer | undefined;
    const versionNow = async () => at((await viewer('GET', `clients/${id}`)).body, 'rules_version');
    const version = await versionNow();
    const change = async (): Promise<void> => {
      changed = await manager('PUT', path, { ...rules, version });
    };
    assert.equal(await isHeard(change), true);
    assert.deepEqual(at(changed?.body, 'rules'), set);
    assert.deepEqual(at(changed?.body, 'day'), { spent: 0, limit: 5000 });
    const [entry] = await auditOf(id);
    assert.deepEqual([at(entry, 'before'), at(entry, 'after')], [none, set]);
    for (const wrong of [
      { ...rules, products: [] },
      { ...rules, operators: [6] },
      { ...rules, repeat_seconds: 86_401 },
      { ...rules, daily_limit: 0 },
      { ...rules, pending_status: 200 },
      { products: null },
    ]) {
      const refused = await manager('PUT', path, { ...wrong, version: await versionNow() });
      assert.deepEqual(codeIn(refused), [422, 'VALIDATION_FAILED'], JSON.stringify(wrong));
    }
    const back = await manager('PUT', path, { ...none, version: await versionNow() });
    assert.deepEqual(at(back.body, 'rules'), none);
  });

  test('keep the first change if two change the rules from the same version', async () => {
    const { id } = await addClient(server);
    const path = `clients/${id}/rules`;
    const seen = (await viewer('GET', `clients/${id}`)).body;
    const version = at(seen, 'rules_version');
    const rules = {
      products: null,
      operators: null,
      repeat_seconds: null,
      daily_limit: 1000,
      pending_status: 202,
    };
    const second = { ...rules, daily_limit: null, products: [7] };
    const first = await manager('PUT', path, { ...rules, version });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(codeIn(await manager('PUT', path, { ...second, version })), [
      409,
      'SETTINGS_CHANGED',
    ]);
    assert.deepEqual(at((await viewer('GET', `clients/${id}`)).body, 'rules'), rules);
    assert.equal((await auditOf(id)).length, 1);
    const same = await manager('PUT', path, { ...rules, version });
    assert.equal(same.status, 200, 'an equal change is no conflict');
    const now = at(first.body, 'rules_version');
    const done = await manager('PUT', path, { ...second, version: now });
    assert.deepEqual(at(done.body, 'rules', 'products'), [7]);
    const both = await Promise.all(
      [8, 9].map((product) =>
        manager('PUT', path, {
          ...rules,
          products: [product],
          version: at(done.body, 'rules_version'),
        }),
      ),
    );
    assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 409]));
  });
});

describe('tokens', () => {
  const tokenOf = async (clientId: string, id: string): Promise<unknown> => {
    const { body } = await viewer('GET', `clients/${clientId}`);
    return listOf(at(body, 'tokens')).find((token) => at(token, 'id') === id);
  };
  const isLetIn = async (token: unknown): Promise<boolean> =>
    (await request(server, '/api/account', { token: String(token) })).status === 200;
  /** Servers poll for changes twice a second. */
  const isSoonRefused = async (token: string): Promise<void> => {
    while (await isLetIn(token)) await sleep(20);
  };

  test('are created with scopes, networks and an expiry, and never shown again', async () => {
    const { id } = await addClient(server);
    const path = `clients/${id}/tokens`;
    const wanted = {
      name: 'till',
      scopes: ['purchase'],
      networks: ['127.0.0.0/8'],
      expires_at: '2999-01-01T00:00:00Z',
    };
    const key = randomUUID();
    const made = await manager('POST', path, { ...wanted, key });
    assert.deepEqual([made.status, keysOf(made.body)], [201, ['token_id', 'token']]);
    assert.ok(await isLetIn(at(made.body, 'token')));
    const shown = await tokenOf(id, String(at(made.body, 'token_id')));
    assert.deepEqual(
      { ...wanted, expires_at: '2999-01-01T00:00:00.000000Z', state: 'valid' },
      {
        name: at(shown, 'name'),
        scopes: at(shown, 'scopes'),
        networks: at(shown, 'networks'),
        expires_at: at(shown, 'expires_at'),
        state: at(shown, 'state'),
      },
    );
    const { text } = await viewer('GET', `clients/${id}`);
    const audit = JSON.stringify(await auditOf(id));
    assert.ok(!`${text}${audit}`.includes(String(at(made.body, 'token'))));
    assert.match(audit, /"client token create"/);
    for (const wrong of [
      { name: 'a', networks: ['10.0.0.0/99'] },
      { name: 'a', expires_at: '2020-01-01T00:00:00Z' },
      { name: 'a', expires_at: 'soon' },
      { name: 'a', scopes: [] },
    ]) {
      assert.equal(
        (await manager('POST', path, { ...wrong, key: randomUUID() })).status,
        422,
        JSON.stringify(wrong),
      );
    }
    assert.deepEqual(
      codeIn(await manager('POST', 'clients/unknown/tokens', { name: 'a', key: randomUUID() })),
      [404, 'CLIENT_NOT_FOUND'],
    );
  });

  test('are rotated: the new one is like the old one, which expires after the overlap, or earlier', async () => {
    const { id } = await addClient(server);
    const { clock } = server.deps;
    const options = { name: 'shop', scopes: ['purchase'], networks: ['127.0.0.1'] } as const;
    const old = await createToken(server.deps, id, options);
    const rotate = (tokenId: string, hours: number, more = {}) =>
      manager('POST', `clients/${id}/tokens/${tokenId}/rotation`, {
        overlap_hours: hours,
        key: randomUUID(),
        ...more,
      });
    const before = clock.now();
    const rotated = await rotate(old.id, 24);
    assert.equal(rotated.status, 201, rotated.text);
    const ends = Date.parse(String(at(rotated.body, 'old_expires_at')));
    assert.ok(ends >= before + 86_400_000 && ends <= clock.now() + 86_400_000);
    assert.ok((await isLetIn(old.token)) && (await isLetIn(at(rotated.body, 'token'))));
    const shown = await tokenOf(id, String(at(rotated.body, 'token_id')));
    assert.deepEqual(
      [at(shown, 'name'), at(shown, 'scopes'), at(shown, 'networks'), at(shown, 'expires_at')],
      ['shop', ['purchase'], ['127.0.0.1'], null],
    );

    const short = await createToken(server.deps, id, { expiresAt: clock.now() + 3_600_000 });
    const kept = await rotate(short.id, 720);
    assert.equal(
      at(kept.body, 'old_expires_at'),
      at(await tokenOf(id, short.id), 'expires_at'),
      'it is no longer than before',
    );
    assert.ok(Date.parse(String(at(kept.body, 'old_expires_at'))) <= clock.now() + 3_600_000);
    const newId = String(at(kept.body, 'token_id'));
    const endOf = async (tokenId: unknown) => at(await tokenOf(id, String(tokenId)), 'expires_at');
    assert.equal(await endOf(newId), await endOf(short.id), 'and neither is the new one');
    const later = await rotate(newId, 1, { expires_at: '2999-01-01T00:00:00Z' });
    assert.equal(await endOf(at(later.body, 'token_id')), '2999-01-01T00:00:00.000000Z');
    const endless = await rotate(String(at(later.body, 'token_id')), 1, { expires_at: null });
    assert.equal(await endOf(at(endless.body, 'token_id')), null);
    const past = await rotate(String(at(endless.body, 'token_id')), 1, {
      expires_at: '2020-01-01T00:00:00Z',
    });
    assert.deepEqual(codeIn(past), [422, 'VALIDATION_FAILED']);

    assert.equal(await isHeard(() => rotate(old.id, 0)), true);
    await isSoonRefused(old.token);
    assert.equal(at(await tokenOf(id, old.id), 'state'), 'revoked');
    assert.deepEqual(codeIn(await rotate(old.id, 24)), [409, 'TOKEN_ENDED']);
    const expired = await createToken(server.deps, id, { expiresAt: clock.now() });
    assert.deepEqual(codeIn(await rotate(expired.id, 24)), [409, 'TOKEN_ENDED']);
    const count = (await auditOf(id)).length;
    assert.equal(count, 5, 'refused requests changed nothing');
  });

  test('are created once for a key, and only the first answer shows the token', async () => {
    const { id } = await addClient(server);
    const first = await createToken(server.deps, id, {});
    for (const [path, body, other] of [
      ['tokens', { name: 'till' }, { name: 'another' }],
      [`tokens/${first.id}/rotation`, { overlap_hours: 24 }, { overlap_hours: 23 }],
    ] as const) {
      const count = async () =>
        listOf(at((await viewer('GET', `clients/${id}`)).body, 'tokens')).length;
      const before = await count();
      const key = randomUUID();
      const send = (sent: object = body) =>
        manager('POST', `clients/${id}/${path}`, { ...sent, key });
      const answers = await Promise.all([send(), send(), send(), send()]);
      const [made, ...more] = answers.filter(({ status }) => status === 201);
      assert.deepEqual(more, []);
      const tokenId = String(at(made?.body, 'token_id'));
      for (const again of [...answers.filter((one) => one !== made), await send()]) {
        assert.deepEqual(codeIn(again), [409, 'ALREADY_DONE']);
        assert.ok(again.text.includes(tokenId) && /rotate it or revoke it/.test(again.text));
        assert.ok(!again.text.includes(String(at(made?.body, 'token'))));
      }
      assert.deepEqual(codeIn(await send(other)), [409, 'KEY_REUSED']);
      assert.equal(await count(), before + 1);
    }
    const kept = await server.deps.db.selectFrom('admin_keys').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(kept), /simgate_/);
    assert.equal((await auditOf(id)).length, 2);
  });

  test('are revoked, which notifies servers; those of another client are not found', async () => {
    const { id } = await addClient(server);
    const { id: other } = await addClient(server);
    const token = await createToken(server.deps, id, {});
    const path = `tokens/${token.id}`;
    assert.deepEqual(codeIn(await manager('DELETE', `clients/${other}/${path}`)), [
      404,
      'TOKEN_NOT_FOUND',
    ]);
    const stolen = await manager('POST', `clients/${other}/${path}/rotation`, {
      overlap_hours: 0,
      key: randomUUID(),
    });
    assert.deepEqual(codeIn(stolen), [404, 'TOKEN_NOT_FOUND']);
    assert.ok(await isLetIn(token.token));
    const revoke = () => manager('DELETE', `clients/${id}/${path}`);
    assert.equal(await isHeard(revoke), true);
    await isSoonRefused(token.token);
    assert.equal(at((await revoke()).body, 'state'), 'revoked');
    const [last, ...rest] = await auditOf(id);
    assert.deepEqual([at(last, 'action'), rest], ['client token revoke', []]);
  });
});

describe('a credit limit', () => {
  const set = (as: Ask, id: string, body: object) => as('PUT', `clients/${id}/credit`, body);

  test('is set with a reason, seen by viewers, and in the audit log; only who may can set it', async () => {
    const { id } = await addClient(server, { name: 'Credit one', balance: 100 });
    const wanted = { credit_limit: 400, seen: 0, reason: ' a contract ' };
    assert.deepEqual(codeIn(await set(viewer, id, wanted)), [403, 'RIGHT_MISSING']);
    const done = await set(manager, id, wanted);
    assert.deepEqual(
      [done.status, done.body],
      [200, { available: 500, credit_limit: 400, credit_used: 0 }],
    );
    assert.equal((await set(manager, id, wanted)).text, done.text, 'a retry changes nothing');
    const { body } = await viewer('GET', `clients/${id}`);
    assert.deepEqual(
      [at(body, 'available'), at(body, 'credit_limit'), at(body, 'credit_used')],
      [500, 400, 0],
    );
    const [entry, ...rest] = await auditOf(id);
    assert.deepEqual(
      [at(entry, 'action'), at(entry, 'before'), at(entry, 'after'), rest],
      ['client credit', { credit_limit: 0 }, { credit_limit: 400, reason: 'a contract' }, []],
    );
    const stale = await set(manager, id, { ...wanted, credit_limit: 300 });
    assert.deepEqual(codeIn(stale), [409, 'SETTINGS_CHANGED']);
    assert.equal(at((await viewer('GET', `clients/${id}`)).body, 'credit_limit'), 400);
    const unknown = await set(manager, 'unknown', wanted);
    assert.deepEqual(codeIn(unknown), [404, 'CLIENT_NOT_FOUND']);
    for (const [part, field] of [
      [{ credit_limit: -1 }, 'credit_limit'],
      [{ credit_limit: 1.5 }, 'credit_limit'],
      [{ credit_limit: Number.MAX_SAFE_INTEGER, seen: 400 }, 'credit_limit'],
      [{ reason: ' a ' }, 'reason'],
    ] as const) {
      const { status, body: answer } = await set(manager, id, { ...wanted, ...part });
      assert.deepEqual([status, keysOf(at(answer, 'errors'))], [422, [field]]);
    }
  });

  test('counts in what clients can spend: in the list, its totals, its order and what is low', async () => {
    const { id: low } = await addClient(server, { name: 'Funds low', balance: 10 });
    const { id: covered } = await addClient(server, { name: 'Funds covered', balance: 5 });
    const { id: owing } = await addClient(server, { name: 'Funds owing' });
    await set(manager, covered, { credit_limit: 5_000_000, seen: 0, reason: 'a contract' });
    await set(manager, owing, { credit_limit: 70, seen: 0, reason: 'a contract' });
    await server.deps.db
      .transaction()
      .execute((db) =>
        writePostings(db, owing, [{ kind: 'hold', amount: 70, purchaseId: owing }], 0),
      );
    await set(manager, owing, { credit_limit: 20, seen: 70, reason: 'lowered' });
    const list = await viewer('GET', 'clients?search=funds&sort=available');
    assert.deepEqual(idsOf(list), [covered, low, owing]);
    assert.deepEqual(
      dataOf(list).map((one) => [at(one, 'available'), at(one, 'credit_used'), at(one, 'low')]),
      [
        [5_000_005, 0, false],
        [10, 0, true],
        [0, 70, true],
      ],
    );
    assert.deepEqual(at(list.body, 'totals'), { clients: 3, available: 5_000_015, held: 70 });
    assert.deepEqual(idsOf(await viewer('GET', 'clients?search=funds&low=true')), [owing, low]);
    const alerts = dataOf(await viewer('GET', 'alerts'));
    const used = alerts.find((one) => at(one, 'kind') === 'credit_used_up');
    assert.deepEqual([at(used, 'count'), at(used, 'client', 'id')], [1, owing]);
  });

  test('that is lowered notifies endpoints whose threshold the client can no longer spend', async () => {
    const { id, token } = await addClient(server, { balance: 100 });
    await set(manager, id, { credit_limit: 900, seen: 0, reason: 'a contract' });
    const endpoint = await makeEndpoint(server, {
      token,
      events: ['balance.low'],
      balanceBelow: 500,
    });
    await set(manager, id, { credit_limit: 400, seen: 900, reason: 'lowered' });
    await set(manager, id, { credit_limit: 399, seen: 400, reason: 'lowered' });
    const messages = await viewer('GET', `clients/${id}/webhooks/${endpoint.id}/messages`);
    assert.deepEqual(
      dataOf(messages).map((message) => at(message, 'type')),
      ['balance.low'],
      'once at 499',
    );
  });
});

describe('money', () => {
  const balanceOf = async (id: string): Promise<unknown> =>
    at((await viewer('GET', `clients/${id}`)).body, 'available');
  const entriesOf = async (id: string): Promise<readonly unknown[]> =>
    dataOf(await viewer('GET', `clients/${id}/statement`));

  test('is moved once for a key, even by concurrent requests, and all get the same answer', async () => {
    const { id } = await addClient(server, { balance: 100 });
    for (const [path, body, after] of [
      ['deposits', { amount: 50, note: 'by bank' }, 150],
      ['corrections', { amount: -120, reason: 'deposited twice' }, 30],
    ] as const) {
      const sent = { ...body, key: randomUUID() };
      const send = () => manager('POST', `clients/${id}/${path}`, sent);
      const answers = await Promise.all([send(), send(), send(), send(), send(), send()]);
      const [first] = answers;
      assert.equal(first?.status, 201, first?.text);
      assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set([first?.text]));
      assert.deepEqual(keysOf(first?.body), ['posting', 'available', 'held']);
      assert.equal(at(first?.body, 'posting', 'amount'), body.amount);
      assert.deepEqual([at(first?.body, 'available'), await balanceOf(id)], [after, after]);
      const upper = { ...sent, key: sent.key.toUpperCase() };
      assert.equal((await manager('POST', `clients/${id}/${path}`, upper)).text, first?.text);
      const other = await manager('POST', `clients/${id}/${path}`, { ...sent, amount: 1 });
      assert.deepEqual(codeIn(other), [409, 'KEY_REUSED']);
    }
    const [correction, added] = await entriesOf(id);
    assert.deepEqual(
      [at(correction, 'kind'), at(correction, 'amount'), at(correction, 'to')],
      ['correction', 120, 'corrections'],
    );
    assert.deepEqual([at(correction, 'note'), at(added, 'note')], ['deposited twice', 'by bank']);
    const audit = await auditOf(id);
    assert.deepEqual(
      audit.map((entry) => [at(entry, 'action'), at(entry, 'after', 'amount')]),
      [
        ['client correct', -120],
        ['client deposit', 50],
      ],
    );
    assert.deepEqual(at(audit[0], 'before'), { available: 150, held: 0 });
  });

  test('under a key for another client is refused, and a refusal releases its key', async () => {
    const { id } = await addClient(server, { balance: 10 });
    const { id: other } = await addClient(server);
    const key = randomUUID();
    const take = { amount: -11, reason: 'too much', key };
    for (let count = 0; count < 2; count += 1) {
      const refused = await manager('POST', `clients/${id}/corrections`, take);
      assert.deepEqual(codeIn(refused), [409, 'BALANCE_TOO_SMALL']);
    }
    assert.deepEqual([await balanceOf(id), (await entriesOf(id)).length], [10, 1]);
    assert.deepEqual(await auditOf(id), []);
    await deposit(server.deps, { clientId: id, amount: 1 });
    assert.equal((await manager('POST', `clients/${id}/corrections`, take)).status, 201);
    assert.equal(await balanceOf(id), 0);
    const elsewhere = await manager('POST', `clients/${other}/corrections`, take);
    assert.deepEqual(codeIn(elsewhere), [409, 'KEY_REUSED']);
    const missing = await manager('POST', 'clients/unknown/deposits', {
      amount: 1,
      key: randomUUID(),
    });
    assert.deepEqual(codeIn(missing), [404, 'CLIENT_NOT_FOUND']);
  });

  test('that is invalid is refused field by field', async () => {
    const { id } = await addClient(server, { balance: 10 });
    const key = randomUUID();
    for (const [path, body, field] of [
      ['deposits', { amount: 0, key }, 'amount'],
      ['deposits', { amount: 1.5, key }, 'amount'],
      ['deposits', { amount: Number.MAX_SAFE_INTEGER, key }, 'amount'],
      ['deposits', { amount: 1, key: 'x' }, 'key'],
      ['corrections', { amount: 0, reason: 'nothing', key }, 'amount'],
      ['corrections', { amount: 1, reason: ' a ', key }, 'reason'],
      ['corrections', { amount: 1, key }, 'reason'],
    ] as const) {
      const { status, body: answer } = await manager('POST', `clients/${id}/${path}`, body);
      assert.equal(status, 422, JSON.stringify(body));
      assert.deepEqual(keysOf(at(answer, 'errors')), [field]);
    }
    assert.equal(await balanceOf(id), 10);
  });

  test('that is deducted notifies endpoints whose threshold the balance falls below', async () => {
    const { id, token } = await addClient(server, { balance: 1000 });
    const endpoint = await makeEndpoint(server, {
      token,
      events: ['balance.low'],
      balanceBelow: 500,
    });
    const correct = (amount: number) =>
      manager('POST', `clients/${id}/corrections`, { amount, reason: 'a test', key: randomUUID() });
    for (const amount of [-500, -1, 100, -50]) await correct(amount);
    const messages = await viewer('GET', `clients/${id}/webhooks/${endpoint.id}/messages`);
    assert.deepEqual(
      dataOf(messages).map((message) => at(message, 'type')),
      ['balance.low'],
      'once at 499, for 549 is above',
    );
  });

  test('is in a statement, page by page and as the client’s own file', async () => {
    const { id, token } = await addClient(server, { balance: 100 });
    for (let amount = 1; amount <= 5; amount += 1) {
      await deposit(server.deps, { clientId: id, amount, note: `=${amount}` });
    }
    const path = `clients/${id}/statement`;
    const seen: unknown[] = [];
    let before = '';
    do {
      const { body } = await viewer('GET', `${path}?limit=4&before=${before}`);
      assert.deepEqual(at(body, 'opening'), { available: 0, held: 0, balance: 0 });
      assert.deepEqual(at(body, 'closing'), { available: 115, held: 0, balance: 115 });
      seen.push(...listOf(at(body, 'data')).map((entry) => at(entry, 'seq')));
      const next = at(body, 'next');
      before = typeof next === 'string' ? next : '';
    } while (before !== '');
    assert.deepEqual(seen, [6, 5, 4, 3, 2, 1]);
    const csv = await viewer('GET', `${path}.csv`);
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
    const own = await request(server, '/api/statement?format=csv', { token });
    assert.equal(csv.text, own.text);
    const future = await viewer('GET', `${path}?from=2999-01-01`);
    assert.deepEqual(dataOf(future), []);
    assert.deepEqual(at(future.body, 'opening', 'available'), 115);
    for (const query of ['before=x', 'from=soon', 'limit=0']) {
      assert.equal((await viewer('GET', `${path}?${query}`)).status, 422, query);
    }
  });

  test('leaves a correct ledger', async () => {
    const { problems } = await verifyLedger(server.deps.db);
    assert.deepEqual(problems, []);
  });

  test('has keys that live for thirty days, and are deleted at a later sign-in', async () => {
    const { db, clock } = server.deps;
    const keys = db.selectFrom('admin_keys').select('key').orderBy('at').limit(2);
    const [gone, kept] = (await keys.execute()).map(({ key }) => key);
    const day = 86_400_000;
    for (const [key, days] of [
      [gone, 30.1],
      [kept, 29.9],
    ] as const) {
      await db
        .updateTable('admin_keys')
        .set({ at: Math.floor(clock.now() - days * day) })
        .where('key', '=', key ?? '')
        .execute();
    }
    const password = 'correct horse battery';
    const command = { accountId: null, name: 'root', address: null };
    await createAccount(officeDeps(server), command, { name: 'late', role: 'viewer', password });
    const entered = await request(server, '/admin/api/login', {
      token: null,
      json: { name: 'late', password },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(entered.status, 200);
    const rows = await db.selectFrom('admin_keys').select('key').execute();
    const left = new Set(rows.map(({ key }) => key));
    assert.deepEqual([left.has(gone ?? ''), left.has(kept ?? '')], [false, true]);
  });
});

describe("a client's contact", () => {
  const contact = {
    name: ' Accounting desk ',
    email: 'accounting@shop.example',
    phone: '0912 765 43 21',
    about: 'weekdays',
  };
  const billing = {
    legal_name: 'Shop Ltd.',
    tax_number: '103',
    address: 'Street 1\n0912 765 43 21',
  };
  const noBilling = { legal_name: '', tax_number: '', address: '' };

  test('is empty at first, set as a whole, audited with the old one, and masked by role', async () => {
    const { id } = await addClient(server);
    const path = `clients/${id}/contact`;
    const empty = { name: '', email: '', phone: '', about: '', ...noBilling };
    assert.deepEqual((await viewer('GET', path)).body, empty);
    const saved = await manager('PUT', path, contact);
    assert.deepEqual(saved.body, { ...contact, name: 'Accounting desk', ...noBilling });
    assert.deepEqual((await manager('GET', path)).body, saved.body);
    assert.equal(at((await viewer('GET', path)).body, 'phone'), '0*** *** 43 21');
    await manager('PUT', path, contact);
    const [entry, ...others] = await auditOf(id);
    assert.deepEqual(others, [], 'an unchanged contact is not audited');
    assert.deepEqual(
      [at(entry, 'action'), at(entry, 'before', 'contact'), at(entry, 'after', 'contact', 'name')],
      ['client contact', empty, 'Accounting desk'],
    );
  });

  test('has who is billed too, which stays where a caller does not know of it', async () => {
    const { id } = await addClient(server);
    const path = `clients/${id}/contact`;
    const set = await manager('PUT', path, { ...contact, ...billing });
    assert.deepEqual(set.body, { ...contact, name: 'Accounting desk', ...billing });
    const kept = await manager('PUT', path, { ...contact, about: '', tax_number: '' });
    const after = { ...contact, name: 'Accounting desk', about: '', ...billing, tax_number: '' };
    assert.deepEqual(kept.body, after);
    assert.equal(at((await viewer('GET', path)).body, 'address'), 'Street 1\n0*** *** 43 21');
    const long = { ...contact, address: 'x'.repeat(501) };
    assert.equal((await manager('PUT', path, long)).status, 422);
  });

  test('is refused if it is not valid, or of no client', async () => {
    const { id } = await addClient(server);
    const wrong = await manager('PUT', `clients/${id}/contact`, { ...contact, email: 'at home' });
    assert.deepEqual(codeIn(wrong), [422, 'VALIDATION_FAILED']);
    assert.deepEqual(keysOf(at(wrong.body, 'errors')), ['email']);
    const long = { ...contact, about: 'x'.repeat(2001) };
    assert.equal((await manager('PUT', `clients/${id}/contact`, long)).status, 422);
    for (const [method, body] of [['GET'], ['PUT', contact]] as const) {
      const answer = await manager(method, 'clients/unknown/contact', body);
      assert.deepEqual(codeIn(answer), [404, 'CLIENT_NOT_FOUND']);
    }
    assert.deepEqual(await auditOf(id), []);
  });
});

describe('notes about a client', () => {
  test('are added once for a key, dated, signed, and listed page by page', async () => {
    const { id } = await addClient(server);
    const path = `clients/${id}/notes`;
    const body = { note: ' first, for 0912 765 43 21 ', key: randomUUID() };
    const [made, again] = [await manager('POST', path, body), await manager('POST', path, body)];
    assert.deepEqual([made.status, again.status], [201, 201]);
    assert.deepEqual(again.body, made.body);
    const other = await manager('POST', path, { ...body, note: 'another' });
    assert.deepEqual(codeIn(other), [409, 'KEY_REUSED']);
    await sleep(10);
    await manager('POST', path, { note: 'second', key: randomUUID() });
    const page = await viewer('GET', `${path}?limit=1`);
    const rest = await viewer('GET', `${path}?before=${String(at(page.body, 'next'))}`);
    const shown = [...dataOf(page), ...dataOf(rest)].map((one) => [
      at(one, 'author'),
      at(one, 'note'),
    ]);
    assert.deepEqual(shown, [
      ['manager', 'second'],
      ['manager', 'first, for 0*** *** 43 21'],
    ]);
    assert.ok(Date.parse(String(at(dataOf(page)[0], 'at'))) <= server.deps.clock.now());
    assert.deepEqual(
      (await auditOf(id)).map((one) => [at(one, 'action'), at(one, 'after', 'note')]),
      [
        ['client note', 'second'],
        ['client note', 'first, for 0912 765 43 21'],
      ],
    );
  });

  test('of no client or without text are refused', async () => {
    const { id } = await addClient(server);
    const empty = await manager('POST', `clients/${id}/notes`, { note: '  ', key: randomUUID() });
    assert.deepEqual(codeIn(empty), [422, 'VALIDATION_FAILED']);
    const lost = { note: 'x', key: randomUUID() };
    for (const answer of [
      await manager('POST', 'clients/unknown/notes', lost),
      await manager('GET', 'clients/unknown/notes'),
      await manager('GET', 'clients/unknown/outcomes'),
    ]) {
      assert.deepEqual(codeIn(answer), [404, 'CLIENT_NOT_FOUND']);
    }
  });
});

describe("a client's webhooks", () => {
  test('are shown with their status, and never with a secret', async () => {
    const { id, token } = await addClient(server);
    const url = 'https://shop.example/hooks?key=a-token-of-theirs';
    const endpoint = await makeEndpoint(server, { token, url });
    const { db, clock, newId } = server.deps;
    const now = clock.now();
    // So that nothing is sent during this test.
    await db
      .updateTable('webhook_endpoints')
      .set({ status: 'disabled', disabled_by: 'gone' })
      .where('id', '=', endpoint.id)
      .execute();
    const ids = [newId(), newId(), newId()].sort().map(messageIdFrom);
    const common = { endpointId: endpoint.id, type: 'catalogue.changed', payload: '{}' } as const;
    await insertMessages(
      db,
      ids.map((id) => ({ ...common, id })),
      now,
    );
    const ended = { due_at: null, ended_at: now, tried: '[{"at":1,"ms":2,"status":500}]' };
    const of = (index: number) =>
      db
        .updateTable('webhook_messages')
        .where('endpoint_id', '=', endpoint.id)
        .where('id', '=', ids[index] ?? '');
    await of(0)
      .set({ ...ended, state: 'failed' })
      .execute();
    await of(1)
      .set({ ...ended, state: 'delivered' })
      .execute();
    // Not to be sent during this test.
    await of(2)
      .set({ due_at: now + 600_000 })
      .execute();
    const listed = await viewer('GET', `clients/${id}/webhooks`);
    assert.ok(!listed.text.includes(endpoint.secret) && !listed.text.includes('whsec'));
    assert.ok(!listed.text.includes('a-token-of-theirs'));
    const [shown, ...others] = dataOf(listed);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [at(shown, 'id'), at(shown, 'url'), at(shown, 'status'), at(shown, 'disabled_by')],
      [endpoint.id, 'https://shop.example/hooks?key=***', 'disabled', 'gone'],
    );
    assert.deepEqual(
      [at(shown, 'waiting'), at(shown, 'failed'), at(shown, 'delivered_last_at')],
      [1, 1, new Date(now).toISOString().replace('Z', '000Z')],
    );
    const path = `clients/${id}/webhooks/${endpoint.id}/messages`;
    assert.deepEqual(idsOf(await viewer('GET', path)), [...ids].reverse());
    const failed = await viewer('GET', `${path}?state=failed`);
    assert.deepEqual(
      dataOf(failed).map((one) => [at(one, 'id'), at(one, 'last_status')]),
      [[ids[0], 500]],
    );
    const page = await viewer('GET', `${path}?limit=2`);
    const next = String(at(page.body, 'next'));
    assert.deepEqual(idsOf(await viewer('GET', `${path}?limit=2&before=${next}`)), [ids[0]]);

    const replayed = await manager('POST', `${path}/${ids[0]}/replay`);
    assert.deepEqual([replayed.status, at(replayed.body, 'state')], [202, 'waiting']);
    const [entry] = await auditOf(id);
    assert.deepEqual(
      [at(entry, 'action'), at(entry, 'before', 'state'), at(entry, 'after', 'message_id')],
      ['client webhook replay', 'failed', ids[0]],
    );
    assert.deepEqual(codeIn(await manager('POST', `${path}/none/replay`)), [
      404,
      'MESSAGE_NOT_FOUND',
    ]);
    assert.equal((await auditOf(id)).length, 1);
  });

  test('are working, failing or untried by their real attempts, and disabled only if they are', async () => {
    const { id, token } = await addClient(server);
    const endpoint = await makeEndpoint(server, {
      token,
      events: ['balance.low'],
      balanceBelow: 1,
    });
    const { db, newId } = server.deps;
    const health = async (): Promise<unknown[]> => {
      const [shown] = dataOf(await viewer('GET', `clients/${id}/webhooks`));
      const fields = ['health', 'failing_since'] as const;
      return [...fields.map((field) => at(shown, field)), at(shown, 'last_attempt', 'status')];
    };
    assert.deepEqual(await health(), ['untried', null, undefined]);
    const messageIds = [newId(), newId()].sort().map(messageIdFrom);
    const tell = (index: number, tried: unknown): Promise<unknown> => {
      const row = { endpoint_id: endpoint.id, id: messageIds[index] ?? '', type: 'balance.low' };
      const data = { id: newId(), mobile: '989127654321', webservice_code: 'for 09127654321' };
      return db
        .insertInto('webhook_messages')
        .values({
          ...row,
          payload: JSON.stringify({ type: row.type, data }),
          state: 'failed',
          attempts: 1,
          step: 1,
          tried: JSON.stringify(tried),
          due_at: null,
          created_at: 1,
          ended_at: 2,
        })
        .execute();
    };
    await tell(0, [
      { at: 1000, ms: 2, status: 500 },
      { at: 2000, ms: 2, status: 204 },
    ]);
    assert.deepEqual(await health(), ['working', null, 204]);
    await tell(1, [
      { at: 3000, ms: 2, failure: { code: 'connection_refused', values: {} } },
      { at: 4000, ms: 2, status: 404 },
    ]);
    assert.deepEqual(await health(), ['failing', '1970-01-01T00:00:03.000000Z', 404]);
    const messages = `clients/${id}/webhooks/${endpoint.id}/messages`;
    for (const ask of [viewer, manager]) {
      const { text, body } = await ask('GET', `${messages}/${messageIds[1]}`);
      assert.ok(!text.includes('9127654321'), text);
      assert.match(String(at(body, 'payload')), /"mobile":"98\*{6}4321".*"for 0\*{6}4321"/);
      assert.deepEqual(
        listOf(at(body, 'tried')).map((one) => [at(one, 'status'), at(one, 'failure')]),
        [
          [null, 'connection_refused'],
          [404, null],
        ],
      );
    }
    assert.deepEqual(codeIn(await viewer('GET', `${messages}/none`)), [404, 'MESSAGE_NOT_FOUND']);
    await manager('PATCH', `clients/${id}/webhooks/${endpoint.id}`, { status: 'disabled' });
    assert.deepEqual(await health(), ['disabled', null, 404]);
  });

  test('are disabled and enabled again, and their client sees by whom', async () => {
    const { id, token } = await addClient(server);
    const endpoint = await makeEndpoint(server, { token });
    const path = `clients/${id}/webhooks/${endpoint.id}`;
    const own = async (): Promise<unknown> => {
      const { body } = await request(server, `/api/webhooks/${endpoint.id}`, { token });
      return [at(body, 'status'), at(body, 'disabled_by')];
    };
    const off = await manager('PATCH', path, { status: 'disabled' });
    assert.deepEqual([off.status, at(off.body, 'disabled_by')], [200, 'gateway']);
    assert.deepEqual(await own(), ['disabled', 'gateway']);
    await manager('PATCH', path, { status: 'disabled' });
    assert.equal((await auditOf(id)).length, 1, 'an unchanged status is not audited');
    await manager('PATCH', path, { status: 'active' });
    assert.deepEqual(await own(), ['active', null]);
    await request(server, `/api/webhooks/${endpoint.id}`, {
      token,
      method: 'PATCH',
      json: { status: 'disabled' },
    });
    assert.deepEqual(await own(), ['disabled', 'client']);
    const [last] = await auditOf(id);
    assert.deepEqual(
      [at(last, 'before', 'disabled_by'), at(last, 'after', 'status')],
      ['gateway', 'active'],
    );
    assert.ok(!JSON.stringify(await auditOf(id)).includes(endpoint.secret));
  });

  test('of another client, or of none, are not found', async () => {
    const { id, token } = await addClient(server);
    const { id: other } = await addClient(server);
    const endpoint = await makeEndpoint(server, { token });
    for (const [client, code] of [
      [other, 'ENDPOINT_NOT_FOUND'],
      ['unknown', 'CLIENT_NOT_FOUND'],
    ] as const) {
      const path = `clients/${client}/webhooks/${endpoint.id}`;
      assert.deepEqual(codeIn(await viewer('GET', `${path}/messages`)), [404, code]);
      assert.deepEqual(codeIn(await manager('POST', `${path}/messages/m/replay`)), [404, code]);
      assert.deepEqual(codeIn(await manager('PATCH', path, { status: 'disabled' })), [404, code]);
    }
    const [shown] = dataOf(await viewer('GET', `clients/${id}/webhooks`));
    assert.equal(at(shown, 'status'), 'active');
  });
});

describe('the audit log', () => {
  test('names the client of an entry, and lists who is in it once', async () => {
    const { id } = await addClient(server, { name: 'Named' });
    await manager('PATCH', `clients/${id}`, { name: 'Named again' });
    const [entry] = await auditOf(id);
    assert.deepEqual([at(entry, 'subject'), at(entry, 'subject_name')], [id, 'Named again']);
    const names = dataOf(await manager('GET', 'audit/actors')).map(String);
    assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted());
    assert.ok(names.includes('manager'));
    assert.equal((await viewer('GET', 'audit/actors')).status, 403);
  });

  test('is exported by its filter, a line for each field, without JSON and formulas', async () => {
    const { id } = await addClient(server, { name: 'Before' });
    await manager('PATCH', `clients/${id}`, { name: '=After', status: 'suspended' });
    await manager('POST', `clients/${id}/tokens`, { key: randomUUID(), name: 'the shop' });
    const csv = await manager('GET', `audit.csv?subject=${id}&actor=manager`);
    const [titles, ...lines] = csv.text.trimEnd().split('\r\n');
    assert.equal(titles, 'id,at,actor,action,subject,subject_name,field,before,after,address');
    const changed = lines
      .filter((line) => line.includes(',client change,'))
      .map((line) => line.split(',').slice(2, 9));
    assert.deepEqual(changed, [
      ['manager', 'client change', id, "'=After", 'name', 'Before', "'=After"],
      ['manager', 'client change', id, "'=After", 'status', 'active', 'suspended'],
    ]);
    assert.ok(
      lines.some((line) => line.includes(',token.scopes,,catalogue offers purchase webhooks,')),
    );
    assert.doesNotMatch(csv.text, /[{}[\]]/);
    const none = await manager('GET', `audit.csv?subject=${id}&to=2020-01-01`);
    assert.equal(none.text.trimEnd(), titles);
    const created = await manager('GET', `audit.csv?subject=${id}&action=client%20token%20create`);
    assert.doesNotMatch(created.text, /client change/);
    assert.equal((await viewer('GET', 'audit.csv')).status, 403);
  });
});
