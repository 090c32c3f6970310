/** Decides whether an account may be shown one more number. Pure. */

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export type UnmaskLimits = { readonly perHour: number; readonly perDay: number };

/** Which limit was reached, and when the next number can be shown. */
export type Reached = {
  readonly limit: 'hour' | 'day';
  readonly most: number;
  readonly until: number;
};

const reachedIn = (
  shown: readonly number[],
  now: number,
  {
    limit,
    most,
    ms,
  }: { readonly limit: Reached['limit']; readonly most: number; readonly ms: number },
): Reached | undefined => {
  const within = shown.filter((at) => at > now - ms);
  if (within.length < most) return undefined;
  // When enough of them have left the window.
  const leaves = within[within.length - most] ?? now;
  return { limit, most, until: leaves + ms };
};

/** The limit reached by numbers shown at these times, the oldest first; of two, the longer wait. */
export const reachedLimit = (
  shown: readonly number[],
  now: number,
  { perHour, perDay }: UnmaskLimits,
): Reached | undefined => {
  const hour = reachedIn(shown, now, { limit: 'hour', most: perHour, ms: hourMs });
  const day = reachedIn(shown, now, { limit: 'day', most: perDay, ms: dayMs });
  return day === undefined || (hour !== undefined && hour.until > day.until) ? hour : day;
};

/** Whether a refusal at such a time is old enough to record the next. */
export const mayReportAgain = (refusedAt: number | undefined, now: number): boolean =>
  refusedAt === undefined || refusedAt <= now - hourMs;
