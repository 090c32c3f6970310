/** Detects that the database's clock was set back, and repairs times written before. */
import type { Clock } from '../lib/clock.ts';

// Readings travel over a network, and clocks are constantly corrected by fractions of a second.
const toleranceMs = 5000;

/**
 * Returns a function that takes each reading of the database's clock. It runs `mend` if the clock is behind
 * this process's own, and at the first reading, because the past is unknown. If `mend` fails, it runs again
 * at the next reading.
 */
export const onClockSetBack = (
  clock: Pick<Clock, 'monotonic'>,
  mend: (now: number) => Promise<void>,
): ((now: number) => Promise<void>) => {
  let last: { readonly now: number; readonly at: number } | undefined;
  return async (now) => {
    const at = clock.monotonic();
    const isBehind = last === undefined || now < last.now + (at - last.at) - toleranceMs;
    if (isBehind) await mend(now);
    last = { now, at };
  };
};
