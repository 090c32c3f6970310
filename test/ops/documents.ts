/** Reads the YAML files of ops/ and checks them against the schemas that are kept beside the tests. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Errors } from 'typebox/schema';
import { parseAllDocuments } from 'yaml';
import { configFrom } from '../../src/config/config.ts';
import { readSources, secretVariables } from '../../src/config/sources.ts';
import { at, keysOf } from '../support/answers.ts';
import { root } from '../support/selection.ts';

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Kubernetes and Compose read version 1.1, in which 0440 is octal. */
export const readYaml = (path: string): unknown[] =>
  parseAllDocuments(read(path), { version: '1.1', strict: true, uniqueKeys: true }).map(
    (document) => {
      assert.deepEqual(document.errors, [], path);
      return document.toJS() as unknown;
    },
  );

/** Compose means durations as Go writes them, not those of ISO 8601. */
const goDuration = { pattern: '^([0-9]+(us|ms|s|m|h))+$' };

const isGoDuration = (value: unknown): boolean =>
  at(value, 'type') === 'string' && at(value, 'format') === 'duration';

export const schemaFile = (name: string): unknown =>
  JSON.parse(read(`test/ops/schemas/${name}/schema.json`), (_, value: unknown) =>
    isGoDuration(value) ? goDuration : value,
  );

/** Fails with every breach, each with its place. */
export const assertFits = (schema: object, value: unknown, what: string): void => {
  const [fits, errors] = Errors(schema, value);
  const breaches = errors.map(({ instancePath, message }) => `${instancePath}: ${message}`);
  assert.ok(fits, `${what} does not fit its schema:\n${breaches.join('\n')}`);
};

const kubernetes = schemaFile('kubernetes');

/** The schema of one kind, as "apps/v1 Deployment". */
export const schemaOfKind = (kind: string): object => {
  assert.ok(keysOf(at(kubernetes, 'kinds')).includes(kind), `No schema of ${kind} is kept.`);
  const name = String(at(kubernetes, 'kinds', kind));
  return { $ref: `#/$defs/${name}`, $defs: at(kubernetes, '$defs') };
};

/**
 * The configuration that a gateway would read from this environment and file. Files with secrets are replaced by
 * what they would hold.
 */
export const configOf = (
  environment: Readonly<Record<string, string>>,
  file: string,
): ReturnType<typeof configFrom> => {
  const secrets: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://simgate:secret@postgres/simgate?sslmode=disable',
    SIMGATE_SECRETS_KEY: 'A'.repeat(43),
    METRICS_TOKEN: 'b'.repeat(48),
  };
  const given = Object.entries(environment).flatMap(([name, value]) => {
    if (name === 'SIMGATE_CONFIG') return [];
    if (!name.endsWith('_FILE')) return [[name, value] as const];
    const secret = name.slice(0, -'_FILE'.length);
    assert.ok(secrets[secret] !== undefined, `${name} is no setting.`);
    return [[secret, secrets[secret]] as const];
  });
  const sources = readSources(Object.fromEntries([['NODE_ENV', 'production'], ...given]));
  const settings: unknown = JSON.parse(file);
  assert.ok(typeof settings === 'object' && settings !== null);
  return configFrom({ ...sources, file: { ...settings } });
};

/** The variables in the tables of settings. */
const inTables = [
  ...read('docs/operate/configuration.md').matchAll(/^\| `[\w.]+` \| (`[A-Z][^|]+) \|/gm),
].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name),
);

/** The variables that the gateway reads; what is not among them would be ignored without a word. */
export const knownVariables: ReadonlySet<string> = new Set([
  'NODE_ENV',
  'SIMGATE_CONFIG',
  ...inTables,
  ...secretVariables.map((name) => `${name}_FILE`),
]);
