/** Turns schema validation errors into sentences, field by field. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { FieldErrors } from './errors.ts';

type SchemaError = ReturnType<typeof Value.Errors>[number];

const list = (values: readonly unknown[]): string => values.map(String).join(', ');

const namesIn = (error: SchemaError): readonly string[] => {
  if (error.keyword === 'required') return error.params.requiredProperties;
  if (error.keyword === 'additionalProperties') return error.params.additionalProperties;
  return [];
};

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

const typeSentence = (name: string, type: unknown): string =>
  `${name} must be ${list([type].flat().map((one) => kinds[String(one)] ?? one)).replaceAll(', ', ' or ')}.`;

const sentence = (error: SchemaError, name: string): string => {
  switch (error.keyword) {
    case 'type':
      return typeSentence(name, error.params.type);
    case 'enum':
      return `${name} must be one of: ${list(error.params.allowedValues)}.`;
    case 'const':
      return `${name} must be ${String(error.params.allowedValue)}.`;
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return `${name} must be ${error.params.comparison} ${error.params.limit}.`;
    case 'minLength':
      return `${name} must have at least ${error.params.limit} characters.`;
    case 'maxLength':
      return `${name} must have at most ${error.params.limit} characters.`;
    case 'pattern':
      return `${name} is not in the right form.`;
    default:
      return `${name} ${error.message}.`;
  }
};

/** What is not at fault itself but only repeats what its parts say. */
const echoes = new Set(['boolean', 'anyOf']);

/** Every field at fault with its sentences; a fault of the whole stands under the name `whole`. */
export const fieldErrors = (schema: TSchema, value: unknown, whole = 'value'): FieldErrors => {
  // A map, because a field may be called "constructor".
  const found = new Map<string, Set<string>>();
  const add = (field: string, text: string): void => {
    const sentences = found.get(field) ?? new Set();
    found.set(field, sentences.add(text));
  };
  for (const error of Value.Errors(schema, value)) {
    if (echoes.has(error.keyword)) continue;
    const path = error.instancePath.split('/').slice(1).join('.');
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    if (error.keyword === 'required') {
      for (const name of namesIn(error)) add(at(name), `${at(name)} is required.`);
    } else if (error.keyword === 'additionalProperties') {
      for (const name of namesIn(error)) add(at(name), `${at(name)} is not known here.`);
    } else {
      add(path === '' ? whole : path, sentence(error, path === '' ? `The ${whole}` : path));
    }
  }
  return Object.fromEntries([...found].map(([field, sentences]) => [field, [...sentences]]));
};
