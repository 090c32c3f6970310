/** Tests migrations: transactional and not, under locks, and with concurrent starts. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { cleanUpAfterTest } from '../../../test/support/cleanup.ts';
import { freshPostgres, testEngine } from '../../../test/support/database.ts';
import { readConfig } from '../../config/config.ts';
import { systemClock } from '../../lib/clock.ts';
import { readVersion } from '../changes/versions.ts';
import { openForCommand, openForServer } from '../open.ts';
import { postgresDialect } from '../postgres/postgres.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import type { Tables } from '../tables/tables.ts';
import type { Db } from '../types.ts';
import { assertCompatible, NewerSchema, pendingMigrations } from './compatibility.ts';
import { migrate } from './migrate.ts';
import { indexBuiltBy, type Migration, readMigrations, statementsFor } from './migrations.ts';

const real = readMigrations();
const next = (real.at(-1)?.number ?? 0) + 1;

/** Migrations after those of the program, in this order. */
const furtherThan = (...texts: readonly string[]): Migration[] => [
  ...real,
  ...texts.map((text, index) => ({
    number: next + index,
    name: `${String(next + index).padStart(4, '0')}-further`,
    text: `${text}\n`,
  })),
];

type Empty = { readonly open: () => Db; readonly url: string };

const settings = { ...readConfig({}).database, connections: 3, statementMs: 0, connectMs: 30_000 };

/** An empty location; each `open` is a process of its own. */
const emptyPlace = async (): Promise<Empty> => {
  const opened: Db[] = [];
  const keep = (db: Db): Db => {
    opened.push(db);
    return db;
  };
  const close = async (): Promise<void> => {
    for (const db of opened) await db.destroy();
  };
  if (testEngine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
    cleanUpAfterTest(async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    });
    const file = join(folder, 'simgate.db');
    return { open: () => keep(new Kysely<Tables>(openSqlite(file))), url: file };
  }
  const { url, remove } = await freshPostgres('empty');
  cleanUpAfterTest(async () => {
    await close();
    await remove();
  });
  const dialect = () => postgresDialect({ ...settings, url }, () => {});
  return { open: () => keep(new Kysely<Tables>({ dialect: dialect() })), url };
};

const clock = systemClock;

const upToDate = async (): Promise<Empty & { readonly db: Db }> => {
  const place = await emptyPlace();
  const db = place.open();
  await migrate(db, clock);
  return { ...place, db };
};

const namesOf = (migrations: readonly Migration[]): string[] => migrations.map(({ name }) => name);

const isThere = async (db: Db, table: string): Promise<boolean> =>
  (await db.introspection.getTables()).some(({ name }) => name === table);

const outside = `-- outside a transaction\n-- oldest program ${next - 1}`;

const onPostgres = { skip: testEngine === 'postgres' ? false : 'only PostgreSQL has it' };

describe('Migrations', { timeout: 240_000 }, () => {
  test('are a transaction each: a failing one leaves nothing, and earlier ones stay', async () => {
    const { db } = await upToDate();
    const known = furtherThan(
      'create table one (a bigint);',
      '-- A comment; with a semicolon.\ncreate table two (a bigint);\ninsert into nowhere values (1);',
    );
    const failed = /^UsageError: Migration \d{4}-further was not applied: .*nowhere.*\.$/;
    await assert.rejects(migrate(db, clock, { known }), failed);
    assert.deepEqual([await isThere(db, 'one'), await isThere(db, 'two')], [true, false]);
    assert.deepEqual(namesOf(await pendingMigrations(db, known)), namesOf(known.slice(-1)));
  });

  test('without a transaction continue after a failure: finished statements are repeated harmlessly', async () => {
    const { db } = await upToDate();
    const text = (statement: string): string =>
      `${outside}\ncreate table if not exists one (a bigint);\ncreate index concurrently one_by_a on one (a);\n${statement}`;
    const broken = furtherThan(text('insert into two values (1);'));
    await assert.rejects(migrate(db, clock, { known: broken }), /two/);
    assert.equal(await isThere(db, 'one'), true);
    assert.equal((await pendingMigrations(db, broken)).length, 1);
    const known = furtherThan(text('create table two (a bigint);'));
    assert.equal((await migrate(db, clock, { known })).length, 1);
    assert.equal(await isThere(db, 'two'), true);
    assert.deepEqual(await migrate(db, clock, { known }), []);
  });

  test('without a transaction are refused unless they declare the oldest compatible program', async () => {
    const { db } = await upToDate();
    const known = furtherThan('-- outside a transaction\ncreate table one (a bigint);');
    await assert.rejects(migrate(db, clock, { known }), /must declare the oldest/);
    assert.equal(await isThere(db, 'one'), false);
  });

  test('notify running instances, in the same transaction', async () => {
    const { db } = await upToDate();
    const before = await readVersion(db, 'schema');
    const known = furtherThan('create table one (a bigint);');
    await migrate(db, clock, { known });
    assert.notEqual(await readVersion(db, 'schema'), before);
  });

  test('let a program run that they declare, and no older one', async () => {
    const { db } = await upToDate();
    const program = next - 1;
    const compatible = furtherThan(
      `-- oldest program ${program}\ncreate table one (a bigint);`,
      `-- oldest program ${program - 1}\ncreate table two (a bigint);`,
    );
    await migrate(db, clock, { known: compatible });
    assert.deepEqual(await pendingMigrations(db), [], 'the older program misses nothing');
    await assertCompatible(db, program);
    await assert.rejects(
      assertCompatible(db, program - 1),
      NewerSchema,
      'the strictest one counts',
    );
    const known = [
      ...compatible,
      { number: next + 2, name: 'last', text: 'create table three (a bigint);\n' },
    ];
    await migrate(db, clock, { known });
    const newer = new RegExp(
      `^UsageError: The database is newer than this Simgate: it is at migration ${next + 2} and needs a program that knows ${next + 2}, and this one knows ${program}\\.`,
    );
    await assert.rejects(pendingMigrations(db), newer);
  });

  test('of suppliers and of test clients let no program run that knows neither', async () => {
    const { db } = await upToDate();
    const numberOf = (file: string): number =>
      real.find(({ name }) => name.endsWith(file))?.number ?? assert.fail(file);
    for (const file of ['-attempts', '-test-clients']) {
      await assert.rejects(assertCompatible(db, numberOf(file) - 1), NewerSchema, file);
    }
  });

  test('of a database without declared compatibility are accepted', async () => {
    const since = real.findIndex(({ name }) => name.endsWith('-schema-versions'));
    const { open } = await emptyPlace();
    const db = open();
    await migrate(db, clock, { known: real.slice(0, since) });
    await sql`alter table migrations drop column oldest`.execute(db);
    assert.deepEqual(namesOf(await migrate(db, clock)), namesOf(real.slice(since)));
    await assertCompatible(db, next - 1);
    await assert.rejects(assertCompatible(db, since), NewerSchema);
  });

  test('are not applied to the tables of another program', async () => {
    const { open } = await emptyPlace();
    const db = open();
    await sql`create table migrations (id bigint, batch bigint)`.execute(db);
    await assert.rejects(migrate(db, clock), /"migrations" of another program/);
  });

  test('of this program declare an older compatible program only if they can', () => {
    for (const { number, name, text } of real) {
      const oldest = Number(/^-- oldest program (\d+)$/m.exec(text)?.[1] ?? number);
      assert.ok(oldest <= number, name);
      if (/^-- outside a transaction$/m.test(text)) assert.ok(oldest < number, name);
    }
  });
});

test('A concurrent index is built as an ordinary one in a file', () => {
  const text = `create index concurrently a_by_b on a (b);
create unique index concurrently if not exists a_by_c on a (c);
drop index concurrently a_by_d;
`;
  assert.deepEqual(statementsFor('sqlite', text), [
    'create index if not exists a_by_b on a (b)',
    'create unique index if not exists a_by_c on a (c)',
    'drop index a_by_d',
  ]);
  const names = statementsFor('postgres', text).map(indexBuiltBy);
  assert.deepEqual(names, ['a_by_b', 'a_by_c', undefined]);
});

// Each wait is long enough to be seen on a busy machine.
const short = { lockMs: 200, forMs: 2000 };

/** Holds a lock on a table until the returned function is called. */
const lockElsewhere = async (db: Db, table: string) => {
  const held = Promise.withResolvers<number>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (db) => {
    await sql.raw(`lock table ${table} in access share mode`).execute(db);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    held.resolve(rows[0]?.pid ?? 0);
    await over;
  });
  const release = async (): Promise<void> => {
    end();
    await holding;
  };
  cleanUpAfterTest(release);
  return { pid: await held.promise, release };
};

const addsColumn = 'alter table clients add column further bigint;';

describe('On PostgreSQL a migration', { ...onPostgres, timeout: 240_000 }, () => {
  test('that meets a lock gives up in the end, and names the table and the process', async () => {
    const { db, open } = await upToDate();
    const { pid } = await lockElsewhere(open(), 'clients');
    const known = furtherThan(addsColumn);
    const said: string[] = [];
    const waits = (what: string): void => void said.push(what);
    await assert.rejects(migrate(db, clock, { known, lockTimeouts: short, waits }), {
      name: 'UsageError',
      message: new RegExp(
        `^Migration \\d{4}-further was not applied: for 2 s it waited for a lock on clients, held by process ${pid} \\(simgate, idle in transaction\\)\\. Let that process finish or end it, then start again\\.$`,
      ),
    });
    // A wait may end before it is seen who holds the lock.
    const named = new RegExp(`^Migration .* waits for a lock on clients, .* ${pid} `);
    assert.ok(
      said.some((what) => named.test(what)),
      said.join('\n'),
    );
    assert.equal((await pendingMigrations(db, known)).length, 1);
  });

  test('that meets a lock retries, and lets others through in between', async () => {
    const { db, open } = await upToDate();
    const { release } = await lockElsewhere(open(), 'clients');
    const known = furtherThan(addsColumn);
    const waited = Promise.withResolvers<void>();
    const lockTimeouts = { lockMs: 60, forMs: 120_000 };
    const migrating = migrate(db, clock, { known, lockTimeouts, waits: () => waited.resolve() });
    await waited.promise;
    // It is in no queue now, and readers do not wait behind it for long.
    await open().selectFrom('clients').select('id').execute();
    await release();
    assert.equal((await migrating).length, 1);
  });

  test('has no limit on its statements, in a transaction or outside', async () => {
    const { db, url, open } = await upToDate();
    const name = new URL(url).pathname.slice(1);
    await sql.raw(`alter database ${name} set statement_timeout = '1s'`).execute(db);
    await sql.raw(`alter database ${name} set lock_timeout = '1s'`).execute(db);
    const limits = `insert into seen values (current_setting('statement_timeout'));`;
    const known = furtherThan(
      `create table seen (text text);\n${limits}`,
      `-- oldest program ${next}\n-- outside a transaction\n${limits}`,
    );
    const other = open();
    assert.equal((await migrate(other, clock, { known })).length, 2);
    const { rows } = await sql<{ text: string }>`select text from seen`.execute(other);
    assert.deepEqual(rows, [{ text: '0' }, { text: '0' }]);
  });

  test('drops an invalid index of a failed attempt, and builds it again', async () => {
    const { db } = await upToDate();
    const statement = 'create index concurrently clients_by_name on clients (name);';
    await sql.raw(statement.slice(0, -1)).execute(db);
    const stateOf = async () => {
      const { rows } = await sql<{ valid: boolean; id: number }>`select indisvalid as valid,
        cast(indexrelid as bigint) as id from pg_index
        where indexrelid = to_regclass('clients_by_name')`.execute(db);
      return rows[0];
    };
    const left = await stateOf();
    await sql`update pg_index set indisvalid = false
      where indexrelid = to_regclass('clients_by_name')`.execute(db);
    await migrate(db, clock, { known: furtherThan(`${outside}\n${statement}`) });
    const built = await stateOf();
    assert.equal(built?.valid, true);
    assert.notEqual(built?.id, left?.id, 'another one');
  });

  test('builds its index while others write, without blocking them', async () => {
    const { db, open } = await upToDate();
    const [writer, other] = [open(), open()];
    const row = (id: string) =>
      ({ id, name: id, status: 'active', created_at: 0, test: 0 }) as const;
    const begun = Promise.withResolvers<void>();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    cleanUpAfterTest(end);
    const writing = writer.transaction().execute(async (db) => {
      await db.insertInto('clients').values(row('a')).execute();
      begun.resolve();
      await over;
    });
    await begun.promise;
    const waited = Promise.withResolvers<string>();
    const text = `${outside}\ncreate index concurrently clients_by_name on clients (name);`;
    const waits = (what: string): void => waited.resolve(what);
    const migrating = migrate(db, clock, { known: furtherThan(text), lockTimeouts: short, waits });
    assert.match(await waited.promise, /^The index clients_by_name waits for a lock, held by /);
    await other.insertInto('clients').values(row('b')).execute();
    end();
    await writing;
    assert.equal((await migrating).length, 1);
  });

  test('is applied once by concurrent starts, also outside a transaction', async () => {
    const { open } = await emptyPlace();
    const known = furtherThan(
      `${outside}\ncreate index concurrently clients_by_name on clients (name);`,
      'create table one (a bigint);',
    );
    const done = await Promise.all(
      [open(), open(), open(), open()].map((db) => migrate(db, clock, { known })),
    );
    const taken = done.map(({ length }) => length).sort((one, other) => other - one);
    assert.deepEqual(taken, [known.length, 0, 0, 0]);
  });

  test('says what it waits for while another process migrates', async () => {
    const { db, open } = await upToDate();
    const other = open();
    const lock = await other.startTransaction().execute();
    cleanUpAfterTest(() => lock.rollback().execute());
    await sql`select pg_advisory_xact_lock(7467418283)`.execute(lock);
    const known = furtherThan('create table one (a bigint);');
    await assert.rejects(migrate(db, clock, { known, lockTimeouts: short }), {
      message:
        /^The database was not brought up to date: for 2 s it waited for a lock on the migrations, held by process \d+ \(simgate, /,
    });
  });
});

/** A database for a user that may connect and nothing more. */
const asUser = async (prepare: (db: Db, user: string) => Promise<void>) => {
  const { url, open } = await emptyPlace();
  const user = `user_${process.pid}_${Date.now()}`;
  const db = open();
  await sql.raw(`create role ${user} login password 'test'`).execute(db);
  cleanUpAfterTest(async () => {
    const again = new Kysely<Tables>({ dialect: postgresDialect({ ...settings, url }, () => {}) });
    await sql.raw(`drop owned by ${user}; drop role ${user}`).execute(again);
    await again.destroy();
  });
  await prepare(db, user);
  const own = new URL(url);
  own.username = user;
  own.password = 'test';
  return readConfig({ DATABASE_URL: own.href });
};

describe('On PostgreSQL a server reports the cause', { ...onPostgres, timeout: 240_000 }, () => {
  test('if its user may not create tables', async () => {
    const place = await asUser(async () => {});
    const refused =
      /^UsageError: The table of migrations was not made: the user of DATABASE_URL has no right to do it \(permission denied for schema public\)\. Run "simgate migrate" as the owner/;
    await assert.rejects(openForServer(place, clock), refused);
    await assert.rejects(openForCommand(place, clock), refused);
  });

  test('if its user does not own the tables, and nothing if no change is needed', async () => {
    const place = await asUser(async (db, user) => {
      await migrate(db, clock);
      await sql.raw(`grant all on all tables in schema public to ${user}`).execute(db);
    });
    const { close, migrated } = await openForServer(place, clock);
    assert.deepEqual(migrated, []);
    await close();
  });

  test('if the database is read-only', async () => {
    const { url, open } = await emptyPlace();
    const name = new URL(url).pathname.slice(1);
    await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(open());
    await assert.rejects(
      openForServer(readConfig({ DATABASE_URL: url }), clock),
      /^UsageError: The database of DATABASE_URL can only be read: it is a standby, or set so\./,
    );
  });

  test('if migrations are missing and it must not apply them', async () => {
    const { url } = await emptyPlace();
    const config = readConfig({ DATABASE_URL: url });
    const place = { ...config, database: { ...config.database, migrate: false } };
    await assert.rejects(openForServer(place, clock), /^UsageError: The database lacks migrations/);
    await assert.rejects(openForCommand(place, clock), /^UsageError: The database lacks/);
    await (await openForCommand(place, clock, {})).close();
    await (await openForServer(place, clock)).close();
  });
});
