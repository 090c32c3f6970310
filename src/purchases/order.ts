/** Sends an order to the operator and settles its outcome: one attempt. */
import type { Order, OrderOutcome, StatusOutcome } from '../connector/connector.ts';
import type { Operator } from '../operators/registry.ts';
import { isTestPurchase } from '../operators/supplier.ts';
import type { AdvanceItem, AdvanceResult } from './commit/advance.ts';
import { retryTransaction } from './commit/retry.ts';
import type { PurchaseDeps } from './deps.ts';
import type { OtherAnswer, SettleContext } from './failover.ts';
import { isOpen, type Open, type Purchase } from './purchase.ts';
import { type Beside, isEnd, settleContext } from './settle-context.ts';
import { type EnteredNext, enterNext } from './suppliers.ts';
import { type Terms, termsOf } from './terms.ts';
import { tracedSettle } from './traced.ts';

const pauseMs = 100;

/** Advances, and retries if the database fails; recovery settles what cannot be settled now. */
export const advanceOrLeave = (
  deps: PurchaseDeps,
  item: AdvanceItem & { readonly name: Pick<Purchase, 'trace'> },
): Promise<AdvanceResult | undefined> =>
  tracedSettle(deps, item, () =>
    retryTransaction(
      { clock: deps.clock, pauseMs },
      () => deps.transact.advance(item),
      (err, tried) => {
        deps.log.error({ err, purchase: item.name.id, tried }, 'a step could not be written');
      },
    ),
  );

const orderOf = (deps: PurchaseDeps, purchase: Open): Order => {
  const simType = deps.catalogue().product(purchase.productId)?.sim_card_type;
  return {
    ref: purchase.id,
    mobile: purchase.mobile,
    amount: purchase.price,
    productId: purchase.productId,
    ...(simType === undefined ? {} : { simType }),
    ...(purchase.profileId === null ? {} : { profileId: purchase.profileId }),
    ...(purchase.offer === null ? {} : { offer: purchase.offer }),
    ...(purchase.supplierCode === null ? {} : { supplierCode: purchase.supplierCode }),
  };
};

/** Sends, unless the time to send has passed: then nothing is sent, and recovery continues. */
const send = async (
  deps: PurchaseDeps,
  operator: Operator,
  purchase: Open,
  attempt: { readonly terms: Terms; readonly started: number },
): Promise<OrderOutcome | undefined> => {
  const { terms, started } = attempt;
  if (deps.clock.monotonic() - started >= terms.sendWithinMs) return undefined;
  const result = await deps.call(
    terms.deadlineMs,
    (context) => operator.connection.buy(orderOf(deps, purchase), context),
    { operatorId: operator.id, kind: 'order', origin: purchase, purchaseId: purchase.id },
  );
  const outcome = result.kind === 'answer' ? result.value : result;
  deps.admission.recordOutcome(operator.id, 'order', outcome);
  return outcome;
};

/** An attempt that was recorded as submitted. */
export type Submitted = {
  readonly purchase: Open;
  /** The supplier as it was when the purchase's times were written: its settings may have changed since. */
  readonly operator: Operator;
  /** The monotonic time before that write: the attempt's time to send counts from it. */
  readonly started: number;
  /** Gives back the slot at the supplier. */
  readonly leave: () => void;
};

/** A purchase after a step, and its next attempt if it has moved on. */
export type Settled = { readonly purchase: Purchase; readonly next?: Submitted };

/** What a step says of the supplier; undefined: nothing, as with the subscriber's own faults. */
const endOf = (
  outcome: StatusOutcome,
  { moved, purchase: after }: AdvanceResult,
  before: Open,
): 'delivered' | 'failed' | undefined => {
  if (!moved) return undefined;
  if (outcome.kind === 'done') return 'delivered';
  if (outcome.kind === 'refused') return outcome.blame === 'supplier' ? 'failed' : undefined;
  const isLeft = after.state === 'failed' || after.supplierId !== before.supplierId;
  return outcome.kind === 'not_found' && isLeft ? 'failed' : undefined;
};

const recordEnd = (
  { routing }: PurchaseDeps,
  before: Open,
  outcome: StatusOutcome,
  result: AdvanceResult | undefined,
): void => {
  const { supplierId, routeId } = before;
  if (routing === undefined || result === undefined || supplierId === null) return;
  const end = isTestPurchase(before) ? undefined : endOf(outcome, result, before);
  if (end !== undefined) routing.record({ supplierId, routeId }, end);
};

/** What was learnt of an order: the answer, and those of other suppliers. */
type Learnt = { readonly outcome: StatusOutcome; readonly others?: readonly OtherAnswer[] };

type Advance = (context: SettleContext) => Promise<AdvanceResult | undefined>;

type MovedOn = { readonly result: AdvanceResult | undefined; readonly next?: Submitted };

/** With `entered`, a slot at the next supplier, which is used or given back. */
const settleOnce = async (
  deps: PurchaseDeps,
  { operator, purchase }: Pick<Submitted, 'operator' | 'purchase'>,
  { outcome, others }: Learnt,
  { entered, advance }: { readonly entered: EnteredNext | undefined; readonly advance: Advance },
): Promise<MovedOn> => {
  const beside: Beside = {
    ...(entered === undefined ? {} : { next: entered.next }),
    ...(others === undefined ? {} : { others }),
  };
  let isUsed = false;
  try {
    const given = settleContext(deps, { operator, purchase }, outcome, beside);
    const context = given instanceof Promise ? await given : given;
    const started = deps.clock.monotonic();
    const result = await advance(context);
    recordEnd(deps, purchase, outcome, result);
    const after = result?.purchase;
    const hasMoved = result?.moved === true && result.purchase.supplierId !== purchase.supplierId;
    if (!hasMoved || after === undefined || !isOpen(after) || entered === undefined) {
      return { result };
    }
    isUsed = true;
    return {
      result,
      next: { purchase: after, operator: entered.supplier, started, leave: entered.leave },
    };
  } finally {
    if (!isUsed) entered?.leave();
  }
};

// As often as for a purchase that begins. Then the choice counts: a proved end must not wait.
const triesToRoute = 3;

/** Takes a step, with a slot at the next supplier in case the purchase moves on. */
const settleWithNext = async (
  deps: PurchaseDeps,
  submitted: Pick<Submitted, 'operator' | 'purchase'>,
  learnt: Learnt,
  advance: Advance,
): Promise<MovedOn> => {
  for (let tried = 1; ; tried += 1) {
    const entered = enterNext(deps, submitted.purchase);
    const isLast = tried === triesToRoute;
    const taken =
      entered === undefined || !isLast
        ? entered
        : { ...entered, next: { ...entered.next, routes: null } };
    const end = await settleOnce(deps, submitted, learnt, { entered: taken, advance });
    if (end.result?.outdated !== true) return end;
    // If they cannot be read, those in memory count in the end.
    await deps.routing?.renew(entered?.next.routes ?? null).catch(() => {});
  }
};

/** Takes a step, after which the purchase may be with the next supplier. */
export const settleAndMoveOn = (
  deps: PurchaseDeps,
  submitted: Pick<Submitted, 'operator' | 'purchase'>,
  learnt: Learnt,
  advance: Advance,
): Promise<MovedOn> =>
  isEnd(learnt.outcome)
    ? settleWithNext(deps, submitted, learnt, advance)
    : settleOnce(deps, submitted, learnt, { entered: undefined, advance });

const attemptOnce = async (
  deps: PurchaseDeps,
  { purchase, operator, started }: Submitted,
): Promise<Settled> => {
  const terms = termsOf(operator, deps.config.recovery);
  const outcome = await send(deps, operator, purchase, { terms, started });
  if (outcome === undefined) return { purchase };
  let used: SettleContext | undefined;
  const { result, next } = await settleAndMoveOn(
    deps,
    { operator, purchase },
    { outcome },
    (context) => {
      used = context;
      return advanceOrLeave(deps, {
        name: purchase,
        fence: purchase.fence,
        seen: purchase,
        move: { kind: 'order', outcome, context },
      });
    },
  );
  if (next !== undefined) return { purchase: next.purchase, next };
  if (result === undefined || used === undefined || result.purchase.fence === purchase.fence) {
    return { purchase: result?.purchase ?? purchase };
  }
  // Others have claimed it since the order was sent. The answer is still true.
  const { next: _next, ...context } = used;
  const order = { supplierId: operator.id, attempts: purchase.attempts };
  const late = await advanceOrLeave(deps, {
    name: purchase,
    fence: 'any',
    move: { kind: 'late answer', outcome, context, order },
  });
  return { purchase: late?.purchase ?? result.purchase };
};

/** Orders a purchase that was recorded as submitted, and settles the outcome, at one supplier after another. */
export const attempt = async (deps: PurchaseDeps, first: Submitted): Promise<Purchase> => {
  let current = first;
  for (;;) {
    const { leave } = current;
    try {
      const { purchase, next } = await attemptOnce(deps, current);
      if (next === undefined) return purchase;
      current = next;
    } finally {
      leave();
    }
  }
};
