/** Defines query fields that several lists share: optional text and time ranges. */
import { Type } from 'typebox';
import { GatewayError } from '../errors.ts';
import { mustBeTime } from '../field-texts.ts';
import type { Text } from '../text.ts';
import { readQueryTime } from '../time.ts';

export const optionalText = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));

/** An empty value counts as absent. */
export const dropEmpty = (query: object): void => {
  for (const [name, value] of Object.entries(query)) {
    if (value === '') Reflect.deleteProperty(query, name);
  }
};

/** Does so with the query of a request, before it is validated. */
export const dropEmptyQuery = async ({ query }: { readonly query: unknown }): Promise<void> => {
  if (typeof query === 'object' && query !== null) dropEmpty(query);
};

/** The two fields of a time range. */
export const spanQuery = (what: string) => ({
  from: optionalText(
    `Return only ${what} from this time on. A date (00:00 UTC), or a date and time.`,
    '2026-01-01',
  ),
  to: optionalText(`Return only ${what} before this time.`, '2026-02-01T00:00:00+03:30'),
});

/** Reads a time field, or throws an error about it. */
export const readTimeField = (name: string, text: string, read = readQueryTime): number => {
  const time = read(text);
  if (time !== undefined) return time;
  throw new GatewayError('VALIDATION_FAILED', { errors: { [name]: [mustBeTime(name)] } });
};

type SpanText = { readonly from?: string; readonly to?: string };

const endsBeforeStart: Text = {
  en: 'to must not be before from.',
  fa: 'to نباید پیش از from باشد.',
};

/** Reads both, or throws an error about them. */
export const readSpan = (query: SpanText): { readonly from?: number; readonly to?: number } => {
  const errors: Record<string, readonly Text[]> = {};
  const read = (name: 'from' | 'to'): number | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const time = readQueryTime(text);
    if (time === undefined) errors[name] = [mustBeTime(name)];
    return time;
  };
  const [from, to] = [read('from'), read('to')];
  if (from !== undefined && to !== undefined && from > to) errors['to'] = [endsBeforeStart];
  if (Object.keys(errors).length > 0) throw new GatewayError('VALIDATION_FAILED', { errors });
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
};
