/** Tests operators in the back office: sealed settings that apply at once, suspensions, faults, and no leaked secret. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Type } from 'typebox';
import { createAccount } from '../../src/admin/access/accounts.ts';
import type { Role } from '../../src/admin/access/roles.ts';
import { openSession } from '../../src/admin/access/sign-in.ts';
import { type Config, type OperatorConfig, readConfig } from '../../src/config/config.ts';
import { type Connection, defineConnector } from '../../src/connector/connector.ts';
import { createLockRetry } from '../../src/db/lock-retry.ts';
import { makeKey } from '../../src/db/secrets/seal.ts';
import { createGateway, type Gateway } from '../../src/gateway/gateway.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { noFaults } from '../../src/operators/simulator/faults.ts';
import { startSimulator } from '../../src/operators/simulator/server/server.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { testEngine } from '../support/database.ts';
import { eventually, parsed } from '../support/live.ts';
import { quickPasswords } from '../support/passwords.ts';
import {
  type Answer,
  request,
  type StartedServer,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';
import { makeEndpoint } from '../support/webhooks.ts';
import { aPackage, assertSold, buy, catalogue, moneyOf, prepaid, recorded } from './buying.ts';

const limits = { idleMs: 1_800_000, absoluteMs: 43_200_000 };
const command = { accountId: null, name: 'root', address: null };
const visitor = { address: '127.0.0.1', agent: 'a test', token: undefined };
// The file of the data folder is tested on SQLite.
const secretsKey = makeKey(systemRandom);
const withKey: Partial<Config> = testEngine === 'postgres' ? { secretsKey } : {};

type Call = (method: string, path: string, json?: unknown) => Promise<Answer>;

/** A signed-in account of that role. */
const signedIn = async (server: TestServer, role: Role): Promise<Call> => {
  const deps = {
    ...server.deps,
    limits,
    passwords: quickPasswords,
    retryLocked: createLockRetry(systemClock),
  };
  const { account } = await createAccount(deps, command, { name: `the-${role}`, role });
  const { token } = await server.deps.db
    .transaction()
    .execute((db) => openSession(db, deps, account, { visitor, stage: 'full' }));
  const headers = { cookie: `simgate-admin=${token}`, 'sec-fetch-site': 'same-origin' };
  return (method, path, json) =>
    request(server, `/admin/api/operators${path}`, {
      token: null,
      headers,
      ...(json === undefined ? {} : { json }),
      method,
    });
};

/** The number whose order is delivered, and the answer lost. */
const lost = `${prepaid.slice(0, -2)}02`;

const fileSecret = 'secret-of-the-file';
const settingsSchema = Type.Object({
  url: Type.String({ minLength: 1, description: 'Where it is.' }),
  pin: Type.Optional(Type.String({ secret: true, minLength: 4, description: 'Who we are.' })),
  atOnce: Type.Integer({ default: 100, minimum: 1, description: 'How much at once.' }),
});

/** An operator that shows which settings were used, and cannot be opened at one address. */
const marked = () => {
  const opened: { readonly url: string; readonly pin: string | undefined }[] = [];
  const ordered = new Set<string>();
  const connector = defineConnector({
    name: 'marked',
    settings: settingsSchema,
    settlesWithin: 0,
    inquiries: { firstInquiryMs: 1, widestInquiryMs: 10, reviewAfterMs: 60_000 },
    connect: ({ url, pin, atOnce }): Connection => {
      if (url === 'nowhere') throw new Error(`no host at ${url} with ${pin}`);
      opened.push({ url, pin });
      return {
        buy: async ({ ref, mobile }) => {
          ordered.add(ref);
          return mobile === lost
            ? { kind: 'unknown', detail: 'the answer was lost' }
            : { kind: 'done', ref };
        },
        status: async (ref) => {
          if (url === 'down') throw new Error(`no answer to ${url}?pin=${pin}`);
          return ordered.has(ref) ? { kind: 'done', ref } : { kind: 'not_found' };
        },
        deadlineMs: 1000,
        atOnce,
        close: async () => {},
      };
    },
  });
  return { connector, opened, ordered };
};

const inFile = (settings: OperatorConfig['settings']): OperatorConfig[] => [
  { id: 1, name: 'operator_1', connector: 'marked', settings },
  { id: 2, name: 'operator_2', connector: 'simulator', settings: { offers: true } },
];

type Scene = {
  readonly server: StartedServer;
  readonly owner: Call;
  readonly operator: ReturnType<typeof marked>;
  readonly options: TestOptions;
};

const scene = async (work: (scene: Scene) => Promise<void>, key = withKey): Promise<void> => {
  const operator = marked();
  const { simulator } = await import('../../src/operators/simulator/index.ts');
  const options: TestOptions = {
    products: catalogue,
    connectors: [operator.connector, simulator],
    config: { operators: inFile({ url: 'file', pin: fileSecret }), ...key },
  };
  const server = await startServer(options);
  try {
    await work({ server, operator, options, owner: await signedIn(server, 'owner') });
  } finally {
    await server.stop();
  }
};

/** Another gateway on the same database, like after a start or in another process. */
const beside = async (
  { server, options }: Scene,
  config: Partial<Config>,
  work: (gateway: Gateway, logged: string[]) => Promise<void>,
): Promise<void> => {
  const logged: string[] = [];
  const whole: Config = {
    ...readConfig({ PORT: '0', ...server.env }),
    suppliers: [],
    ...options.config,
    ...config,
  };
  const log = createLog(
    { level: 'trace', mobile: whole.mobile },
    { write: (lines) => void logged.push(lines) },
  );
  const { connectors = [] } = options;
  const gateway = await createGateway({ config: whole, db: server.deps.db, log, connectors });
  try {
    await work(gateway, logged);
  } finally {
    await gateway.close();
  }
};

const healthIn = async (gateway: Gateway, server: TestServer): Promise<unknown> => {
  const authorization = `Bearer ${server.client.token}`;
  const { body } = await gateway.app.inject({ url: '/api/operators', headers: { authorization } });
  return at(parsed(body), 'data', 0, 'health');
};

const bodyOf = (answer: Answer): unknown => {
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

const refusedWith = (answer: Answer, status: number, code: string): void =>
  assert.deepEqual([answer.status, at(answer.body, 'code')], [status, code], answer.text);

const audited = async ({ deps }: TestServer): Promise<Record<string, unknown>[]> => {
  const rows = await deps.db.selectFrom('admin_audit').selectAll().orderBy('id').execute();
  return rows
    .filter(({ subject }) => subject.startsWith('operator '))
    .map(({ action, before_it, after_it }) => ({
      action,
      before: parsed(before_it),
      after: parsed(after_it),
    }));
};

/** All that the database holds, as a thief would read it. */
const allThatIsKept = async ({ deps, env }: StartedServer): Promise<string> => {
  const rows = [
    await deps.db.selectFrom('operator_settings').selectAll().execute(),
    await deps.db.selectFrom('admin_audit').selectAll().execute(),
  ];
  const files = readdirSync(env.DATA_DIR).filter((name) => name.includes('.db'));
  const bytes = files.map((name) => readFileSync(join(env.DATA_DIR, name), 'latin1'));
  return JSON.stringify(rows) + bytes.join('');
};

describe('settings of an operator', () => {
  test('are shown masked, with the form’s fields and the operator’s status', () =>
    scene(async ({ owner }) => {
      const list = listOf(at(bodyOf(await owner('GET', '')), 'data'));
      assert.deepEqual(list[0], {
        id: 1,
        kind: 'operator',
        defined_in: 'file',
        name: 'operator_1',
        names: { en: 'Operator 1', fa: 'اپراتور ۱' },
        group: null,
        connector: 'marked',
        health: 'up',
        breaker: 'closed',
        since: null,
        under_way: 0,
        suspended: null,
        can: { offers: false, subscriber: false, reports: false },
        settings_from: 'file',
        settings_problem: null,
        simulator: false,
        routes: 0,
        routes_closed: 0,
        broken_promises: 0,
      });
      const one = bodyOf(await owner('GET', '/1'));
      assert.deepEqual(at(one, 'settings'), { url: 'file', pin: '***', atOnce: 100 });
      assert.deepEqual(
        listOf(at(one, 'schema')).map((field) => [at(field, 'name'), at(field, 'secret')]),
        [
          ['url', false],
          ['pin', true],
          ['atOnce', false],
        ],
      );
      assert.deepEqual(at(one, 'promises'), {
        deadline_ms: 1000,
        settles_within_ms: 0,
        deduplicates: false,
        at_once: 100,
      });
      assert.deepEqual([at(one, 'faults'), at(one, 'version')], [null, 'file']);
      assert.equal(at(bodyOf(await owner('GET', '/2')), 'simulator'), true);
      for (const id of ['9', '01x', 'nobody', '-1']) {
        refusedWith(await owner('GET', `/${id}`), 404, 'OPERATOR_NOT_FOUND');
      }
    }));

  test('take effect at once, keep the secrets that are not sent, and leak no secret', () =>
    scene(async ({ server, owner, operator }) => {
      const answers: Answer[] = [];
      const put = async (settings: object, version: unknown): Promise<Answer> => {
        const answer = await owner('PUT', '/1/settings', { settings, version });
        answers.push(answer);
        return answer;
      };
      const first = bodyOf(await put({ url: 'second', pin: '***' }, 'file'));
      assert.deepEqual(at(first, 'settings'), { url: 'second', pin: '***', atOnce: 100 });
      assert.equal(at(first, 'settings_from'), 'console');
      assert.deepEqual(operator.opened.at(-1), { url: 'second', pin: fileSecret });
      const pin = 'another-secret';
      const second = bodyOf(await put({ url: 'second', pin, atOnce: 7 }, at(first, 'version')));
      assert.equal(at(second, 'promises', 'at_once'), 7);
      assert.deepEqual(operator.opened.at(-1), { url: 'second', pin });
      const third = bodyOf(await put({ url: 'third' }, at(second, 'version')));
      assert.deepEqual(operator.opened.at(-1), { url: 'third', pin });
      assertSold(await buy(server, aPackage));
      const back = await owner('DELETE', '/1/settings');
      assert.deepEqual(at(bodyOf(back), 'settings'), { url: 'file', pin: '***', atOnce: 100 });
      assert.equal(at(back.body, 'settings_from'), 'file');
      refusedWith(await put({ url: 'fourth' }, at(third, 'version')), 409, 'SETTINGS_CHANGED');
      assert.equal(at(bodyOf(await owner('DELETE', '/1/settings')), 'version'), 'file');
      const kept = await audited(server);
      assert.deepEqual(
        kept.map(({ action, after }) => [action, at(after, 'secrets_changed')]),
        [
          ['operator settings', []],
          ['operator settings', ['pin']],
          ['operator settings', []],
          ['operator settings remove', ['pin']],
        ],
      );
      assert.deepEqual(kept[1]?.['before'], {
        connector: 'marked',
        settings: { url: 'second', pin: '***' },
        settings_from: 'console',
      });
      const places = [
        ...answers.map(({ text }) => text),
        back.text,
        server.logged.join('\n'),
        await allThatIsKept(server),
      ];
      for (const place of places) {
        assert.ok(!place.includes(fileSecret) && !place.includes(pin));
      }
      await put({ url: 'kept', pin }, 'file');
      assert.ok(!(await allThatIsKept(server)).includes(pin), 'nor while they are in use');
    }));

  test('that are invalid are refused by name, change nothing, and their values are not repeated', () =>
    scene(async ({ server, owner, operator }) => {
      const put = (settings: object): Promise<Answer> =>
        owner('PUT', '/1/settings', { settings, version: 'file' });
      const wrong = await put({ url: '', pin: 'xyz', atOnce: 0 });
      refusedWith(wrong, 422, 'VALIDATION_FAILED');
      assert.deepEqual(keysOf(at(wrong.body, 'errors')).sort(), ['atOnce', 'pin', 'url']);
      const unknown = await put({ url: 'x', pni: 'xyzuvw' });
      assert.deepEqual(keysOf(at(unknown.body, 'errors')), ['pni']);
      const broken = await put({ url: 'nowhere', pin: 'xyzuvw' });
      refusedWith(broken, 422, 'SETTINGS_REFUSED');
      refusedWith(
        await owner('PUT', '/1/settings', { settings: { url: 'x' }, version: 'x' }),
        409,
        'SETTINGS_CHANGED',
      );
      for (const { text } of [wrong, unknown, broken]) assert.doesNotMatch(text, /xyz/);
      assert.doesNotMatch(server.logged.join('\n'), /xyzuvw/);
      assert.deepEqual(
        operator.opened.map(({ url }) => url),
        ['file'],
      );
      assert.equal(at(bodyOf(await owner('GET', '/1')), 'settings', 'url'), 'file');
      assert.deepEqual(await audited(server), []);
      assertSold(await buy(server, aPackage));
    }));

  test('that lead to another address keep no secret: it is requested again, and nothing changes before', () =>
    scene(async ({ server, owner, operator }) => {
      const near = 'https://near.example/v1';
      const far = 'https://far.example/v1';
      const first = await owner('PUT', '/1/settings', {
        settings: { url: near, pin: 'near-pin' },
        version: 'file',
      });
      const version = at(bodyOf(first), 'version');
      const put = (settings: object): Promise<Answer> =>
        owner('PUT', '/1/settings', { settings, version });
      const { length } = operator.opened;
      for (const settings of [{ url: far }, { url: far, pin: '***' }, { url: 'plain' }]) {
        const refused = await put(settings);
        refusedWith(refused, 422, 'SECRETS_NEEDED');
        assert.deepEqual(at(refused.body, 'errors'), {
          pin: ['pin must be entered again, because requests would go to another address.'],
        });
        assert.match(String(at(refused.body, 'message')), /Nothing was changed/);
      }
      assert.equal(operator.opened.length, length, 'the secret went nowhere');
      assert.equal(at(bodyOf(await owner('GET', '/1')), 'settings', 'url'), near);
      assert.equal((await audited(server)).length, 1);
      const path = bodyOf(await put({ url: 'https://near.example/v2', pin: '***' }));
      assert.deepEqual(operator.opened.at(-1), { url: 'https://near.example/v2', pin: 'near-pin' });
      const settings = { url: far, pin: 'far-pin' };
      const moved = await owner('PUT', '/1/settings', { settings, version: at(path, 'version') });
      assert.deepEqual(operator.opened.at(-1), settings);
      const without = { url: near, pin: null };
      bodyOf(
        await owner('PUT', '/1/settings', {
          settings: without,
          version: at(bodyOf(moved), 'version'),
        }),
      );
      assert.deepEqual(operator.opened.at(-1), { url: near, pin: undefined });
    }));

  test('of two concurrent changes one fails as a conflict', () =>
    scene(async ({ owner }) => {
      const ends = await Promise.all(
        ['one', 'two'].map((url) =>
          owner('PUT', '/1/settings', { settings: { url }, version: 'file' }),
        ),
      );
      assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set([200, 409]));
    }));

  test('can be tested by an inquiry that changes nothing', () =>
    scene(async ({ server, owner }) => {
      assert.equal(at(bodyOf(await owner('POST', '/1/check')), 'ok'), true);
      await owner('PUT', '/1/settings', { settings: { url: 'down' }, version: 'file' });
      const down = await owner('POST', '/1/check');
      assert.equal(at(bodyOf(down), 'ok'), false);
      assert.match(String(at(down.body, 'words')), /no answer to down\?pin=\*\*\*/);
      assert.equal(await recorded(server), 0);
    }));

  test('persist over a start, and reach other processes within a second', () =>
    scene(async (stage) => {
      const { owner, operator } = stage;
      await owner('PUT', '/1/settings', { settings: { url: 'second' }, version: 'file' });
      await beside(stage, {}, async () => {
        const started = operator.opened.length;
        assert.equal(operator.opened.at(-1)?.url, 'second');
        const { body } = await owner('GET', '/1');
        const version = at(body, 'version');
        await owner('PUT', '/1/settings', { settings: { url: 'third' }, version });
        await eventually(
          'both have the new ones',
          async () => operator.opened.length > started + 1,
        );
        assert.deepEqual(
          operator.opened.slice(started).map(({ url }) => url),
          ['third', 'third'],
        );
      });
    }));

  test('that cannot be opened leave the operator suspended, whatever the file says', () =>
    scene(async (stage) => {
      const { server, owner } = stage;
      await owner('PUT', '/1/settings', { settings: { url: 'second' }, version: 'file' });
      const config = {
        secretsKey: makeKey(systemRandom),
        dataDir: join(server.env.DATA_DIR, 'elsewhere'),
      };
      await beside(stage, config, async (gateway, logged) => {
        assert.equal(await healthIn(gateway, server), 'down');
        assert.match(logged.join(''), /the settings of an operator cannot be used/);
      });
      const operators = inFile({});
      await beside(stage, { ...config, operators }, async (gateway) => {
        assert.equal(await healthIn(gateway, server), 'down');
        const sold = await gateway.app.inject({
          method: 'POST',
          url: '/api/top-up/package',
          headers: {
            authorization: `Bearer ${server.client.token}`,
            'idempotency-key': 'suspended',
          },
          payload: aPackage,
        });
        assert.equal(sold.statusCode, 503);
      });
      await beside(stage, { operators }, async (gateway) => {
        assert.equal(await healthIn(gateway, server), 'up', 'with its key it is reached');
      });
      await owner('DELETE', '/1/settings');
      await assert.rejects(
        beside(stage, { operators }, async () => {}),
        /setting "url" is missing/,
      );
    }));

  test('may be changed repeatedly during sales over HTTP, and everything is sold exactly once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
    const book = join(folder, 'book');
    const simulator = await startSimulator(
      {
        host: '127.0.0.1',
        port: 0,
        book,
        seed: 1,
        rates: noFaults,
        only: [],
        delayMs: 0,
        lagMs: 0,
        reversesAfter: 3000,
        deduplicates: false,
      },
      { clock: systemClock, newId: () => 'id' },
    );
    const { operators } = readConfig({ OPERATOR_URL: simulator.url });
    const server = await startServer({
      products: catalogue,
      balance: 10_000_000,
      config: { operators, ...withKey },
    });
    try {
      const owner = await signedIn(server, 'owner');
      const purchases = 60;
      let begun = 0;
      const sold: Answer[] = [];
      const sell = async (): Promise<void> => {
        while (begun < purchases) {
          begun += 1;
          sold.push(await buy(server, aPackage));
        }
      };
      let changes = 0;
      const change = async (): Promise<void> => {
        while (sold.length < purchases) {
          const { body } = await owner('GET', '/1');
          const settings = { ...operators[0]?.settings, token: `token-${changes}` };
          const version = at(body, 'version');
          bodyOf(await owner('PUT', '/1/settings', { settings, version }));
          changes += 1;
        }
      };
      await Promise.all([change(), ...Array.from({ length: 6 }, sell)]);
      assert.ok(changes >= 5, `${changes} changes`);
      for (const answer of sold) assertSold(answer);
      const refs = sold.map(({ headers }) => headers.get('purchase-id') ?? '');
      const lines = readFileSync(book, 'utf8').split('\n');
      const delivered = lines.flatMap((line) => /^\{"ref":"([^"]+)"/.exec(line)?.[1] ?? []);
      assert.deepEqual(delivered.sort(), refs.sort());
      assert.equal((await moneyOf(server)).available, 10_000_000 - purchases * 10_000);
    } finally {
      await server.stop();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  if (testEngine === 'postgres') {
    test('cannot be changed on PostgreSQL without a key', () =>
      scene(async ({ owner, operator }) => {
        const answer = await owner('PUT', '/1/settings', {
          settings: { url: 'second' },
          version: 'file',
        });
        refusedWith(answer, 409, 'SECRETS_KEY_MISSING');
        assert.match(String(at(answer.body, 'message')), /SIMGATE_SECRETS_KEY/);
        assert.equal(operator.opened.length, 1);
      }, {}));
  }
});

describe('a suspended operator', () => {
  const told = async ({ deps }: TestServer): Promise<unknown[]> => {
    const rows = await deps.db
      .selectFrom('webhook_messages')
      .select('payload')
      .orderBy('id')
      .execute();
    return rows.map(({ payload }) => at(parsed(payload), 'data', 'health'));
  };

  test('sells nothing new and says so, holds no money, and is announced; resumed it sells', () =>
    scene(async (stage) => {
      const { server, owner } = stage;
      await makeEndpoint(server, { events: ['operator.status'] });
      const manager = await signedIn(server, 'manager');
      const before = await buy(server, aPackage, { key: 'before' });
      assertSold(before);
      await beside(stage, {}, async (other) => {
        const reason = 'they move to another system';
        const suspended = bodyOf(await manager('POST', '/1/suspension', { reason }));
        assert.equal(at(suspended, 'health'), 'suspended');
        assert.deepEqual(
          [at(suspended, 'suspended', 'by'), at(suspended, 'suspended', 'reason')],
          ['the-manager', reason],
        );
        const isDown = async () => (await healthIn(other, server)) === 'down';
        await eventually('the other process learns of it', isDown);
        const money = await moneyOf(server);
        const refused = await buy(server, aPackage, { key: 'while' });
        refusedWith(refused, 503, 'OPERATOR_UNAVAILABLE');
        assert.match(String(at(refused.body, 'message')), /are suspended\. Nothing was/);
        assert.equal(refused.headers.get('retry-after'), '30');
        const tried = await request(server, '/api/top-up/check', { json: aPackage });
        assert.match(tried.text, /Sales for this mobile operator are suspended/);
        assert.deepEqual(await moneyOf(server), money);
        assert.equal(await recorded(server), 1);
        assertSold(await buy(server, aPackage, { key: 'before' }), true);
        const again = await owner('POST', '/1/suspension', { reason: 'another' });
        assert.equal(at(bodyOf(again), 'suspended', 'reason'), reason, 'it stays as it is');
        const { body } = await request(server, '/api/operators');
        assert.deepEqual(
          listOf(at(body, 'data')).map((one) => at(one, 'health')),
          ['down', 'up'],
        );
        assert.equal(at(body, 'data', 0, 'since'), at(suspended, 'suspended', 'at'));
        const resumed = bodyOf(await manager('DELETE', '/1/suspension'));
        assert.deepEqual([at(resumed, 'health'), at(resumed, 'suspended')], ['up', null]);
        assertSold(await buy(server, aPackage, { key: 'while' }));
        await eventually('the other process learns of its end', async () => !(await isDown()));
        await eventually('both were notified', async () => (await told(server)).length >= 2);
        assert.deepEqual(await told(server), ['down', 'up']);
      });
      bodyOf(await manager('DELETE', '/1/suspension'));
      assert.deepEqual(
        (await audited(server)).map(({ action }) => action),
        ['operator suspend', 'operator resume'],
      );
    }));

  test('is still asked about earlier orders', () =>
    scene(async ({ server, owner, operator }) => {
      const sold = buy(server, { ...aPackage, mobile: lost });
      await eventually('it is ordered', async () => operator.ordered.size === 1);
      bodyOf(await owner('POST', '/1/suspension', { reason: 'a test' }));
      refusedWith(await buy(server, aPackage), 503, 'OPERATOR_UNAVAILABLE');
      assertSold(await sold);
    }));
});

describe('faults of a simulated operator', () => {
  test('are rates among its settings, live at once, and gone when they are reset', () =>
    scene(async ({ server, owner }) => {
      const buyOfTwo = (): Promise<Answer> => buy(server, { ...aPackage, product_id: 102 });
      assert.equal(at(bodyOf(await owner('GET', '/2/faults')), 'errors'), 0);
      const set = bodyOf(await owner('PUT', '/2/faults', { errors: 1, delayMs: 10 }));
      assert.deepEqual([at(set, 'errors'), at(set, 'delayMs'), at(set, 'lag')], [1, 10, 0]);
      const one = bodyOf(await owner('GET', '/2'));
      assert.deepEqual([at(one, 'faults', 'errors'), at(one, 'settings', 'offers')], [1, true]);
      const sold = buyOfTwo();
      await eventually('an answer is lost', async () => {
        const notes = await server.deps.db.selectFrom('purchase_notes').selectAll().execute();
        return notes.some(({ fact_values: values }) => values.includes('HTTP 500'));
      });
      bodyOf(await owner('PUT', '/2/faults', {}));
      assertSold(await sold);
      assertSold(await buyOfTwo());
      refusedWith(await owner('PUT', '/2/faults', { errors: 2 }), 422, 'VALIDATION_FAILED');
      refusedWith(await owner('PUT', '/1/faults', { errors: 1 }), 409, 'NOT_SIMULATED');
      refusedWith(await owner('GET', '/1/faults'), 409, 'NOT_SIMULATED');
    }));
});
