/** Owns PostgreSQL: `pg` behind Kysely, its pool and limits, and what an error proves about a transaction. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { isAnswer, type Plans, prepareClient } from './db-postgres-client.ts';

export type PostgresSettings = {
  readonly url: string;
  /** Connections that this process opens at most. */
  readonly connections: number;
  readonly connectMs: number;
  /** How long one statement may take, a wait for a lock included. */
  readonly statementMs: number;
};

// Whole numbers within the safe integers, all of them: amounts, times, counts and sums.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

const textsKept = 2000;
const numbered = new Map<string, string>();

/** Texts are written with `?`; PostgreSQL wants its values numbered. */
const numberedText = (text: string): string => {
  const known = numbered.get(text);
  if (known !== undefined) return known;
  let count = 0;
  const made = text.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
  if (numbered.size >= textsKept) numbered.clear();
  numbered.set(text, made);
  return made;
};

/** PostgreSQL keeps no NUL. It becomes the sign for what cannot be kept, as half of a pair does everywhere. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

const adapted = (query: CompiledQuery): CompiledQuery => ({
  ...query,
  sql: numberedText(query.sql),
  parameters: query.parameters.map(storable),
});

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Errors that prove that nothing of their transaction was or will be committed. */
const notCommitted = new WeakSet<object>();

export const isPostgresRolledBack = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && notCommitted.has(error);

// The server is going, or the connection: what it did before it went nobody has heard.
const unheard = /^(08|57P)/;

const answered = (error: unknown): boolean => isAnswer(error) && !unheard.test(codeOf(error));

// Violations, failures to serialise, transactions that were over: then a commit was a rollback.
const refusedCommit = /^(23|25|40)/;

const noteProof = (error: unknown, proof: boolean): void => {
  if (proof && typeof error === 'object' && error !== null) notCommitted.add(error);
};

// A plan that the connection does not know, or knows already: a pooler that hides itself.
const wrongPlan = new Set(['26000', '42P05']);

type Session = DatabaseConnection & { readonly inner: DatabaseConnection };

const noSession = new Error('A connection of another driver.');

/** Statements with numbered values, and errors that tell what they prove. */
const watchDriver = (inner: Driver, begin: string, wrong: () => void): Driver => {
  const sessions = new WeakMap<DatabaseConnection, Session>();
  const open = new WeakSet<DatabaseConnection>();
  const judged = async <T>(work: () => Promise<T>, proof: (error: unknown) => boolean) => {
    try {
      return await work();
    } catch (error) {
      if (wrongPlan.has(codeOf(error))) wrong();
      noteProof(error, proof(error));
      throw error;
    }
  };
  const sessionFor = (connection: DatabaseConnection): Session => {
    const made: Session = {
      inner: connection,
      // Whatever fails before the commit is sent leaves nothing behind.
      executeQuery: <R>(query: CompiledQuery) =>
        judged(
          () => connection.executeQuery<R>(adapted(query)),
          (error) => open.has(made) || answered(error),
        ),
      streamQuery: <R>(query: CompiledQuery, chunk: number) =>
        connection.streamQuery<R>(adapted(query), chunk),
    };
    sessions.set(made, made);
    return made;
  };
  const innerOf = (connection: DatabaseConnection): DatabaseConnection => {
    const session = sessions.get(connection);
    if (session === undefined) throw noSession;
    return session.inner;
  };
  const known = new WeakMap<DatabaseConnection, Session>();
  return {
    init: () => inner.init(),
    acquireConnection: async () => {
      const connection = await judged(
        () => inner.acquireConnection(),
        () => true,
      );
      const session = known.get(connection) ?? sessionFor(connection);
      known.set(connection, session);
      return session;
    },
    beginTransaction: async (connection, settings: TransactionSettings) => {
      open.add(connection);
      const level =
        settings.isolationLevel === undefined ? '' : ` isolation level ${settings.isolationLevel}`;
      await connection.executeQuery(CompiledQuery.raw(`begin${level}; ${begin}`));
    },
    commitTransaction: (connection) => {
      open.delete(connection);
      return judged(
        () => inner.commitTransaction(innerOf(connection)),
        (error) => answered(error) && refusedCommit.test(codeOf(error)),
      );
    },
    rollbackTransaction: async (connection) => {
      open.delete(connection);
      try {
        await inner.rollbackTransaction(innerOf(connection));
      } catch {
        // The connection is thrown away, and the transaction with it. The error that led here tells
        // why; this one would hide what that one proves.
      }
    },
    releaseConnection: (connection) => inner.releaseConnection(innerOf(connection)),
    destroy: () => inner.destroy(),
  };
};

/**
 * What every transaction begins with, in the same round trip; nothing is set for a session, so that it
 * does not matter which connection a pooler gives. FULL durability is not left to the server's default.
 */
const limitsOf = ({ statementMs }: PostgresSettings): string =>
  [
    'set local synchronous_commit = on',
    `set local statement_timeout = ${statementMs}`,
    `set local lock_timeout = ${statementMs}`,
    `set local idle_in_transaction_session_timeout = ${statementMs}`,
  ].join('; ');

// The pool waits for it before it gives a connection away, though its types do not say so.
type PoolSettings = Omit<pg.PoolConfig, 'onConnect'> & {
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
};

/**
 * A cursor without the client's limit on queries: `pg` begins it with the cursor and would end it only
 * where a query calls back, which a cursor never does. It cut long readings off, and met whatever had
 * the connection by then. The server's limit on each fetch stays.
 */
class PatientCursor extends Cursor {
  constructor(...args: ConstructorParameters<typeof Cursor>) {
    super(...args);
    const submit = this.submit.bind(this);
    this.submit = (connection) => {
      const endLimit: unknown = Reflect.get(this, 'callback');
      if (typeof endLimit === 'function') Reflect.apply(endLimit, this, []);
      submit(connection);
    };
  }
}

export type PoolFigures = {
  readonly total: number;
  readonly idle: number;
  /** Who waits for a connection. */
  readonly waiting: number;
};

const pools = new WeakMap<object, pg.Pool>();

/** The pool behind an adapter of this dialect; undefined for another's. */
export const poolFigures = (adapter: object): PoolFigures | undefined => {
  const pool = pools.get(adapter);
  if (pool === undefined) return undefined;
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
};

/** `failed` hears of connections that broke while nobody used them. */
export const postgresDialect = (
  settings: PostgresSettings,
  failed: (error: Error) => void,
): Dialect => {
  const plans: Plans = { kept: true };
  const poolSettings: PoolSettings = {
    onConnect: (client) => prepareClient(client, plans),
    connectionString: settings.url,
    max: settings.connections,
    connectionTimeoutMillis: settings.connectMs,
    // Beyond the server's own limit: for a server that does not answer at all.
    query_timeout: settings.statementMs * 2,
    keepAlive: true,
    application_name: 'simgate',
    types,
  };
  const pool = new pg.Pool(poolSettings);
  pool.on('error', failed);
  const dialect = new PostgresDialect({ pool, cursor: PatientCursor });
  const begin = limitsOf(settings);
  return {
    createAdapter: () => {
      const adapter = dialect.createAdapter();
      pools.set(adapter, pool);
      return adapter;
    },
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () =>
      watchDriver(dialect.createDriver(), begin, () => {
        plans.kept = false;
      }),
  };
};

// Classes of errors that pass: no connection, too few resources, the operator's intervention, I/O.
const awayCodes = /^(08|53|57P|58)|^(55P03|57014|25006|25P0[34])$/;

const awaySystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

const awayMessages =
  /connection (terminated|timeout|ended|error)|timeout exceeded|read timeout|not queryable/i;

/** Whether an error says that the database is away, not that the program is wrong. */
export const isPostgresUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (awayCodes.test(codeOf(error)) ||
    awaySystemCodes.has(codeOf(error)) ||
    awayMessages.test(error.message));
