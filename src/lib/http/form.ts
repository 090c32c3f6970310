/** Parses `name=value&name=value` text from a body or a query. Pure. */
import { decodeUtf8 } from '../utf8.ts';

const escaped = /%([0-9a-f]{2})/gi;

/** A name or a value: plus signs are spaces, and escapes are bytes of UTF-8. */
const textOf = (part: string): string => {
  const bytes = part
    .replaceAll('+', ' ')
    .replace(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeUtf8(Buffer.from(bytes, 'latin1'), 'part');
};

/**
 * The pairs of a form, in order. The text is byte for byte Latin-1, as Node gives an address. Throws if a
 * name or a value is not UTF-8: with replacement characters, two different texts would read the same.
 */
export const readPairs = (form: string): [name: string, value: string][] =>
  form
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const end = part.indexOf('=');
      return end < 0
        ? [textOf(part), '']
        : [textOf(part.slice(0, end)), textOf(part.slice(end + 1))];
    });

export const formType = 'application/x-www-form-urlencoded';

const nestedName = /^([^[\]]+)\[([^[\]]*)\]$/;

/** The fields of a form, with nested names as PHP reads them: `items[type]=x` is `{ items: { type: 'x' } }`. */
export const readNestedForm = (body: Buffer): Record<string, unknown> => {
  const fields = new Map<string, string | Map<string, string>>();
  for (const [name, value] of readPairs(body.toString('latin1'))) {
    const [, outer, inner = ''] = nestedName.exec(name) ?? [];
    if (outer === undefined) {
      fields.set(name, value);
      continue;
    }
    const known = fields.get(outer);
    const group = known instanceof Map ? known : new Map<string, string>();
    fields.set(outer, group.set(inner, value));
  }
  return Object.fromEntries(
    [...fields].map(([name, value]) => [
      name,
      value instanceof Map ? Object.fromEntries(value) : value,
    ]),
  );
};
