/** Runs the transaction that begins purchases in batches: takes each hold or records the refusal. */
import { inTransaction } from '../../db/transaction.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { type Posting, spendable } from '../../ledger/posting.ts';
import { type Books, lockBooks, lockFreeAccounts } from '../../ledger/store.ts';
import { type DayAt, utcDays } from '../../lib/business-day.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Audience, balanceEvents, type Message } from '../../webhooks/event.ts';
import { messagesToWrite } from '../../webhooks/store.ts';
import type { Refusal } from '../decide.ts';
import {
  type Guard,
  type Guarded,
  type Guarding,
  openGuard,
  type Rejection,
} from '../guard/guard.ts';
import { type Quote, wholePrice } from '../pricing.ts';
import { begin, type Purchase, type PurchaseRequest, refuse, type Step } from '../purchase.ts';
import { refusalAnswer } from '../replay/answers.ts';
import { findByKeys, insertPurchases } from '../store.ts';
import { type Terms, timingFrom } from '../terms.ts';
import { type Posted, postedBy } from './posted.ts';
import { pricesChanged, routesChanged, rowsLocked, tooLate } from './rejections.ts';
import { runSubset } from './run-some.ts';

/** A purchase to begin, and its decision. */
export type BeginItem = {
  readonly requested: PurchaseRequest;
  /** Without a quote the price is charged. */
  readonly decision:
    | { readonly kind: 'order'; readonly terms: Terms; readonly quote?: Quote }
    | { readonly kind: 'refuse'; readonly refusal: Refusal };
  /** Only if its client has a guard. */
  readonly guard?: Guard;
  /** The endpoints that receive `balance.low`; none by default. */
  readonly audience?: Audience;
  /** The monotonic time from which its time to send counts: an item that waited longer is not begun. */
  readonly started?: number;
  /** Whether an earlier attempt may have written it: then only the database knows. */
  readonly mayBeWritten?: boolean;
  /** The version of the routes that chose its supplier; others void the choice. Null: any. */
  readonly routes?: string | null;
};

export type BeginResult = {
  readonly purchase: Purchase;
  /** Whether this item began it, now or at an attempt whose acknowledgement was lost. */
  readonly ours: boolean;
  /** Its postings. */
  readonly posted?: readonly Posted[];
  /** Why nothing was written; the purchase is then hypothetical. */
  readonly rejection?: Rejection;
};

export type BeginDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  /** Whether the place that a transaction saw is the examined one; true by default. */
  readonly trusts?: ((signature: string | undefined) => boolean) | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The day of limits that contains a moment; in UTC by default. */
  readonly limitDayAt?: DayAt;
};

const isGuarded = (item: BeginItem): item is BeginItem & Guarded =>
  item.guard !== undefined && item.decision.kind === 'order';

/** Whether its time to send is over before it has begun. */
const isLate = ({ clock }: Pick<BeginDeps, 'clock'>, { decision, started }: BeginItem): boolean =>
  decision.kind === 'order' &&
  started !== undefined &&
  clock.monotonic() - started >= decision.terms.sendWithinMs;

/**
 * Whether it needs a transaction: late items are turned away without one, unless they may be written already.
 */
export const needsRows = (deps: Pick<BeginDeps, 'clock'>, item: BeginItem): boolean =>
  item.mayBeWritten === true || !isLate(deps, item);

/** Whether it has time left, if its waiting time is known. */
export const mayBeInTime = (deps: Pick<BeginDeps, 'clock'>, item: BeginItem): boolean =>
  item.started !== undefined && !isLate(deps, item);

/** Whether it was not begun because other routes or price lists are in force than those that decided it. */
export const isOutdated = ({ rejection }: Pick<BeginResult, 'rejection'>): boolean =>
  rejection === routesChanged || rejection === pricesChanged;

/** Why the decision no longer holds; undefined if it does. */
const outdatedBy = (
  { routes, decision }: BeginItem,
  books: Pick<Books, 'routes' | 'prices'>,
): Rejection | undefined => {
  if ((routes ?? books.routes) !== books.routes) return routesChanged;
  if (decision.kind === 'refuse') return undefined;
  return (decision.quote?.version ?? books.prices) === books.prices ? undefined : pricesChanged;
};

/** The item is not begun, and nothing of it is written. */
const reject = ({ requested }: BeginItem, rejection: Rejection, now: number): BeginResult => {
  const answer = refusalAnswer({ code: rejection.code }, requested.requestId);
  return { purchase: refuse(requested, now, answer, rejection.code).after, ours: false, rejection };
};

/** The result for an item whose client's rows are locked; undefined if it may be written already. */
export const rejectLocked = (item: BeginItem): BeginResult | undefined =>
  item.mayBeWritten === true ? undefined : reject(item, rowsLocked, 0);

type Judged = { readonly step: Step; readonly rejection?: Rejection };

const judged = (item: BeginItem, books: Books, guarding: Guarding, now: number): Judged => {
  const { requested, decision } = item;
  const refuseWith = (refusal: Refusal): Step =>
    refuse(requested, now, refusalAnswer(refusal, requested.requestId), refusal.code);
  if (decision.kind === 'refuse') return { step: refuseWith(decision.refusal) };
  const charge = decision.quote?.at(now) ?? wholePrice(requested);
  const objection = isGuarded(item) ? guarding.objection(item, charge.charged) : undefined;
  if (objection?.kind === 'refuse') return { step: refuseWith(objection.refusal) };
  if (objection?.kind === 'turn away') {
    return { step: refuseWith({ code: objection.away.code }), rejection: objection.away };
  }
  if (spendable(books.account(requested.clientId)) < charge.charged) {
    return { step: refuseWith({ code: 'INSUFFICIENT_BALANCE' }) };
  }
  return { step: begin(requested, now, timingFrom(now, decision.terms), charge) };
};

const keyOf = ({ clientId, key }: Pick<PurchaseRequest, 'clientId' | 'key'>): string =>
  `${clientId} ${key}`;

/** A key that was taken for new is not: nothing has been done. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** A restore is not open yet: nothing is begun, and nothing has been done. */
export class GateClosed extends Error {
  override readonly name = 'GateClosed';
}

/** The database may be a different one: nothing is begun, and nothing has been done. */
export class PlaceNotTrusted extends Error {
  override readonly name = 'PlaceNotTrusted';
}

/** Whether an error means that all selling has stopped and that nothing has been done. */
export const sellsNothing = (error: unknown): boolean =>
  error instanceof GateClosed || error instanceof PlaceNotTrusted;

/** Refuses to begin if the database is closed, or may not be the same one. */
const assertSells = (deps: BeginDeps, { signature, closed }: Books): void => {
  if (deps.trusts?.(signature) === false) {
    throw new PlaceNotTrusted('Nothing is sold: the place of the database is to be examined.');
  }
  // Taken when the accounts were requested: it excludes the wait for their lock.
  if (closed) throw new GateClosed('Nothing is sold: a restore is not opened.');
};

/** Posts, and returns the events of the balance after it. */
const postAndTell = (
  books: Books,
  { item, posting, now }: { item: BeginItem; posting: Posting; now: number },
): { readonly seq: number; readonly messages: readonly Message[] } => {
  const { requested, audience } = item;
  const before = spendable(books.account(requested.clientId));
  const account = books.post(requested.clientId, posting);
  const messages =
    audience === undefined
      ? []
      : balanceEvents(audience, {
          before,
          after: spendable(account),
          at: now,
          origin: requested,
        });
  return { seq: account.seq, messages };
};

type Known = (db: Db, requests: readonly PurchaseRequest[]) => Promise<readonly Purchase[]>;

/** An item that is turned away is not inserted, so no insert tells whether its key was new. */
const assertNew = async (db: Db, results: readonly BeginResult[]): Promise<void> => {
  const away = results.filter(({ rejection }) => rejection !== undefined);
  if (away.length === 0) return;
  const keys = away.map(({ purchase }) => purchase);
  if ((await findByKeys(db, keys)).length > 0) throw new KeyTaken('A key was taken.');
};

const unguarded: Guarding = { objection: () => undefined, began: () => {}, writes: () => [] };

const guardAt = (
  db: Db,
  { limitDayAt = utcDays }: BeginDeps,
  guarded: readonly Guarded[],
  now: number,
): Promise<Guarding> => openGuard(db, guarded, { now, day: limitDayAt(now) });

const beginIn = async (
  db: Db,
  deps: BeginDeps,
  items: readonly BeginItem[],
  { known, waitMs }: { readonly known: Known; readonly waitMs?: number | undefined },
): Promise<BeginResult[]> => {
  const requests = items.map(({ requested }) => requested);
  // Under the clients' locks no other transaction begins purchases for them: a key that is not found is new.
  const books = await lockBooks(
    db,
    requests.map(({ clientId }) => clientId),
    waitMs,
  );
  assertSells(deps, books);
  const now = await deps.databaseTime(db, books.now);
  const byKey = new Map((await known(db, requests)).map((one) => [keyOf(one), one]));
  const guarded = items.filter(isGuarded);
  const guarding = guarded.length === 0 ? unguarded : await guardAt(db, deps, guarded, now);
  const begun: Purchase[] = [];
  const messages: Message[] = [];
  const results = items.map((item): BeginResult => {
    const before = byKey.get(keyOf(item.requested));
    if (before !== undefined) return { purchase: before, ours: before.id === item.requested.id };
    if (isLate(deps, item)) return reject(item, tooLate, now);
    const outdated = outdatedBy(item, books);
    if (outdated !== undefined) return reject(item, outdated, now);
    const { step, rejection } = judged(item, books, guarding, now);
    const { after, posting } = step;
    if (rejection !== undefined) return { purchase: after, ours: false, rejection };
    byKey.set(keyOf(after), after);
    begun.push(after);
    if (posting === null) return { purchase: after, ours: true };
    const told = postAndTell(books, { item, posting, now });
    messages.push(...told.messages);
    guarding.began(after, posting.amount);
    return { purchase: after, ours: true, posted: [postedBy(after, posting, told.seq)] };
  });
  await assertNew(db, results);
  const days = guarding.writes((clientId) => books.account(clientId).seq);
  const following = [...books.writes(now), ...days, messagesToWrite(messages, now)];
  // The last statement: it is sent together with the commit.
  const written = await insertPurchases(db, begun, following, { commits: true });
  if (!written) throw new KeyTaken('A key or an id was taken.');
  return results;
};

const beginKnowing = (
  deps: BeginDeps,
  items: readonly BeginItem[],
  how: { readonly known: Known; readonly waitMs: number | undefined },
): Promise<BeginResult[]> => inTransaction(deps.db, (db) => beginIn(db, deps, items, how));

/**
 * Begins each item, or finds what its key already has, in one commit. The caller has just looked the key up,
 * so it counts as new until the insert conflicts. Items that waited too long are turned away without a
 * transaction, unless they may be written already.
 */
export const beginAll = async (
  deps: BeginDeps,
  items: readonly BeginItem[],
  waitMs?: number,
): Promise<BeginResult[]> => {
  const needed = (item: BeginItem): boolean => needsRows(deps, item);
  const results = await runSubset(items, needed, (some) =>
    beginKnowing(deps, some, { known: async () => [], waitMs }).catch((error: unknown) => {
      if (!(error instanceof KeyTaken)) throw error;
      return beginKnowing(deps, some, { known: findByKeys, waitMs });
    }),
  );
  return items.map((item, index) => results[index] ?? reject(item, tooLate, 0));
};

/** Begins the items whose accounts are not locked by others; undefined for the rest. */
export const beginFree = (
  deps: BeginDeps,
  items: readonly BeginItem[],
  waitMs?: number,
): Promise<(BeginResult | undefined)[]> =>
  inTransaction(deps.db, async (db) => {
    const ids = items.map(({ requested }) => requested.clientId);
    const free = await lockFreeAccounts(db, ids, waitMs);
    const isFree = ({ requested }: BeginItem): boolean => free.has(requested.clientId);
    return runSubset(items, isFree, (some) => beginIn(db, deps, some, { known: findByKeys }));
  });
