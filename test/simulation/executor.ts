/** Runs a transaction's statements with few promises: Kysely's own executor takes a dozen for each. */
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Db } from '../../src/db/types.ts';

type Parts = Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'> & {
  readonly driver: Driver;
};

/** Sends the statements of a transaction to its connection: they have to come one after another. */
class TransactionExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection;

  constructor(parts: Parts, own: ConnectionProvider, connection: DatabaseConnection) {
    super(parts.createQueryCompiler(), parts.createAdapter(), own);
    this.#connection = connection;
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery<Row>(query);
  }

  override withConnectionProvider(): DefaultQueryExecutor {
    return this;
  }
}

class ProcessExecutor extends DefaultQueryExecutor {
  readonly #parts: Parts;
  #provided: DatabaseConnection | undefined;

  constructor(parts: Parts, own: ConnectionProvider) {
    super(parts.createQueryCompiler(), parts.createAdapter(), own);
    this.#parts = parts;
  }

  override provideConnection<T>(
    consumer: (connection: DatabaseConnection) => Promise<T>,
  ): Promise<T> {
    return super.provideConnection((connection) => {
      this.#provided = connection;
      return consumer(connection);
    });
  }

  /** A transaction asks for it as soon as it was provided with its connection. */
  override withConnectionProvider(own: ConnectionProvider): DefaultQueryExecutor {
    const connection = this.#provided;
    if (connection === undefined) return super.withConnectionProvider(own);
    return new TransactionExecutor(this.#parts, own, connection);
  }
}

/** The database as one process sees it, through its driver. */
export const openDatabase = (parts: Parts): Db => {
  const { driver } = parts;
  const dialect = { ...parts, createDriver: () => driver };
  const plain = new Kysely<Tables>({ dialect });
  const executor = new ProcessExecutor(parts, plain.getExecutor());
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
};
