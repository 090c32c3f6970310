/** Checks a connector's declarations before anything of it is used. Pure. */
import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { isRecord } from '../lib/record.ts';
import { type Connector, connectorApi, type Promises } from './connector.ts';
import { textsFault } from './settings/texts.ts';

export type Declared =
  | { readonly kind: 'connector'; readonly connector: Connector }
  /** Why it is not a connector, as part of a sentence. */
  | { readonly kind: 'wrong'; readonly fault: string };

// What people type in a configuration, and see in lists.
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const pause = Type.Integer({ minimum: 1 });
const names = Type.Array(Type.String());

/** The promises and their requirements, in words. */
const promiseRules: Readonly<
  Record<keyof Promises, { readonly schema: TSchema; readonly words: string }>
> = {
  settlesWithin: {
    schema: Type.Integer({ minimum: 0 }),
    words: 'a whole number of milliseconds, 0 or more',
  },
  deduplicates: { schema: Type.Boolean(), words: 'true or false' },
  ordersTellSubscriber: { schema: Type.Boolean(), words: 'true or false' },
  inquiries: {
    schema: Type.Object({ firstInquiryMs: pause, widestInquiryMs: pause, reviewAfterMs: pause }),
    words: 'firstInquiryMs, widestInquiryMs and reviewAfterMs, each 1 or more',
  },
};

/** What is wrong with the promises of a connector or a connection, as part of a sentence. */
export const promiseFault = (promises: Promises): string | undefined => {
  for (const [name, { schema, words }] of Object.entries(promiseRules)) {
    const value: unknown = Reflect.get(promises, name);
    if (value !== undefined && !Check(schema, value)) return `"${name}" must be ${words}`;
  }
  return undefined;
};

const apiFault = (version: unknown): string | undefined => {
  if (version === connectorApi) return undefined;
  if (typeof version !== 'number') {
    return `it does not say for which version it is written: declare "connectorApi: ${connectorApi}"`;
  }
  return `it is written for version ${version} of the connector API, and this gateway has version ${connectorApi}`;
};

const identityFault = (connector: Connector): string | undefined => {
  const { identifiedBy, settings } = connector;
  if (identifiedBy === undefined) return undefined;
  if (!Check(names, identifiedBy)) return '"identifiedBy" must list names of settings';
  const unknown = identifiedBy.find((name) => !Object.hasOwn(settings.properties, name));
  return unknown === undefined ? undefined : `"identifiedBy" names no setting by "${unknown}"`;
};

type Shape = Readonly<Record<string, unknown>>;

const isConnector = (value: Shape): value is Shape & Connector =>
  typeof value['name'] === 'string' &&
  namePattern.test(value['name']) &&
  Type.IsObject(value['settings']) &&
  typeof value['connect'] === 'function';

const shapeFault = (value: Shape): string => {
  const { name, settings, connect } = value;
  if (typeof name !== 'string' || !namePattern.test(name)) {
    return 'its "name" must be up to 64 letters, digits, "-" and "_"';
  }
  if (typeof connect !== 'function') return 'it has no function "connect"';
  return Type.IsObject(settings)
    ? 'it is none'
    : 'its "settings" must be a Type.Object of simgate/connector';
};

/** A copy, read once: a connector cannot declare something else later. */
const copyOf = (connector: Connector): Connector => {
  const { name, settings, texts, identifiedBy, inProcess } = connector;
  const { settlesWithin, deduplicates, ordersTellSubscriber, inquiries } = connector;
  return {
    connectorApi,
    name,
    settings,
    ...(texts === undefined ? {} : { texts: structuredClone(texts) }),
    ...(identifiedBy === undefined ? {} : { identifiedBy: [...identifiedBy] }),
    ...(inProcess === undefined ? {} : { inProcess }),
    ...(settlesWithin === undefined ? {} : { settlesWithin }),
    ...(deduplicates === undefined ? {} : { deduplicates }),
    ...(ordersTellSubscriber === undefined ? {} : { ordersTellSubscriber }),
    ...(inquiries === undefined ? {} : { inquiries: { ...inquiries } }),
    connect: (given, context) => connector.connect(given, context),
  };
};

/**
 * Whether a value is a connector that this gateway can use. It may be anything, and may throw when it is
 * read.
 */
export const checkDeclarations = (value: unknown): Declared => {
  try {
    if (!isRecord(value)) return { kind: 'wrong', fault: 'it is no object' };
    const api = apiFault(value['connectorApi']);
    if (api !== undefined) return { kind: 'wrong', fault: api };
    if (!isConnector(value)) return { kind: 'wrong', fault: shapeFault(value) };
    const fault =
      promiseFault(value) ?? identityFault(value) ?? textsFault(value.texts, value.settings);
    return fault === undefined
      ? { kind: 'connector', connector: copyOf(value) }
      : { kind: 'wrong', fault };
  } catch {
    return { kind: 'wrong', fault: 'reading what it declares throws an error' };
  }
};
