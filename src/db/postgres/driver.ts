/** Adapts statements for PostgreSQL, and records whether an error proves a rollback. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { isCommitting } from '../committing.ts';
import { isServerError, type Plans } from './client.ts';
import { codeOf, isStalePlan, recordDoubt, recordProof } from './errors.ts';

const textsKept = 2000;
const numbered = new Map<string, string>();

/** Texts are written with `?`; PostgreSQL wants numbered values. */
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

/**
 * PostgreSQL stores no NUL. It becomes the replacement character, as half of a surrogate pair does
 * everywhere.
 */
const storable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\uFFFD')
    : value;
};

const adapted = (query: CompiledQuery): CompiledQuery => ({
  ...query,
  sql: numberedText(query.sql),
  parameters: query.parameters.map(storable),
});

// The server or the connection went away: what it did before is unknown.
const unheard = /^(08|57P)/;

const answered = (error: unknown): boolean => isServerError(error) && !unheard.test(codeOf(error));

// Violations, serialization failures, ended transactions: then a commit was a rollback.
const refusedCommit = /^(23|25|40)/;

// A statement that the connection does not know, or knows already: an undetected pooler.
const wrongPlan = new Set(['26000', '42P05']);

/** Runs something that may fail, and records what its failure proves. */
const createJudge =
  (plans: Plans) =>
  async <T>(work: () => Promise<T>, proof: (error: unknown) => boolean): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (wrongPlan.has(codeOf(error))) plans.kept = false;
      recordProof(error, proof(error));
      throw error;
    }
  };

/**
 * Runs a statement. If a migration has changed the result of a prepared statement, every connection prepares
 * all texts again: the statement has done nothing, and runs again unless it has failed a transaction.
 */
const replanning = async <T>(
  plans: Plans,
  runsAlone: () => boolean,
  run: () => Promise<T>,
): Promise<T> => {
  const { generation } = plans;
  try {
    return await run();
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    // Other statements may have met it at the same time.
    if (plans.generation === generation) plans.generation += 1;
    if (!runsAlone()) throw error;
    return run();
  }
};

type Session = DatabaseConnection & { readonly inner: DatabaseConnection };

const noSession = new Error('A connection of another driver.');

// Without a transaction, a read does no harm.
const onlyLooks = /^select\b/;

/** Begin statements that are sent and not answered yet, or have failed. */
const createBeginnings = () => {
  const beginnings = new WeakMap<DatabaseConnection, Promise<unknown>>();
  return {
    /** Does not wait for the answer: the first statement of the transaction does. */
    send: (session: DatabaseConnection, begun: Promise<unknown>): void => {
      beginnings.set(session, begun);
      begun.then(
        () => beginnings.delete(session),
        () => {},
      );
    },
    /** Runs something in the transaction: a read is sent along with its begin. */
    within: async <T>(session: Session, text: string, work: () => Promise<T>): Promise<T> => {
      const begun = beginnings.get(session);
      if (begun === undefined) return work();
      if (!onlyLooks.test(text)) {
        await begun;
        return work();
      }
      const [, result] = await Promise.all([begun, work()]);
      return result;
    },
    heard: async (session: DatabaseConnection): Promise<void> => {
      await beginnings.get(session);
    },
    forget: (session: DatabaseConnection): void => {
      beginnings.delete(session);
    },
  };
};

/** Commits that were sent behind the last statement of their transaction, and that Kysely has not asked for yet. */
const createCommits = () => {
  const commits = new WeakMap<DatabaseConnection, Promise<void>>();
  return {
    keep: (session: DatabaseConnection, commit: Promise<void>): void => {
      commits.set(session, commit);
      // If the statement failed, Kysely rolls back instead.
      commit.catch(() => {});
    },
    take: (session: DatabaseConnection): Promise<void> | undefined => {
      const commit = commits.get(session);
      commits.delete(session);
      return commit;
    },
  };
};

const levelOf = ({ isolationLevel }: TransactionSettings): string =>
  isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;

const always = (): boolean => true;

type Watching = {
  readonly plans: Plans;
  /** The connections with a transaction whose commit is not sent. */
  readonly open: WeakSet<DatabaseConnection>;
  readonly beginnings: ReturnType<typeof createBeginnings>;
  readonly commits: ReturnType<typeof createCommits>;
  readonly commit: (session: Session) => Promise<void>;
  readonly judged: ReturnType<typeof createJudge>;
};

const never = (): boolean => false;

/**
 * Runs the last statement of a transaction, and sends the commit without waiting for its answer. Only the server
 * can say that the statement failed, and that the commit was a rollback then. Any other error leaves it open.
 */
const runAndCommit = async <R>(
  session: Session,
  { plans, open, beginnings, commits, commit, judged }: Watching,
  run: () => Promise<QueryResult<R>>,
): Promise<QueryResult<R>> => {
  await beginnings.heard(session);
  open.delete(session);
  const written = judged(() => replanning(plans, never, run), answered);
  commits.keep(session, commit(session));
  try {
    return await written;
  } catch (error) {
    if (!answered(error)) recordDoubt(error);
    throw error;
  }
};

const sessionOn = (connection: DatabaseConnection, watching: Watching): Session => {
  const { plans, open, beginnings, judged } = watching;
  const runsAlone = (): boolean => !open.has(session);
  const session: Session = {
    inner: connection,
    // A failure before the commit is sent leaves nothing behind.
    executeQuery: <R>(query: CompiledQuery) => {
      const run = () => connection.executeQuery<R>(adapted(query));
      if (isCommitting(query) && open.has(session)) return runAndCommit(session, watching, run);
      return beginnings.within(session, query.sql, () =>
        judged(
          () => replanning(plans, runsAlone, run),
          (error) => open.has(session) || answered(error),
        ),
      );
    },
    streamQuery: async function* stream<R>(query: CompiledQuery, chunk: number) {
      await beginnings.heard(session);
      yield* connection.streamQuery<R>(adapted(query), chunk);
    },
  };
  return session;
};

/** Statements with numbered values, and errors that say what they prove. */
export const wrapDriver = (inner: Driver, begin: string, plans: Plans): Driver => {
  const sessions = new WeakMap<DatabaseConnection, Session>();
  const open = new WeakSet<DatabaseConnection>();
  const beginnings = createBeginnings();
  const commits = createCommits();
  const judged = createJudge(plans);
  const commit = (session: Session): Promise<void> =>
    judged(
      () => inner.commitTransaction(session.inner),
      (error) => answered(error) && refusedCommit.test(codeOf(error)),
    );
  const sessionFor = (connection: DatabaseConnection): Session => {
    const made = sessionOn(connection, { plans, open, beginnings, commits, commit, judged });
    sessions.set(made, made);
    return made;
  };
  const sessionOf = (connection: DatabaseConnection): Session => {
    const session = sessions.get(connection);
    if (session === undefined) throw noSession;
    return session;
  };
  const innerOf = (connection: DatabaseConnection): DatabaseConnection =>
    sessionOf(connection).inner;
  const known = new WeakMap<DatabaseConnection, Session>();
  return {
    init: () => inner.init(),
    acquireConnection: async () => {
      const connection = await judged(() => inner.acquireConnection(), always);
      const session = known.get(connection) ?? sessionFor(connection);
      known.set(connection, session);
      return session;
    },
    beginTransaction: async (connection, settings) => {
      open.add(connection);
      const query = CompiledQuery.raw(`begin${levelOf(settings)}; ${begin}`);
      const begun = judged(() => innerOf(connection).executeQuery(query), always);
      beginnings.send(connection, begun);
    },
    commitTransaction: async (connection) => {
      const sent = commits.take(connection);
      if (sent !== undefined) return sent;
      await beginnings.heard(connection);
      open.delete(connection);
      return commit(sessionOf(connection));
    },
    rollbackTransaction: async (connection) => {
      open.delete(connection);
      beginnings.forget(connection);
      void commits.take(connection);
      try {
        await inner.rollbackTransaction(innerOf(connection));
      } catch {
        // The connection is discarded, and the transaction with it. The original error says why; this one
        // would hide what that one proves.
      }
    },
    releaseConnection: (connection) => inner.releaseConnection(innerOf(connection)),
    destroy: () => inner.destroy(),
  };
};
