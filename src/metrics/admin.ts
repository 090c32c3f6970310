/** Counts what the back office does that calls for a warning. */
import type { Registry } from 'prom-client';
import { createCounter } from './counters.ts';
import type { Metrics } from './metrics.ts';

export const adminMetrics = (registry: Registry): Pick<Metrics, 'unmasking'> => {
  const counts = createCounter(registry, {
    name: 'simgate_admin_unmaskings_total',
    help: 'Whole numbers asked for in the back office, by what came of it.',
    labelNames: ['outcome'],
  });
  const byOutcome = {
    shown: counts({ outcome: 'shown' }),
    refused: counts({ outcome: 'refused' }),
  };
  return { unmasking: (outcome) => byOutcome[outcome]() };
};
