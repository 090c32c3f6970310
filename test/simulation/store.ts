/** Runs the simulation's SQL in memory on SQLite: emptied for each world, copied and restored. */
import { DatabaseSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { readMigrations, statementsFor } from '../../src/db/migrate/migrations.ts';
import { type WrappedStatement, wrapStatement } from '../../src/db/sqlite/statement.ts';
import { haveForm } from '../../src/db/statement.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Db } from '../../src/db/types.ts';
import { priceLists } from './prices.ts';

export type PurchaseRecord = Tables['purchases'];
export type AccountRecord = Tables['accounts'];

/** What a transaction has changed: purchases, and all accounts if money moved. */
export type Written = {
  readonly purchases: readonly PurchaseRecord[];
  readonly accounts: readonly AccountRecord[];
};

/** The rows of every table. */
export type Snapshot = ReadonlyMap<string, readonly object[]>;

/** Synchronous on SQLite, asynchronous on PostgreSQL. */
type Soon<T> = T | Promise<T>;

/** One connection. */
export type Link = {
  readonly execute: <Row>(query: CompiledQuery) => Soon<{
    readonly result: QueryResult<Row>;
    readonly changed: number;
  }>;
  readonly begin: () => Soon<void>;
  readonly commit: () => Soon<void>;
  readonly rollback: () => Soon<void>;
  readonly release: () => Soon<void>;
};

/** The initial state of a world. */
export type Beginning = {
  readonly deposits: ReadonlyMap<string, number>;
  /** The test clients. */
  readonly tests: ReadonlySet<string>;
  readonly endpoints: readonly Tables['webhook_endpoints'][];
};

/** One database for all worlds of a thread: emptied, not opened again. */
export type Store = {
  readonly dialect: Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>;
  /** Whether statements take real time. */
  readonly waits: boolean;
  readonly link: () => Soon<Link>;
  /** For work from outside, without turns or faults. */
  readonly audit: Db;
  /** Runs such work while the world waits. */
  readonly outside: <T>(work: () => Promise<T>) => Promise<T>;
  /** What was written since the last call. */
  readonly written: () => Soon<Written>;
  /** What was written since then has been rolled back. */
  readonly forget: () => void;
  readonly reset: (beginning: Beginning) => Soon<void>;
  readonly snapshot: () => Soon<Snapshot>;
  /** Replaces everything with a snapshot. */
  readonly putBack: (snapshot: Snapshot) => Soon<void>;
  /** Whether every commit so far has waited for the disk. */
  readonly isDurable: () => boolean;
  /** Resolves when nothing is in flight; undefined if nothing is. */
  readonly busy: () => Promise<void> | undefined;
  readonly close: () => Promise<void>;
};

/** Tables that no world changes. */
export const keptTables = new Set(['migrations', 'versions']);

/** Records which purchases a transaction wrote, and whether it moved money. */
const watchers = `
  create temp trigger money_moved after update of available, held, credit_limit on main.accounts begin
    select touch(0);
  end;
  create temp trigger purchase_begun after insert on main.purchases begin
    select touch(new.rowid);
  end;
  create temp trigger purchase_moved after update on main.purchases begin
    select touch(new.rowid);
  end;
`;

/**
 * The same condition without a list of values: for a longer one SQLite opens and fills a table at every write of a row.
 */
const withoutLists = (text: string): string =>
  text.startsWith('create table')
    ? text.replaceAll(
        /(\w+) in \(\s*('[^']*'(?:,\s*'[^']*')*)\s*\)/g,
        (_, column: string, values: string) =>
          `(${values
            .split(',')
            .map((value) => `${column} = ${value.trim()}`)
            .join(' or ')})`,
      )
    : text;

const openTables = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:');
  // Small pages: a transaction copies each page that it changes.
  database.exec('pragma page_size = 1024; pragma foreign_keys = on;');
  for (const { text } of readMigrations()) {
    for (const statement of statementsFor('sqlite', text)) database.exec(withoutLists(statement));
  }
  // A world begins with an empty audit.
  database.exec(
    'drop trigger audit_not_deleted; drop trigger admin_audit_not_deleted; drop trigger supplier_ledger_not_deleted; drop trigger float_entries_not_deleted;',
  );
  // With a dozen rows an index costs more than it saves. Unique ones stay, and where some worlds have hundreds.
  const indexes = database
    .prepare(
      `select name from sqlite_schema
       where type = 'index' and sql not like 'create unique%' and tbl_name <> 'unmatched_reports'`,
    )
    .all();
  for (const { name } of indexes) database.exec(`drop index ${String(name)}`);
  return database;
};

/**
 * The tables that a world changes, each after those that its rows refer to. So a world can be loaded without
 * disabling foreign keys, which would make SQLite compile every statement again.
 */
const tablesIn = (database: DatabaseSync): readonly string[] => {
  const namesOf = (text: string): string[] =>
    database
      .prepare(text)
      .all()
      .map(({ name }) => String(name));
  const ordered = new Set<string>();
  const add = (table: string): void => {
    const referred = namesOf(
      `select distinct "table" as name from pragma_foreign_key_list('${table}')`,
    );
    for (const one of referred) if (one !== table && !ordered.has(one)) add(one);
    ordered.add(table);
  };
  const all = namesOf(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`,
  );
  for (const table of all) add(table);
  return [...ordered].filter((table) => !keptTables.has(table));
};

const openShim = (database: DatabaseSync) => {
  const kept = new Map<string, WrappedStatement>();
  const prepare = (text: string): WrappedStatement => {
    const found = kept.get(text);
    if (found !== undefined) return found;
    const made = wrapStatement(database.prepare(text));
    kept.set(text, made);
    return made;
  };
  return {
    prepare,
    exec: (text: string): void => {
      prepare(text).run([]);
    },
  };
};

const isPurchase = (row: object): row is PurchaseRecord => 'idempotency_key' in row;
const isAccount = (row: object): row is AccountRecord => 'available' in row;

export const accountsText =
  'select client_id, available, held, seq, credit_limit from accounts order by client_id';

/** No row has this number. */
const moneyMoved = 0;

const writtenText = 'select * from purchases where rowid = ?';

/** The initial rows of a world, by table. */
export const beginningRows = ({ deposits, tests, endpoints }: Beginning): Snapshot =>
  new Map<string, readonly object[]>([
    [
      'clients',
      [...deposits.keys()].map((id) => ({
        id,
        name: id,
        status: 'active',
        created_at: 0,
        test: Number(tests.has(id)),
      })),
    ],
    [
      'accounts',
      [...deposits].map(([client_id, available]) => ({
        client_id,
        available,
        held: 0,
        seq: 1,
        credit_limit: 0,
      })),
    ],
    [
      'postings',
      [...deposits].map(([client_id, amount]) => ({
        client_id,
        seq: 1,
        kind: 'deposit',
        from_account: 'funding',
        to_account: 'available',
        amount,
        available_after: amount,
        held_after: 0,
        purchase_id: null,
        note: null,
        at: 0,
      })),
    ],
    ['webhook_endpoints', endpoints],
    ['price_lists', priceLists],
  ]);

export const insertInto = (table: string, row: object): { text: string; values: unknown[] } => {
  const names = Object.keys(row);
  const text = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
  return { text, values: Object.values(row) };
};

export const openStore = async (): Promise<Store> => {
  const database = openTables();
  const touched = new Set<number>();
  database.function('touch', (rowid) => {
    touched.add(Number(rowid));
    return null;
  });
  database.exec(watchers);
  const { prepare, exec } = openShim(database);
  const tables = tablesIn(database);
  // Most are empty: one statement finds out faster than each is emptied.
  const filledText = tables
    .map((table) => `select '${table}' as name where exists (select 1 from ${table})`)
    .join(' union all ');
  const put = (snapshot: Snapshot): void => {
    exec('begin');
    const filled = prepare(filledText).all([]);
    for (const { name } of filled.toReversed()) exec(`delete from ${String(name)}`);
    for (const table of tables) {
      for (const row of snapshot.get(table) ?? []) {
        const { text, values } = insertInto(table, row);
        prepare(text).run(values);
      }
    }
    exec('commit');
    touched.clear();
  };
  const link: Link = {
    execute: ({ sql, parameters }) => {
      const statement = prepare(sql);
      if (statement.reader) {
        const rows: readonly unknown[] = statement.all(parameters);
        return { result: { rows: haveForm<never>(rows) ? rows : [] }, changed: rows.length };
      }
      const { changes } = statement.run(parameters);
      return { result: { rows: [], numAffectedRows: BigInt(changes) }, changed: changes };
    },
    begin: () => exec('begin'),
    commit: () => exec('commit'),
    rollback: () => exec('rollback'),
    release: () => {},
  };
  // One for all processes: each binds some eighty functions.
  const compiler = new SqliteQueryCompiler();
  return {
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => compiler,
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    waits: false,
    link: () => link,
    audit: new Kysely<Tables>({
      dialect: new SqliteDialect({ database: { close: () => database.close(), prepare } }),
    }),
    outside: (work) => work(),
    written: () => {
      const moved = touched.delete(moneyMoved);
      const rowids = [...touched].sort((one, other) => one - other);
      touched.clear();
      return {
        purchases: rowids.flatMap((rowid) => prepare(writtenText).all([rowid])).filter(isPurchase),
        accounts: moved ? prepare(accountsText).all([]).filter(isAccount) : [],
      };
    },
    forget: () => touched.clear(),
    reset: (beginning) => put(beginningRows(beginning)),
    snapshot: () =>
      new Map(tables.map((table) => [table, prepare(`select * from ${table}`).all([])])),
    putBack: put,
    isDurable: () => true,
    busy: () => undefined,
    close: async () => database.close(),
  };
};
