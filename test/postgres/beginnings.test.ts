/** Tests that a transaction whose `begin` is not awaited is still a transaction. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { readConfig } from '../../src/config/config.ts';
import { isNotCommitted } from '../../src/db/errors.ts';
import { postgresDialect } from '../../src/db/postgres/postgres.ts';
import { freshPostgres } from '../support/database.ts';

type Tables = { kept: { n: number } };

let place: Awaited<ReturnType<typeof freshPostgres>>;
let db: Kysely<Tables>;

const open = (): Kysely<Tables> => {
  const settings = { ...readConfig({}).database, url: place.url, connections: 2 };
  return new Kysely({ dialect: postgresDialect(settings, (error) => assert.fail(error)) });
};

before(async () => {
  place = await freshPostgres('empty');
  db = open();
  await sql`create table kept (n bigint)`.execute(db);
});
after(async () => {
  await db.destroy();
  await place.remove();
});

const keep = (db: Kysely<Tables>, n: number) => db.insertInto('kept').values({ n }).execute();
const kept = async (): Promise<number[]> =>
  (await db.selectFrom('kept').select('n').orderBy('n').execute()).map(({ n }) => n);
const none = new Error('for the test');

test('a failed one leaves nothing, whatever came first in it', async () => {
  for (const look of [true, false]) {
    const failing = db.transaction().execute(async (db) => {
      if (look) await sql`select 1`.execute(db);
      await keep(db, 1);
      throw none;
    });
    await assert.rejects(failing, none);
  }
  await assert.rejects(
    db.transaction().execute(() => Promise.reject(none)),
    none,
  );
  assert.deepEqual(await kept(), []);
});

test('if it has not begun nothing is written, and the error proves it', async () => {
  // PostgreSQL has no such level.
  const refused = () => db.transaction().setIsolationLevel('snapshot');
  const proves = (error: unknown): boolean => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /syntax error/);
    return isNotCommitted(error);
  };
  await assert.rejects(
    refused().execute((db) => keep(db, 2)),
    proves,
  );
  const afterALook = refused().execute(async (db) => {
    await sql`select 1`.execute(db).catch(() => {});
    await keep(db, 3);
  });
  await assert.rejects(afterALook, proves);
  await assert.rejects(
    refused().execute(async () => {}),
    proves,
  );
  assert.deepEqual(await kept(), []);
  await db.transaction().execute((db) => keep(db, 4));
  assert.deepEqual(await kept(), [4]);
});

test('rows can be read one after another in it, first or later, and its connection is as before', async () => {
  for (const look of [true, false, true]) {
    const read = await db.transaction().execute(async (db) => {
      if (look) await sql`select 1`.execute(db);
      let rows = 0;
      for await (const _ of db.selectFrom('kept').select('n').stream(1)) rows += 1;
      await sql`select 1`.execute(db);
      return rows;
    });
    assert.equal(read, 1);
  }
});

test('it waits for the disk when it commits, whatever the server’s default is', async () => {
  await sql`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database()); end $$`.execute(
    db,
  );
  const other = open();
  const read = async (db: Kysely<Tables>): Promise<string | undefined> =>
    (
      await sql<{
        setting: string;
      }>`select current_setting('synchronous_commit') as setting`.execute(db)
    ).rows[0]?.setting;
  try {
    assert.equal(await read(other), 'off');
    assert.equal(await other.transaction().execute(read), 'on');
  } finally {
    await other.destroy();
  }
});
