/** Owns the operators in use: their connectors found by name, their settings checked, their connections opened. */
import type { Static, TObject } from 'typebox';
import type { OperatorConfig } from '../lib/config.ts';
import { UsageError } from '../lib/errors.ts';
import type { Connection, Connector, ConnectorContext } from './connector.ts';
import { createGeneration, type Generation } from './generation.ts';
import { claimedTwice } from './numbers/prefixes.ts';
import { checkedConnection } from './outside.ts';
import { checkSettings, type Settings } from './settings/check.ts';

export type Operator = {
  readonly id: number;
  readonly name: string;
  readonly connector: Connector;
  readonly connection: Connection;
  /** When it was last given other settings: what was ordered before may be known elsewhere. */
  readonly changedAt?: number;
};

export type Registry = {
  readonly all: readonly Operator[];
  readonly byId: (id: number) => Operator | undefined;
  readonly close: () => Promise<void>;
};

/** A connection by other settings, not in use yet. */
export type Prepared = { readonly use: () => void; readonly discard: () => Promise<void> };

/** A registry whose connections can be replaced: an `Operator` taken from it is as it was then. */
export type LiveRegistry = Registry & {
  /** Connects by other settings, beside the connection in use. Throws where they do not fit. */
  readonly prepare: (id: number, settings: Settings) => Prepared;
  /** Tells when an operator was last given other settings. */
  readonly date: (id: number, changedAt: number) => void;
  /** Reaches an operator no more: nobody knows by which settings. */
  readonly cutOff: (id: number) => void;
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

const readSettings = (config: OperatorConfig, connector: Connector): Static<TObject> => {
  const checked = checkSettings(connector, config.settings);
  if (checked.kind === 'fit') return checked.settings;
  throw new UsageError(`Operator "${config.name}": ${checked.fault}.`);
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

/** Stands for an operator that cannot be reached, because nothing is known of how. */
const nowhere: Connection = {
  buy: async () => ({ kind: 'refused', code: 'unreachable', reason: 'it could not be reached' }),
  status: async () => ({ kind: 'unknown', detail: 'it has no settings that can be used' }),
  deadlineMs: 1000,
  close: async () => {},
};

// Longer than an order may wait to be sent by default.
const usualGraceMs = 3000;

export type RegistryOptions = {
  /** Operators that may stand without settings that fit, until they are given others. */
  readonly excused?: ReadonlySet<number>;
  /** How long a replaced connection is kept for what began with it. */
  readonly graceMs?: number;
};

/** What one operator needs to be connected anew. */
type Place = {
  readonly config: OperatorConfig;
  readonly connector: Connector;
  readonly context: ConnectorContext;
};

/** The operators in use, each as it is now; who holds one from before can go on with it for a while. */
const createTable = (graceMs: number) => {
  const byId = new Map<number, { readonly operator: Operator; readonly generation: Generation }>();
  const retired = new Set<Generation>();
  return {
    all: () => [...byId.values()].map(({ operator }) => operator),
    byId: (id: number) => byId.get(id)?.operator,
    put: ({ config: { id, name }, connector, context }: Place, connection: Connection): void => {
      const generation = createGeneration(checkedConnection(connection), context.clock, graceMs);
      const before = byId.get(id);
      const operator = { id, name, connector, connection: generation.connection };
      byId.set(id, { operator: { ...before?.operator, ...operator }, generation });
      if (before === undefined) return;
      retired.add(before.generation);
      before.generation.retire(() => retired.delete(before.generation));
    },
    date: (id: number, changedAt: number): void => {
      const now = byId.get(id);
      if (now === undefined || now.operator.changedAt === changedAt) return;
      byId.set(id, { ...now, operator: { ...now.operator, changedAt } });
    },
    close: async (): Promise<void> => {
      const current = [...byId.values()].map(({ generation }) => generation);
      await Promise.all([...retired, ...current].map((generation) => generation.close()));
    },
  };
};

/** Opens a connection for every operator, or throws a `UsageError` before it has opened any. */
export const openRegistry = (
  operators: readonly OperatorConfig[],
  connectors: readonly Connector[],
  contextFor: (operatorId: number) => ConnectorContext,
  { excused = new Set(), graceMs = usualGraceMs }: RegistryOptions = {},
): LiveRegistry => {
  refuseDuplicates(operators);
  refuseClaimsOfTwo(operators);
  const checked = operators.map((config) => {
    const connector = connectorOf(config, connectors);
    const fits = checkSettings(connector, config.settings).kind === 'fit';
    const settings = fits || !excused.has(config.id) ? readSettings(config, connector) : undefined;
    return { config, connector, settings };
  });
  const table = createTable(graceMs);
  const places = new Map<number, Place>();
  for (const { config, connector, settings } of checked) {
    const context = contextFor(config.id);
    const place = { config, connector, context };
    places.set(config.id, place);
    table.put(place, settings === undefined ? nowhere : connector.connect(settings, context));
  }
  return {
    get all() {
      return table.all();
    },
    byId: table.byId,
    prepare: (id, settings) => {
      const place = places.get(id);
      if (place === undefined) throw new UsageError(`There is no operator ${id}.`);
      const { config, connector, context } = place;
      const connection = connector.connect(
        readSettings({ ...config, settings }, connector),
        context,
      );
      return { use: () => table.put(place, connection), discard: () => connection.close() };
    },
    date: table.date,
    cutOff: (id) => {
      const place = places.get(id);
      if (place !== undefined) table.put(place, nowhere);
    },
    close: table.close,
  };
};
