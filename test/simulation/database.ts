/** Simulates the database: real SQL, each statement a turn of the world, with outages, lost answers and clock steps. */
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { isCommitting } from '../../src/db/committing.ts';
import { isPostgresRolledBack, recordDoubt, recordProof } from '../../src/db/postgres/errors.ts';
import type { Db } from '../../src/db/types.ts';
import { perKey } from '../../src/lib/memo.ts';
import type { SeenPlace } from '../../src/purchases/restored/place/store.ts';
import { openDatabase } from './executor.ts';
import { epoch, type Process } from './process.ts';
import type { Link, Snapshot, Store, Written } from './store.ts';
import type { World } from './world.ts';

/** The only error that a simulated database raises itself; any other is a bug of the program. */
export class InjectedFault extends Error {
  override readonly name = 'InjectedFault';
  readonly code: string;

  /** `proof`: whether the error proves that nothing of its transaction was committed. */
  constructor(message: string, code = '', proof = false) {
    super(message);
    this.code = code;
    recordProof(this, proof);
  }
}

export type Commit = Written & {
  /** The name of the process that wrote it. */
  readonly by: string;
  /** How long its transaction had waited when it had locked the accounts. */
  readonly waitedMs: number;
};

export type DatabaseOptions = {
  /** The multiple of the ordinary number of faults. */
  readonly rate: number;
  /** Whether statements that a dead process has sent may still run. */
  readonly outlives: boolean;
  /** Whether its answers are lost for seconds. */
  readonly outages: boolean;
  /** Whether its clock may step when it starts again. */
  readonly clockSteps: boolean;
  /** Whether processes monitor its place. */
  readonly tellsPlace: boolean;
  /** Whether a commit is sent along with the last statement of a transaction. */
  readonly pipelines: boolean;
  /** Called when a restore was recorded, or opened. */
  readonly restored: (isClosed: boolean, by: string) => void;
  /** Called at each commit, before any process learns of it. */
  readonly committed: (commit: Commit) => void;
};

type Session = {
  readonly process: Process;
  link: Link | undefined;
  /** Whether it ever began a transaction, and whether that is open. */
  begun: boolean;
  open: boolean;
  committing: boolean;
  /** Whether its commit is sent along with the last statement, and how it ended. */
  pipelined: boolean;
  ended: Promise<void> | undefined;
  /** When its transaction was requested, and how long that had waited when it had locked the accounts. */
  askedAt: number;
  waitedMs: number;
  /** Whether it waits for the answer to an operation. */
  waits: boolean;
  /** Whether an outage has cut it off. */
  broken: boolean;
  /** Whether its transaction records a restore, or opens one. */
  closes: boolean | undefined;
};

type Connection = DatabaseConnection & {
  /** Another one each time that it is acquired. */
  session: Session;
};

type Operation<Result> = {
  readonly session: Session;
  readonly label: string;
  readonly run: () => Promise<Result>;
};

/** What a statement is, by its text. */
type Kind = {
  readonly label: string;
  readonly reads: boolean;
  readonly locksBooks: boolean;
  /** Whether it records a restore, or opens one. */
  readonly closes: boolean | undefined;
};

const closing = (text: string): boolean | undefined => {
  if (text.startsWith('insert into "restores"')) return true;
  return text.startsWith('update "restores" set "opened_at"') ? false : undefined;
};

const kindOf = perKey(
  (text: string): Kind => ({
    // Without quotes: so a statement is the same, whether Kysely or the program writes its text.
    label: text.replaceAll('"', '').replace(/\s+/g, ' ').slice(0, 48),
    reads: text.startsWith('select'),
    locksBooks: text.startsWith('select client_id, available, held, seq'),
    closes: closing(text),
  }),
);

/** How often each fault of the database happens, at the ordinary rate. */
const odds = {
  slow: 0.004,
  crash: 0.0006,
  error: 0.002,
  commitCrash: 0.004,
  commitFailed: 0.008,
  commitLost: 0.012,
  commitOutage: 0.006,
  pause: 0.012,
  trouble: 0.3,
  errorInTrouble: 0.35,
} as const;

/** As long as the attempts of one purchase, and longer. */
const longestTroubleMs = 3000;

/** The pauses after a commit reach beyond every lease and quiet time. */
const longestPauseMs = 14_000;

/** For these errors the gateway reports an unavailable database; for the others one failed statement. */
const awayCodes = ['57014', 'ECONNRESET', ''] as const;

/** How far a clock may step, in either direction. */
const steps = [-7_200_000, -30_000, -3000, 3000, 30_000, 7_200_000] as const;
const stepsBack = [-7_200_000, -30_000] as const;

/** Without its commit: a store's own driver would send that along, and no fault could come first. */
const alone = (query: CompiledQuery): CompiledQuery => {
  if (!isCommitting(query)) return query;
  const { sql, query: node, queryId, parameters } = query;
  return { sql, query: node, queryId, parameters };
};

export const createDatabase = (world: World, store: Store, options: DatabaseOptions) => {
  const { draw, fault } = world;
  const { rate } = options;
  let owner: Session | undefined;
  let waiting: (() => void)[] = [];
  let awayUntil = 0;
  let troubledUntil = 0;
  let clockOffset = 0;
  let starts = 0;
  let timeline = 1;
  const sessions = new Set<Session>();

  const time = (): number => epoch + world.now() + clockOffset;
  const place = (): SeenPlace => ({
    system_id: 'simulated',
    database_oid: 1,
    accounts_oid: 1,
    timeline,
    signature: `${starts} ${timeline}`,
    now: time(),
  });
  /** Faults seldom come alone: after an unanswered commit, the next statements may fail for a while. */
  const isTroubled = (): boolean => world.faulty() && world.now() < troubledUntil;
  const errorOdds = (): number => (isTroubled() ? odds.errorInTrouble : odds.error * rate);
  const loseAnswer = (error: InjectedFault): never => {
    if (fault('trouble of the database', odds.trouble)) {
      troubledUntil = world.now() + draw.whole(100, longestTroubleMs);
    }
    throw error;
  };
  const isAway = (): boolean => world.now() < awayUntil;

  const release = (): void => {
    owner = undefined;
    const turns = waiting;
    waiting = [];
    for (const turn of turns) world.after(0, turn);
  };

  const latency = (): number => {
    // During such trouble a statement hangs before it fails, or works.
    if (isTroubled() && draw.chance(0.35)) return draw.whole(200, 1500);
    if (draw.chance(0.75)) return 0;
    return fault('slow statement', odds.slow * rate * 4) ? draw.whole(50, 2500) : draw.whole(0, 4);
  };

  /** Lets the model see what was written. */
  const show = async ({ process, waitedMs }: Session): Promise<void> => {
    const written = store.written();
    const { purchases, accounts } = written instanceof Promise ? await written : written;
    options.committed({ by: process.name, waitedMs, purchases, accounts });
  };

  const end = async (session: Session, how: 'commit' | 'rollback'): Promise<void> => {
    const ended = session.link?.[how]();
    session.open = false;
    if (ended instanceof Promise) await ended;
    if (how === 'rollback') store.forget();
    else {
      if (session.closes !== undefined) options.restored(session.closes, session.process.name);
      await show(session);
    }
    release();
  };

  /** An open transaction is rolled back, unless the commit itself was in flight. */
  const breakOff = (session: Session): Promise<void> => {
    const arrives = session.committing && draw.chance(0.5);
    const { name } = session.process;
    world.say(`${name} leaves a transaction ${arrives ? 'committed' : 'rolled back'}`);
    return end(session, arrives ? 'commit' : 'rollback');
  };

  const leave = async (session: Session): Promise<void> => {
    const { link } = session;
    session.link = undefined;
    const left = link?.release();
    if (left instanceof Promise) await left;
  };

  const bury = (process: Process): void => {
    if (owner?.process === process) void breakOff(owner);
    for (const session of sessions) {
      if (session.process !== process) continue;
      sessions.delete(session);
      void leave(session);
    }
  };

  const dead = (): InjectedFault => new InjectedFault('the process is dead');
  const crash = (process: Process, where: string): never => {
    process.die(where);
    throw dead();
  };

  const stepClock = (): void => {
    if (!options.clockSteps || !fault('database clock step', 0.7)) return;
    clockOffset += draw.pick(steps);
    world.say(`the database's clock is now at ${clockOffset}`);
  };

  /**
   * Cuts every connection; until the end of the outage no statement runs. Resolves when open ones have ended.
   */
  const goAway = async (ms: number): Promise<void> => {
    world.say(`the database is away for ${ms}`);
    awayUntil = world.now() + ms;
    starts += 1;
    if (owner !== undefined) owner.broken = true;
    const broken = owner === undefined ? undefined : breakOff(owner);
    stepClock();
    await broken;
  };

  /** If clocks step, most outages are short, so that an earlier quiet time is not over anyway. */
  const outageMs = (): number => {
    const short = options.clockSteps && draw.chance(0.7);
    return short ? draw.whole(200, 800) : draw.pick([300, 1500, 4000, 9000]) + draw.whole(0, 900);
  };

  /** Nothing of a transaction is committed before its commit is sent: until then any error is proof. */
  const away = (session: Session, label: string): InjectedFault => {
    const { begun, committing, pipelined } = session;
    const proof = (begun || label === 'begin') && !committing && !pipelined;
    return new InjectedFault('the database is away', 'ECONNRESET', proof);
  };

  const commit = async (session: Session): Promise<void> => {
    const { process } = session;
    if (fault('crash at a commit', odds.commitCrash * rate)) crash(process, 'before a commit');
    if (options.outages && fault('outage at a commit', odds.commitOutage * rate)) {
      void goAway(outageMs());
      throw away(session, 'commit');
    }
    if (fault('failed commit', odds.commitFailed * rate)) {
      await end(session, 'rollback');
      const proves = draw.chance(0.5);
      throw new InjectedFault('the commit failed', proves ? '40001' : 'ECONNRESET', proves);
    }
    await end(session, 'commit');
    if (fault('crash at a commit', odds.commitCrash * rate)) crash(process, 'after a commit');
    if (fault('pause', odds.pause * rate)) process.pause(draw.whole(500, longestPauseMs));
    if (fault('lost commit', odds.commitLost * rate)) {
      loseAnswer(
        new InjectedFault('the answer to the commit was lost', draw.pick(['', 'ECONNRESET'])),
      );
    }
  };

  /** On PostgreSQL the statement that locks the accounts returns the place too. */
  const tellPlace = (rows: readonly unknown[]): void => {
    const { signature } = place();
    for (const row of rows) {
      if (typeof row === 'object' && row !== null) Object.assign(row, { signature });
    }
  };

  const statement = async <Row>(
    session: Session,
    query: CompiledQuery,
    { reads, locksBooks, closes }: Kind,
  ): Promise<QueryResult<Row>> => {
    const { process } = session;
    if (fault('crash at a statement', odds.crash * rate)) crash(process, 'before a statement');
    if (fault('statement error', errorOdds())) {
      const code = draw.pick(awayCodes);
      // With a commit behind it, and outside of a transaction, a broken connection leaves it open whether a
      // write was done.
      const inside = session.open && !session.pipelined;
      throw new InjectedFault('the statement failed', code, inside || code !== 'ECONNRESET');
    }
    session.link ??= await store.link();
    const done = session.link.execute<Row>(alone(query));
    const { result, changed } = done instanceof Promise ? await done : done;
    session.closes = closes ?? session.closes;
    if (locksBooks) {
      session.waitedMs = world.now() - session.askedAt;
      if (options.tellsPlace) tellPlace(result.rows);
    }
    const wrote = !session.begun && !reads && changed > 0;
    if (wrote) await show(session);
    if (!process.alive()) await leave(session);
    if (fault('crash at a statement', odds.crash * rate)) crash(process, 'after a statement');
    if (wrote && fault('lost commit', odds.commitLost * rate)) {
      loseAnswer(new InjectedFault('the answer to the statement was lost'));
    }
    return result;
  };

  /**
   * The last statement of a transaction on PostgreSQL, with its commit behind it. Where the connection breaks, the
   * answers to both may be lost, or only that to the commit.
   */
  const statementAndCommit = async <Row>(
    session: Session,
    query: CompiledQuery,
    kind: Kind,
  ): Promise<QueryResult<Row>> => {
    const result = await statement<Row>(session, query, kind);
    session.committing = true;
    session.ended = commit(session);
    try {
      await session.ended;
    } catch (error) {
      if (session.broken || fault('both answers lost', 0.5)) throw error;
    }
    return result;
  };

  /** What comes from outside may hide that the commit was done. */
  const doubted = <Result>(answer: Promise<Result>): Promise<Result> =>
    answer.catch((error: unknown) => {
      if (!isPostgresRolledBack(error)) recordDoubt(error);
      throw error;
    });

  /** One operation of a process: its turn comes, it runs, and the process gets the result. */
  const submit = <Result>(operation: Operation<Result>): Promise<Result> => {
    const { session, label } = operation;
    const { process } = session;
    if (session.waits) throw new Error(`One connection sends two operations at once: ${label}.`);
    session.waits = true;
    const heard = Promise.withResolvers<Result>();
    const tell = (deliver: () => void): void => {
      session.waits = false;
      if (draw.chance(0.95)) process.now(deliver);
      else process.after(latency(), deliver);
    };
    const fails = (error: unknown): void => {
      world.say(`${process.name} error: ${error instanceof Error ? error.message : 'unknown'}`);
      tell(() => heard.reject(error));
    };
    const turn = (): void => {
      // A statement outside of a transaction may reach the database although its sender is dead.
      const arrives = process.alive() || (options.outlives && !session.begun && draw.chance(0.5));
      if (!arrives) return;
      if ((isAway() || session.broken) && label !== 'rollback') {
        fails(away(session, label));
        return;
      }
      if (owner !== undefined && owner !== session) {
        if (owner.process.asleep()) world.stall(owner.process.wakesAt());
        waiting.push(turn);
        return;
      }
      world.say(`${process.name} ${label}`);
      operation.run().then((result) => tell(() => heard.resolve(result)), fails);
    };
    world.after(latency(), turn);
    return heard.promise;
  };

  const begin = async (session: Session): Promise<void> => {
    if (!session.process.alive()) throw dead();
    if (fault('statement error', errorOdds())) {
      throw new InjectedFault('the transaction could not begin', draw.pick(awayCodes), true);
    }
    owner = session;
    session.open = true;
    session.begun = true;
    session.link ??= await store.link();
    const begun = session.link.begin();
    if (begun instanceof Promise) await begun;
  };

  const control = (
    session: Session,
    label: string,
    work: (session: Session) => Promise<void>,
  ): Promise<void> => submit({ session, label, run: () => work(session) });

  const openSession = (process: Process): Session => ({
    process,
    link: undefined,
    begun: false,
    open: false,
    committing: false,
    pipelined: false,
    ended: undefined,
    askedAt: 0,
    waitedMs: 0,
    waits: false,
    broken: false,
    closes: undefined,
  });

  /** Used again: Kysely keeps each connection in a weak set, which takes time for every new one. */
  const openConnection = (process: Process): Connection => {
    const connection: Connection = {
      session: openSession(process),
      executeQuery: <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        const { session } = connection;
        const kind = kindOf(query.sql);
        if (isCommitting(query) && options.pipelines) {
          session.pipelined = true;
          const run = () => statementAndCommit<Row>(session, query, kind);
          return doubted(submit({ session, label: `${kind.label} and commit`, run }));
        }
        return submit({
          session,
          label: kind.label,
          run: () => statement<Row>(session, query, kind),
        });
      },
      streamQuery: () => {
        throw new Error('Nothing that is simulated streams.');
      },
    };
    return connection;
  };

  const driverFor = (process: Process): Driver => {
    const connections = new Map<DatabaseConnection, Connection>();
    const free: Connection[] = [];
    const ownOf = (connection: DatabaseConnection): Connection => {
      const own = connections.get(connection);
      if (own === undefined) throw new Error('A connection of another process.');
      return own;
    };
    const take = (): Connection => {
      const known = free.pop();
      if (known !== undefined) {
        known.session = openSession(process);
        return known;
      }
      const made = openConnection(process);
      connections.set(made, made);
      return made;
    };
    return {
      init: async () => {},
      acquireConnection: async () => {
        const connection = take();
        sessions.add(connection.session);
        return connection;
      },
      beginTransaction: (connection) => {
        const { session } = ownOf(connection);
        session.askedAt = world.now();
        return control(session, 'begin', begin);
      },
      commitTransaction: (connection) => {
        const { session } = ownOf(connection);
        if (session.ended !== undefined) return session.ended;
        session.committing = true;
        return control(session, 'commit', commit);
      },
      rollbackTransaction: (connection) =>
        control(ownOf(connection).session, 'rollback', async (session) => {
          if (owner === session) await end(session, 'rollback');
        }),
      releaseConnection: async (connection) => {
        const own = ownOf(connection);
        free.push(own);
        sessions.delete(own.session);
        await leave(own.session);
      },
      destroy: async () => {},
    };
  };

  return {
    /** The database as one process sees it. */
    connect: (process: Process): Db => {
      process.onDeath(() => bury(process));
      return openDatabase({ ...store.dialect, driver: driverFor(process) });
    },
    /** The time that all who share it see. */
    time,
    /**
     * Its place, as PostgreSQL reports it: another signature after each start, another timeline on a standby.
     */
    place,
    /** From now on a standby is the database. */
    promote: (): void => {
      timeline += 1;
    },
    /** Its clock steps back while it runs, between two transactions. */
    stepBack: (): void => {
      const step = (): void => {
        if (owner !== undefined) return world.after(1, step);
        if (!fault('database clock step', 1)) return;
        clockOffset += draw.pick(stepsBack);
        world.say(`the database's clock is now at ${clockOffset}`);
      };
      step();
    },
    /** Becomes unavailable for a while, and its clock may step. */
    outage: (): void => void goAway(outageMs()),
    /** Becomes unavailable for a while, and returns in the state of the snapshot, and after `more`. */
    comeBackAs: async (
      snapshot: Snapshot,
      ms: number,
      more: () => Promise<unknown>,
    ): Promise<void> => {
      const broken = goAway(ms);
      await store.outside(async () => {
        await broken;
        await store.putBack(snapshot);
        await more();
      });
    },
    /** The committed state; undefined while a transaction is open. */
    snapshot: async (): Promise<Snapshot | undefined> =>
      owner === undefined ? store.snapshot() : undefined,
    /** After a violation a transaction may be left open. */
    close: async (): Promise<void> => {
      if (owner !== undefined) await owner.link?.rollback();
      for (const session of sessions) await leave(session);
    },
  };
};

export type Database = ReturnType<typeof createDatabase>;
