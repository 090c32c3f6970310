/** Tests that the console chooses the connector of an operator, from those that were loaded and no others. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Type } from 'typebox';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { openSession } from '../../src/admin/access/sign-in.ts';
import { type Config, type OperatorConfig, readConfig } from '../../src/config/config.ts';
import { defineConnector } from '../../src/connector/connector.ts';
import { createLockRetry } from '../../src/db/lock-retry.ts';
import { createSecrets } from '../../src/db/secrets/keys.ts';
import { makeKey } from '../../src/db/secrets/seal.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { sealSettings } from '../../src/operators/settings/sealed.ts';
import { saveSettings } from '../../src/operators/settings/store.ts';
import { simulator } from '../../src/operators/simulator/index.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { parsed } from '../support/live.ts';
import { quickPasswords } from '../support/passwords.ts';
import { type Answer, request, type StartedServer, startServer } from '../support/server.ts';
import { aPackage, assertSold, buy, catalogue, newKey, packages } from './buying.ts';

const connectorOf = (name: string, sold: string[]) =>
  defineConnector({
    name,
    settings: Type.Object({
      url: Type.String(),
      pin: Type.String({ secret: true, minLength: 4 }),
    }),
    identifiedBy: ['url'],
    connect: ({ url }) => ({
      buy: async ({ ref }) => {
        sold.push(`${name} at ${url}`);
        return { kind: 'done', ref };
      },
      status: async () => ({ kind: 'not_found' }),
      deadlineMs: 1000,
      close: async () => {},
    }),
  });

const sold: string[] = [];
const connectors = [connectorOf('cedar', sold), connectorOf('pine', sold), simulator];
const withoutConnector: OperatorConfig = { id: 1, name: 'operator_1', connector: '', settings: {} };
const simulated: OperatorConfig = {
  id: 2,
  name: 'operator_2',
  connector: 'simulator',
  settings: {},
};

/** As in production, where operator 1 has no connector. */
const config: Partial<Config> = {
  operators: [simulated],
  unconnected: [withoutConnector],
  notForSale: ['operator_1'],
  simulatable: [2],
  secretsKey: makeKey(systemRandom),
};

const secret = 'pin-of-cedar';
const settings = { url: 'https://cedar.example', pin: secret };

describe('the connector of an operator', () => {
  let server: StartedServer;
  let call: (method: string, path: string, json?: unknown) => Promise<Answer>;

  before(async () => {
    server = await startServer({ products: catalogue, connectors, config });
    const limits = { idleMs: 1_800_000, absoluteMs: 43_200_000 };
    const deps = {
      ...server.deps,
      limits,
      passwords: quickPasswords,
      retryLocked: createLockRetry(systemClock),
    };
    const by = { accountId: null, name: 'root', address: null };
    const { account } = await createAccount(deps, by, { name: 'the-owner', role: 'owner' });
    const visitor = { address: '127.0.0.1', agent: 'a test', token: undefined };
    const { token } = await server.deps.db
      .transaction()
      .execute((db) => openSession(db, deps, account, { visitor, stage: 'full' }));
    const headers = { cookie: `simgate-admin=${token}`, 'sec-fetch-site': 'same-origin' };
    call = (method, path, json) =>
      request(server, `/admin/api/operators${path}`, {
        token: null,
        headers,
        method,
        ...(json === undefined ? {} : { json }),
      });
  });
  after(async () => {
    await server.stop();
  });

  const versionOf = async (id: number): Promise<unknown> =>
    at((await call('GET', `/${id}`)).body, 'version');
  const choose = async (id: number, connector: string, given: object): Promise<Answer> =>
    call('PUT', `/${id}/settings`, { connector, settings: given, version: await versionOf(id) });
  const namesFor = async (id: number): Promise<unknown[]> =>
    listOf(at((await call('GET', `/${id}/connectors`)).body, 'data')).map((one) => at(one, 'name'));
  const stateOf = async (id: number): Promise<unknown[]> => {
    const { body } = await call('GET', `/${id}`);
    return [at(body, 'connector'), at(body, 'health'), at(body, 'settings_from')];
  };

  test('is none where the file gives none: it is listed, and nothing is sold of it', async () => {
    const listed = listOf(at((await call('GET', '')).body, 'data'));
    assert.deepEqual(
      listed.map((one) => [at(one, 'id'), at(one, 'health')]),
      [
        [1, 'unconnected'],
        [2, 'up'],
      ],
    );
    assert.notEqual((await buy(server, aPackage)).status, 200);
  });

  test('is chosen from those that were loaded; in production the simulator only where the file has it', async () => {
    assert.deepEqual(await namesFor(1), ['cedar', 'pine']);
    assert.deepEqual(await namesFor(2), ['cedar', 'pine', 'simulator']);
    for (const name of ['simulator', './cedar.js', '/etc/simgate/cedar.js', 'node:fs', '']) {
      const refused = await choose(1, name, settings);
      assert.equal(refused.status, 422, name);
      assert.equal(at(refused.body, 'code'), 'VALIDATION_FAILED');
      assert.ok(at(refused.body, 'errors', 'connector') !== undefined, refused.text);
    }
    assert.deepEqual(await stateOf(1), ['', 'unconnected', 'file']);
  });

  test('needs settings that fit it', async () => {
    const refused = await choose(1, 'cedar', { url: settings.url });
    assert.equal(refused.status, 422);
    assert.deepEqual(keysOf(at(refused.body, 'errors')), ['pin']);
  });

  test('is in use at once, sealed, audited, and in other processes', async () => {
    const changed = await choose(1, 'cedar', settings);
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(await stateOf(1), ['cedar', 'up', 'console']);
    assertSold(await buy(server, aPackage));
    assert.deepEqual(sold, ['cedar at https://cedar.example']);
    const rows = await server.deps.db.selectFrom('admin_audit').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(secret));
    const entry = rows.find(({ subject }) => subject === 'operator 1');
    assert.equal(at(parsed(entry?.before_it ?? ''), 'connector'), '');
    assert.equal(at(parsed(entry?.after_it ?? ''), 'connector'), 'cedar');
    const stored = await server.deps.db.selectFrom('operator_settings').selectAll().execute();
    assert.deepEqual(
      stored.map(({ connector, chosen_over }) => [connector, chosen_over]),
      [['cedar', '']],
    );
    assert.doesNotMatch(JSON.stringify(stored), new RegExp(secret));
  });

  /** Starts another process by this configuration, and buys there: what is for sale, and who sold it. */
  const startedWith = async (changes: Partial<Config>): Promise<unknown[]> => {
    const whole = {
      ...readConfig({ PORT: '0', ...server.env }),
      suppliers: [],
      ...config,
      ...changes,
    };
    const log = createLog({ level: 'silent', mobile: whole.mobile });
    const gateway = await createGateway({ config: whole, db: server.deps.db, log, connectors });
    const headers = { authorization: `Bearer ${server.client.token}`, 'idempotency-key': newKey() };
    try {
      const { body } = await gateway.app.inject({ url: '/api/operators', headers });
      const count = sold.length;
      await gateway.app.inject({ url: packages, method: 'POST', headers, payload: aPackage });
      const ids = listOf(at(parsed(body), 'data')).map((one) => at(one, 'id'));
      return [ids, sold.slice(count)];
    } finally {
      await gateway.close();
    }
  };

  test('counts after a start, for as long as the file says what it said then', async () => {
    assert.deepEqual(await startedWith({}), [[1, 2], ['cedar at https://cedar.example']]);
    const inFile = {
      ...withoutConnector,
      connector: 'pine',
      settings: { ...settings, url: 'file' },
    };
    const other = await startedWith({ operators: [inFile, simulated], unconnected: [] });
    assert.deepEqual(other, [[1, 2], ['pine at file']]);
  });

  test('is exchanged for another without a secret of the first', async () => {
    const masked = await choose(1, 'pine', { url: 'https://pine.example', pin: '***' });
    assert.equal(masked.status, 422, masked.text);
    assert.deepEqual(await stateOf(1), ['cedar', 'up', 'console']);
    const given = { url: 'https://pine.example', pin: 'another' };
    assert.equal((await choose(1, 'pine', given)).status, 200);
    assertSold(await buy(server, aPackage));
    assert.equal(sold.at(-1), 'pine at https://pine.example');
    const version = await versionOf(1);
    const kept = { settings: { url: 'https://pine.example/', pin: '***' }, version };
    assert.equal(
      (await call('PUT', '/1/settings', kept)).status,
      200,
      'without a connector it stays',
    );
    assert.deepEqual(await stateOf(1), ['pine', 'up', 'console']);
  });

  test('goes back to none with the settings of the console', async () => {
    assert.equal((await call('DELETE', '/1/settings')).status, 200);
    assert.deepEqual(await stateOf(1), ['', 'unconnected', 'file']);
    assert.notEqual((await buy(server, aPackage)).status, 200);
    assert.deepEqual(await startedWith({}), [[2], []]);
  });

  test('is never the simulator in production, even if the database says so', async () => {
    const secrets = createSecrets({ ...readConfig(server.env), ...config }, systemRandom);
    const place = { operator_id: 1, connector: 'simulator' };
    const sealed = sealSettings(secrets, place, {}) ?? '';
    const row = { ...place, sealed, version: 'by hand', changed_at: 1, chosen_over: '' };
    await saveSettings(server.deps.db, row);
    assert.deepEqual(await startedWith({}), [[2], []]);
    assert.deepEqual(await startedWith({ simulatable: [1, 2] }), [[1, 2], []]);
  });
});
