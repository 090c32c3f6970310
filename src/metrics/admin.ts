/** Counts unmasked numbers in the back office. */
import type { Registry } from 'prom-client';
import { createCounter } from './counters.ts';

export type UnmaskingOutcome = 'shown' | 'refused';

export const adminMetrics = (
  registry: Registry,
): { readonly unmasking: (outcome: UnmaskingOutcome) => void } => {
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
