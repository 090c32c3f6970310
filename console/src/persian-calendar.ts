/** Converts, formats and parses dates of the Persian calendar. Pure. */
import { formatFor, toLatinDigits } from './writing.ts';
import { readWall, type Wall, wallAt, writeDay, writeWall } from './zoned.ts';

const dayMs = 86_400_000;

/** Outside these years the rule below differs from Iran's calendar. */
export const firstYear = 1300;
export const lastYear = 1500;

// The first day of the year 1, counted from 1970.
const firstDay = -492_268;

/** How many days there are before a year: eight of thirty-three are leap years. */
const daysBefore = (year: number): number =>
  firstDay + 365 * (year - 1) + Math.floor((8 * year + 21) / 33);

/** Six months of 31 days, then months of 30; the last has what is left. */
const monthBegins = (month: number): number => 30 * (month - 1) + Math.min(month - 1, 6);

export const daysIn = (year: number, month: number): number => {
  if (month < 12) return month <= 6 ? 31 : 30;
  return daysBefore(year + 1) - daysBefore(year) - monthBegins(12);
};

type Day = Pick<Wall, 'year' | 'month' | 'day'>;

const isDay = ({ year, month, day }: Day): boolean =>
  year >= firstYear &&
  year <= lastYear &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= daysIn(year, month);

/** A Persian day in the Gregorian calendar; undefined if it does not exist. */
export const toGregorian = (persian: Day): Day | undefined => {
  if (!isDay(persian)) return undefined;
  const days = daysBefore(persian.year) + monthBegins(persian.month) + persian.day - 1;
  const { year, month, day } = wallAt(days * dayMs, 'UTC');
  return { year, month, day };
};

/** The reverse; undefined outside the known years. */
export const toPersian = ({ year, month, day }: Day): Day | undefined => {
  const days = Date.UTC(year, month - 1, day) / dayMs;
  let persian = year - 621;
  if (daysBefore(persian) > days) persian -= 1;
  const within = days - daysBefore(persian);
  const found = within < 186 ? Math.floor(within / 31) : 6 + Math.floor((within - 186) / 30);
  const result = { year: persian, month: found + 1, day: within - monthBegins(found + 1) + 1 };
  return isDay(result) ? result : undefined;
};

/** A day, or a day with a minute. */
export type Kind = 'day' | 'moment';

const { digits } = formatFor('fa');

const writeParts = (wall: Wall, kind: Kind): string => {
  const [day = '', minute = ''] = writeWall(wall).split('T');
  const date = day.replaceAll('-', '/');
  return digits(kind === 'day' ? date : `${date} ${minute}`);
};

/** A field's value as Persians write it; empty if it is not a valid time. */
export const writePersian = (field: string, kind: Kind): string => {
  const wall = readWall(field);
  const day = wall === undefined ? undefined : toPersian(wall);
  return wall === undefined || day === undefined ? '' : writeParts({ ...wall, ...day }, kind);
};

const typedDay = /^(\d{4})[/.\- ](\d{1,2})[/.\- ](\d{1,2})$/;
const typedMoment = /^(\d{4})[/.\- ](\d{1,2})[/.\- ](\d{1,2})(?:[ ،,T]+(\d{1,2}):(\d{2}))?$/;

/** The typed text, in any digits, in the Persian calendar. */
const readTyped = (typed: string, kind: Kind): Wall | undefined => {
  const pattern = kind === 'day' ? typedDay : typedMoment;
  const parts = pattern.exec(toLatinDigits(typed.trim()));
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const wall = { year, month, day, hour, minute };
  return isDay(wall) && hour < 24 && minute < 60 ? wall : undefined;
};

/** The same for a field; undefined if it is not a time. A day without a time begins at midnight. */
export const readPersian = (typed: string, kind: Kind): string | undefined => {
  const wall = readTyped(typed, kind);
  const day = wall === undefined ? undefined : toGregorian(wall);
  if (wall === undefined || day === undefined) return undefined;
  return kind === 'day' ? writeDay(day) : writeWall({ ...wall, ...day });
};

const order = ['year', 'month', 'day', 'hour', 'minute'] as const;

/** The positions of the parts in a formatted text. */
const partsIn = (text: string): readonly (readonly [from: number, to: number])[] =>
  [...toLatinDigits(text).matchAll(/\d+/g)].map(({ index, 0: part }) => [
    index,
    index + part.length,
  ]);

const around = (value: number, first: number, last: number): number =>
  value > last ? first : value < first ? last : value;

const steppedDay = (wall: Wall, name: 'year' | 'month' | 'day', by: number): Wall => {
  const year = name === 'year' ? around(wall.year + by, firstYear, lastYear) : wall.year;
  const month = name === 'month' ? around(wall.month + by, 1, 12) : wall.month;
  const last = daysIn(year, month);
  const day = name === 'day' ? around(wall.day + by, 1, last) : Math.min(wall.day, last);
  return { ...wall, year, month, day };
};

export type Stepped = {
  readonly typed: string;
  /** The position of the changed part. */
  readonly from: number;
  readonly to: number;
};

/** The typed text with the part at the cursor one up or down; undefined if it is not a time. */
export const stepPersian = (
  typed: string,
  kind: Kind,
  { caret, by }: { readonly caret: number; readonly by: 1 | -1 },
): Stepped | undefined => {
  const wall = readTyped(typed, kind);
  if (wall === undefined) return undefined;
  const last = kind === 'day' ? 2 : 4;
  const found = partsIn(typed).findIndex(([, to]) => caret <= to);
  const place = found < 0 ? last : Math.min(found, last);
  const name = order[place] ?? 'day';
  const next =
    name === 'hour' || name === 'minute'
      ? { ...wall, [name]: around(wall[name] + by, 0, name === 'hour' ? 23 : 59) }
      : steppedDay(wall, name, by);
  const text = writeParts(next, kind);
  const [from, to] = partsIn(text)[place] ?? [0, text.length];
  return { typed: text, from, to };
};
