/** Prepares what a step needs: all that is fetched before its transaction begins. */
import type { Offer, StatusOutcome } from '../connector/connector.ts';
import type { Random } from '../lib/random.ts';
import { offersToWire } from '../offers/wire.ts';
import type { Operator } from '../operators/registry.ts';
import type { Refusal } from './decide.ts';
import type { PurchaseDeps } from './deps.ts';
import type { SettleContext } from './failover.ts';
import type { Open } from './purchase.ts';
import { codeOfRefusal, wantsOffers } from './replay/answers.ts';
import { othersOf, termsNow } from './suppliers.ts';

/** From 0 to 1, from the given randomness. */
export const chanceOf = (random: Random): number => {
  const [byte = 0] = random(1);
  return byte / 255;
};

/** Why a supplier could not, out of funds for instance, is the company's own business. */
const declinedBySupplier = (reason: string): Refusal => ({
  code: 'OPERATOR_DECLINED',
  message: {
    en: 'The mobile operator did not deliver. Nothing was charged.',
    fa: 'اپراتور تحویل نداد. مبلغی کسر نشد.',
  },
  words: reason,
});

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
  if (code === 'OPERATOR_DECLINED') {
    const { blame, reason } = outcome;
    return blame === 'supplier' ? declinedBySupplier(reason) : declined(reason);
  }
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

/** What is known of other suppliers: the next one, and those that may have the purchase. */
export type Beside = Pick<SettleContext, 'next' | 'others'>;

/** Whether an outcome says that the supplier did not deliver. */
export const isEnd = ({ kind }: StatusOutcome): boolean =>
  kind === 'refused' || kind === 'not_found';

/** All that a step needs, fetched before the transaction begins. */
export const settleContext = (
  deps: PurchaseDeps,
  { operator, purchase }: { readonly operator: Operator; readonly purchase: Open },
  outcome: StatusOutcome,
  beside: Beside = {},
): SettleContext | Promise<SettleContext> => {
  const contextWith = (refusal: Refusal): SettleContext => ({
    terms: termsNow(deps, operator, purchase),
    chance: chanceOf(deps.random),
    refusal,
    ...(isEnd(outcome) ? { others: othersOf(deps, purchase) } : {}),
    ...beside,
  });
  const refusal = refusalOf(deps, operator, purchase, outcome);
  return refusal instanceof Promise ? refusal.then(contextWith) : contextWith(refusal);
};
