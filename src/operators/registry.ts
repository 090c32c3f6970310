/** Owns the operators in use: their connectors found by name, their settings checked, their connections opened. */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { OperatorConfig } from '../lib/config.ts';
import { UsageError } from '../lib/errors.ts';
import type { Connection, Connector, ConnectorContext } from './connector.ts';
import { claimedTwice } from './numbers/prefixes.ts';

export type Operator = {
  readonly id: number;
  readonly name: string;
  readonly connector: Connector;
  readonly connection: Connection;
};

export type Registry = {
  readonly all: readonly Operator[];
  readonly byId: (id: number) => Operator | undefined;
  readonly close: () => Promise<void>;
};

const quoted = (names: readonly unknown[]): string =>
  names.map((name) => JSON.stringify(name)).join(', ');

const connectorOf = (config: OperatorConfig, connectors: readonly Connector[]): Connector => {
  const connector = connectors.find(({ name }) => name === config.connector);
  if (connector !== undefined) return connector;
  const known = quoted(connectors.map(({ name }) => name));
  throw new UsageError(
    `Operator "${config.name}": there is no connector "${config.connector}". Known are: ${known}.`,
  );
};

/** Values stay out of the sentence: what was mistyped may be a secret. */
const settingsFault = (schema: TObject, settings: unknown): string => {
  const faults = Value.Errors(schema, settings);
  const [first] = faults;
  if (first === undefined) return 'the settings do not fit';
  const path = first.instancePath.split('/').slice(1);
  if (first.keyword === 'required') {
    const missing = first.params.requiredProperties.map((name) => [...path, name].join('.'));
    return `setting ${quoted(missing)} is missing`;
  }
  // A union of literals reports each of them as a fault of its own.
  const allowed = faults
    .filter(({ instancePath }) => instancePath === first.instancePath)
    .flatMap((fault) => (fault.keyword === 'const' ? [fault.params.allowedValue] : []));
  const rule = allowed.length > 0 ? `must be one of ${quoted(allowed)}` : first.message;
  return `setting ${quoted([path.join('.')])} ${rule}`;
};

const readSettings = (config: OperatorConfig, { settings: schema }: Connector): Static<TObject> => {
  const unknown = Object.keys(config.settings).find(
    (key) => !Object.hasOwn(schema.properties, key),
  );
  if (unknown !== undefined) {
    const known = quoted(Object.keys(schema.properties));
    throw new UsageError(
      `Operator "${config.name}": the connector "${config.connector}" has no setting "${unknown}". It has: ${known}.`,
    );
  }
  const settings = Value.Default(schema, Value.Clone(config.settings));
  if (Value.Check(schema, settings)) return settings;
  throw new UsageError(`Operator "${config.name}": ${settingsFault(schema, settings)}.`);
};

const refuseDuplicates = (operators: readonly OperatorConfig[]): void => {
  for (const field of ['id', 'name'] as const) {
    const seen = new Set<number | string>();
    for (const operator of operators) {
      if (seen.has(operator[field])) {
        throw new UsageError(`Two operators have the ${field} "${operator[field]}".`);
      }
      seen.add(operator[field]);
    }
  }
};

const refuseClaimsOfTwo = (operators: readonly OperatorConfig[]): void => {
  const prefix = claimedTwice(operators);
  if (prefix !== undefined) throw new UsageError(`Two operators have the prefix "${prefix}".`);
};

/** Opens a connection for every operator, or throws a `UsageError` before it has opened any. */
export const openRegistry = (
  operators: readonly OperatorConfig[],
  connectors: readonly Connector[],
  contextFor: (operatorId: number) => ConnectorContext,
): Registry => {
  refuseDuplicates(operators);
  refuseClaimsOfTwo(operators);
  const checked = operators.map((config) => {
    const connector = connectorOf(config, connectors);
    return {
      id: config.id,
      name: config.name,
      connector,
      settings: readSettings(config, connector),
    };
  });
  const all = checked.map(({ settings, ...operator }): Operator => {
    const { id, connector } = operator;
    return { ...operator, connection: connector.connect(settings, contextFor(id)) };
  });
  const byId = new Map(all.map((operator) => [operator.id, operator]));
  return {
    all,
    byId: (id) => byId.get(id),
    close: async () => {
      await Promise.all(all.map(({ connection }) => connection.close()));
    },
  };
};

const mask = '***';

const isSecret = (schema: TSchema): boolean => 'secret' in schema && schema.secret === true;

const maskValue = (schema: TSchema | undefined, value: unknown): unknown => {
  if (value === undefined || value === null || value === '') return value;
  // A key that the schema does not know may be a secret's name mistyped.
  if (schema === undefined || isSecret(schema)) return mask;
  return Type.IsObject(schema) && typeof value === 'object' ? maskFields(schema, value) : value;
};

const maskFields = ({ properties }: TObject, fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return [key, maskValue(schema, value)];
    }),
  );

/** The settings fit for a screen: secrets that are set read `***`. */
export const maskSettings = (
  connector: Pick<Connector, 'settings'>,
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> => maskFields(connector.settings, settings);
