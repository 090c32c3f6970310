/** Reads and prints calendar days. Pure. */

/** A calendar day, as the number of days since 1970-01-01: it sorts, and is counted with. */
export type Day = number;

const dayMs = 86_400_000;

/** A day as text, such as 2026-01-31. */
export const formatDay = (day: Day): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** The day of such a text; undefined if there is no such day. */
export const readDay = (text: string): Day | undefined => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`) / dayMs;
  // JavaScript reads February 30 as March 2.
  return Number.isNaN(day) || formatDay(day) !== text ? undefined : day;
};

/** The first day of a day's month, and of the month after it. */
export const monthOf = (day: Day): { readonly first: Day; readonly next: Day } => {
  const date = new Date(day * dayMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { first: Date.UTC(year, month, 1) / dayMs, next: Date.UTC(year, month + 1, 1) / dayMs };
};
