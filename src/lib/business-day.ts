/** Finds the business day that contains a moment: a day by the clocks of one time zone. Pure. */
import type { Day } from './calendar-day.ts';
import { perKey } from './memo.ts';

/** From `begins` until before `ends`, in epoch milliseconds, with the date that the clocks show. */
export type BusinessDay = { readonly date: Day; readonly begins: number; readonly ends: number };

/** The business day that contains a moment. */
export type DayAt = (moment: number) => BusinessDay;

const secondMs = 1000;
const dayMs = 86_400_000;
// No clock was ever further from UTC than this.
const farthestMs = 16 * 3_600_000;

/** Whether it is the name of a time zone. Intl also accepts an offset such as +03:30, which has no rules. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The date on the wall at a moment. */
const createDateAt = (timeZone: string): ((moment: number) => Day) => {
  const dates = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  return (moment) => {
    const parts = new Map(dates.formatToParts(moment).map(({ type, value }) => [type, value]));
    const [year = 0, month = 0, day = 0] = (['year', 'month', 'day'] as const).map((type) =>
      Number(parts.get(type)),
    );
    return Date.UTC(year, month - 1, day) / dayMs;
  };
};

/**
 * The first second of a date or of a later one: clocks may skip midnight, repeat it, or skip a whole date.
 * It depends on the date alone, so that days never overlap and leave no gap.
 */
const createBeginning = (timeZone: string): ((date: Day) => number) => {
  const dateAt = createDateAt(timeZone);
  return (date) => {
    let before = (date * dayMs - farthestMs) / secondMs;
    let after = (date * dayMs + farthestMs) / secondMs;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (dateAt(middle * secondMs) < date) before = middle;
      else after = middle;
    }
    return after * secondMs;
  };
};

// More than the days of any chart; a day is a hundred bytes.
const mostKnown = 500;

const createDays = (timeZone: string): DayAt => {
  const dateAt = createDateAt(timeZone);
  const beginningOf = createBeginning(timeZone);
  const known = new Map<Day, BusinessDay>();
  let last: BusinessDay = { date: 0, begins: 0, ends: 0 };

  const dayOf = (date: Day): BusinessDay => {
    const found = known.get(date);
    if (found !== undefined) return found;
    const begins = beginningOf(date);
    let next = date + 1;
    // A date that was skipped has no length: it belongs to the day before it.
    while (beginningOf(next) <= begins) next += 1;
    const day = { date, begins, ends: beginningOf(next) };
    if (known.size >= mostKnown) known.clear();
    known.set(date, day);
    return day;
  };

  return (moment) => {
    if (moment >= last.begins && moment < last.ends) return last;
    let date = dateAt(moment);
    // Clocks that are put back over midnight show a date twice.
    while (dayOf(date).ends <= moment) date += 1;
    while (dayOf(date).begins > moment) date -= 1;
    last = dayOf(date);
    return last;
  };
};

/** The days of a time zone. Asking for the day of a recent moment again costs two comparisons. */
export const daysIn: (timeZone: string) => DayAt = perKey(createDays);

export const utcDays: DayAt = (moment) => {
  const date = Math.floor(moment / dayMs);
  return { date, begins: date * dayMs, ends: (date + 1) * dayMs };
};

/** The last days up to the one that contains a moment, the oldest first. */
export const lastDays = (dayAt: DayAt, moment: number, count: number): BusinessDay[] => {
  const days = [dayAt(moment)];
  for (let oldest = days[0]; oldest !== undefined && days.length < count; ) {
    oldest = dayAt(oldest.begins - 1);
    days.unshift(oldest);
  }
  return days;
};
