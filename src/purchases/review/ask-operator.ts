/** Asks an operator about a purchase once more before a person decides. Changes nothing. */
import type { Call } from '../../connector/call.ts';
import { findSupplier, type Registry } from '../../operators/registry.ts';
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
  const { status, deadlineMs } = operator.connection;
  const terms = termsFor(operator, purchase, recovery);
  const bounded = terms.settlesWithinMs !== undefined;
  const quiet = bounded && (await now()) >= quietOf(purchase, terms);
  const { id: purchaseId } = purchase;
  const about = { operatorId: operator.id, kind: 'inquiry', origin: purchase, purchaseId } as const;
  const result = await call(deadlineMs, (context) => status(purchaseId, context), about);
  return { kind: 'asked', outcome: result.kind === 'answer' ? result.value : result, quiet };
};
