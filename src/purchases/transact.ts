/** Owns the transaction in which purchases begin, and how both it and advancing are done for many at once. */
import type { Posting } from '../ledger/posting.ts';
import { type Books, lockBooks } from '../ledger/store.ts';
import { type DatabaseTime, type Db, isUnavailable } from '../lib/db.ts';
import type { Patiently } from '../lib/db-patience.ts';
import { type MakeBatch, unmeasured } from '../lib/measured-batch.ts';
import { type Audience, balanceEvents, type Message } from '../webhooks/event.ts';
import { messagesToWrite } from '../webhooks/store.ts';
import { type AdvanceItem, type AdvanceResult, advanceAll, stepsOf } from './advance.ts';
import { refusalAnswer } from './answers.ts';
import type { Refusal } from './decide.ts';
import { begin, isFinal, type Purchase, refuse, type Step, type Wish } from './purchase.ts';
import { findByKeys, insertPurchases } from './store.ts';
import { type Terms, timingFrom } from './terms.ts';

/** Plain data, here and below: another thread may do it. */
export type BeginItem = {
  readonly wish: Wish;
  readonly verdict:
    | { readonly kind: 'order'; readonly terms: Terms }
    | { readonly kind: 'refuse'; readonly refusal: Refusal };
  /** Who is told where the balance falls too low; nobody where there is none. */
  readonly audience?: Audience;
};

export type BeginResult = {
  readonly purchase: Purchase;
  /** Whether it was begun by this item, now or at a try whose commit was not heard of. */
  readonly ours: boolean;
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

/** Posts, and gives what is told of the balance after it. */
const postAndTell = (
  books: Books,
  { item, posting, now }: { item: BeginItem; posting: Posting; now: number },
): Message[] => {
  const { wish, audience } = item;
  const { available: before } = books.account(wish.clientId);
  const { available: after } = books.post(wish.clientId, posting);
  return audience === undefined ? [] : balanceEvents(audience, { before, after, at: now });
};

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
    const messages: Message[] = [];
    const results = items.map((item): BeginResult => {
      const before = byKey.get(keyOf(item.wish));
      if (before !== undefined) return { purchase: before, ours: before.id === item.wish.id };
      const { after, posting } = firstStep(item, books, now);
      if (posting !== null) messages.push(...postAndTell(books, { item, posting, now }));
      byKey.set(keyOf(after), after);
      begun.push(after);
      return { purchase: after, ours: true };
    });
    const written = await insertPurchases(db, begun, [
      ...books.writes(now),
      messagesToWrite(messages, now),
    ]);
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
