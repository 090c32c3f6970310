/** Owns the log: JSON lines by pino, from which tokens and mobile numbers are masked whatever is logged. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { type MobileFormat, maskMobile } from './mobile.ts';

export type Log = Logger;

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Replaces what must not be read in a log. The second net: nothing of it should be logged at all. */
export const maskText = (format: MobileFormat): ((text: string) => string) => {
  // Not inside a longer word or id: the last group of a UUID may look like a number.
  const mobile = new RegExp(`(?<![\\w-])${format.prefix}\\d{${format.digits}}(?![\\w-])`, 'g');
  return (text) =>
    text
      .replace(/(simgate_)\w+/g, '$1***')
      .replace(/(bearer )[^\s"\\]+/gi, '$1***')
      .replace(mobile, (number) => maskMobile(number, format));
};

export const createLog = (
  options: { level: LogLevel; mobile: MobileFormat },
  destination: DestinationStream = pino.destination(1),
): Log =>
  pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskText(options.mobile) },
    },
    destination,
  );
