/** Asks an operator about a purchase once more before a person decides. Changes nothing. */
import type { Call } from '../../connector/call.ts';
import { findSupplier, type Registry } from '../../operators/registry.ts';
import { inquire } from '../inquire.ts';
import { quietOf, type RecoveryConfig, termsFor } from '../terms.ts';
import type { Asked } from './evidence.ts';
import type { Undecided } from './undecided.ts';

export type AskDeps = {
  readonly registry: Pick<Registry, 'byId'>;
  readonly call: Call;
  readonly recovery: RecoveryConfig;
  /** The time of the database. */
  readonly now: () => Promise<number>;
};

/** Asks over the current connection, and returns whether "no such order" is proof by now. */
export const askOperator = async (
  { registry, call, recovery, now }: AskDeps,
  purchase: Undecided,
): Promise<Asked> => {
  const operator = findSupplier(registry, purchase.supplierId ?? 0);
  if (operator === undefined) {
    const values = { operator: purchase.supplierId };
    return { kind: 'not_asked', why: { code: 'operator_not_configured', values } };
  }
  const { status } = operator.connection;
  // Sending the order again would be an order: that is never a person's question.
  if (typeof status !== 'function') {
    return { kind: 'not_asked', why: { code: 'no_inquiries', values: { operator: operator.id } } };
  }
  const terms = termsFor(operator, purchase, recovery);
  const bounded = terms.settlesWithinMs !== undefined;
  const quiet = bounded && (await now()) >= quietOf(purchase, terms);
  const about = { purchaseId: purchase.id, origin: purchase };
  return { kind: 'asked', outcome: await inquire(call, operator, status, about), quiet };
};
