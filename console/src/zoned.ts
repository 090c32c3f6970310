/** Converts between instants and the local dates and times of a time zone. Pure. */

/** What clocks and calendars on the wall show. */
export type Wall = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
};

const dayMs = 86_400_000;
const minuteMs = 60_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

const clockOf = (zone: string): Intl.DateTimeFormat => {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
};

export const wallAt = (at: number, zone: string): Wall => {
  const parts = clockOf(zone).formatToParts(at);
  const read = (name: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find(({ type }) => type === name)?.value);
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
  };
};

const asUtc = ({ year, month, day, hour, minute }: Wall): number =>
  Date.UTC(year, month - 1, day, hour, minute);

/**
 * The first instant at which the clocks show that; a skipped time counts as if the clocks had not changed.
 */
export const momentOf = (wall: Wall, zone: string): number => {
  const wanted = asUtc(wall);
  const offsetAt = (at: number): number => asUtc(wallAt(at, zone)) - at;
  // Clocks do not change twice within two days.
  const found = [wanted - offsetAt(wanted - dayMs), wanted - offsetAt(wanted + dayMs)];
  const shown = found.filter((at) => asUtc(wallAt(at, zone)) === wanted);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...found);
};

const two = (value: number): string => String(value).padStart(2, '0');

export const writeDay = ({ year, month, day }: Pick<Wall, 'year' | 'month' | 'day'>): string =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;

export const writeWall = (wall: Wall): string =>
  `${writeDay(wall)}T${two(wall.hour)}:${two(wall.minute)}`;

const written = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/;

/** A field's value; undefined if it is not a time. */
export const readWall = (text: string): Wall | undefined => {
  const parts = written.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const wall = { year, month, day, hour, minute };
  const same = wallAt(asUtc(wall), 'UTC');
  return writeWall(same) === writeWall(wall) ? wall : undefined;
};

/** The day in a text, such as an address; empty if it is not one. */
export const dayIn = (text: string): string => {
  const wall = readWall(text);
  return wall === undefined ? '' : writeDay(wall);
};

/** A time of the API for a field; empty if it is not one. */
export const toField = (iso: string, zone: string): string => {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? '' : writeWall(wallAt(Math.floor(at / minuteMs) * minuteMs, zone));
};

/** A field's value for the API; empty if it is not a time. */
export const fromField = (text: string, zone: string): string => {
  const wall = readWall(text);
  return wall === undefined ? '' : new Date(momentOf(wall, zone)).toISOString();
};

/** The day this many days later. */
const shifted = (wall: Wall, days: number): Wall =>
  wallAt(asUtc({ ...wall, hour: 0, minute: 0 }) + days * dayMs, 'UTC');

/** When a zone's day begins, this many days later; undefined if it is invalid. */
export const dayBegins = (day: string, zone: string, daysOn = 0): string | undefined => {
  const wall = readWall(day);
  if (wall === undefined) return undefined;
  return new Date(momentOf(shifted(wall, daysOn), zone)).toISOString();
};

/** The days from this many before today to that many before it, in a time zone. */
export const daysBack = (
  now: number,
  zone: string,
  first: number,
  last: number,
): { readonly from: string; readonly to: string } => {
  const today = wallAt(now, zone);
  const begin = (back: number): string =>
    new Date(momentOf(shifted(today, -back), zone)).toISOString();
  return { from: begin(first), to: begin(last - 1) };
};
