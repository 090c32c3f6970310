/** Reads OpenAPI documents: resolves references, and merges the parts of a schema. */
import { isPart, type Part } from '../../src/lib/openapi/part.ts';
import { at, listOf } from './answers.ts';

const mapValues = (part: Part, map: (value: unknown) => unknown): Part =>
  Object.fromEntries(Object.entries(part).map(([key, value]) => [key, map(value)]));

/** One object schema with the properties of all; the last of equal names wins. */
const merged = (schemas: readonly unknown[]): Part => {
  const parts = schemas.filter(isPart);
  const required = parts.flatMap((part) => listOf(part['required'] ?? []));
  const properties = parts.flatMap((part) =>
    isPart(part['properties']) ? Object.entries(part['properties']) : [],
  );
  return {
    ...Object.fromEntries(parts.flatMap((part) => Object.entries(part))),
    required: [...new Set(required)],
    properties: Object.fromEntries(properties),
  };
};

/** The document with every reference resolved. */
export const resolveDocument = (document: unknown): unknown => {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isPart(value)) return value;
    const { $ref: reference, ...siblings } = value;
    if (typeof reference === 'string') {
      const found = resolve(at(document, ...reference.slice(2).split('/')));
      return isPart(found) ? { ...found, ...siblings } : found;
    }
    const resolved = mapValues(value, resolve);
    return Array.isArray(resolved['allOf']) ? merged(resolved['allOf']) : resolved;
  };
  return resolve(document);
};
