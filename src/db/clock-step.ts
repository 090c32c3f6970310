/** Detects that the database's clock was set back, and repairs times written before. */
import type { Clock } from '../lib/clock.ts';

// Readings travel over a network, and clocks are corrected by fractions of a second all the time.
const toleranceMs = 5000;

/**
 * Gives a function that takes each reading of the database's clock. It runs `mend` where the clock is behind
 * where this process's own has it by now, and at the first reading: what happened before is unknown. Where
 * `mend` fails it runs again at the next reading.
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
