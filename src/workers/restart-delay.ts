/** Computes the delay before a worker is restarted. Pure. */

// Who has lived this long did not die of its start.
const steadyMs = 30_000;
const shortestMs = 500;
// Long enough for whatever keeps workers from living to cost nothing, short enough to be seen when it is over.
const longestMs = 30_000;

/** The pause after a worker that lived so long, where the pause before it was `lastMs`. */
export const restartDelay = (livedMs: number, lastMs: number): number =>
  livedMs >= steadyMs ? 0 : Math.min(Math.max(lastMs * 2, shortestMs), longestMs);
