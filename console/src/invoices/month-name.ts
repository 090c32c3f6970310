/** Names months of both calendars in the page's language. Pure. */

// A year of the Persian calendar is some six centuries behind.
const firstGregorianYear = 1700;
const yearsBehind = 621;

const dayMs = 86_400_000;

/** The middle of a month such as 2025-12 or 1404-09, and its calendar. */
const middleOf = (month: string): readonly [Date, 'gregory' | 'persian'] => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  if (year >= firstGregorianYear) return [new Date(Date.UTC(year, number - 1, 15)), 'gregory'];
  // Its year begins in March, and its months have 31 days, then 30.
  const newYear = Date.UTC(year + yearsBehind, 2, 21);
  return [new Date(newYear + ((number - 1) * 30.5 + 15) * dayMs), 'persian'];
};

const tags = { en: 'en-GB', fa: 'fa-IR-u-nu-arabext' } as const;

/** A month of either calendar by its name, such as December 2025. */
export const monthName = (month: string, locale: keyof typeof tags): string => {
  const [middle, calendar] = middleOf(month);
  const options = { calendar, month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  const parts = new Intl.DateTimeFormat(tags[locale], options).formatToParts(middle);
  const find = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? '';
  return `${find('month')} ${find('year')}`;
};
