/** Reads parts of an OpenAPI document as it is rendered. */

export type Part = Readonly<Record<string, unknown>>;

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under a name; empty if there is none. */
export const partIn = (value: unknown, name: string): Part => {
  const found = isPart(value) ? value[name] : undefined;
  return isPart(found) ? found : {};
};

/** A loop, because the documents of a start are built by this. */
export const mapValues = (part: Part, map: (value: unknown, key: string) => unknown): Part => {
  const mapped: Record<string, unknown> = {};
  for (const key of Object.keys(part)) mapped[key] = map(part[key], key);
  return mapped;
};

/** These contain values, which are no schemas. */
const valueKeys: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** Applies a change to each schema within a schema. */
export const mapSchemas = (schema: Part, map: (value: unknown) => unknown): Part =>
  mapValues(schema, (value, key) => {
    if (valueKeys.has(key)) return value;
    return key === 'properties' && isPart(value) ? mapValues(value, map) : map(value);
  });
