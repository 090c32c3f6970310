/** Blocks new purchases on a restored database until everything the backup forgot is known. */
import { repeat } from '../../lib/clock.ts';
import { GatewayError } from '../../lib/errors.ts';
import { createOperatorPoll, type OperatorPollDeps } from './ask-operators.ts';
import type { PlaceMonitor } from './place/monitor.ts';
import { findRestore, type Restore, rememberOperators } from './store.ts';

export type GateDeps = OperatorPollDeps & {
  /** The place of a database that can be another one than before. */
  readonly place?: PlaceMonitor | undefined;
};

export type Gate = {
  /** Why nothing new is sold, or undefined where it is. */
  readonly closed: () => string | undefined;
  /** Lets a new purchase pass, or throws `DATABASE_UNAVAILABLE`: then nothing was done. */
  readonly pass: () => void;
  /** Closes at once and looks again; gives the error for who found that nothing may be sold. */
  readonly shut: (cause?: keyof typeof causes) => GatewayError;
  /** Looks how things stand: closes, opens, and asks where it has to. */
  readonly refresh: () => Promise<void>;
  /** The first look. Closed until then. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const backup =
  'This gateway was restored from a backup, and it is not known yet what was sold since.';
const another =
  'The database is not in the place where it was, and it is not known yet whether it holds all that was sold.';
const lost = 'The database lacks something that was sold, and it is not known yet what.';

/** Why it is closed, by the cause of the restore. */
const causes = {
  backup,
  marked: 'The database was marked as restored, and it is not known yet what it lacks.',
  place_changed: another,
  witness_missing: another,
  witness_contradicted: lost,
  suspected: 'The database was started again or replaced, and is checked.',
  closed: 'The database was closed a moment ago, and it is not known yet what it lacks.',
} as const satisfies Record<Restore['cause'] | 'suspected' | 'closed', string>;

const whyClosed = ({ cause }: { readonly cause: keyof typeof causes }): string =>
  `${causes[cause]} Until it is, it sells nothing new.`;

const silent =
  'The database has not heard of this instance for a while. Until it does, it sells nothing new.';

// These end within seconds, by themselves.
const brief = new Set([whyClosed({ cause: 'suspected' }), silent]);

/** For anything else a person has to act before a repeat can do any good, or the operators have to answer. */
const unavailable = (reason: string): GatewayError =>
  new GatewayError('DATABASE_UNAVAILABLE', {
    message: `${reason} Nothing was done; send the same again later.`,
    headers: { 'retry-after': brief.has(reason) ? '2' : '30' },
  });

// A person who has accepted sees the effect within a second.
const refreshEveryMs = 500;
/** The last restore, after the place was examined where it has to be, and what is known by now was settled. */
const examined = async ({ db, place }: GateDeps): Promise<Restore | undefined> => {
  let now = await findRestore(db);
  if (place === undefined) return now;
  if (place.needsExamination(now)) {
    await place.examine();
    now = await findRestore(db);
  }
  if (now?.opened_at !== null || now.cause !== 'place_changed') return now;
  await place.settle(now);
  return findRestore(db);
};

/** Whether nothing about the place is left to be examined, by this instance or another. */
const isReady = async ({ place }: GateDeps, restore: Restore | undefined): Promise<boolean> =>
  place === undefined || (!place.needsExamination(restore) && (await place.othersHaveExamined()));

/** Looks in the order of the calls, since what was read first must not be acted on last; and again and again if need be. */
const createRefresher = (
  { clock, log }: Pick<GateDeps, 'clock' | 'log'>,
  work: () => Promise<void>,
) => {
  let last = Promise.resolve();
  let stop: (() => Promise<void>) | undefined;
  const refresh = (): Promise<void> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
  const refreshLogged = (): Promise<void> =>
    refresh().catch((err: unknown) => log.error({ err }, 'cannot see what was forgotten'));
  return {
    refresh,
    refreshLogged,
    keepRefreshing: (): void => {
      stop ??= repeat(clock, refreshEveryMs, refreshLogged);
    },
    halt: (): void => {
      void stop?.();
      stop = undefined;
    },
    whenIdle: () => last,
  };
};

const rememberAll = ({ db, registry }: GateDeps): Promise<void> =>
  rememberOperators(
    db,
    registry.all.map(({ id }) => id),
  );

export const createGate = (deps: GateDeps): Gate => {
  const operatorPoll = createOperatorPoll(deps);
  let reason: string | undefined = 'The server is starting.';
  let closedFor: string | undefined;
  let stopped = false;

  const halt = (): void => {
    operatorPoll.end();
    refresher.halt();
  };

  const open = (restore: Restore | undefined): void => {
    halt();
    reason = undefined;
    deps.place?.opened();
    if (closedFor === undefined) return;
    closedFor = undefined;
    const by = restore?.opened_by;
    deps.log.info({ by }, 'the restored database is open: new purchases are sold');
  };

  const close = async (restore: Restore): Promise<void> => {
    reason = whyClosed(restore);
    refresher.keepRefreshing();
    const { id, cause, at } = restore;
    if (closedFor === `${id} ${cause}`) return;
    deps.log.warn({ cause, restored: new Date(at).toISOString() }, reason);
    // A changed place is for its instances to vouch for.
    if (cause !== 'place_changed') await operatorPoll.begin(restore);
    closedFor = `${id} ${cause}`;
  };

  /** Sells nothing new until a look opens it. */
  const keepClosed = (cause: keyof typeof causes): string => {
    reason ??= whyClosed({ cause });
    if (!stopped) refresher.keepRefreshing();
    return reason;
  };

  const refresher = createRefresher(deps, async () => {
    const restore = await examined(deps);
    if (stopped) return;
    if (restore?.opened_at === null) await close(restore);
    else if (await isReady(deps, restore)) open(restore);
    else keepClosed('suspected');
  });

  const closed = (): string | undefined =>
    reason ?? (deps.place?.registered() === false ? silent : undefined);

  return {
    closed,
    pass: () => {
      const why = closed();
      if (why !== undefined) throw unavailable(why);
    },
    shut: (cause = 'closed') => {
      const why = keepClosed(cause);
      if (!stopped) void refresher.refreshLogged();
      return unavailable(why);
    },
    refresh: refresher.refresh,
    start: () => rememberAll(deps).then(refresher.refresh),
    stop: async () => {
      stopped = true;
      halt();
      await Promise.all([operatorPoll.whenIdle(), refresher.whenIdle()]);
    },
  };
};
