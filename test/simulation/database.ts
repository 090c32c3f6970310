/** Owns the simulated database: real SQL in memory, each statement a turn of the world, with its faults. */
import { DatabaseSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Db } from '../../src/lib/db.ts';
import { readMigrations, statementsFor } from '../../src/lib/db-migrate.ts';
import type { Tables } from '../../src/lib/db-schema.ts';
import { type WrappedStatement, wrapStatement } from '../../src/lib/sqlite-statement.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** The one error that a simulated database raises by itself; any other is the program's fault. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault';
}

/** Tell which purchases a transaction wrote, and whether it moved money. */
const watchers = `
  create temp trigger money_moved after update of available, held on main.accounts begin
    select touch(0);
  end;
  create temp trigger purchase_begun after insert on main.purchases begin
    select touch(new.rowid);
  end;
  create temp trigger purchase_moved after update on main.purchases begin
    select touch(new.rowid);
  end;
`;

export type PurchaseRecord = Tables['purchases'];
export type AccountRecord = Tables['accounts'];

/** One database for all worlds of a thread: emptied, not opened anew. */
export type Store = {
  readonly connection: DatabaseConnection;
  /** For looking from outside, without turns or faults. */
  readonly audit: Db;
  /** Whether the last statement raised an error, and how many rows it changed or gave. */
  readonly last: () => { readonly failed: boolean; readonly rows: number };
  readonly exec: (text: string) => void;
  /** The purchases written since it was last asked, and all accounts where money moved. */
  readonly written: () => Omit<Commit, 'by'>;
  /** What was written since then has been rolled back. */
  readonly forget: () => void;
  readonly reset: (deposits: ReadonlyMap<string, number>) => void;
};

const emptied = [
  'purchase_notes',
  'postings',
  'purchases',
  'accounts',
  'clients',
  'operator_reports',
];

const openShim = (database: DatabaseSync) => {
  const kept = new Map<string, WrappedStatement>();
  const last = { failed: false, rows: 0 };
  const prepare = (text: string): WrappedStatement => {
    const found = kept.get(text);
    if (found !== undefined) return found;
    const { reader, all, run, iterate } = wrapStatement(database.prepare(text));
    const made: WrappedStatement = {
      reader,
      iterate,
      all: (parameters) => {
        last.failed = true;
        const rows = all(parameters);
        last.failed = false;
        last.rows = rows.length;
        return rows;
      },
      run: (parameters) => {
        last.failed = true;
        const result = run(parameters);
        last.failed = false;
        last.rows = result.changes;
        return result;
      },
    };
    kept.set(text, made);
    return made;
  };
  const exec = (text: string): void => {
    prepare(text).run([]);
  };
  return { shim: { close: () => database.close(), prepare }, last, prepare, exec };
};

const isPurchase = (row: object): row is PurchaseRecord => 'idempotency_key' in row;
const isAccount = (row: object): row is AccountRecord => 'available' in row;

const accountsText = 'select client_id, available, held, seq from accounts';

/** No row has this number. */
const moneyMoved = 0;

const writtenText = 'select * from purchases where rowid = ?';

export const openStore = async (): Promise<Store> => {
  const database = new DatabaseSync(':memory:');
  database.exec('pragma foreign_keys = on;');
  for (const { text } of readMigrations()) {
    for (const statement of statementsFor('sqlite', text)) database.exec(statement);
  }
  const touched = new Set<number>();
  database.function('touch', (rowid) => {
    touched.add(Number(rowid));
    return null;
  });
  database.exec(watchers);
  const { shim, last, prepare, exec } = openShim(database);
  const dialect = new SqliteDialect({ database: shim });
  const driver = dialect.createDriver();
  await driver.init();
  const connection = await driver.acquireConnection();
  return {
    connection,
    audit: new Kysely<Tables>({ dialect }),
    last: () => last,
    exec,
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
    reset: (deposits) => {
      touched.clear();
      exec('begin');
      for (const table of emptied) exec(`delete from ${table}`);
      for (const [client, amount] of deposits) {
        prepare(`insert into clients values (?, 'a client', 'active', 0)`).run([client]);
        prepare('insert into accounts values (?, ?, 0, 1)').run([client, amount]);
        prepare(
          `insert into postings values (?, 1, 'deposit', 'funding', 'available', ?, ?, 0, null, null, 0)`,
        ).run([client, amount, amount]);
      }
      exec('commit');
    },
  };
};

export type Commit = {
  /** The name of the process that wrote it. */
  readonly by: string;
  readonly purchases: readonly PurchaseRecord[];
  readonly accounts: readonly AccountRecord[];
};

export type DatabaseOptions = {
  /** How many times the ordinary number of faults. */
  readonly rate: number;
  /** Whether what a dead process has sent may still be done. */
  readonly outlives: boolean;
  /** Called when something was committed, before anybody learns of it. */
  readonly committed: (commit: Commit) => void;
};

type Session = {
  readonly process: Process;
  /** Whether it ever began a transaction, and whether that is open. */
  begun: boolean;
  open: boolean;
  committing: boolean;
};

type Operation<Result> = {
  readonly session: Session;
  readonly label: string;
  readonly reads: boolean;
  readonly run: () => Promise<Result>;
  readonly perform: (operation: Operation<Result>) => Promise<Result>;
};

const labels = new Map<string, string>();
const labelOf = (text: string): string => {
  const known = labels.get(text);
  if (known !== undefined) return known;
  const label = text.replace(/\s+/g, ' ').slice(0, 48);
  labels.set(text, label);
  return label;
};

/** How often each fault of the database happens, at the ordinary rate. */
const odds = {
  slow: 0.004,
  crash: 0.0006,
  error: 0.002,
  commitCrash: 0.004,
  commitFailed: 0.008,
  commitLost: 0.012,
  pause: 0.012,
} as const;

/** The pauses after a commit reach beyond every lease and quiet time. */
const longestPauseMs = 14_000;

export const createDatabase = (world: World, store: Store, options: DatabaseOptions) => {
  const { draw, fault } = world;
  const { rate } = options;
  let owner: Session | undefined;
  let waiting: (() => void)[] = [];

  const release = (): void => {
    owner = undefined;
    const turns = waiting;
    waiting = [];
    for (const turn of turns) world.after(0, turn);
  };

  const latency = (): number => {
    if (draw.chance(0.75)) return 0;
    return fault('slow statement', odds.slow * rate * 4) ? draw.whole(50, 2500) : draw.whole(0, 4);
  };

  /** Lets the model see what was written, and goes on. */
  const show = (process: Process): void =>
    options.committed({ by: process.name, ...store.written() });

  const end = (session: Session, how: 'commit' | 'rollback'): void => {
    store.exec(how);
    session.open = false;
    if (how === 'rollback') store.forget();
    else show(session.process);
    release();
  };

  /** What was under way in a transaction is undone, unless the commit itself was on its way. */
  const bury = (process: Process): void => {
    if (owner?.process !== process) return;
    const arrives = owner.committing && draw.chance(0.5);
    world.say(`${process.name} leaves a transaction ${arrives ? 'committed' : 'rolled back'}`);
    end(owner, arrives ? 'commit' : 'rollback');
  };

  const dead = (): InjectedFault => new InjectedFault('the process is dead');
  const crash = (process: Process, where: string): never => {
    process.die(where);
    throw dead();
  };

  const commit = async (session: Session): Promise<void> => {
    const { process } = session;
    if (fault('crash at a commit', odds.commitCrash * rate)) crash(process, 'before a commit');
    if (fault('failed commit', odds.commitFailed * rate)) {
      end(session, 'rollback');
      throw new InjectedFault('the commit failed');
    }
    end(session, 'commit');
    if (fault('crash at a commit', odds.commitCrash * rate)) crash(process, 'after a commit');
    if (fault('pause', odds.pause * rate)) process.pause(draw.whole(500, longestPauseMs));
    if (fault('lost commit', odds.commitLost * rate)) {
      throw new InjectedFault('the answer to the commit was lost');
    }
  };

  const statement = async <Result>(operation: Operation<Result>): Promise<Result> => {
    const { session, run, reads } = operation;
    const { process } = session;
    if (fault('crash at a statement', odds.crash * rate)) crash(process, 'before a statement');
    if (fault('statement error', odds.error * rate)) {
      throw new InjectedFault('the statement failed');
    }
    const running = run();
    const { failed, rows } = store.last();
    const wrote = !session.begun && !reads && !failed && rows > 0;
    const result = await running;
    if (wrote) show(process);
    if (fault('crash at a statement', odds.crash * rate)) crash(process, 'after a statement');
    if (wrote && fault('lost commit', odds.commitLost * rate)) {
      throw new InjectedFault('the answer to the statement was lost');
    }
    return result;
  };

  /** One operation of a process: its turn comes, it is done, and the process hears of it. */
  const submit = <Result>(operation: Operation<Result>): Promise<Result> => {
    const { session, label } = operation;
    const { process } = session;
    const heard = Promise.withResolvers<Result>();
    const tell = (deliver: () => void): void => {
      if (draw.chance(0.95)) process.now(deliver);
      else process.after(latency(), deliver);
    };
    const turn = (): void => {
      // A statement outside of a transaction may reach the database though its sender is dead.
      const arrives = process.alive() || (options.outlives && !session.begun && draw.chance(0.5));
      if (!arrives) return;
      if (owner !== undefined && owner !== session) {
        waiting.push(turn);
        return;
      }
      world.say(`${process.name} ${label}`);
      operation.perform(operation).then(
        (result) => tell(() => heard.resolve(result)),
        (error: unknown) => {
          world.say(`${process.name} error: ${error instanceof Error ? error.message : 'unknown'}`);
          tell(() => heard.reject(error));
        },
      );
    };
    world.after(latency(), turn);
    return heard.promise;
  };

  const begin = async (session: Session): Promise<void> => {
    if (!session.process.alive()) throw dead();
    if (fault('statement error', odds.error * rate)) {
      throw new InjectedFault('the transaction could not begin');
    }
    store.exec('begin');
    owner = session;
    session.open = true;
    session.begun = true;
  };

  const control = (
    session: Session,
    label: string,
    work: (session: Session) => Promise<void>,
  ): Promise<void> =>
    submit({ session, label, reads: true, run: () => work(session), perform: ({ run }) => run() });

  const openSession = (process: Process): DatabaseConnection & { readonly session: Session } => {
    const session: Session = { process, begun: false, open: false, committing: false };
    return {
      session,
      executeQuery: <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
        submit({
          session,
          label: labelOf(query.sql),
          reads: query.sql.startsWith('select'),
          run: () => store.connection.executeQuery<Row>(query),
          perform: statement,
        }),
      streamQuery: () => {
        throw new Error('Nothing that is simulated streams.');
      },
    };
  };

  const dialectFor = (process: Process): Dialect => {
    const sessions = new Map<DatabaseConnection, Session>();
    const sessionOf = (connection: DatabaseConnection): Session => {
      const session = sessions.get(connection);
      if (session === undefined) throw new Error('A connection of another process.');
      return session;
    };
    return {
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => {
          const connection = openSession(process);
          sessions.set(connection, connection.session);
          return connection;
        },
        beginTransaction: (connection) => control(sessionOf(connection), 'begin', begin),
        commitTransaction: (connection) => {
          const session = sessionOf(connection);
          session.committing = true;
          return control(session, 'commit', commit);
        },
        rollbackTransaction: (connection) =>
          control(sessionOf(connection), 'rollback', async (session) => {
            if (owner === session) end(session, 'rollback');
          }),
        releaseConnection: async (connection) => {
          sessions.delete(connection);
        },
        destroy: async () => {},
      }),
    };
  };

  return {
    /** The database as one process sees it. */
    connect: (process: Process): Db => {
      process.onDeath(() => bury(process));
      return new Kysely<Tables>({ dialect: dialectFor(process) });
    },
    /** After a violation a transaction may be left open. */
    close: (): void => {
      if (owner !== undefined) store.exec('rollback');
    },
  };
};
