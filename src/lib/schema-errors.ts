/** Turns schema validation errors into sentences, field by field. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { FieldErrors } from './errors.ts';
import { isRequired, isUnknown, mustBe } from './field-texts.ts';
import { persianDigits, sameText, type Text } from './text.ts';

type SchemaError = ReturnType<typeof Value.Errors>[number];

const list = (values: readonly unknown[]): string => values.map(String).join(', ');

const namesIn = (error: SchemaError): readonly string[] => {
  if (error.keyword === 'required') return error.params.requiredProperties;
  if (error.keyword === 'additionalProperties') return error.params.additionalProperties;
  return [];
};

const kinds: Readonly<Record<string, Text>> = {
  string: { en: 'text', fa: 'متن' },
  integer: { en: 'a whole number', fa: 'عدد صحیح' },
  number: { en: 'a number', fa: 'عدد' },
  boolean: { en: 'true or false', fa: 'true یا false' },
  object: { en: 'an object', fa: 'شیء' },
  array: { en: 'a list', fa: 'فهرست' },
};

const typeText = (name: string, type: unknown): Text => {
  const texts = [type].flat().map((one) => kinds[String(one)] ?? sameText(String(one)));
  return mustBe(name, {
    en: texts.map(({ en }) => en).join(' or '),
    fa: texts.map(({ fa }) => fa).join(' یا '),
  });
};

const comparisons: Readonly<Record<string, Text>> = {
  '>=': { en: 'at least', fa: 'حداقل' },
  '>': { en: 'greater than', fa: 'بزرگ‌تر از' },
  '<=': { en: 'at most', fa: 'حداکثر' },
  '<': { en: 'less than', fa: 'کوچک‌تر از' },
};

const limitText = (name: string, comparison: string, limit: unknown): Text => {
  const words = comparisons[comparison] ?? sameText(comparison);
  return mustBe(name, { en: `${words.en} ${String(limit)}`, fa: `${words.fa} ${String(limit)}` });
};

const lengthText = (name: string, most: boolean, limit: number): Text => ({
  en: `${name} must have at ${most ? 'most' : 'least'} ${limit} characters.`,
  fa: `${name} باید ${most ? 'حداکثر' : 'حداقل'} ${persianDigits(limit)} نویسه داشته باشد.`,
});

const notInForm = (name: string): Text => ({
  en: `${name} does not have the right format.`,
  fa: `قالب ${name} درست نیست.`,
});

const textOf = (error: SchemaError, name: string): Text => {
  switch (error.keyword) {
    case 'type':
      return typeText(name, error.params.type);
    case 'enum': {
      const allowed = list(error.params.allowedValues);
      return mustBe(name, { en: `one of: ${allowed}`, fa: `یکی از این‌ها: ${allowed}` });
    }
    case 'const':
      return mustBe(name, sameText(String(error.params.allowedValue)));
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return limitText(name, error.params.comparison, error.params.limit);
    case 'minLength':
    case 'maxLength':
      return lengthText(name, error.keyword === 'maxLength', error.params.limit);
    case 'pattern':
      return notInForm(name);
    default:
      return { en: `${name} ${error.message}.`, fa: `${name} معتبر نیست.` };
  }
};

const wholes: Readonly<Record<string, Text>> = {
  body: { en: 'The body', fa: 'بدنهٔ درخواست' },
  querystring: { en: 'The query', fa: 'پارامترهای نشانی' },
  params: { en: 'The path', fa: 'مسیر' },
  headers: { en: 'The headers', fa: 'سرآیندها' },
  settings: { en: 'The settings', fa: 'تنظیمات' },
};

/** An error of the whole, which has no name of its own. */
const textOfWhole = (error: SchemaError, whole: string): Text => {
  const name = wholes[whole] ?? { en: `The ${whole}`, fa: 'درخواست' };
  return { en: textOf(error, name.en).en, fa: textOf(error, name.fa).fa };
};

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/**
 * Leaves out errors that only repeat others: those of a union, and those of each unknown field where one
 * error names them all. Only so many errors are found, and that one may not be among them.
 */
const withoutEchoes = (errors: readonly SchemaError[]): readonly SchemaError[] => {
  const named = new Set(
    errors
      .filter(({ keyword }) => keyword === 'additionalProperties')
      .map(({ instancePath }) => instancePath),
  );
  return errors.filter(
    ({ keyword, instancePath }) =>
      keyword !== 'anyOf' && (keyword !== 'boolean' || !named.has(parentOf(instancePath))),
  );
};

/** An invalid field: the broken rule of its schema, and that in words. */
type Fault = { readonly field: string; readonly keyword: string; readonly text: Text };

/** Every error; one of the whole has the field name `whole`. */
export const faultsOf = (schema: TSchema, value: unknown, whole = 'value'): readonly Fault[] =>
  withoutEchoes(Value.Errors(schema, value)).flatMap((error): Fault[] => {
    const { keyword, instancePath } = error;
    const path = instancePath.split('/').slice(1).join('.');
    if (keyword === 'required' || keyword === 'additionalProperties') {
      const textFor = keyword === 'required' ? isRequired : isUnknown;
      return namesIn(error)
        .map((name) => (path === '' ? name : `${path}.${name}`))
        .map((field) => ({ field, keyword, text: textFor(field) }));
    }
    if (keyword === 'boolean') return [{ field: path, keyword, text: isUnknown(path) }];
    const isWhole = instancePath === '';
    const text = isWhole ? textOfWhole(error, whole) : textOf(error, path);
    return [{ field: isWhole ? whole : path, keyword, text }];
  });

/** Every invalid field with its sentences, each once. */
export const fieldErrors = (schema: TSchema, value: unknown, whole = 'value'): FieldErrors => {
  // A map, because a field may be called "constructor".
  const found = Map.groupBy(faultsOf(schema, value, whole), ({ field }) => field);
  return Object.fromEntries(
    [...found].map(([field, faults]) => [
      field,
      [...new Map(faults.map(({ text }) => [text.en, text])).values()],
    ]),
  );
};
