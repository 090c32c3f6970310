/** Buys: takes one request from its idempotency key to its answer, exactly once. */
import { GatewayError } from '../lib/errors.ts';
import { overloaded } from '../operators/admission.ts';
import type { Operator } from '../operators/registry.ts';
import {
  type Admitted,
  type BuyRequest,
  beginItem,
  type Marked,
  type Named,
} from './begin-item.ts';
import { type BeginItem, isOutdated } from './commit/begin.ts';
import { beginSurely } from './commit/begin-surely.ts';
import type { PurchaseDeps } from './deps.ts';
import { rejectionError } from './guard/guard.ts';
import { judge } from './judge.ts';
import { type Begun, createOrderRunner } from './order-runner.ts';
import { type Answer, isFinal, type Purchase } from './purchase.ts';
import { createFinalAnswers } from './replay/final-answers.ts';
import { createKeyLookup } from './replay/find-by-key.ts';
import { waitForEnd } from './replay/wait-for-end.ts';
import { fingerprintOf } from './request/fingerprint.ts';
import { findForgotten } from './restored/place/store.ts';
import { findByKeys } from './store.ts';
import { type Entered, enterFirst } from './suppliers.ts';
import { tracedBegin } from './traced.ts';

export type { BuyRequest } from './begin-item.ts';

export type BuyResult =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly purchaseId: string;
      readonly replayed: boolean;
    }
  | {
      readonly kind: 'pending';
      readonly purchaseId: string;
      /** The database could not be read in the end: elsewhere it may be finished. */
      readonly unread?: true;
    };

export type Buying = {
  readonly buy: (request: BuyRequest) => Promise<BuyResult>;
  /** Takes no new purchases from now on; finished keys still answer. */
  readonly drain: () => void;
  /** Resolves when every purchase that had begun here is settled or left to recovery. */
  readonly whenIdle: () => Promise<void>;
};

/** A request in flight here, which its repeats join. */
type UnderWay = { readonly fingerprint: string; readonly result: Promise<BuyResult> };

const reused = (): GatewayError => new GatewayError('IDEMPOTENCY_KEY_REUSED');

const answered = (purchase: Purchase, replayed: boolean): BuyResult =>
  isFinal(purchase)
    ? { kind: 'answer', answer: purchase.answer, purchaseId: purchase.id, replayed }
    : { kind: 'pending', purchaseId: purchase.id };

const enter = (deps: PurchaseDeps, { clientId, test, fields, id }: Named): Entered => {
  const product = deps.catalogue().product(fields.productId);
  return enterFirst(deps, product, { clientId, test, price: fields.price, purchaseId: id });
};

/** A purchase that was begun, and its slot at the supplier that gets the order. */
type BegunAt = {
  readonly begun: Begun | undefined;
  readonly supplier: Operator | undefined;
  readonly leave: () => void;
};

/** The version of the price lists that priced it. */
const pricesOf = ({ decision }: BeginItem): string | undefined =>
  decision.kind === 'order' ? decision.quote?.version : undefined;

/** Undefined if other routes or price lists are in force than those that decided: then nothing has begun. */
const judgeAndBeginOnce = async (
  deps: PurchaseDeps,
  request: Admitted,
  isLast: boolean,
): Promise<BegunAt | undefined> => {
  const { fields, rules, entered } = request;
  const { chosen, leave } = entered;
  const decision = await judge(deps, { fields, rules, origin: request, chosen });
  const item = beginItem(deps, request, decision);
  const begun = await tracedBegin(deps, item, () => beginSurely(deps, item));
  if (begun !== undefined && isOutdated(begun) && !isLast) {
    const prices = pricesOf(item);
    if (prices !== undefined) await deps.pricing?.renew(prices);
    return undefined;
  }
  if (begun?.rejection !== undefined) throw rejectionError(begun.rejection);
  const supplier = decision.kind === 'order' ? decision.chosen.supplier : undefined;
  return { begun, supplier, leave };
};

// Routes and price lists change by hand: a second change between two transactions is rare, a third one is a fault.
const triesToDecide = 3;

/** If that fails, nothing has begun, and its slot is released. */
const judgeAndBegin = async (deps: PurchaseDeps, admitted: Admitted): Promise<BegunAt> => {
  let { entered } = admitted;
  for (let tried = 1; ; tried += 1) {
    const { leave, routes } = entered;
    const request = { ...admitted, entered };
    try {
      const at = await judgeAndBeginOnce(deps, request, tried === triesToDecide);
      if (at !== undefined) return at;
    } catch (error) {
      leave();
      throw error;
    }
    leave();
    await deps.routing?.renew(routes);
    entered = enter(deps, admitted);
  }
};

/** A purchase found under the key: its answer, or a wait for it. */
const repeat = async (
  deps: PurchaseDeps,
  purchase: Purchase,
  fingerprint: string,
): Promise<BuyResult> => {
  if (purchase.fingerprint !== fingerprint) throw reused();
  if (isFinal(purchase)) return answered(purchase, true);
  // If the time cannot be read, it answers pending at once instead of failing: the purchase has begun.
  const now = await deps.databaseTime(deps.db).catch(() => Number.POSITIVE_INFINITY);
  // Never negative: if the database's clock went back, the beginning is in its future.
  const elapsedMs = Math.max(0, now - purchase.beganAt);
  const leftMs = deps.config.pendingAfterMs - elapsedMs;
  return answered(await waitForEnd(deps, purchase, leftMs), true);
};

/** Whichever comes first: the end of the work, which never fails, or the end of the waiting time. */
const endOrLimit = (
  deps: PurchaseDeps,
  work: Promise<Purchase>,
  limit: { readonly ms: number; readonly otherwise: Purchase },
): Promise<Purchase> =>
  new Promise((resolve) => {
    const cancel = deps.clock.after(limit.ms, () => resolve(limit.otherwise));
    const end = (purchase: Purchase): void => {
      cancel();
      resolve(purchase);
    };
    void work.then(end);
  });

/** A finished key always answers: a purchase may have ended elsewhere. Only another request's is a replay. */
const orFinished = async (
  deps: PurchaseDeps,
  { clientId, key, fingerprint }: Marked,
  result: BuyResult,
): Promise<BuyResult> => {
  if (result.kind === 'answer') return result;
  const found = await findByKeys(deps.db, [{ clientId, key }]).catch(() => undefined);
  if (found === undefined) return { ...result, unread: true };
  const [known] = found;
  if (known === undefined) return result;
  if (known.fingerprint !== fingerprint) throw reused();
  return answered(known, known.id !== result.purchaseId);
};

/** Waits for the end of what began here, or of what others run if nothing was ordered here. */
const waitForOrder = async (
  deps: PurchaseDeps,
  { purchase, started }: Begun,
  order: Promise<Purchase> | undefined,
): Promise<BuyResult> => {
  const leftMs = (): number => deps.config.pendingAfterMs - (deps.clock.monotonic() - started);
  const settled =
    order === undefined
      ? purchase
      : await endOrLimit(deps, order, { ms: leftMs(), otherwise: purchase });
  const end = isFinal(settled) ? settled : await waitForEnd(deps, settled, leftMs());
  return answered(end, false);
};

/**
 * Shares the result of the request in flight. If that has none, or had other fields, the key may be finished
 * elsewhere, and a finished key always answers.
 */
const join = async (
  deps: PurchaseDeps,
  joined: UnderWay,
  { clientId, key, fingerprint }: Marked,
): Promise<BuyResult> => {
  const leave = deps.admission.wait();
  const share = async (): Promise<BuyResult> => {
    if (joined.fingerprint !== fingerprint) throw reused();
    if (leave === undefined) throw overloaded();
    return joined.result;
  };
  const find = async (): Promise<Purchase | undefined> =>
    (await findByKeys(deps.db, [{ clientId, key }]))[0];
  const shared = await share()
    .finally(leave)
    .catch(async (error: unknown) => {
      const known = await find();
      if (known === undefined) throw error;
      return repeat(deps, known, fingerprint);
    });
  if (shared.kind === 'answer') return { ...shared, replayed: true };
  const known = shared.unread ? await find() : undefined;
  return known === undefined ? shared : answered(known, true);
};

type FinalResult = { readonly fingerprint: string; readonly result: BuyResult };

export const createBuying = (deps: PurchaseDeps): Buying => {
  const inFlight = new Map<string, UnderWay>();
  const { runOrder, whenIdle } = createOrderRunner(deps);
  const memory = createFinalAnswers<FinalResult>(deps);
  const findByKey = createKeyLookup(deps.db);
  let draining = false;

  const admit = (request: Marked): Admitted => {
    if (draining) throw new GatewayError('DRAINING');
    deps.gate?.pass();
    const named = { ...request, id: deps.newId() };
    return { ...named, entered: enter(deps, named) };
  };

  const run = async (request: Marked): Promise<BuyResult> => {
    const found = findByKey(request);
    const known = found instanceof Promise ? await found : found;
    if (known !== undefined) return repeat(deps, known, request.fingerprint);
    // A restored database may lack it, so it is not sold again while the gate is closed.
    const closed = deps.gate?.closed() !== undefined;
    const lost = closed ? await findForgotten(deps.db, request) : undefined;
    if (lost !== undefined) return { kind: 'pending', purchaseId: lost };
    const admitted = admit(request);
    const { begun, supplier, leave } = await judgeAndBegin(deps, admitted);
    const order = runOrder(begun, supplier, leave);
    const { id } = admitted;
    if (begun === undefined) return orFinished(deps, request, { kind: 'pending', purchaseId: id });
    if (!begun.ours) return repeat(deps, begun.purchase, request.fingerprint);
    return orFinished(deps, request, await waitForOrder(deps, begun, order));
  };

  const buy = async (request: BuyRequest): Promise<BuyResult> => {
    const name = `${request.clientId} ${request.key}`;
    const fingerprint = fingerprintOf(request.fields);
    const finished = memory.find(name);
    if (finished !== undefined) {
      if (finished.fingerprint !== fingerprint) throw reused();
      return finished.result;
    }
    const marked = { ...request, fingerprint };
    const joined = inFlight.get(name);
    if (joined !== undefined) return join(deps, joined, marked);
    const place = deps.place?.signature();
    const result = run(marked);
    inFlight.set(name, { fingerprint, result });
    try {
      const end = await result;
      if (end.kind === 'answer' && place === deps.place?.signature()) {
        const kept = { fingerprint, result: { ...end, replayed: true } };
        memory.keep(name, kept, end.answer.body.length);
      }
      return end;
    } finally {
      inFlight.delete(name);
    }
  };

  return {
    buy,
    drain: () => {
      draining = true;
    },
    whenIdle,
  };
};
