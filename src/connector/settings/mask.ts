/** Masks the secrets in a connector's settings, and restores them when the mask is sent back. Pure. */
import { type TObject, type TSchema, Type } from 'typebox';
import { isRecord } from '../../lib/record.ts';
import type { Connector } from '../connector.ts';
import type { Settings } from './check.ts';

export const mask = '***';

/** Whether a schema is marked, at any depth. */
const holdsMark = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.some(holdsMark);
  if (!isRecord(schema)) return false;
  return schema['secret'] === true || Object.values(schema).some(holdsMark);
};

/** A list or a union that holds a secret is secret as a whole: its parts cannot be separated. */
export const isSecret = (schema: TSchema): boolean =>
  Type.IsObject(schema) && !('secret' in schema && schema.secret === true)
    ? false
    : holdsMark(schema);

const partOf = ({ properties }: TObject, key: string): TSchema | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : undefined;

const maskValue = (schema: TSchema | undefined, value: unknown): unknown => {
  if (value === undefined || value === null || value === '') return value;
  // A key that the schema does not know may be a mistyped secret.
  if (schema === undefined || isSecret(schema)) return mask;
  return Type.IsObject(schema) && isRecord(value) ? maskFields(schema, value) : value;
};

const maskFields = (schema: TObject, fields: Settings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, maskValue(partOf(schema, key), value)]),
  );

/** The settings for a screen: secrets that are set read `***`. */
export const maskSettings = (
  connector: Pick<Connector, 'settings'>,
  settings: Settings,
): Record<string, unknown> => maskFields(connector.settings, settings);

const openFields = (schema: TObject, fields: Settings): Settings =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      const part = partOf(schema, key);
      if (part === undefined || isSecret(part)) return [];
      const inner = Type.IsObject(part) && isRecord(value);
      return [[key, inner ? openFields(part, value) : value]];
    }),
  );

/** The settings without their secrets, set or not. */
export const publicSettingsOf = (
  connector: Pick<Connector, 'settings'>,
  settings: Settings,
): Settings => openFields(connector.settings, settings);

/** Whether a secret stays unchanged. */
const stays = (value: unknown): boolean => value === undefined || value === mask;

const mergeFields = (schema: TObject, before: Settings, given: Settings): Settings => {
  const merged = new Map<string, unknown>();
  for (const [key, value] of Object.entries(given)) {
    const part = partOf(schema, key);
    // A form sends empty fields as null: there is no value.
    if (value === null || (part !== undefined && isSecret(part) && stays(value))) continue;
    const was = before[key];
    const inner = part !== undefined && Type.IsObject(part) && isRecord(value);
    merged.set(key, inner ? mergeFields(part, isRecord(was) ? was : {}, value) : value);
  }
  for (const [key, part] of Object.entries(schema.properties)) {
    const kept = Object.hasOwn(given, key) ? given[key] : undefined;
    if (isSecret(part) && stays(kept) && before[key] !== undefined) merged.set(key, before[key]);
  }
  return Object.fromEntries(merged);
};

/** The sent settings, with the earlier secrets where the mask or nothing was sent. */
export const mergeSettings = (
  connector: Pick<Connector, 'settings'>,
  before: Settings,
  given: Settings,
): Settings => mergeFields(connector.settings, before, given);

const keptIn = (schema: TObject, before: Settings, given: Settings): string[] =>
  Object.entries(schema.properties).flatMap(([key, part]) => {
    const [was, is] = [before[key], Object.hasOwn(given, key) ? given[key] : undefined];
    if (isSecret(part)) return stays(is) && was !== undefined && was !== '' ? [key] : [];
    if (!Type.IsObject(part) || !isRecord(is) || !isRecord(was)) return [];
    return keptIn(part, was, is).map((name) => `${key}.${name}`);
  });

/** The names of earlier secrets that were not sent, and which would stay. */
export const keptSecrets = (
  connector: Pick<Connector, 'settings'>,
  before: Settings,
  given: Settings,
): string[] => keptIn(connector.settings, before, given);

const changedIn = (schema: TObject, before: Settings, after: Settings): string[] =>
  Object.entries(schema.properties).flatMap(([key, part]) => {
    const [was, is] = [before[key], after[key]];
    if (isSecret(part)) return JSON.stringify(was) === JSON.stringify(is) ? [] : [key];
    if (!Type.IsObject(part)) return [];
    const inner = changedIn(part, isRecord(was) ? was : {}, isRecord(is) ? is : {});
    return inner.map((name) => `${key}.${name}`);
  });

/** The names of the changed secrets. */
export const changedSecrets = (
  connector: Pick<Connector, 'settings'>,
  before: Settings,
  after: Settings,
): string[] => changedIn(connector.settings, before, after);

const secretsIn = (schema: TSchema | undefined, value: unknown): string[] => {
  if (schema === undefined || isSecret(schema)) {
    return typeof value === 'string' && value !== '' ? [value] : [];
  }
  if (!Type.IsObject(schema) || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(partOf(schema, key), inner));
};

/** A secret in the forms in which a message may contain it: plain, in JSON, in an address, in a form. */
const writtenForms = (secret: string): string[] => {
  const text = secret.toWellFormed();
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  return [secret, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), form];
};

/** A text without the secrets of these settings: a connector's words may repeat one. */
export const withoutSecrets = (
  connector: Pick<Connector, 'settings'>,
  settings: Settings,
  text: string,
): string =>
  secretsIn(connector.settings, settings)
    .flatMap(writtenForms)
    .reduce((rest, secret) => rest.replaceAll(secret, mask), text);
