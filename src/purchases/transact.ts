/** Owns the two transactions of a purchase, begin and advance, each for many at once. */
import { LedgerError } from '../ledger/posting.ts';
import { type Books, lockBooks } from '../ledger/store.ts';
import { type DatabaseTime, type Db, isUnavailable } from '../lib/db.ts';
import type { Patiently } from '../lib/db-patience.ts';
import { type MakeBatch, unmeasured } from '../lib/measured-batch.ts';
import { refusalAnswer } from './answers.ts';
import type { Refusal } from './decide.ts';
import {
  begin,
  isFinal,
  type Note,
  type Purchase,
  refuse,
  type Step,
  type Wish,
} from './purchase.ts';
import { type Move, stepOf } from './settle.ts';
import {
  findByKeys,
  insertPurchases,
  lockByIds,
  type Moved,
  notesToWrite,
  type PurchaseName,
  updatePurchases,
} from './store.ts';
import { type Terms, timingFrom } from './terms.ts';

/** Plain data, here and below: another thread may do it. */
export type BeginItem = {
  readonly wish: Wish;
  readonly verdict:
    | { readonly kind: 'order'; readonly terms: Terms }
    | { readonly kind: 'refuse'; readonly refusal: Refusal };
};

export type BeginResult = {
  readonly purchase: Purchase;
  /** Whether it was begun by this item, now or at a try whose commit was not heard of. */
  readonly ours: boolean;
};

type Claimed = {
  readonly name: PurchaseName;
  /** The number under which it was claimed; `any` for what needs no claim. */
  readonly fence: number | 'any';
  /** As it was last seen, where anybody has: then it is not read again, unless it is no longer so. */
  readonly seen?: Purchase;
};

export type AdvanceItem = Claimed & {
  readonly move: Move;
  /** The move after that one, from wherever it has led, in the same transaction. */
  readonly andThen?: Move;
};

/** The step from where the purchase is, or undefined where there is none to take. */
type TakeStep = (purchase: Purchase, now: number) => Step | undefined;

/** An item whose steps are code. */
export type StepItem = Claimed & { readonly step: TakeStep; readonly andThen?: TakeStep };

const stepsOf = ({ move, andThen, ...claimed }: AdvanceItem): StepItem => ({
  ...claimed,
  step: stepOf(move),
  ...(andThen === undefined ? {} : { andThen: stepOf(andThen) }),
});

export type AdvanceResult = {
  readonly purchase: Purchase;
  readonly moved: boolean;
  /** The purchase in each state that it has come to, one after another. */
  readonly passed: readonly Purchase[];
};

export type Transact = {
  readonly begin: (item: BeginItem) => Promise<BeginResult>;
  readonly advance: (item: AdvanceItem) => Promise<AdvanceResult>;
  /** Calls `heard` when a purchase comes to its end here; the returned function forgets it. */
  readonly onEnd: (id: string, heard: (purchase: Purchase) => void) => () => void;
};

export type TransactDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  /** Makes a pause before each transaction of a kind, in which more may join it. */
  readonly makePause?: () => () => Promise<void>;
  /** Waits where another process has the database locked. */
  readonly patiently?: Patiently;
  /** Makes the batches; not measured unless told otherwise. */
  readonly makeBatch?: MakeBatch;
};

const firstStep = ({ wish, verdict }: BeginItem, books: Books, now: number): Step => {
  const refuseWith = (refusal: Refusal): Step =>
    refuse(wish, now, refusalAnswer(refusal, wish.requestId), refusal.code);
  if (verdict.kind === 'refuse') return refuseWith(verdict.refusal);
  if (books.account(wish.clientId).available < wish.amount) {
    return refuseWith({ code: 'INSUFFICIENT_BALANCE' });
  }
  return begin(wish, now, timingFrom(now, verdict.terms));
};

const keyOf = ({ clientId, key }: Pick<Wish, 'clientId' | 'key'>): string => `${clientId} ${key}`;

/** The keys were taken for new, and one is not: nothing has been done. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

type Known = (db: Db, wishes: readonly Wish[]) => Promise<readonly Purchase[]>;

const beginKnowing = (
  deps: TransactDeps,
  items: readonly BeginItem[],
  known: Known,
): Promise<BeginResult[]> =>
  deps.db.transaction().execute(async (db) => {
    const wishes = items.map(({ wish }) => wish);
    // Under the clients' locks nobody else begins for them: what is not found now is new.
    const books = await lockBooks(
      db,
      wishes.map(({ clientId }) => clientId),
    );
    const now = await deps.databaseTime(db, books.now);
    const byKey = new Map((await known(db, wishes)).map((one) => [keyOf(one), one]));
    const begun: Purchase[] = [];
    const results = items.map((item): BeginResult => {
      const before = byKey.get(keyOf(item.wish));
      if (before !== undefined) return { purchase: before, ours: before.id === item.wish.id };
      const { after, posting } = firstStep(item, books, now);
      if (posting !== null) books.post(after.clientId, posting);
      byKey.set(keyOf(after), after);
      begun.push(after);
      return { purchase: after, ours: true };
    });
    const written = await insertPurchases(db, begun, books.writes(now));
    if (!written) throw new KeyTaken('A key or an id was taken.');
    return results;
  });

/**
 * Begins each item, or finds what is under its key already. One commit for all. Whoever begins has
 * just looked for the key: it is taken for new, and looked for again only where the insert says no.
 */
export const beginAll = (deps: TransactDeps, items: readonly BeginItem[]): Promise<BeginResult[]> =>
  beginKnowing(deps, items, async () => []).catch((error: unknown) => {
    if (error instanceof KeyTaken) return beginKnowing(deps, items, findByKeys);
    throw error;
  });

/** A purchase was taken to be as it had been seen, and is not: nothing has been done. */
class NotAsSeen extends Error {
  override readonly name = 'NotAsSeen';
}

/** Finds the purchases of items as they are. */
type Find = (db: Db, items: readonly Claimed[]) => Promise<readonly Purchase[]>;

const lockAll: Find = (db, items) =>
  lockByIds(
    db,
    items.map(({ name }) => name),
  );

/** Takes those for true that were seen. The update tells where that is wrong. */
const trustSeen: Find = async (db, items) => {
  const seen = items.flatMap((item) => item.seen ?? []);
  if (seen.length === items.length) return seen;
  return [
    ...(await lockAll(
      db,
      items.filter((item) => item.seen === undefined),
    )),
    ...seen,
  ];
};

/** Takes each item's step within a transaction of the caller's. */
export const advanceIn = async (
  db: Db,
  databaseTime: DatabaseTime,
  items: readonly StepItem[],
  find: Find = lockAll,
): Promise<AdvanceResult[]> => {
  const books = await lockBooks(
    db,
    items.map(({ name }) => name.clientId),
  );
  const now = await databaseTime(db, books.now);
  const current = new Map((await find(db, items)).map((one) => [one.id, one]));
  const changed = new Map<string, Moved>();
  const notes: { readonly of: Purchase; readonly note: Note }[] = [];
  const take = (purchase: Purchase, step: TakeStep | undefined): Purchase => {
    const taken = step?.(purchase, now);
    if (taken === undefined) return purchase;
    const { after, posting, note } = taken;
    if (posting !== null) books.post(after.clientId, posting);
    if (note !== null) notes.push({ of: after, note });
    current.set(after.id, after);
    changed.set(after.id, { before: changed.get(after.id)?.before ?? purchase, after });
    return after;
  };
  const results = items.map(({ name, fence, step, andThen }): AdvanceResult => {
    const purchase = current.get(name.id);
    if (purchase === undefined) throw new Error(`There is no purchase ${name.id}.`);
    const mayMove = fence === 'any' || purchase.fence === fence;
    if (!mayMove) return { purchase, moved: false, passed: [] };
    const between = take(purchase, step);
    const after = take(between, andThen);
    const way = [purchase, between, after];
    const passed = way.filter((one, index) => one.state !== way[Math.max(index - 1, 0)]?.state);
    return { purchase: after, moved: after !== purchase, passed };
  });
  const following = [notesToWrite(notes, now), ...books.writes(now)];
  const written = await updatePurchases(db, [...changed.values()], following);
  if (!written) throw new NotAsSeen('A purchase is no longer as it was seen.');
  return results;
};

const advanceFrom = (
  deps: TransactDeps,
  items: readonly StepItem[],
  find: Find,
): Promise<AdvanceResult[]> =>
  deps.db.transaction().execute((db) => advanceIn(db, deps.databaseTime, items, find));

/** Takes each item's step: state, money, answer and note, together or not at all. */
export const advanceAll = (
  deps: TransactDeps,
  items: readonly StepItem[],
): Promise<AdvanceResult[]> =>
  advanceFrom(deps, items, trustSeen).catch((error: unknown) => {
    // Money that has moved since cannot move again: the books say so before the update does.
    if (error instanceof NotAsSeen || error instanceof LedgerError) {
      return advanceFrom(deps, items, lockAll);
    }
    throw error;
  });

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
    meetsAll: isUnavailable,
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
