/** Reads the raw configuration: the file, the environment, and files that hold secrets. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { nearest } from '../lib/closest-word.ts';
import { UsageError } from '../lib/errors.ts';
import { findJsonFault } from '../lib/json/fault.ts';
import { isRecord } from '../lib/record.ts';
import { tlsFromEnv } from './sections/database.ts';
import { metricsFromEnv } from './sections/metrics.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Values = Readonly<Record<string, unknown>>;

/** The set values, by their origin. */
export type ConfigSources = {
  readonly file: Values;
  readonly environment: Values;
  /** Whether NODE_ENV says that real customers are served. */
  readonly isProduction: boolean;
  /** The folder of the file; without one, the folder in which the process runs. */
  readonly folder?: string;
};

const variables = {
  HOST: 'host',
  PORT: 'port',
  WORKERS: 'workers',
  DATA_DIR: 'dataDir',
  PUBLIC_URL: 'publicUrl',
  DATABASE_URL: 'databaseUrl',
  OPERATOR_URL: 'operatorUrl',
  LOG_LEVEL: 'logLevel',
  SIMGATE_INSTANCE: 'instance',
  SIMGATE_SECRETS_KEY: 'secretsKey',
  SIMGATE_OLD_SECRETS_KEYS: 'oldSecretsKeys',
} as const;

/** Each of them may be in a file, named by `…_FILE`. */
export const secretVariables = [
  'DATABASE_URL',
  'SIMGATE_SECRETS_KEY',
  'SIMGATE_OLD_SECRETS_KEYS',
  'METRICS_TOKEN',
] as const;

const valueOf = (key: string, text: string): unknown => {
  if (key === 'oldSecretsKeys') return text.split(/[\s,]+/).filter((part) => part !== '');
  return ['port', 'workers'].includes(key) && /^\d+$/.test(text) ? Number(text) : text;
};

const fromEnvironment = (env: Environment, isProduction: boolean): Record<string, unknown> => {
  const read: Record<string, unknown> = { ...metricsFromEnv(env) };
  for (const [variable, key] of Object.entries(variables)) {
    const value = env[variable];
    if (value !== undefined && value !== '') read[key] = valueOf(key, value);
  }
  if (env['SIMGATE_DEMO'] === 'off' || isProduction) read['demo'] = false;
  if (env['SIMGATE_FAST_PATH'] === 'off') read['http'] = { fastPath: false };
  return read;
};

const prefix = 'SIMGATE_';

const ownVariables: readonly string[] = [
  ...Object.keys(variables),
  ...secretVariables.map((name) => `${name}_FILE`),
  'SIMGATE_CONFIG',
  'SIMGATE_DEMO',
  'SIMGATE_FAST_PATH',
].filter((name) => name.startsWith(prefix));

const removedVariables: ReadonlySet<string> = new Set(['SIMGATE_WRITER_THREAD']);

// Other variables may belong to another program, however similar they are.
const mostWrongLetters = 2;

/** A mistyped or removed variable of ours would otherwise be ignored silently. */
const refuseUnknown = (env: Environment): void => {
  for (const name of Object.keys(env)) {
    if (!name.startsWith(prefix) || ownVariables.includes(name)) continue;
    if (removedVariables.has(name)) {
      throw new UsageError(`The variable ${name} was removed. Leave it out.`);
    }
    const meant = nearest(name, ownVariables, mostWrongLetters);
    if (meant !== undefined) {
      throw new UsageError(`There is no variable ${name}. The nearest is ${meant}.`);
    }
  }
};

/** The content of a file; `says` builds the sentence if it cannot be read. */
const textOf = (file: string, says: (why: string) => string): string => {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new UsageError(says(isMissing ? 'does not exist' : 'cannot be read'), { cause });
  }
};

/**
 * A secret in its own file. Only `name` is printed: the secret itself may be given instead of the file's
 * path.
 */
export const secretIn = (file: string, name: string): string => {
  const text = textOf(file, (why) => `The file that ${name} names ${why}.`).trim();
  if (text === '') throw new UsageError(`The file that ${name} names is empty.`);
  return text;
};

const placeIn = (text: string): string => {
  const fault = findJsonFault(text);
  if (fault === undefined) return '';
  const lines = text.slice(0, fault.at).split('\n');
  return ` It breaks in line ${lines.length}, at character ${(lines.at(-1)?.length ?? 0) + 1}.`;
};

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error quotes the text, which may contain secrets.
    throw new UsageError(`The config file ${file} is not JSON.${placeIn(text)}`);
  }
};

/**
 * Replaces each `{ "$file": "/run/secrets/key" }` with the content of that file. Paths are relative to the
 * config file.
 */
const withFiles = (value: unknown, folder: string, path: readonly string[] = []): unknown => {
  if (Array.isArray(value)) {
    return value.map((one, index) => withFiles(one, folder, [...path, String(index)]));
  }
  if (!isRecord(value)) return value;
  const { $file: file, ...others } = value;
  if (typeof file === 'string' && Object.keys(others).length === 0) {
    return secretIn(resolve(folder, file), path.join('.'));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withFiles(one, folder, [...path, name])]),
  );
};

const defaultFile = 'simgate.json';

type InFile = { readonly values: Values; readonly folder: string };

const fromFile = (env: Environment): InFile => {
  const named = env['SIMGATE_CONFIG'] || undefined;
  const file = named ?? (existsSync(defaultFile) ? defaultFile : undefined);
  const folder = resolve(dirname(file ?? defaultFile));
  if (file === undefined) return { values: {}, folder };
  const behind = named === undefined ? '' : ', which SIMGATE_CONFIG names';
  const text = textOf(file, (why) => `The file ${file} ${why}${behind}.`);
  const read = withFiles(parseJson(file, text), folder);
  if (isRecord(read)) return { values: read, folder };
  throw new UsageError(`The config file ${file} must hold a JSON object.`);
};

/** The environment with the content of its `…_FILE` variables. */
const withSecretFiles = (env: Environment): Environment => {
  const read = secretVariables.flatMap((variable) => {
    const file = env[`${variable}_FILE`];
    if (file === undefined || file === '') return [];
    if (env[variable] !== undefined && env[variable] !== '') {
      throw new UsageError(`${variable} and ${variable}_FILE are both set. Leave one out.`);
    }
    return [[variable, secretIn(file, `${variable}_FILE`)] as const];
  });
  return { ...env, ...Object.fromEntries(read) };
};

/** Reads everything, once: a file may be a pipe. */
export const readSources = (named: Environment): ConfigSources => {
  refuseUnknown(named);
  const env = withSecretFiles(named);
  const isProduction = env['NODE_ENV'] === 'production';
  const { values: file, folder } = fromFile(env);
  const environment = fromEnvironment(env, isProduction);
  const usesPostgres = (environment['databaseUrl'] ?? file['databaseUrl']) !== undefined;
  return {
    file,
    environment: { ...environment, ...(usesPostgres ? tlsFromEnv(env) : {}) },
    isProduction,
    folder,
  };
};

/** The environment's values over the file's, setting by setting. */
const over = (file: unknown, environment: unknown): unknown => {
  if (!isRecord(environment) || file === undefined) return environment;
  // Anything but an object stays, to be refused by name.
  if (!isRecord(file)) return file;
  return withOver(file, environment);
};

const withOver = (file: Values, environment: Values): Record<string, unknown> => ({
  ...file,
  ...Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, over(file[name], value)]),
  ),
});

/** Production needs settings that a test can do without. */
const assertChosen = (given: Values): void => {
  if (given['databaseUrl'] !== undefined || given['dataDir'] !== undefined) return;
  throw new UsageError(
    'With NODE_ENV=production it has to be said where the database is: set DATABASE_URL, or DATA_DIR for a database in a file.',
  );
};

/** In production the first owner's link is printed only on request. */
const withoutLink = (given: Values): Values => {
  const { admin } = given;
  if (admin !== undefined && !isRecord(admin)) return given;
  return { ...given, admin: { firstLink: false, ...admin } };
};

/** All given values: the environment overrides the file. Production requires some of them. */
export const mergeSources = ({ file, environment, isProduction }: ConfigSources): Values => {
  const given = withOver(file, environment);
  if (!isProduction) return given;
  assertChosen(given);
  return withoutLink(given);
};
