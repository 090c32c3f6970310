/** Parses and prints times in the API's format. */

/** A time in the contract's form, with the six decimals that Laravel's clients expect. */
export const formatTime = (epochMs: number): string =>
  new Date(epochMs).toISOString().replace('Z', '000Z');

const isoTime =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(?:Z|([+-])(\d\d):?(\d\d)?)?$/i;

/** A time in epoch microseconds, in the same form. */
export const formatMicros = (epochMicros: number): string => {
  const micros = String(epochMicros % 1000).padStart(3, '0');
  return new Date(Math.floor(epochMicros / 1000)).toISOString().replace('Z', `${micros}Z`);
};

/** Epoch milliseconds, and the microseconds that come on top of them. */
type Moment = { readonly epochMs: number; readonly micros: number };

const readMoment = (text: string): Moment | undefined => {
  const parts = isoTime.exec(text.trim());
  if (parts === null) return undefined;
  const [, date = '', minutes, seconds = '00', fraction = '', sign, hours = '0', rest = '0'] =
    parts;
  const digits = fraction.padEnd(6, '0');
  const local = Date.parse(`${date}T${minutes}:${seconds}.${digits.slice(0, 3)}Z`);
  // JavaScript reads February 30 as March 2.
  if (Number.isNaN(local) || !formatTime(local).startsWith(date)) return undefined;
  if (Number(hours) > 23 || Number(rest) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(rest)) * 60_000;
  const epochMs = sign === '-' ? local + offset : local - offset;
  return { epochMs, micros: Number(digits.slice(3, 6)) };
};

/**
 * The time in epoch milliseconds, undefined if the text is not one. Without an offset it is in UTC, in any
 * time zone of the machine.
 */
export const readTime = (text: string): number | undefined => readMoment(text)?.epochMs;

const isoDate = /^\d{4}-\d\d-\d\d$/;

const readQueryMoment = (text: string): Moment | undefined => {
  const trimmed = text.trim();
  if (isoDate.test(trimmed)) return readMoment(`${trimmed}T00:00Z`);
  return readMoment(trimmed.replace(/(?<=:\d\d[\d:.,]*) (?=\d\d:?\d\d$)/, '+'));
};

/** The same for a query, where a day alone is its beginning, and a plus sign has become a space. */
export const readQueryTime = (text: string): number | undefined => readQueryMoment(text)?.epochMs;

/** The same in epoch microseconds. */
export const readQueryMicros = (text: string): number | undefined => {
  const moment = readQueryMoment(text);
  return moment === undefined ? undefined : moment.epochMs * 1000 + moment.micros;
};
