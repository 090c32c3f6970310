/** Counts each state that a purchase reaches, once it is committed. */
import type { Metrics } from '../../metrics/metrics.ts';
import { isTestPurchase } from '../../operators/supplier.ts';
import type { Purchase } from '../purchase.ts';
import { noTally, type Tally } from '../stats/tally.ts';
import type { Transact } from './transact.ts';

type PurchaseMetrics = Pick<Metrics, 'purchase' | 'settled'>;

const count = (metrics: PurchaseMetrics, { operatorId, state, beganAt, settledAt }: Purchase) => {
  if (state === 'submitted') return;
  metrics.purchase(operatorId, state);
  if (state === 'succeeded' || state === 'failed') {
    metrics.settled(operatorId, state, settledAt - beganAt);
  }
};

/** The same transactions, with their results counted for the metrics and the overview, except test clients'. */
export const measuredTransact = (
  transact: Transact,
  metrics: PurchaseMetrics,
  tally: Pick<Tally, 'began' | 'came'> = noTally,
): Transact => ({
  ...transact,
  begin: async (item) => {
    const result = await transact.begin(item);
    if (result.ours && !isTestPurchase(result.purchase)) {
      if (result.purchase.state === 'refused') count(metrics, result.purchase);
      tally.began(result.purchase);
    }
    return result;
  },
  advance: async (item) => {
    const result = await transact.advance(item);
    for (const purchase of result.passed.filter((one) => !isTestPurchase(one))) {
      count(metrics, purchase);
      tally.came(purchase);
    }
    return result;
  },
});
