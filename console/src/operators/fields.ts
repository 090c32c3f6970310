/** Parses the setting fields that a connector describes. Pure. */

const kinds = ['string', 'integer', 'number', 'boolean', 'enum', 'object', 'json'] as const;
export type Kind = (typeof kinds)[number];

/** A text of a connector; Persian is undefined if it has none. */
export type Words = { readonly en: string; readonly fa: string | undefined };

export type Field = {
  readonly name: string;
  /** With the names of its groups, as errors name it. */
  readonly path: string;
  readonly type: Kind;
  readonly label: Words;
  readonly help: Words;
  readonly required: boolean;
  readonly secret: boolean;
  readonly default: unknown;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly values: readonly unknown[];
  readonly fields: readonly Field[];
};

export type Settings = Readonly<Record<string, unknown>>;

export const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textIn = (raw: Settings, name: string): string => {
  const value = raw[name];
  return typeof value === 'string' ? value : '';
};

const wordsIn = (raw: Settings, name: string): Words | undefined => {
  const words = raw[name];
  if (!isSettings(words)) return undefined;
  const fa = textIn(words, 'fa');
  return { en: textIn(words, 'en'), fa: fa === '' ? undefined : fa };
};

const numberIn = (raw: Settings, name: string): number | undefined => {
  const value = raw[name];
  return typeof value === 'number' ? value : undefined;
};

const listIn = (raw: Settings, name: string): readonly unknown[] => {
  const value = raw[name];
  return Array.isArray(value) ? value : [];
};

/** A field of an unknown kind is edited as JSON. */
const kindIn = (raw: Settings): Kind => kinds.find((kind) => kind === raw['type']) ?? 'json';

/** The fields in their order. */
export const fieldsOf = (schema: readonly unknown[], group = ''): readonly Field[] =>
  schema.filter(isSettings).map((raw) => {
    const name = textIn(raw, 'name');
    const path = group + name;
    return {
      name,
      path,
      type: kindIn(raw),
      label: wordsIn(raw, 'label') ?? { en: name, fa: undefined },
      help: wordsIn(raw, 'help') ?? { en: textIn(raw, 'description'), fa: undefined },
      required: raw['required'] === true,
      secret: raw['secret'] === true,
      default: raw['default'] ?? undefined,
      minimum: numberIn(raw, 'minimum'),
      maximum: numberIn(raw, 'maximum'),
      values: listIn(raw, 'values'),
      fields: fieldsOf(listIn(raw, 'fields'), `${path}.`),
    };
  });

/** The editable fields, including those in groups. */
export const leavesOf = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => (field.type === 'object' ? leavesOf(field.fields) : [field]));

/** The description of a setting, by its path. */
export const valueAt = (settings: Settings, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((found, name) => (isSettings(found) ? found[name] : undefined), settings) ??
  undefined;
