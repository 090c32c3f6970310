/** Computes the delay before a worker is restarted. Pure. */

// A worker that lived this long did not die of its start.
const steadyMs = 30_000;
const shortestMs = 500;
// Long enough that failing workers cost nothing, short enough to notice when the cause is gone.
const longestMs = 30_000;

/** The delay after a worker that lived this long, if the previous delay was `lastMs`. */
export const restartDelay = (livedMs: number, lastMs: number): number =>
  livedMs >= steadyMs ? 0 : Math.min(Math.max(lastMs * 2, shortestMs), longestMs);
