/** Connects Kysely to PostgreSQL through `pg`, with its pool and timeouts. */
import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { type PostgresAddress, secureAddress } from './address.ts';
import { type Plans, prepareClient } from './client.ts';
import { wrapDriver } from './driver.ts';
import { registerPool } from './pools.ts';

export type PostgresSettings = PostgresAddress & {
  /** Connections that this process opens at most. */
  readonly connections: number;
  readonly connectMs: number;
  /** How long one statement may take, a wait for a lock included. */
  readonly statementMs: number;
};

// All whole numbers are safe integers: amounts, times, counts and sums.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/**
 * Shorter than the statement timeout: a locked row must fail as such (55P03), and not as a slow statement
 * (57014), which would count against the whole database.
 */
const lockMsOf = (statementMs: number): number => Math.floor(statementMs * 0.8);

/**
 * The start of every transaction, in the same round trip; nothing is set for a session, so that it does not
 * matter which connection a pooler gives. FULL durability is not left to the server's default.
 */
const limitsOf = ({ statementMs }: PostgresSettings): string =>
  [
    'set local synchronous_commit = on',
    `set local statement_timeout = ${statementMs}`,
    `set local lock_timeout = ${lockMsOf(statementMs)}`,
    `set local idle_in_transaction_session_timeout = ${statementMs}`,
  ].join('; ');

// The pool waits for it before it gives a connection away, although its types do not say so.
type PoolSettings = Omit<pg.PoolConfig, 'onConnect'> & {
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
};

/**
 * A cursor without the client's query timeout: `pg` starts it with the cursor and ends it only when a query
 * calls back, which a cursor never does. It cut off long reads, and hit the next user of the connection. The
 * server's limit on each fetch stays.
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

/** `failed` receives errors of idle connections that broke. */
export const postgresDialect = (
  settings: PostgresSettings,
  failed: (error: Error) => void,
): Dialect => {
  const plans: Plans = { kept: true, generation: 0 };
  const poolSettings: PoolSettings = {
    onConnect: (client) => prepareClient(client, plans),
    ...secureAddress(settings).connecting,
    max: settings.connections,
    connectionTimeoutMillis: settings.connectMs,
    // Above the server's own limit: for a server that does not answer at all.
    query_timeout: settings.statementMs * 2,
    keepAlive: true,
    // The next statement is sent without waiting for the previous answer.
    pipeline: true,
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
      registerPool(adapter, () => ({
        total: pool.totalCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      }));
      return adapter;
    },
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => wrapDriver(dialect.createDriver(), begin, plans),
  };
};
