/** Detects settings that send requests to another host, so that no old secret goes there. Pure. */
import { type TSchema, Type } from 'typebox';
import type { Connector } from '../connector.ts';
import { checkSettings, type Settings } from './check.ts';

const originOf = (text: string): string | undefined => {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
};

/** Whether a schema marks a setting as part of the requests' address. */
const isMarked = (schema: TSchema | undefined): boolean =>
  schema !== undefined && 'address' in schema && schema.address === true;

const entriesOf = (value: object): [string, unknown][] =>
  Array.isArray(value)
    ? value.map((one: unknown, index) => [String(index), one])
    : Object.entries(value);

/** Each address by its name: the origin of a URL, and the whole value of a marked setting. */
const addressesIn = (schema: TSchema | undefined, value: unknown, name: string): string[] => {
  if (typeof value === 'object' && value !== null && !isMarked(schema)) {
    return entriesOf(value).flatMap(([key, inner]) => {
      const part =
        schema !== undefined && Type.IsObject(schema) && Object.hasOwn(schema.properties, key)
          ? schema.properties[key]
          : undefined;
      return addressesIn(part, inner, `${name}.${key}`);
    });
  }
  const origin = typeof value === 'string' ? originOf(value) : undefined;
  if (origin !== undefined) return [`${name} ${origin}`];
  return isMarked(schema) && value !== undefined ? [`${name} ${JSON.stringify(value)}`] : [];
};

/** Whether requests go elsewhere with one than with the other. */
export const changesDestination = (
  connector: Pick<Connector, 'name' | 'settings'>,
  before: Settings,
  after: Settings,
): boolean => {
  const places = (given: Settings): string => {
    const checked = checkSettings(connector, given);
    const whole = checked.kind === 'fit' ? checked.settings : given;
    return addressesIn(connector.settings, whole, '').sort().join('\n');
  };
  return places(before) !== places(after);
};
