/** Runs the transaction that advances purchases: state, money, answer, note and events together, in batches. */
import type { Committing } from '../../db/committing.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { LedgerError } from '../../ledger/posting.ts';
import { type Books, lockBooks, lockFreeAccounts } from '../../ledger/store.ts';
import { type Audience, messagesFor } from '../../webhooks/event.ts';
import { messagesToWrite } from '../../webhooks/store.ts';
import type { LeftAttempt } from '../attempt.ts';
import type { CostEntry } from '../cost.ts';
import { costsToWrite } from '../cost-store.ts';
import type { OrdersAgain, Scene } from '../failover.ts';
import { brokenToWrite } from '../left/promises.ts';
import { attemptsToWrite } from '../left/store.ts';
import { type Move, stepOf, type TakeStep } from '../move.ts';
import type { Note, Purchase } from '../purchase.ts';
import {
  lockByIds,
  type Moved,
  notesToWrite,
  type PurchaseName,
  updatePurchases,
} from '../store.ts';
import type { BeginDeps } from './begin.ts';
import { eventsOf } from './events.ts';
import { type Posted, postedBy } from './posted.ts';
import { runSubset } from './run-some.ts';

/** A purchase, and the claim under which it may be advanced. */
type Claimed = {
  readonly name: PurchaseName;
  /** The fencing number of the claim; `any` if no claim is needed. */
  readonly fence: number | 'any';
  /** The last known row, if any: it is read again only if it has changed. */
  readonly seen?: Purchase;
  /** The endpoints that receive its events; none by default. */
  readonly audience?: Audience;
};

export type AdvanceItem = Claimed & {
  readonly move: Move;
  /** The move after that one, from the resulting state, in the same transaction. */
  readonly andThen?: Move;
};

/** An item whose steps are code. */
export type StepItem = Claimed & { readonly step: TakeStep; readonly andThen?: TakeStep };

export const stepsOf = ({ move, andThen, ...claimed }: AdvanceItem): StepItem => ({
  ...claimed,
  step: stepOf(move),
  ...(andThen === undefined ? {} : { andThen: stepOf(andThen) }),
});

export type AdvanceResult = {
  readonly purchase: Purchase;
  readonly moved: boolean;
  /** The purchase in each state that it passed through, in order. */
  readonly passed: readonly Purchase[];
  /** Its postings. */
  readonly posted?: readonly Posted[];
  /** Whether other routes chose its next supplier than those in force: then nothing has been done. */
  readonly outdated?: boolean;
};

export type AdvanceDeps = Pick<BeginDeps, 'db' | 'databaseTime' | 'trusts'>;

/** A purchase has changed since it was read: nothing has been done. */
class NotAsSeen extends Error {
  override readonly name = 'NotAsSeen';
}

/** The database lacks a purchase that was begun. Nothing has been done. */
export class PurchaseMissing extends Error {
  override readonly name = 'PurchaseMissing';
}

/** Reads the purchases of the items. */
type Find = (db: Db, items: readonly Claimed[]) => Promise<readonly Purchase[]>;

const lockAll: Find = (db, items) =>
  lockByIds(
    db,
    items.map(({ name }) => name),
  );

/** Trusts the rows that were read before. The update detects stale ones. */
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

const isUpTo = (time: number | null, { beganAt }: Purchase): boolean =>
  time !== null && beganAt <= time;

const ordersAgain = ({ closed, lostBefore }: Books, purchase: Purchase): OrdersAgain => {
  if (isUpTo(lostBefore, purchase)) return 'never';
  return closed ? 'later' : 'now';
};

const sceneOf = (books: Books, purchase: Purchase): Scene => ({
  again: ordersAgain(books, purchase),
  signature: books.signature,
  mayBeElsewhere: books.closed || isUpTo(books.openBefore, purchase),
});

/** An untrusted place is closed, and no inquiry was made in it. */
const distrusted = (books: Books): Books => ({ ...books, closed: true, signature: undefined });

/** A transaction's options: how it finds purchases, who learns the place it saw, how long it waits. */
type Manner = {
  readonly find?: Find;
  readonly sees?: AdvanceDeps['trusts'];
  /** For each lock; undefined: the default of any transaction. */
  readonly waitMs?: number | undefined;
  /** Whether this is all of the transaction: the last statement is sent together with the commit. */
  readonly ending?: Partial<Committing>;
};

/** Takes each item's step within the caller's transaction. */
export const advanceIn = async (
  db: Db,
  databaseTime: DatabaseTime,
  items: readonly StepItem[],
  { find = lockAll, sees, waitMs, ending }: Manner = {},
): Promise<AdvanceResult[]> => {
  const locked = await lockBooks(
    db,
    items.map(({ name }) => name.clientId),
    waitMs,
  );
  // Known purchases may be advanced even in a place that is not examined yet.
  const books = sees?.(locked.signature) === false ? distrusted(locked) : locked;
  const now = await databaseTime(db, books.now);
  const current = new Map((await find(db, items)).map((one) => [one.id, one]));
  const changed = new Map<string, Moved>();
  const notes: { readonly of: Purchase; readonly note: Note }[] = [];
  const behind: { readonly of: Purchase; readonly attempt: LeftAttempt }[] = [];
  const broken: { readonly of: Purchase; readonly by: number }[] = [];
  const learnt: { readonly of: Purchase; readonly costs: readonly CostEntry[] }[] = [];
  const outdated = new Set<string>();
  const take = (purchase: Purchase, step: TakeStep | undefined, posted: Posted[]): Purchase => {
    const taken = step?.(purchase, now, sceneOf(books, purchase));
    if (taken === undefined) return purchase;
    if ((taken.routes ?? books.routes) !== books.routes) {
      outdated.add(purchase.id);
      return purchase;
    }
    const { after, posting, note, left, brokenBy, costs } = taken;
    if (posting !== null) {
      posted.push(postedBy(after, posting, books.post(after.clientId, posting).seq));
    }
    if (note !== null) notes.push({ of: after, note });
    if (left !== undefined) behind.push({ of: after, attempt: left });
    if (brokenBy !== undefined) broken.push({ of: after, by: brokenBy });
    if (costs !== undefined) learnt.push({ of: after, costs });
    current.set(after.id, after);
    changed.set(after.id, { before: changed.get(after.id)?.before ?? purchase, after });
    return after;
  };
  const results = items.map(({ name, fence, step, andThen }): AdvanceResult => {
    const purchase = current.get(name.id);
    if (purchase === undefined) throw new PurchaseMissing(`There is no purchase ${name.id}.`);
    const mayMove = fence === 'any' || purchase.fence === fence;
    if (!mayMove) return { purchase, moved: false, passed: [] };
    const posted: Posted[] = [];
    const between = take(purchase, step, posted);
    if (outdated.has(name.id)) return { purchase, moved: false, passed: [], outdated: true };
    const after = take(between, andThen, posted);
    const way = [purchase, between, after];
    const passed = way.filter((one, index) => one.state !== way[Math.max(index - 1, 0)]?.state);
    return { purchase: after, moved: after !== purchase, passed, posted };
  });
  const messages = items.flatMap(({ audience }, index) =>
    audience === undefined
      ? []
      : messagesFor(audience, eventsOf(results[index]?.passed ?? []), now),
  );
  const following = [
    notesToWrite(notes, now),
    attemptsToWrite(behind, now),
    brokenToWrite(broken, now),
    costsToWrite(learnt, now),
    ...books.writes(now),
    messagesToWrite(messages, now),
  ];
  const written = await updatePurchases(db, [...changed.values()], following, ending);
  if (!written) throw new NotAsSeen('A purchase is no longer as it was seen.');
  return results;
};

const advanceFrom = (
  deps: AdvanceDeps,
  items: readonly StepItem[],
  how: Pick<Manner, 'find' | 'waitMs'>,
): Promise<AdvanceResult[]> =>
  inTransaction(deps.db, (db) =>
    advanceIn(db, deps.databaseTime, items, {
      ...how,
      sees: deps.trusts,
      ending: { commits: true },
    }),
  );

/** Takes each item's step: state, money, answer and note in one transaction. */
export const advanceAll = (
  deps: AdvanceDeps,
  items: readonly StepItem[],
  waitMs?: number,
): Promise<AdvanceResult[]> =>
  advanceFrom(deps, items, { find: trustSeen, waitMs }).catch((error: unknown) => {
    // Money that has moved since cannot move again: the ledger refuses before the update does.
    if (error instanceof NotAsSeen || error instanceof LedgerError) {
      return advanceFrom(deps, items, { find: lockAll, waitMs });
    }
    throw error;
  });

/** The same for items whose rows are not locked by others; undefined for the rest. */
export const advanceFree = (
  deps: AdvanceDeps,
  items: readonly StepItem[],
  waitMs?: number,
): Promise<(AdvanceResult | undefined)[]> =>
  inTransaction(deps.db, async (db) => {
    const names = items.map(({ name }) => name);
    const ids = names.map(({ clientId }) => clientId);
    const clients = await lockFreeAccounts(db, ids, waitMs);
    const ofThose = names.filter(({ clientId }) => clients.has(clientId));
    const purchases = await lockByIds(db, ofThose, 'free');
    const free = new Set(purchases.map(({ id }) => id));
    const isFree = ({ name }: StepItem): boolean => free.has(name.id);
    return runSubset(items, isFree, (some) =>
      advanceIn(db, deps.databaseTime, some, { sees: deps.trusts }),
    );
  });
