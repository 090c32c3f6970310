/** Asks an operator about a purchase once more before a person decides. Changes nothing. */
import type { Call } from '../../connector/call.ts';
import { callContext } from '../../lib/http/trace.ts';
import type { Random } from '../../lib/random.ts';
import type { Registry } from '../../operators/registry.ts';
import { quietOf, type RecoveryConfig, termsFor } from '../terms.ts';
import type { Asked } from './evidence.ts';
import type { Undecided } from './undecided.ts';

export type AskDeps = {
  readonly registry: Pick<Registry, 'byId'>;
  readonly call: Call;
  readonly recovery: RecoveryConfig;
  readonly random: Random;
  /** The time of the database. */
  readonly now: () => Promise<number>;
};

/** Asks over the connection that there is, and tells whether "no such order" is proof by now. */
export const askOperator = async (
  { registry, call, recovery, random, now }: AskDeps,
  purchase: Undecided,
): Promise<Asked> => {
  const operator = registry.byId(purchase.operatorId ?? 0);
  if (operator === undefined) {
    const values = { operator: purchase.operatorId };
    return { kind: 'not_asked', why: { code: 'operator_not_configured', values } };
  }
  const { status, deadlineMs } = operator.connection;
  const terms = termsFor(operator, purchase, recovery);
  const bounded = terms.settlesWithinMs !== undefined;
  const quiet = bounded && (await now()) >= quietOf(purchase, terms);
  const asked = { operatorId: operator.id, kind: 'inquiry' } as const;
  const context = callContext(purchase, random);
  const result = await call(deadlineMs, () => status(purchase.id, context), asked);
  return { kind: 'asked', outcome: result.kind === 'answer' ? result.value : result, quiet };
};
