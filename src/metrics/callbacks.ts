/** Counts operators' callbacks by their result. */
import type { Registry } from 'prom-client';
import { perKey } from '../lib/memo.ts';
import { recordOf } from '../lib/record.ts';
import { createCounter } from './counters.ts';
import type { Named, NameOf } from './names.ts';

/** docs/operate/metrics.md explains each. */
const callbackEffects = [
  'settled',
  'inquiry',
  'noted',
  'no_effect',
  'unmatched',
  'rejected',
] as const;
export type CallbackEffect = (typeof callbackEffects)[number];

export type CallbackMetrics = {
  /** An operator called back, with this result. */
  readonly calledBack: (operatorId: number, effect: CallbackEffect) => void;
};

/** Exists from the start for each operator: a series that begins with its first event has no rate. */
export const callbackMetrics = (
  registry: Registry,
  operators: readonly Named[],
  nameOf: NameOf,
): CallbackMetrics => {
  const counts = createCounter(registry, {
    name: 'simgate_callbacks_total',
    help: 'Callbacks of operators, by what came of them.',
    labelNames: ['operator', 'effect'],
  });
  const countsOf = perKey((operatorId: number) =>
    recordOf(callbackEffects, (effect) => counts({ operator: nameOf(operatorId), effect })),
  );
  for (const { id } of operators) countsOf(id);
  return { calledBack: (operatorId, effect) => countsOf(operatorId)[effect]() };
};
