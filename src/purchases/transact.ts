/** Owns how both transactions of a purchase, begin and advance, are done for many at once. */
import { type DatabaseTime, type Db, isUnavailable } from '../lib/db.ts';
import type { Patiently } from '../lib/db-patience.ts';
import { type MakeBatch, unmeasured } from '../lib/measured-batch.ts';
import { type AdvanceItem, type AdvanceResult, advanceAll, stepsOf } from './advance.ts';
import {
  type BeginDeps,
  type BeginItem,
  type BeginResult,
  beginAll,
  sellsNothing,
} from './begin.ts';
import { isFinal, type Purchase } from './purchase.ts';

export type Transact = {
  readonly begin: (item: BeginItem) => Promise<BeginResult>;
  readonly advance: (item: AdvanceItem) => Promise<AdvanceResult>;
  /** Calls `heard` when a purchase comes to its end here; the returned function forgets it. */
  readonly onEnd: (id: string, heard: (purchase: Purchase) => void) => () => void;
};

export type TransactDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  readonly trusts?: BeginDeps['trusts'];
  /** Makes a pause before each transaction of a kind, in which more may join it. */
  readonly makePause?: () => () => Promise<void>;
  /** Waits where another process has the database locked. */
  readonly patiently?: Patiently;
  /** Makes the batches; not measured unless told otherwise. */
  readonly makeBatch?: MakeBatch;
};

// One fsync for this many is hardly dearer than for one, and the answer of the first still waits little.
const mostAtOnce = 64;

/** Who waits for the end of which purchase. */
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

/** What begins and advances, without those who wait for an end. */
export type Batches = Pick<Transact, 'begin' | 'advance'>;

/** Both, each for as many at once as want it at the time. */
export const createBatches = (deps: TransactDeps): Batches => {
  const { patiently = (work) => work(), makeBatch = unmeasured, makePause } = deps;
  const how = () => ({
    most: mostAtOnce,
    meetsAll: (error: unknown) => isUnavailable(error) || sellsNothing(error),
    ...(makePause === undefined ? {} : { gather: makePause() }),
  });
  return {
    begin: makeBatch('begin', {
      run: (items: readonly BeginItem[]) => patiently(() => beginAll(deps, items)),
      ...how(),
    }),
    advance: makeBatch('advance', {
      run: (items: readonly AdvanceItem[]) => patiently(() => advanceAll(deps, items.map(stepsOf))),
      ...how(),
    }),
  };
};

/** Tells those who wait for it of each end. */
export const withEnds = ({ begin, advance }: Batches): Transact => {
  const { onEnd, tell } = createEnds();
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

export const createTransact = (deps: TransactDeps): Transact => withEnds(createBatches(deps));
