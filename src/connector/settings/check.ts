/** Validates a connector's settings, without repeating values that may be secret. Pure. */
import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { FieldErrors } from '../../lib/errors.ts';
import { isUnknown } from '../../lib/field-texts.ts';
import { fieldErrors } from '../../lib/schema-errors.ts';
import type { Connector } from '../connector.ts';

export type Settings = Readonly<Record<string, unknown>>;

export type Checked =
  /** Including the defaults. */
  | { readonly kind: 'fit'; readonly settings: Static<TObject> }
  | {
      readonly kind: 'wrong';
      /** The first error, as part of a sentence. */
      readonly fault: string;
      readonly errors: FieldErrors;
    };

const quoted = (names: readonly unknown[]): string =>
  names.map((name) => JSON.stringify(name)).join(', ');

const firstFault = (schema: TObject, settings: unknown): string => {
  const faults = Value.Errors(schema, settings);
  const [first] = faults;
  if (first === undefined) return 'the settings do not fit';
  const path = first.instancePath.split('/').slice(1);
  if (first.keyword === 'required') {
    const missing = first.params.requiredProperties.map((name) => [...path, name].join('.'));
    return `setting ${quoted(missing)} is missing`;
  }
  // A union of literals reports an error for each of them.
  const allowed = faults
    .filter(({ instancePath }) => instancePath === first.instancePath)
    .flatMap((fault) => (fault.keyword === 'const' ? [fault.params.allowedValue] : []));
  const rule = allowed.length > 0 ? `must be one of ${quoted(allowed)}` : first.message;
  return `setting ${quoted([path.join('.')])} ${rule}`;
};

export const checkSettings = (
  { name, settings: schema }: Pick<Connector, 'name' | 'settings'>,
  given: Settings,
): Checked => {
  const unknown = Object.keys(given).filter((key) => !Object.hasOwn(schema.properties, key));
  const [first] = unknown;
  if (first !== undefined) {
    const known = quoted(Object.keys(schema.properties));
    return {
      kind: 'wrong',
      fault: `the connector "${name}" has no setting "${first}". It has: ${known}`,
      errors: Object.fromEntries(unknown.map((key) => [key, [isUnknown(key)]])),
    };
  }
  const settings = Value.Default(schema, Value.Clone(given));
  if (Value.Check(schema, settings)) return { kind: 'fit', settings };
  return {
    kind: 'wrong',
    fault: firstFault(schema, settings),
    errors: fieldErrors(schema, settings, 'settings'),
  };
};
