/** Tests the previous version with the next one's schema: it runs where it can, and exits where it cannot. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, it } from 'node:test';
import { Kysely, sql } from 'kysely';
import { insertToken } from '../../src/clients/store.ts';
import { hashToken, makeToken, scopes } from '../../src/clients/token.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { readMigrations } from '../../src/db/migrate/migrations.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { beginRequest, connected, finishRequest, untilPrinted } from '../support/connection.ts';
import { onSqlite, testEngine } from '../support/database.ts';
import { importProducts } from '../support/import-products.ts';
import { serveKept } from '../support/kept-server.ts';
import { ask, eventually } from '../support/live.ts';
import { makeNewerProgram, type NewerProgram, thisVersion } from '../support/newer-program.ts';
import { type Served, serveProcess, simgate, simgateProcess } from '../support/process.ts';
import { runSql } from '../support/sql.ts';
import { tokenOf } from '../support/workers.ts';

const folder = temporaryFolders();

const onPostgres = { skip: testEngine === 'postgres' ? false : 'a file has one server' };

let compatible: NewerProgram;
let incompatible: NewerProgram;
before(() => {
  compatible = makeNewerProgram(
    `-- outside a transaction\n-- oldest program ${thisVersion}\ncreate index concurrently clients_by_name on clients (name);`,
  );
  incompatible = makeNewerProgram('alter table clients add column newer bigint;');
});
const migrateBy = async (data: string, { program, migration }: NewerProgram): Promise<void> => {
  const { status, out, err } = await simgateProcess(data, ['migrate'], {}, program);
  assert.deepEqual([status, err], [0, '']);
  assert.match(out, new RegExp(`${migration}\\.\\n$`));
};

/** Starts a server on a fresh database; returns the demo client's token with it. */
const startedOn = async (data: string, start = serveKept): Promise<[Served, string]> => {
  const served = await start(data);
  await untilPrinted(served, 'Read the documentation at');
  return [served, tokenOf(served)];
};

/** Buys one package; returns the status. */
const buyOne = async ({ url }: Served, token: string, key: string): Promise<number> => {
  const { body } = await ask(url, token, '/api/clients/products?per_page=100');
  const product = listOf(at(body, 'data')).find(
    (one) =>
      at(one, 'type') === 'cell_internet' &&
      at(one, 'sim_card_type') === 'credit' &&
      at(one, 'operator_id') === 1 &&
      at(one, 'status') === 1,
  );
  const response = await fetch(`${url}/api/top-up/package/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: new URLSearchParams({
      product_id: String(at(product, 'id')),
      price: String(at(product, 'price')),
      mobile: '989123456700',
      webservice_code: key,
    }),
  });
  await response.text();
  return response.status;
};

const newer = new RegExp(
  `^The database is newer than this Simgate: it is at migration \\d+ and needs a program that knows \\d+, and this one knows ${thisVersion}\\. Install the newer version\\.$`,
  'm',
);

describe('A program whose database a newer one has upgraded', twoAtATime, () => {
  it('starts and sells, and its commands work, if the upgrade allows it', async () => {
    const data = folder();
    const [first, token] = await startedOn(data);
    assert.equal(await first.stop(), 0);
    await migrateBy(data, compatible);
    const served = await serveKept(data);
    assert.equal(await buyOne(served, token, 'after'), 200);
    await done(data, 'verify');
    assert.equal(await done(data, 'migrate'), 'The database is up to date.\n');
    assert.equal(await served.stop(), 0);
  });

  it('does not start if the upgrade does not allow it, with its own status', async () => {
    const data = folder();
    await migrateBy(data, incompatible);
    for (const args of [['serve'], ['client', 'list']]) {
      const { status, out, err } = await simgate(data, args, { PORT: '0' });
      assert.deepEqual([status, out], [3, '']);
      assert.match(err, newer);
    }
  });
});

/** Upgrades the database under a running server. A file is changed directly: no program would do that. */
const upgradeUnder = async (data: string): Promise<void> => {
  if (testEngine === 'postgres') return migrateBy(data, incompatible);
  const database = new DatabaseSync(join(data, 'simgate.db'), { timeout: 10_000 });
  database.exec("insert into migrations (number, name, applied_at) values (9999, 'later', 0)");
  database.exec("update versions set version = 'later' where name = 'schema'");
  database.close();
};

describe('A server whose database is upgraded while it runs', twoAtATime, () => {
  it('drains at once if it is incompatible, and exits with a sentence and its own status', async () => {
    const data = folder();
    const [served, token] = await startedOn(data, serveProcess);
    const inFlight = await connected(served);
    await beginRequest(inFlight, token);
    const closed = once(served.child, 'close');
    await upgradeUnder(data);
    await untilPrinted(served, '"msg":"draining"');
    const fresh = await fetch(`${served.url}/health/ready`).then(
      ({ status }) => status,
      () => 'refused',
    );
    assert.ok(fresh === 'refused' || fresh === 503, String(fresh));
    finishRequest(inFlight);
    assert.deepEqual(await closed, [3, null]);
    assert.match(inFlight.received(), /^HTTP\/1\.1 200 OK/m);
    assert.match(served.printed(), newer);
    assert.doesNotMatch(served.printed(), /\n {4}at /);
  });

  it('continues to sell if it can, beside one of the newer version', onPostgres, async () => {
    const data = folder();
    const [older, token] = await startedOn(data);
    const younger = await serveProcess(data, {}, compatible.program);
    assert.match(younger.printed(), /-newer"\].*"msg":"database migrated"/);
    assert.equal(await buyOne(older, token, 'older'), 200);
    assert.equal(await buyOne(younger, token, 'younger'), 200);
    assert.equal((await fetch(`${older.url}/health/ready`)).status, 200);
    const index = `select indisvalid as valid from pg_index where indexrelid = to_regclass('clients_by_name')`;
    assert.deepEqual((await runSql(data, index)).rows, [{ valid: true }]);
    assert.equal(await older.stop(), 0);
    assert.equal(await younger.stop(), 0);
  });

  it('exits with all of its workers, and restarts none', onPostgres, async () => {
    const data = folder();
    const served = await serveProcess(data, { WORKERS: '2' });
    const closed = once(served.child, 'close');
    await upgradeUnder(data);
    assert.deepEqual(await closed, [3, null]);
    assert.match(served.printed(), newer);
    assert.doesNotMatch(served.printed(), /a worker ended and is replaced/);
    await eventually('nothing listens', () =>
      fetch(served.url).then(
        () => false,
        () => true,
      ),
    );
  });
});

describe('With database.migrate off', twoAtATime, () => {
  it('a server says what is missing and starts after "simgate migrate"', async () => {
    const data = folder();
    await done(data, 'migrate');
    const { program, migration } = compatible;
    const file = join(data, 'off.json');
    writeFileSync(file, '{"database":{"migrate":false}}');
    const env = { SIMGATE_CONFIG: file };
    const missing = new RegExp(
      `^The database lacks migrations of this Simgate \\(${migration}\\), and database\\.migrate is off\\. Run "simgate migrate" first\\.$`,
      'm',
    );
    for (const args of [['serve'], ['client', 'list']]) {
      assertSentence(await simgateProcess(data, args, env, program), missing);
    }
    const checked = await simgateProcess(data, ['config', '--check'], env, program);
    assertSentence(checked, /database\.migrate is off\. Run "simgate migrate" first\.$/m);
    const migrated = await simgateProcess(data, ['migrate'], env, program);
    assert.deepEqual([migrated.status, migrated.out], [0, `Applied ${migration}.\n`]);
    const served = await serveProcess(data, env, program);
    assert.equal(await served.stop(), 0);
  });
});

/** What the version without suppliers answered for these numbers, recorded from it. */
const answersBefore = {
  '989123456700': [200, '{"message":"The purchase was successful."}'],
  '989123456790': [
    422,
    '{"message":"The mobile operator did not deliver: The subscriber is barred. Nothing was charged.","code":"OPERATOR_DECLINED","charged":"no","retry":"new_key","request_id":"one-request","docs":"/docs/errors#operator_declined"}',
  ],
  '989123456791': [
    422,
    `{"message":"The number is not a subscriber of this product's operator.","code":"OPERATOR_MISMATCH","charged":"no","retry":"no","request_id":"one-request","docs":"/docs/errors#operator_mismatch"}`,
  ],
} as const;

/** A database of the version before suppliers and routes, with a product of operator 1; returns a token. */
const databaseBefore = async (data: string): Promise<string> => {
  const db = new Kysely<Tables>({ dialect: openSqlite(join(data, 'simgate.db')).dialect });
  const known = readMigrations().filter(({ number }) => number < 34);
  await migrate(db, systemClock, { known });
  const newId = uuidV7(systemClock, systemRandom);
  const products = [sampleProduct({ id: 100, operator_id: 1 })];
  await importProducts({ db, clock: systemClock, newId }, products);
  await sql`insert into clients (id, name, status, created_at)
    values ('old', 'Old', 'active', 0)`.execute(db);
  await sql`insert into accounts (client_id, available, held, seq) values ('old', 0, 0, 0)`.execute(
    db,
  );
  const token = makeToken(systemRandom);
  const unset = { expires_at: null, revoked_at: null, last_used_at: null };
  await insertToken(db, {
    id: 'token',
    client_id: 'old',
    name: 'Old',
    hash: hashToken(token),
    ending: '',
    scopes: JSON.stringify(scopes),
    networks: '[]',
    created_at: 0,
    ...unset,
  });
  await db.destroy();
  return token;
};

onSqlite(() => {
  describe('A database and a configuration from before suppliers', twoAtATime, () => {
    it('get no route, and sell from the operator itself with the same bytes', async () => {
      const data = folder();
      const token = await databaseBefore(data);
      const operators = { 1: { name: 'operator_1', connector: 'simulator', settings: {} } };
      writeFileSync(join(data, 'simgate.json'), JSON.stringify({ operators }));
      await done(data, 'client', 'deposit', 'old', '1000000');
      const served = await serveKept(data);
      for (const [mobile, [status, text]] of Object.entries(answersBefore)) {
        const response = await fetch(`${served.url}/api/top-up/package/`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'idempotency-key': mobile,
            'x-request-id': 'one-request',
          },
          body: new URLSearchParams({
            product_id: '100',
            price: '10000',
            mobile,
            webservice_code: mobile,
          }),
        });
        assert.deepEqual([response.status, await response.text()], [status, text]);
      }
      assert.equal(await served.stop(), 0);
      const routes = await runSql(data, 'select count(*) as count from routes');
      assert.equal(at(routes.rows, 0, 'count'), 0);
      const sold = await runSql(
        data,
        `select distinct supplier_id, route_id, left_suppliers from purchases
         where state in ('succeeded', 'failed')`,
      );
      assert.deepEqual(
        sold.rows.map((row) => ({ ...row })),
        [{ supplier_id: 1, route_id: null, left_suppliers: null }],
      );
      const left = await runSql(data, 'select count(*) as count from attempts');
      assert.equal(at(left.rows, 0, 'count'), 0);
    });
  });
});
