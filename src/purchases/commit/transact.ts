/** Batches both transactions of a purchase, begin and advance. */
import { isNotCommitted, isUnavailable } from '../../db/errors.ts';
import type { LockRetry } from '../../db/lock-retry.ts';
import { isRowLocked } from '../../db/postgres/errors.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import type { DayAt } from '../../lib/business-day.ts';
import type { Clock } from '../../lib/clock.ts';
import { type MakeBatch, unmeasured } from '../../metrics/batch.ts';
import type { BatchName } from '../../metrics/metrics.ts';
import { isFinal, type Purchase } from '../purchase.ts';
import {
  type AdvanceItem,
  type AdvanceResult,
  advanceAll,
  advanceFree,
  stepsOf,
} from './advance.ts';
import {
  type BeginDeps,
  type BeginItem,
  type BeginResult,
  beginAll,
  beginFree,
  mayBeInTime,
  needsRows,
  rejectLocked,
  sellsNothing,
} from './begin.ts';
import { createLanes, createSlots, type LaneOptions } from './lanes.ts';
import { runSubset } from './run-some.ts';

export type Transact = {
  readonly begin: (item: BeginItem) => Promise<BeginResult>;
  readonly advance: (item: AdvanceItem) => Promise<AdvanceResult>;
  /** Calls `heard` when a purchase ends in this process; the returned function unsubscribes. */
  readonly onEnd: (id: string, heard: (purchase: Purchase) => void) => () => void;
};

export type TransactDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  readonly trusts?: BeginDeps['trusts'];
  readonly limitDayAt?: DayAt;
  readonly clock: Pick<Clock, 'monotonic'>;
  /**
   * How long to wait for rows that others have locked, on PostgreSQL; the default of any transaction
   * otherwise.
   */
  readonly patience?: Patience;
  /** Called when a client's rows stay locked for longer than a lane waits. */
  readonly onLocked?: (clientId: string, batch: BatchName) => void;
  /** Pauses before each transaction of a kind, so that more items can join it. */
  readonly makePause?: () => () => Promise<void>;
  /** Waits while another process has the database locked. */
  readonly retryLocked?: LockRetry;
  /** Creates the batches; unmeasured by default. */
  readonly makeBatch?: MakeBatch;
};

// One fsync for this many costs hardly more than for one, and the first item still waits little.
const mostAtOnce = 64;

export type Patience = {
  /** For each lock that a batch of many clients waits for. */
  readonly batchMs: number;
  /** For each lock in a client's own lane. */
  readonly laneMs: number;
  /** For how long a purchase to be begun, or the answer to an order, waits in its lane; others wait once. */
  readonly longestMs: number;
  /** How many lanes have a connection at a time, those of begin and advance together. */
  readonly lanes: number;
};

/**
 * A batch waits as long as accounts are usually locked: ordinary contention makes no lanes, and other clients
 * do not notice. A lane waits at most half a statement's timeout, so most purchases still have time to send.
 * Most connections stay with the batches.
 */
export const patienceFor = (database: {
  readonly connections: number;
  readonly statementMs: number;
}): Patience => {
  const laneMs = Math.max(1, Math.min(1000, Math.floor(database.statementMs / 2)));
  return {
    batchMs: Math.min(50, laneMs),
    laneMs,
    longestMs: database.statementMs,
    lanes: Math.max(1, Math.floor(database.connections / 4)),
  };
};

// Several transactions' worth: a busy client may fill its lane for a moment, and must still be sold to. Few
// if rows stay locked: each waiting item takes a slot of its operator, which other clients need.
const laneBounds = { one: 4 * mostAtOnce, locked: mostAtOnce / 4, all: 16 * mostAtOnce };

/** The listeners for the end of each purchase. */
const createEnds = () => {
  const waiting = new Map<string, Set<(purchase: Purchase) => void>>();
  return {
    onEnd: (id: string, heard: (purchase: Purchase) => void): (() => void) => {
      const others = waiting.get(id) ?? new Set();
      waiting.set(id, others.add(heard));
      return () => {
        others.delete(heard);
        if (others.size === 0) waiting.delete(id);
      };
    },
    tell: (purchase: Purchase): void => {
      for (const heard of waiting.get(purchase.id) ?? []) heard(purchase);
    },
  };
};

/** Other transactions have locked the rows of a purchase. Nothing was done by this one. */
class RowsLocked extends Error {
  override readonly name = 'RowsLocked';
  // PostgreSQL's code for it.
  readonly code = '55P03';

  constructor(id: string) {
    super(`Other transactions have the rows of purchase ${id} locked.`);
  }
}

const refuseLocked = (id: string): never => {
  throw new RowsLocked(id);
};

/**
 * Whether an error concerns all items of a batch: any other would fail too, or the commit may have happened.
 * Then only the caller, who knows all its attempts, can tell what was done.
 */
const meetsAll = (error: unknown): boolean =>
  isUnavailable(error) || sellsNothing(error) || !isNotCommitted(error);

/** One transaction for many, in both forms: waiting for each lock, and skipping locked rows. */
type Both<Item, Result> = {
  readonly all: (items: readonly Item[], waitMs?: number) => Promise<readonly Result[]>;
  readonly free: (
    items: readonly Item[],
    waitMs?: number,
  ) => Promise<readonly (Result | undefined)[]>;
};

/**
 * Batches of many clients' items. A batch that meets a locked row continues with the unlocked items; the rest
 * go to lanes, one for each client.
 */
const createLaned = (deps: TransactDeps) => {
  const { retryLocked = (work) => work(), makeBatch = unmeasured, makePause } = deps;
  const { patience, onLocked = () => {} } = deps;
  const slots = createSlots(patience?.lanes ?? 1);
  return <Item, Result>(
    name: BatchName,
    { all, free }: Both<Item, Result>,
    lane: Pick<
      LaneOptions<Item, Result>,
      'clientOf' | 'mayWait' | 'needsRows' | 'refuse' | 'bounds'
    >,
  ): ((item: Item) => Promise<Result>) => {
    /** If the locked row is unknown, every item goes to its client's lane. */
    const lockedNone = (items: readonly Item[]) => (error: unknown) => {
      if (isRowLocked(error)) return items.map(() => undefined);
      throw error;
    };
    const runWithin = (
      items: readonly Item[],
      waitMs: number | undefined,
    ): Promise<readonly (Result | undefined)[]> =>
      retryLocked(() => all(items, waitMs)).catch((error: unknown) => {
        if (!isRowLocked(error)) throw error;
        return free(items, patience?.batchMs).catch(lockedNone(items));
      });
    const lanes = createLanes<Item, Result>({
      ...lane,
      run: (items, wait) =>
        runWithin(items, wait === 'long' ? patience?.laneMs : patience?.batchMs),
      slots,
      most: mostAtOnce,
      clock: deps.clock,
      longestMs: patience?.longestMs ?? 0,
      meetsAll,
      onLocked: (clientId) => onLocked(clientId, name),
    });
    const hasNoLane = (item: Item): boolean => !lanes.has(lane.clientOf(item));
    const runOrSetAside = async (
      items: readonly Item[],
    ): Promise<readonly (Result | undefined)[]> => {
      const results = await runSubset(items, hasNoLane, (some) =>
        runWithin(some, patience?.batchMs),
      );
      // Before anything else: the next batch must not wait for the same rows.
      const aside = items.filter((_, index) => results[index] === undefined);
      for (const item of aside) lanes.open(lane.clientOf(item));
      return results;
    };
    const batch = makeBatch(name, {
      run: runOrSetAside,
      most: mostAtOnce,
      meetsAll,
      ...(makePause === undefined ? {} : { gather: makePause() }),
    });
    return async (item) => {
      if (!hasNoLane(item)) return lanes.enter(item);
      return (await batch(item)) ?? lanes.enter(item);
    };
  };
};

/** Both transactions, each for as many concurrent items as there are. */
export const createTransact = (deps: TransactDeps): Transact => {
  const laned = createLaned(deps);
  const { onEnd, tell } = createEnds();
  const begin = laned<BeginItem, BeginResult>(
    'begin',
    {
      all: (items, waitMs) => beginAll(deps, items, waitMs),
      free: (items, waitMs) => beginFree(deps, items, waitMs),
    },
    {
      clientOf: ({ requested }) => requested.clientId,
      mayWait: (item) => mayBeInTime(deps, item),
      needsRows: (item) => needsRows(deps, item),
      refuse: (item) => rejectLocked(item) ?? refuseLocked(item.requested.id),
      bounds: laneBounds,
    },
  );
  const advance = laned<AdvanceItem, AdvanceResult>(
    'advance',
    {
      all: (items, waitMs) => advanceAll(deps, items.map(stepsOf), waitMs),
      free: (items, waitMs) => advanceFree(deps, items.map(stepsOf), waitMs),
    },
    {
      clientOf: ({ name }) => name.clientId,
      // An operator may answer an order only once. Recovery inquires again about everything else.
      mayWait: ({ move }) => move.kind === 'order' || move.kind === 'late answer',
      needsRows: () => true,
      // As many as there are purchases in flight: each has to advance eventually.
      refuse: ({ name }) => refuseLocked(name.id),
    },
  );
  return {
    begin,
    advance: async (item) => {
      const result = await advance(item);
      if (isFinal(result.purchase)) tell(result.purchase);
      return result;
    },
    onEnd,
  };
};
