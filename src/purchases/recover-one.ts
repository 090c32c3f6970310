/** Recovers one claimed purchase by a step: inquires, or orders again. */
import type { Inquire, StatusOutcome } from '../connector/connector.ts';
import { findSupplier, type Operator } from '../operators/registry.ts';
import type { AdvanceResult } from './commit/advance.ts';
import type { PurchaseDeps } from './deps.ts';
import type { OtherAnswer } from './failover.ts';
import { inquire } from './inquire.ts';
import type { Move } from './move.ts';
import { advanceOrLeave, attempt, settleAndMoveOn } from './order.ts';
import { isOpen, type Open, type Purchase } from './purchase.ts';
import { chanceOf } from './settle-context.ts';
import { othersOf, termsNow } from './suppliers.ts';

/** The operator's answer, undefined if there was none to ask, and the purchase now. */
export type Recovered = {
  readonly outcome: StatusOutcome | undefined;
  readonly purchase: Purchase;
};

const askSupplier = async (
  deps: PurchaseDeps,
  operator: Operator,
  status: Inquire,
  purchase: Open,
): Promise<StatusOutcome> => {
  const about = { purchaseId: purchase.id, origin: purchase };
  const outcome = await inquire(deps.call, operator, status, about);
  if (outcome.kind !== 'unknown') deps.admission.alive(operator.id);
  return outcome;
};

/** Asks the other suppliers of an operator: a lost part of the database may hold an attempt at one of them. */
const askOthers = async (deps: PurchaseDeps, purchase: Open): Promise<readonly OtherAnswer[]> => {
  const others = othersOf(deps, purchase);
  if (purchase.reason?.code !== 'may_be_elsewhere') return others;
  const at = await deps.databaseTime(deps.db);
  const ask = async (other: OtherAnswer): Promise<OtherAnswer> => {
    const { status } = other.supplier.connection;
    // One that takes no inquiries stays unasked: a person decides.
    if (typeof status !== 'function') return other;
    return {
      ...other,
      asked: { outcome: await askSupplier(deps, other.supplier, status, purchase), at },
    };
  };
  return Promise.all(others.map(ask));
};

/** The reversal that a supplier tells of; it counts if that one turns out to have sold the purchase. */
const reversalIn = (
  answers: readonly (Pick<OtherAnswer, 'supplier'> & {
    readonly asked?: { readonly outcome: StatusOutcome } | undefined;
  })[],
): Extract<Move, { kind: 'reversal' }> | undefined => {
  for (const { supplier, asked } of answers) {
    if (asked?.outcome.kind === 'reversed') {
      return { kind: 'reversal', at: asked.outcome.at, supplierId: supplier.id };
    }
  }
  return undefined;
};

/** Orders a claimed purchase that a step has submitted again. */
const orderIfAgain = async (
  deps: PurchaseDeps,
  operator: Operator,
  before: Open,
  { result, started }: { readonly result: AdvanceResult | undefined; readonly started: number },
): Promise<Purchase> => {
  const after = result?.purchase ?? before;
  const ordersAgain = result?.moved === true && after.attempts > before.attempts;
  if (!ordersAgain || !isOpen(after)) return after;
  return attempt(deps, { purchase: after, operator, started, leave: () => {} });
};

/** For an operator that takes no inquiries. */
const resend = async (
  deps: PurchaseDeps,
  operator: Operator,
  purchase: Open,
): Promise<Purchase> => {
  const terms = termsNow(deps, operator, purchase);
  const started = deps.clock.monotonic();
  const result = await advanceOrLeave(deps, {
    name: purchase,
    fence: purchase.fence,
    move: { kind: 'resend', context: { terms, chance: chanceOf(deps.random) } },
  });
  return orderIfAgain(deps, operator, purchase, { result, started });
};

/** Advances one claimed purchase by a step, with the same functions as the first attempt. */
export const recoverPurchase = async (
  deps: PurchaseDeps,
  purchase: Open,
  isAbandoned: boolean,
): Promise<Recovered> => {
  const operator = findSupplier(deps.registry, purchase.supplierId ?? 0);
  const claim = { name: purchase, fence: purchase.fence };
  if (operator === undefined || (isAbandoned && operator.system === null)) {
    const given = await advanceOrLeave(deps, { ...claim, move: { kind: 'no operator' } });
    return { outcome: undefined, purchase: given?.purchase ?? purchase };
  }
  const { status } = operator.connection;
  if (typeof status !== 'function') {
    return { outcome: undefined, purchase: await resend(deps, operator, purchase) };
  }
  // No signature is empty: an inquiry before the examination counts as made elsewhere.
  const askedIn = deps.place === undefined ? undefined : (deps.place.signature() ?? '');
  const askedAt = await deps.databaseTime(deps.db);
  const outcome = await askSupplier(deps, operator, status, purchase);
  const others = await askOthers(deps, purchase);
  const reversal = reversalIn([{ supplier: operator, asked: { outcome } }, ...others]);
  const started = deps.clock.monotonic();
  const { result, next } = await settleAndMoveOn(
    deps,
    { operator, purchase },
    { outcome, others },
    (context) =>
      advanceOrLeave(deps, {
        ...claim,
        move: {
          kind: 'inquiry',
          outcome,
          context,
          askedAt,
          ...(askedIn === undefined ? {} : { askedIn }),
        },
        ...(reversal === undefined ? {} : { andThen: reversal }),
      }),
  );
  if (next !== undefined) return { outcome, purchase: await attempt(deps, next) };
  return { outcome, purchase: await orderIfAgain(deps, operator, purchase, { result, started }) };
};
