/** Writes the log as JSON lines, with tokens and mobile numbers masked. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { type MobileFormat, maskMobile, readMobile } from '../mobile.ts';
import { bufferLines } from './lines.ts';

export type Log = Logger & {
  /**
   * Writes a line of information, buffered for a few milliseconds. Its fields are already JSON and contain
   * nothing to mask.
   */
  readonly line: (fields: string) => void;
};

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

// JSON escapes, ids and trace ids are skipped as a whole: a part of them may look like a number.
const digitsOrNot =
  /\\+u(?:00[01]|d[89a-f][0-9a-f])[0-9a-f]|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{32}\b|[0-9٠-٩۰-۹]+/gi;

/** Replaces what must not appear in a log. A second line of defence: it should not be logged at all. */
export const maskText = (format: MobileFormat): ((text: string) => string) => {
  const maskDigits = (digits: string): string => {
    // In dialled form it may have leading zeros.
    const mobile = readMobile(digits, format) ?? readMobile(digits.replace(/^[0٠۰]+/, ''), format);
    return mobile === undefined ? digits : maskMobile(mobile, format);
  };
  return (text) =>
    text
      .replace(/(simgate_)\w+/g, '$1***')
      .replace(/(bearer +)[^\s"\\]+/gi, '$1***')
      .replace(digitsOrNot, maskDigits);
};

/** Masks a line of JSON so that it stays valid: a masked number becomes a text. */
const maskLine = (format: MobileFormat): ((line: string) => string) => {
  const mask = maskText(format);
  return (line) => {
    if (mask(line) === line) return line;
    return line.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) => {
      const masked = mask(part);
      return masked === part || part.startsWith('"') ? masked : `"${masked}"`;
    });
  };
};

export type LogOptions = {
  readonly level: LogLevel;
  readonly mobile: MobileFormat;
  /** The extra fields of every line. */
  readonly fields?: Readonly<Record<string, string | number>>;
};

export const createLog = (
  { level, mobile, fields = {} }: LogOptions,
  destination: DestinationStream = pino.destination(1),
): Log => {
  const lines = bufferLines(destination);
  const logger = pino(
    {
      level,
      base: fields,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskLine(mobile) },
    },
    lines,
  );
  const written = logger.isLevelEnabled('info');
  const opening = Object.entries(fields).map(
    (field) => `${field.map((part) => JSON.stringify(part)).join(':')},`,
  );
  const start = `{${opening.join('')}`;
  return Object.assign(logger, {
    line: (json: string): void => {
      if (written) lines.later(`${start}${json}}\n`);
    },
  });
};
