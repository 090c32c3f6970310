/** Throttles guesses: pauses that grow up to a limit and then expire. Pure. */

export type FailedAttempts = {
  /** Those that failed, or whose result is still unknown. */
  readonly failures: number;
  /** No tries before this time. */
  readonly until: number;
};

export type ThrottlePolicy = {
  /** This many failures in a row cost nothing: people mistype. */
  readonly free: number;
  readonly longestMs: number;
};

const firstPauseMs = 1000;

/** After this long without a try, failures are forgotten. */
export const forgetAfterMs = 86_400_000;

export const noAttempts: FailedAttempts = { failures: 0, until: 0 };

/** The pause after this many failures. */
export const pauseAfter = (failures: number, { free, longestMs }: ThrottlePolicy): number =>
  failures < free ? 0 : Math.min(longestMs, firstPauseMs * 2 ** Math.min(failures - free, 40));

/**
 * Counts one more try before its result is known, so concurrent tries cannot bypass it. Undefined within a
 * pause, which further tries do not extend.
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
