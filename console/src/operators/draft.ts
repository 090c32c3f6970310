/** Parses the edits to an operator's settings: values, problems and changes. Pure. */
import { readNumber, readWhole, toLatinDigits } from '../writing.ts';
import { type Field, isSettings, leavesOf, type Settings, valueAt } from './fields.ts';

/**
 * The edits by path, as far as they differ from the settings. For a secret: the new one, or null to remove
 * it.
 */
export type Edits = Readonly<Record<string, string | null>>;

export type Problem =
  | 'required'
  | 'notWhole'
  | 'notNumber'
  | 'notJson'
  | 'tooSmall'
  | 'tooLarge'
  /** A secret that must not go to another address silently. */
  | 'enterAnew';

/** A value as its field shows it. */
export const textOf = ({ type }: Pick<Field, 'type'>, value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (type === 'json') return JSON.stringify(value, null, 2);
  if (type === 'enum') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export const isNumber = ({ type }: Pick<Field, 'type'>): boolean =>
  type === 'integer' || type === 'number';

/** The content of a field, with numbers in the digits of the language. A set secret is never shown. */
export const shownIn = (
  field: Field,
  settings: Settings,
  edits: Edits,
  decimal: (text: string) => string,
): string => {
  const edit = edits[field.path];
  if (typeof edit === 'string') return edit;
  if (field.secret) return '';
  const text = textOf(field, valueAt(settings, field.path));
  return isNumber(field) ? decimal(text) : text;
};

/** Whether a typed text is the setting as it is, in any digits. */
const isSame = (field: Field, typed: string | null | undefined, settings: Settings): boolean => {
  if (field.secret || typeof typed !== 'string') return false;
  const text = isNumber(field) ? toLatinDigits(typed).replace('٫', '.') : typed;
  return text === textOf(field, valueAt(settings, field.path));
};

/** Adds an edit; a value equal to the setting is no edit. */
export const edited = (
  edits: Edits,
  field: Field,
  typed: string | null | undefined,
  settings: Settings,
): Edits => {
  const { [field.path]: _before, ...others } = edits;
  return typed === undefined || isSame(field, typed, settings)
    ? others
    : { ...others, [field.path]: typed };
};

type Read = { readonly value: unknown } | { readonly problem: Problem };

const within = ({ minimum, maximum }: Field, value: number): Read => {
  if (minimum !== undefined && value < minimum) return { problem: 'tooSmall' };
  if (maximum !== undefined && value > maximum) return { problem: 'tooLarge' };
  return { value };
};

const readJson = (typed: string): Read => {
  try {
    const value: unknown = JSON.parse(typed);
    return { value };
  } catch {
    return { problem: 'notJson' };
  }
};

const readTyped = (field: Field, typed: string): Read => {
  if (field.type === 'string') return { value: typed };
  if (field.type === 'integer') {
    const value = readWhole(typed);
    return value === undefined ? { problem: 'notWhole' } : within(field, value);
  }
  if (field.type === 'number') {
    const value = readNumber(typed);
    return value === undefined ? { problem: 'notNumber' } : within(field, value);
  }
  return readJson(typed);
};

const isSet = (settings: Settings, { path }: Field): boolean => {
  const value = valueAt(settings, path);
  return value !== undefined && value !== '';
};

const missing = ({ required }: Field): Read =>
  required ? { problem: 'required' } : { value: undefined };

/** The value to send: undefined is left out, which keeps a secret. */
const readField = (field: Field, settings: Settings, edits: Edits): Read => {
  const typed = edits[field.path];
  // Untouched values stay as they are, even if they could not be typed.
  if (typed === undefined) {
    if (!isSet(settings, field)) return missing(field);
    return { value: field.secret ? undefined : valueAt(settings, field.path) };
  }
  if (field.secret && typed === null) return field.required ? missing(field) : { value: null };
  if (typed !== null && typed.trim() !== '') return readTyped(field, typed);
  return field.secret ? { problem: 'required' } : missing(field);
};

/** Whether any part of a group is given, or one of its secrets stays. */
export const isUsed = (group: Field, settings: Settings, edits: Edits): boolean =>
  group.required ||
  leavesOf(group.fields).some((field) => {
    const typed = edits[field.path];
    if (typed === undefined) return isSet(settings, field);
    return typed !== null && (field.secret || typed.trim() !== '');
  });

export type Wanted = {
  readonly settings: Settings;
  readonly problems: Readonly<Record<string, Problem>>;
};

/** All settings to send, and the errors in the edits. */
export const wantedOf = (fields: readonly Field[], settings: Settings, edits: Edits): Wanted => {
  const wanted = new Map<string, unknown>();
  const problems = new Map<string, Problem>();
  for (const field of fields) {
    if (field.type === 'object') {
      if (!isUsed(field, settings, edits)) continue;
      const inner = wantedOf(field.fields, settings, edits);
      wanted.set(field.name, inner.settings);
      for (const [path, problem] of Object.entries(inner.problems)) problems.set(path, problem);
      continue;
    }
    const read = readField(field, settings, edits);
    if ('problem' in read) problems.set(field.path, read.problem);
    else if (read.value !== undefined) wanted.set(field.name, read.value);
  }
  return { settings: Object.fromEntries(wanted), problems: Object.fromEntries(problems) };
};

export type Change = {
  readonly field: Field;
  /** For a secret only whether there is one. */
  readonly before: unknown;
  readonly after: unknown;
};

const sameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The changes, each by its path. An omitted value becomes its default. */
export const changesOf = (
  fields: readonly Field[],
  settings: Settings,
  edits: Edits,
): readonly Change[] => {
  const wanted = wantedOf(fields, settings, edits).settings;
  return leavesOf(fields).flatMap((field) => {
    const before = valueAt(settings, field.path);
    if (field.secret) {
      const typed = edits[field.path];
      const after = typed === null ? undefined : typed;
      return typed === undefined || (typed === null && before === undefined)
        ? []
        : [{ field, before, after }];
    }
    const group = field.path.split('.').slice(0, -1).join('.');
    const standard = group === '' || isSettings(valueAt(wanted, group)) ? field.default : undefined;
    const after = valueAt(wanted, field.path) ?? standard;
    return sameJson(before, after) ? [] : [{ field, before, after }];
  });
};
