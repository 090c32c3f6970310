/** Finds the days of a month in the Gregorian and the Persian calendar. Pure. */
import type { Day } from './calendar-day.ts';

export const calendars = ['gregorian', 'persian'] as const;
export type Calendar = (typeof calendars)[number];

/** A month with its first day, and the first one of the month after it. */
export type Month = {
  readonly calendar: Calendar;
  /** Such as 2026-01 or 1404-11. */
  readonly name: string;
  readonly first: Day;
  readonly next: Day;
};

const dayMs = 86_400_000;

const writers: Readonly<Record<Calendar, Intl.DateTimeFormat>> = {
  gregorian: new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }),
  persian: new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }),
};

const dateOf = (calendar: Calendar, day: Day) => {
  const parts = new Map(
    writers[calendar].formatToParts(day * dayMs).map(({ type, value }) => [type, Number(value)]),
  );
  return {
    year: parts.get('year') ?? 0,
    month: parts.get('month') ?? 0,
    of: parts.get('day') ?? 0,
  };
};

// No month of either calendar is longer.
const longest = 31;

/** The month that contains a day. */
export const monthOn = (calendar: Calendar, day: Day): Month => {
  const { year, month, of } = dateOf(calendar, day);
  const first = day - of + 1;
  const beyond = first + longest;
  return {
    calendar,
    name: `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`,
    first,
    next: beyond - dateOf(calendar, beyond).of + 1,
  };
};

// In March, where the Persian year begins, both calendars differ by this.
const yearsBetween = 621;

/** The month of such a name; undefined if there is none. */
export const readMonth = (calendar: Calendar, name: string): Month | undefined => {
  const parts = /^(\d{4})-(\d\d)$/.exec(name);
  if (parts === null) return undefined;
  const [year, month] = [Number(parts[1]), Number(parts[2])];
  const isPersian = calendar === 'persian';
  // A day in the middle: the first Persian month has April 5.
  const near = isPersian
    ? Date.UTC(year + yearsBetween, month + 2, 5)
    : Date.UTC(year, month - 1, 15);
  const found = monthOn(calendar, Math.floor(near / dayMs));
  return found.name === name ? found : undefined;
};
