/** Runs the phases of a drill one after another, and reports what the buyers saw in each. */
import { table } from '../../src/cli/definition.ts';
import type { Bought, Buyers } from './retrying-buyers.ts';

export type PlannedPhase = readonly [name: string, run: () => Promise<void>];

export type Phase = {
  readonly name: string;
  readonly ms: number;
  readonly bought: readonly Bought[];
  /** What reached a buyer despite retries. */
  readonly errors: number;
};

export const runPhases = async (
  phases: readonly PlannedPhase[],
  buyers: Buyers,
  say: (line: string) => void,
): Promise<Phase[]> => {
  const ran: Phase[] = [];
  for (const [name, run] of phases) {
    const [began, erred] = [performance.now(), buyers.errors.length];
    say(`${name} …`);
    await run();
    const ended = performance.now();
    // By the time of the answer: what began before a disturbance and ended in it shows its length.
    const bought = buyers.bought.filter(({ at, ms }) => at + ms >= began && at + ms < ended);
    ran.push({ name, ms: ended - began, bought, errors: buyers.errors.length - erred });
  }
  return ran;
};

const atShare = (sorted: readonly number[], share: number): string =>
  String(Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0));

const rowOf = ({ name, ms, bought, errors }: Phase) => {
  const times = bought.map((one) => one.ms).sort((one, other) => one - other);
  const repeated = bought.filter(({ repeats }) => repeats > 0).length;
  return {
    name,
    seconds: (ms / 1000).toFixed(1),
    bought: bought.length,
    p50: atShare(times, 0.5),
    p99: atShare(times, 0.99),
    most: atShare(times, 1),
    repeated,
    errors,
  };
};

const columns = {
  phase: 'name',
  seconds: 'seconds',
  bought: 'bought',
  'p50 ms': 'p50',
  'p99 ms': 'p99',
  'most ms': 'most',
  retried: 'repeated',
  errors: 'errors',
} as const;

/** The phases as a table, with percentiles of the times that buyers waited. */
export const phaseTable = (phases: readonly Phase[]): string => table(columns, phases.map(rowOf));

/** A calm phase may end before a busy machine has sold anything. */
export const isIdle = ({ name, bought }: Phase): boolean =>
  bought.length === 0 && !name.startsWith('calm');
