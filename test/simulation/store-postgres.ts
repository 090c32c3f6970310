/** Runs the simulation's statements on PostgreSQL as they really run there, one after another. */
import { CompiledQuery, type DatabaseConnection, Kysely } from 'kysely';
import pg from 'pg';
import { readConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { postgresDialect } from '../../src/db/postgres/postgres.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Db } from '../../src/db/types.ts';
import { systemClock } from '../../src/lib/clock.ts';
import {
  type AccountRecord,
  accountsText,
  beginningRows,
  insertInto,
  keptTables,
  type Link,
  type PurchaseRecord,
  type Snapshot,
  type Store,
} from './store.ts';

/** Counts the statements in flight, so that the world waits for them. */
const createCounter = () => {
  let count = 0;
  let free = Promise.withResolvers<void>();
  return {
    busy: (): Promise<void> | undefined => (count === 0 ? undefined : free.promise),
    counted: async <T>(work: () => Promise<T>): Promise<T> => {
      if (count === 0) free = Promise.withResolvers<void>();
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
        if (count === 0) free.resolve();
      }
    },
  };
};

const purchasesText = 'select * from purchases order by length(id), id';

/** What has changed since the last call: everything is read and compared. */
const createWatch = (audit: Db) => {
  let purchases = new Map<string, string>();
  let accounts = '';
  const read = async () => {
    const bought = await audit.executeQuery<PurchaseRecord>(CompiledQuery.raw(purchasesText));
    const owned = await audit.executeQuery<AccountRecord>(CompiledQuery.raw(accountsText));
    const texts = new Map(bought.rows.map((row) => [row.id, JSON.stringify(row)]));
    return { bought: bought.rows, owned: owned.rows, texts, money: JSON.stringify(owned.rows) };
  };
  return {
    written: async () => {
      const { bought, owned, texts, money } = await read();
      const changed = bought.filter(({ id }) => texts.get(id) !== purchases.get(id));
      const moved = money !== accounts;
      purchases = texts;
      accounts = money;
      return { purchases: changed, accounts: moved ? owned : [] };
    },
    /** From now on only later changes count. */
    restart: async (): Promise<void> => {
      const { texts, money } = await read();
      purchases = texts;
      accounts = money;
    },
  };
};

const createPut = (client: pg.Client, tables: readonly string[]) => {
  const numbered = (text: string): string => {
    let count = 0;
    return text.replaceAll('?', () => `$${(count += 1)}`);
  };
  return async (snapshot: Snapshot): Promise<void> => {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(tables.map((table) => `delete from ${table}`).join('; '));
    for (const [table, rows] of snapshot) {
      for (const row of rows) {
        const { text, values } = insertInto(table, row);
        await client.query(numbered(text), values);
      }
    }
    await client.query('commit');
  };
};

/** Every commit waits for the disk, whatever the server's default is. */
const durableText = `select current_setting('synchronous_commit') as setting`;

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Opens an empty database for the worlds of a thread. */
export const openStore = async (url: string): Promise<Store> => {
  const { counted, busy } = createCounter();
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  const database = readConfig({}).database;
  const audit = new Kysely<Tables>({ dialect: postgresDialect({ ...database, url }, () => {}) });
  await migrate(audit, systemClock);
  // Off by default, so that a commit shows whether it sets what it needs.
  await client.query(`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database()); end $$`);
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  );
  const tables = rows.map(({ name }) => name).filter((name) => !keptTables.has(name));
  const put = createPut(client, tables);
  const watch = createWatch(audit);
  const dialect = postgresDialect({ ...database, connections: 12, url }, () => {});
  const driver = dialect.createDriver();
  await driver.init();
  const settings = {};

  const linkOver = (connection: DatabaseConnection): Link => ({
    execute: (query) =>
      counted(async () => {
        const result = await connection.executeQuery<never>(query);
        const { numAffectedRows = BigInt(result.rows.length) } = result;
        return { result, changed: Number(numAffectedRows) };
      }),
    begin: () => counted(() => driver.beginTransaction(connection, settings)),
    commit: () =>
      counted(async () => {
        const found = await connection.executeQuery<{ setting: string }>(
          CompiledQuery.raw(durableText),
        );
        if (found.rows[0]?.setting !== 'on') undurable = true;
        await driver.commitTransaction(connection);
      }),
    rollback: () => counted(() => driver.rollbackTransaction(connection)),
    release: () => counted(() => driver.releaseConnection(connection)),
  });
  let undurable = false;

  return {
    dialect,
    waits: true,
    link: () => counted(async () => linkOver(await driver.acquireConnection())),
    audit,
    outside: counted,
    written: () => counted(watch.written),
    forget: () => {},
    reset: (beginning) =>
      counted(async () => {
        undurable = false;
        await put(beginningRows(beginning));
        await watch.restart();
      }),
    snapshot: () =>
      counted(async () => {
        const found = new Map<string, readonly object[]>();
        for (const table of tables) {
          found.set(table, (await client.query<object>(`select * from ${table}`)).rows);
        }
        return found;
      }),
    putBack: (snapshot) =>
      counted(async () => {
        await put(snapshot);
        await watch.restart();
      }),
    isDurable: () => !undurable,
    busy,
    close: async () => {
      await driver.destroy();
      await audit.destroy();
      await client.end();
    },
  };
};
