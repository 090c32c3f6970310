/** Throttles guesses: pauses that grow up to a limit and end by themselves. Pure. */

export type FailedAttempts = {
  /** Those that went wrong, or whose end is not known yet. */
  readonly failures: number;
  /** Until when nothing is tried. */
  readonly until: number;
};

export type ThrottlePolicy = {
  /** So many in a row cost nothing: people mistype. */
  readonly free: number;
  readonly longestMs: number;
};

const firstPauseMs = 1000;

/** After so long without a try everything is forgotten. */
export const forgetAfterMs = 86_400_000;

export const noAttempts: FailedAttempts = { failures: 0, until: 0 };

/** The pause after so many failures. */
export const pauseAfter = (failures: number, { free, longestMs }: ThrottlePolicy): number =>
  failures < free ? 0 : Math.min(longestMs, firstPauseMs * 2 ** Math.min(failures - free, 40));

/**
 * One try more, counted before its end is known: many at once are no way around. Undefined within a
 * pause, which trying does not make longer: after it ends, there is a try.
 */
export const countAttempt = (
  attempts: FailedAttempts,
  now: number,
  policy: ThrottlePolicy,
): FailedAttempts | undefined => {
  if (now < attempts.until) return undefined;
  const failures = attempts.failures + 1;
  return { failures, until: now + pauseAfter(failures, policy) };
};
