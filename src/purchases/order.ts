/** Sends an order to the operator and settles its outcome: one attempt. */
import type { Offer, Order, OrderOutcome, StatusOutcome } from '../connector/connector.ts';
import type { Random } from '../lib/random.ts';
import { offersToWire } from '../offers/wire.ts';
import type { Operator } from '../operators/registry.ts';
import type { AdvanceItem, AdvanceResult } from './commit/advance.ts';
import { retryTransaction } from './commit/retry.ts';
import type { Refusal } from './decide.ts';
import type { PurchaseDeps } from './deps.ts';
import type { Open, Purchase } from './purchase.ts';
import { codeOfRefusal, wantsOffers } from './replay/answers.ts';
import type { SettleContext } from './settle.ts';
import { type Terms, termsFor, termsOf } from './terms.ts';
import { tracedSettle } from './traced.ts';

/** From 0 to 1, from the given randomness. */
export const chanceOf = (random: Random): number => {
  const [byte = 0] = random(1);
  return byte / 255;
};

const declined = (reason: string): Refusal => {
  const sentence = reason.replace(/\.$/, '');
  return {
    code: 'OPERATOR_DECLINED',
    message: {
      en: `The mobile operator did not deliver: ${sentence}. Nothing was charged.`,
      fa: `اپراتور تحویل نداد: ${sentence}. مبلغی کسر نشد.`,
    },
    words: reason,
  };
};

const refusalOf = (
  deps: PurchaseDeps,
  operator: Operator,
  purchase: Open,
  outcome: StatusOutcome,
): Refusal | Promise<Refusal> => {
  if (outcome.kind !== 'refused') return { code: 'ORDER_NOT_RECEIVED' };
  const code = codeOfRefusal(outcome.code);
  if (code === 'OPERATOR_DECLINED') return declined(outcome.reason);
  if (!wantsOffers(code)) return { code };
  const withOffers = (offers: readonly Offer[]): Refusal => ({
    code,
    more: { offers: offersToWire(offers) },
  });
  return deps.offers.refresh(operator, purchase.mobile, purchase).then(
    (fresh) => withOffers(fresh.kind === 'offers' ? fresh.offers : []),
    () => withOffers([]),
  );
};

/** All that a step needs, fetched before the transaction begins. */
export const settleContext = (
  deps: PurchaseDeps,
  operator: Operator,
  purchase: Open,
  outcome: StatusOutcome,
): SettleContext | Promise<SettleContext> => {
  const contextWith = (refusal: Refusal): SettleContext => ({
    terms: termsFor(operator, purchase, deps.config.recovery),
    chance: chanceOf(deps.random),
    refusal,
  });
  const refusal = refusalOf(deps, operator, purchase, outcome);
  return refusal instanceof Promise ? refusal.then(contextWith) : contextWith(refusal);
};

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

const orderOf = (purchase: Open): Order => ({
  ref: purchase.id,
  mobile: purchase.mobile,
  amount: purchase.price,
  productId: purchase.productId,
  ...(purchase.profileId === null ? {} : { profileId: purchase.profileId }),
  ...(purchase.offer === null ? {} : { offer: purchase.offer }),
});

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
    (context) => operator.connection.buy(orderOf(purchase), context),
    { operatorId: operator.id, kind: 'order', origin: purchase, purchaseId: purchase.id },
  );
  const outcome = result.kind === 'answer' ? result.value : result;
  deps.admission.recordOutcome(operator.id, 'order', outcome);
  return outcome;
};

/** An attempt that was recorded as submitted. */
export type Submitted = {
  readonly purchase: Open;
  /** The operator as it was when the purchase's times were written: its settings may have changed since. */
  readonly operator: Operator;
  /** The monotonic time before that write: the attempt's time to send counts from it. */
  readonly started: number;
};

/** Orders a purchase that was recorded as submitted, and settles the outcome. */
export const attempt = async (
  deps: PurchaseDeps,
  { purchase, operator, started }: Submitted,
): Promise<Purchase> => {
  const terms = termsOf(operator, deps.config.recovery);
  const outcome = await send(deps, operator, purchase, { terms, started });
  if (outcome === undefined) return purchase;
  const given = settleContext(deps, operator, purchase, outcome);
  const context = given instanceof Promise ? await given : given;
  const settled = await advanceOrLeave(deps, {
    name: purchase,
    fence: purchase.fence,
    seen: purchase,
    move: { kind: 'order', outcome, context },
  });
  if (settled === undefined || settled.purchase.fence === purchase.fence) {
    return settled?.purchase ?? purchase;
  }
  // Others have claimed it since the order was sent. The answer is still true.
  const late = await advanceOrLeave(deps, {
    name: purchase,
    fence: 'any',
    move: { kind: 'late answer', outcome, context, attempts: purchase.attempts },
  });
  return late?.purchase ?? settled.purchase;
};
