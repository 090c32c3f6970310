/** Describes a connector's settings as form fields. Pure. */
import { type TObject, type TSchema, Type } from 'typebox';
import { fieldOf as partOf } from '../../lib/record.ts';
import { isSecret } from './mask.ts';
import { type Words, wordsOf } from './texts.ts';

export type FormField = {
  readonly name: string;
  /** `json`: none of the others; it is entered as JSON. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'object' | 'json';
  /** The same as `help` in English. */
  readonly description: string;
  readonly label: Words;
  readonly help: Words;
  readonly required: boolean;
  readonly secret: boolean;
  readonly default: unknown;
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** Of an enum. */
  readonly values?: readonly (string | number | boolean)[];
  /** Of an object. */
  readonly fields?: readonly FormField[];
};

const optionOf = (schema: TSchema, name: string): unknown =>
  Object.hasOwn(schema, name) ? Reflect.get(schema, name) : undefined;

const numberOf = (schema: TSchema, name: string): number | null => {
  const value = optionOf(schema, name);
  return typeof value === 'number' ? value : null;
};

type Plain = string | number | boolean;
const isPlain = (value: unknown): value is Plain =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** The possible values, if they are enumerable. */
const valuesOf = (schema: TSchema): readonly Plain[] | undefined => {
  const parts = Type.IsUnion(schema) ? schema.anyOf : [schema];
  const values = parts.flatMap((part): unknown[] => {
    const all = optionOf(part, 'enum');
    return Array.isArray(all) ? all : [optionOf(part, 'const')];
  });
  return values.length > 0 && values.every(isPlain) ? values : undefined;
};

const kindOf = (schema: TSchema, texts: unknown): Pick<FormField, 'type' | 'values' | 'fields'> => {
  const values = valuesOf(schema);
  if (values !== undefined) return { type: 'enum', values };
  if (isSecret(schema)) return { type: Type.IsString(schema) ? 'string' : 'json' };
  if (Type.IsObject(schema))
    return { type: 'object', fields: formOf(schema, partOf(texts, 'fields')) };
  if (Type.IsString(schema)) return { type: 'string' };
  if (Type.IsInteger(schema)) return { type: 'integer' };
  if (Type.IsNumber(schema)) return { type: 'number' };
  return { type: Type.IsBoolean(schema) ? 'boolean' : 'json' };
};

const fieldOf = (
  name: string,
  schema: TSchema,
  { demanded, texts }: { readonly demanded: boolean; readonly texts: unknown },
): FormField => {
  const standard = optionOf(schema, 'default');
  const text = optionOf(schema, 'description');
  const help = wordsOf(texts, 'help', typeof text === 'string' ? text : '');
  const secret = isSecret(schema);
  return {
    name,
    description: help.en,
    label: wordsOf(texts, 'label', name),
    help,
    required: demanded && standard === undefined,
    secret,
    default: secret ? null : (standard ?? null),
    minimum: numberOf(schema, 'minimum'),
    maximum: numberOf(schema, 'maximum'),
    ...kindOf(schema, texts),
  };
};

/** The fields of a schema in their order, with the texts that the connector declares. */
export const formOf = (schema: TObject, texts?: unknown): FormField[] => {
  const demanded: unknown = optionOf(schema, 'required');
  const names: readonly unknown[] = Array.isArray(demanded) ? demanded : [];
  return Object.entries(schema.properties).map(([name, part]) =>
    fieldOf(name, part, { demanded: names.includes(name), texts: partOf(texts, name) }),
  );
};
