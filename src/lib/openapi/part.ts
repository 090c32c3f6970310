/** Reads parts of an OpenAPI document as it is rendered. */

export type Part = Readonly<Record<string, unknown>>;

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under a name; empty if there is none. */
export const partIn = (value: unknown, name: string): Part => {
  const found = isPart(value) ? value[name] : undefined;
  return isPart(found) ? found : {};
};
