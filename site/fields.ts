/** Lists the fields of a schema, nested ones by their path, as the rows of a table. */
import { type Json, jsonIn, listIn, type Resolve, textIn } from './openapi.ts';

export type Field = {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
};

const literal = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** The branches of a schema that may hold fields: itself, and those of `allOf`. */
const partsOf = (schema: Json, resolve: Resolve): readonly Json[] => [
  schema,
  ...listIn(schema['allOf']).flatMap((part) => partsOf(resolve(part), resolve)),
];

const choicesOf = (schema: Json): readonly unknown[] => [
  ...listIn(schema['anyOf']),
  ...listIn(schema['oneOf']),
];

/** The type of a schema in a few words. */
export const typeOf = (schema: Json, resolve: Resolve): string => {
  const choices = choicesOf(schema).map(resolve);
  if (choices.length > 0)
    return [...new Set(choices.map((one) => typeOf(one, resolve)))].join(' or ');
  if ('const' in schema) return literal(schema['const']);
  const values = listIn(schema['enum']);
  if (values.length > 0) return values.map(literal).join(', ');
  const { type } = schema;
  if (Array.isArray(type)) return type.map(String).join(' or ');
  if (type === 'array') return `array of ${typeOf(resolve(schema['items']), resolve)}`;
  if (typeof type === 'string') return type;
  return partsOf(schema, resolve).some((part) => 'properties' in part) ? 'object' : 'any';
};

/** The schema below a field that may have fields of its own, and what its path gets for it. */
const insideOf = (schema: Json, resolve: Resolve): readonly [Json, string] => {
  const choice = choicesOf(schema)
    .map(resolve)
    .find((one) => one['type'] === 'object' || one['type'] === 'array');
  const chosen = choice ?? schema;
  if (chosen['type'] !== 'array') return [chosen, '.'];
  const [inner, mark] = insideOf(resolve(chosen['items']), resolve);
  return [inner, `[]${mark}`];
};

// Deeper ones have a page or a schema of their own.
const deepest = 4;

export const fieldsOf = (
  schema: Json,
  resolve: Resolve,
  before = '',
  depth = 0,
): readonly Field[] => {
  const [inside, mark] = insideOf(schema, resolve);
  const start = before === '' && mark === '.' ? '' : `${before}${mark}`;
  if (depth >= deepest) return [];
  return partsOf(inside, resolve).flatMap((part) => {
    const required = new Set(listIn(part['required']));
    return Object.entries(jsonIn(part['properties'])).flatMap(([name, given]) => {
      const field = resolve(given);
      const path = `${start}${name}`;
      const own: Field = {
        path,
        type: typeOf(field, resolve),
        required: required.has(name),
        description: textIn(field['description']),
      };
      return [own, ...fieldsOf(field, resolve, path, depth + 1)];
    });
  });
};
