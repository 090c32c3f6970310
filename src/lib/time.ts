/** Owns times as the API writes and reads them. */

/** A time as the contract prints it, with the six decimals that Laravel's clients expect. */
export const formatTime = (epochMs: number): string =>
  new Date(epochMs).toISOString().replace('Z', '000Z');

const isoTime =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(?:Z|([+-])(\d\d):?(\d\d)?)?$/i;

/**
 * The moment in epoch milliseconds, undefined where the text names none. Without an offset it is in UTC,
 * wherever the machine stands.
 */
export const readTime = (text: string): number | undefined => {
  const parts = isoTime.exec(text.trim());
  if (parts === null) return undefined;
  const [, date = '', minutes, seconds = '00', fraction = '', sign, hours = '0', rest = '0'] =
    parts;
  const local = Date.parse(`${date}T${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // JavaScript reads February 30 as March 2.
  if (Number.isNaN(local) || !formatTime(local).startsWith(date)) return undefined;
  if (Number(hours) > 23 || Number(rest) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(rest)) * 60_000;
  return sign === '-' ? local + offset : local - offset;
};

const isoDate = /^\d{4}-\d\d-\d\d$/;

/** The same for a query, where a day alone is its beginning, and a plus sign has become a space. */
export const readQueryTime = (text: string): number | undefined => {
  const trimmed = text.trim();
  if (isoDate.test(trimmed)) return readTime(`${trimmed}T00:00Z`);
  return readTime(trimmed.replace(/(?<=:\d\d[\d:.,]*) (?=\d\d:?\d\d$)/, '+'));
};
