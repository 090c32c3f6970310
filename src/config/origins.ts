/** Lists all settings with their values, defaults and origins. */
import { isRecord } from '../lib/record.ts';
import { ConfigSchema } from './config.ts';
import type { ConfigSources } from './sources.ts';

export type Origin = 'default' | 'file' | 'environment';

/** Of those that are set, by name; a part of a group as `group.part`. */
export type Origins = ReadonlyMap<string, Origin>;

export type Setting = {
  readonly name: string;
  readonly value: unknown;
  /** Null if there is none. */
  readonly default: unknown;
  readonly from: Origin;
  readonly description: string;
};

const part = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

// Each of them is shown as one setting.
const lists: ReadonlySet<string> = new Set(['operators', 'suppliers']);

/** The parts of a group; undefined for a plain setting. */
const partsOf = (name: string, schema: unknown): Readonly<Record<string, unknown>> | undefined => {
  const parts = lists.has(name) ? undefined : part(schema, 'properties');
  return isRecord(parts) ? parts : undefined;
};

const namesIn = (given: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(given).flatMap(([name, value]) => {
    const parts = partsOf(name, part(ConfigSchema.properties, name));
    if (parts === undefined || !isRecord(value)) return [name];
    return Object.keys(value).map((inner) => `${name}.${inner}`);
  });

export const originsOf = ({ file, environment }: ConfigSources): Origins =>
  new Map<string, Origin>([
    ...namesIn(file).map((name) => [name, 'file'] as const),
    ...namesIn(environment).map((name) => [name, 'environment'] as const),
  ]);

const descriptionOf = (schema: unknown): string | undefined => {
  const text = part(schema, 'description');
  return typeof text === 'string' ? text : undefined;
};

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** All settings of a configuration, masked for a screen. */
export const describeSettings = (
  shown: Readonly<Record<string, unknown>>,
  origins: Origins,
): Setting[] => {
  const settingOf = (name: string, value: unknown, schema: unknown, about: string): Setting => {
    const standard = part(schema, 'default') ?? null;
    // A value that is neither set nor the default comes from the command line.
    const unsaid = value === undefined || lists.has(name) || isSame(value, standard);
    return {
      name,
      value: value ?? null,
      default: standard,
      from: origins.get(name) ?? (unsaid ? 'default' : 'environment'),
      description: descriptionOf(schema) ?? about,
    };
  };
  return Object.entries(ConfigSchema.properties).flatMap(([name, schema]) => {
    const about = descriptionOf(schema) ?? '';
    const parts = partsOf(name, schema);
    if (parts === undefined) return [settingOf(name, shown[name], schema, about)];
    return Object.entries(parts).map(([inner, schema]) =>
      settingOf(`${name}.${inner}`, part(shown[name], inner), schema, about),
    );
  });
};
