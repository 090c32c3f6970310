/** Tests that a migration that adds a column under a running gateway breaks no open connection. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { readConfig } from '../../src/config/config.ts';
import { isNotCommitted, isUnavailable } from '../../src/db/errors.ts';
import { postgresDialect } from '../../src/db/postgres/postgres.ts';
import { aPackage, buy, catalogue } from '../contract/buying.ts';
import { changeSchema, freshPostgres } from '../support/database.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import { makeEndpoint, makeMessage } from '../support/webhooks.ts';

type Tables = { kept: { n: number } };
type Kept = Kysely<Tables>;

/** Reads every column of the table, as the gateway no longer does. */
const readAll = async (db: Kept): Promise<number> =>
  (await db.selectFrom('kept').selectAll().where('n', '>=', 0).execute()).length;

const inTransaction = (db: Kept): Promise<number> => db.transaction().execute(readAll);

const connections = 3;

/** Runs something on every connection of the pool: all are taken before the first runs it. */
const onEach = async <T>(db: Kept, work: (db: Kept) => Promise<T>): Promise<T[]> => {
  const allTaken = Promise.withResolvers<void>();
  let taken = 0;
  return Promise.all(
    Array.from({ length: connections }, () =>
      db.connection().execute(async (one) => {
        taken += 1;
        if (taken === connections) allTaken.resolve();
        await allTaken.promise;
        return work(one);
      }),
    ),
  );
};

describe('A prepared statement whose table has got another column', { concurrency: false }, () => {
  let place: Awaited<ReturnType<typeof freshPostgres>>;
  let db: Kept;
  before(async () => {
    place = await freshPostgres('empty');
    const settings = { ...readConfig({}).database, url: place.url, connections };
    db = new Kysely({ dialect: postgresDialect(settings, (error) => assert.fail(error)) });
    await sql`create table kept (n bigint)`.execute(db);
    await db.insertInto('kept').values({ n: 1 }).execute();
  });
  after(async () => {
    await db.destroy();
    await place.remove();
  });

  let added = 0;
  const addColumn = async (): Promise<void> => {
    added += 1;
    await sql.raw(`alter table kept add column added_${added} bigint`).execute(db);
  };

  test('is prepared again if it stands alone, on every connection', async () => {
    await onEach(db, readAll);
    await addColumn();
    assert.deepEqual(await onEach(db, readAll), [1, 1, 1]);
  });

  test('fails a transaction once, which proves that nothing was committed', async () => {
    await onEach(db, readAll);
    await addColumn();
    await assert.rejects(inTransaction(db), (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.equal(Reflect.get(error, 'code'), '0A000');
      assert.ok(isNotCommitted(error), 'nothing was committed');
      assert.ok(!isUnavailable(error), 'the database is available');
      return true;
    });
    assert.deepEqual(await onEach(db, inTransaction), [1, 1, 1]);
  });
});

describe('A migration under a running gateway', { concurrency: false }, () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ engine: 'postgres', products: catalogue });
  });
  after(() => server.stop());

  /** What an integrator's day touches: single reads, and reads within transactions. */
  const tour = async (round: string): Promise<Answer[]> => {
    const { id } = await makeEndpoint(server, { url: 'https://shop.example/hooks' });
    const message = await makeMessage(server);
    const bought = await buy(server, aPackage, { key: `bought-${round}` });
    const paths = [
      '/api/purchases',
      `/api/purchases/${bought.headers.get('purchase-id')}`,
      '/api/account',
      '/api/statement',
      '/api/webhooks',
      `/api/webhooks/${id}`,
      `/api/webhooks/${id}/messages`,
      `/api/webhooks/${id}/messages/${message}`,
      '/api/clients/products',
      '/health/ready',
    ];
    const answers = [bought, await buy(server, aPackage, { key: `bought-${round}` })];
    for (const path of paths) answers.push(await request(server, path));
    const json = { description: round };
    answers.push(await request(server, `/api/webhooks/${id}`, { json, method: 'PATCH' }));
    answers.push(await request(server, `/api/webhooks/${id}`, { method: 'DELETE' }));
    return answers;
  };

  const addColumns = `do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public'
    loop execute format('alter table %I add column added_by_a_newer_version bigint', name); end loop;
  end $$`;

  test('fails no request, whichever tables have got another column', async () => {
    const before = await Promise.all(['a', 'b', 'c'].map(tour));
    await changeSchema(server.deps.db, addColumns);
    const since = await Promise.all(['d', 'e', 'f'].map(tour));
    const statuses = (answers: readonly Answer[][]): number[][] =>
      answers.map((round) => round.map(({ status }) => status));
    assert.deepEqual(statuses(since), statuses(before));
    assert.deepEqual(
      since
        .flat()
        .filter(({ status }) => status >= 300)
        .map(({ text }) => text),
      [],
    );
    assert.deepEqual(
      server.logged.filter((line) => line.includes('cached plan')),
      [],
    );
  });
});
