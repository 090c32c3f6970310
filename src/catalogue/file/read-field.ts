/** Reads one field of a catalogue file, from a JSON value or from text. */
import { latinDigits } from '../../lib/digits.ts';
import { show } from '../../lib/json/show-value.ts';
import { readDecimal, roundToUnit } from '../../lib/money.ts';
import { formatTime, readTime } from '../../lib/time.ts';
import type { FileProblem } from './lines.ts';
import { aboutField, type Fault, type Form, fieldFaults, rowTexts } from './texts.ts';

/** The fields of a product, or of an object inside it, and where their problems go. */
export type Fields = {
  readonly line: number;
  /** The prefix of a field's name in a problem, such as `categories[0].`. */
  readonly path: string;
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: FileProblem[];
};

/** A valid value, or the rest of a sentence that begins with the field's name. */
type Reading<T> = { readonly value: T } | { readonly fault: Fault };
export type Reader<T> = (value: unknown) => Reading<T>;

export const report = ({ line, path, problems }: Fields, name: string, fault: Fault): void => {
  problems.push({ line, field: path + name, message: aboutField(path + name, fault) });
};

/** The value of a field. Null and the empty text count as absent. */
export const given = (fields: Fields, name: string): unknown => {
  const value = fields.values.get(name);
  return value === null || value === '' ? undefined : value;
};

export const optional = <T, Absent>(
  fields: Fields,
  name: string,
  read: Reader<T>,
  absent: Absent,
): T | Absent => {
  const value = given(fields, name);
  if (value === undefined) return absent;
  const reading = read(value);
  if ('value' in reading) return reading.value;
  report(fields, name, reading.fault);
  return absent;
};

export const required = <T>(fields: Fields, name: string, read: Reader<T>): T | undefined => {
  if (given(fields, name) === undefined) report(fields, name, fieldFaults.missing);
  return optional(fields, name, read, undefined);
};

/** A misspelt name must not lose its value silently. */
export const refuseUnknown = (fields: Fields, known: readonly string[]): void => {
  for (const name of fields.values.keys()) {
    if (known.includes(name)) continue;
    const shown = show(fields.path + name);
    const message = rowTexts.unknownField(shown);
    fields.problems.push({ line: fields.line, field: fields.path + name, message });
  }
};

export const asText: Reader<string> = (value) => {
  if (typeof value !== 'string') return { fault: fieldFaults.notText(show(value)) };
  // UTF-8 cannot encode half of a surrogate pair, and PostgreSQL stores no NUL.
  if (!value.isWellFormed() || value.includes('\0')) {
    return { fault: fieldFaults.unstorable };
  }
  return { value };
};

export const asName: Reader<string> = (value) =>
  typeof value === 'string' && value.trim() === '' ? { fault: fieldFaults.blank } : asText(value);

export type WholeRule = {
  /** The requirement in a message. */
  readonly form: Form;
  readonly least: number;
  readonly most?: number;
};

/** A number without a fraction. Its sign is read here, because amounts elsewhere have none. */
export const asWhole =
  ({ form, least, most = Number.MAX_SAFE_INTEGER }: WholeRule): Reader<number> =>
  (value) => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    const negative = text.startsWith('-');
    const decimal = readDecimal(negative ? text.slice(1) : text);
    if (decimal === undefined) return { fault: fieldFaults.notNumber(show(value)) };
    if (decimal.digits % 10n ** BigInt(decimal.scale) !== 0n) {
      return { fault: fieldFaults.mustBe(form, show(value)) };
    }
    const size = roundToUnit(decimal);
    if (size === undefined) return { fault: fieldFaults.tooLarge(show(value)) };
    // Zero has no sign, though "-0" has.
    const number = negative && size !== 0 ? -size : size;
    if (number < least) return { fault: fieldFaults.tooSmall(least, number) };
    if (number > most) return { fault: fieldFaults.tooBig(most, number) };
    return { value: number };
  };

const switches: ReadonlyMap<string, 0 | 1> = new Map([
  ['1', 1],
  ['true', 1],
  ['0', 0],
  ['false', 0],
]);

/** On or off. Spreadsheets write TRUE and FALSE. */
export const asSwitch: Reader<0 | 1> = (value) => {
  const plain = typeof value === 'string' ? value : show(value).en;
  const found = switches.get(latinDigits(plain.trim().toLowerCase()));
  return found === undefined ? { fault: fieldFaults.notSwitch(show(value)) } : { value: found };
};

export const asOneOf =
  <T extends string>(allowed: readonly T[]): Reader<T> =>
  (value) => {
    const found = allowed.find((known) => known === value);
    return found === undefined
      ? { fault: fieldFaults.notOneOf(allowed, show(value)) }
      : { value: found };
  };

/** A code that may also be written as a number. */
export const asCode: Reader<string> = (value) => {
  if (typeof value !== 'number') return asText(value);
  return Number.isSafeInteger(value)
    ? { value: String(value) }
    : { fault: fieldFaults.notCode(show(value)) };
};

export const asTime: Reader<string> = (value) => {
  const time = typeof value === 'string' ? readTime(value) : undefined;
  const formatted = time === undefined ? '' : formatTime(time);
  // An offset can push a time out of the four-digit years.
  return /^\d{4}-/.test(formatted)
    ? { value: formatted }
    : { fault: fieldFaults.notTime(show(value)) };
};

// Far more than any real file, and far from a stack overflow.
const deepestValue = 100;

const faultOfValue = (value: unknown, depth: number): Fault | undefined => {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return fieldFaults.inexact;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === deepestValue) return fieldFaults.tooDeep(deepestValue);
  for (const part of Object.values(value)) {
    const fault = faultOfValue(part, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** Any JSON value, as long as it can be stored. */
export const asValue: Reader<unknown> = (value) => {
  const fault = faultOfValue(value, 0);
  return fault === undefined ? { value } : { fault };
};
