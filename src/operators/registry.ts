/** Holds the operators in use: finds connectors by name, checks settings, opens connections. */
import type { Static, TObject } from 'typebox';
import type { OperatorConfig } from '../config/config.ts';
import { displayNames } from '../config/sections/operators.ts';
import { unknownBecause } from '../connector/cause.ts';
import type { Connection, Connector, ConnectorContext } from '../connector/connector.ts';
import { type CallFault, checkedConnection } from '../connector/contain.ts';
import { checkSettings, type Settings } from '../connector/settings/check.ts';
import { withoutSecrets } from '../connector/settings/mask.ts';
import { systemOf } from '../connector/settings/system.ts';
import { UsageError } from '../lib/errors.ts';
import type { Text } from '../lib/text.ts';
import { createGeneration, type Generation } from './generation.ts';
import { claimedTwice } from './numbers/prefixes.ts';

export type Operator = {
  readonly id: number;
  readonly name: string;
  /** The name that people read. */
  readonly names: Text;
  readonly connector: Connector;
  readonly connection: Connection;
  /** The system of its connection (`systemOf`); null without usable settings. */
  readonly system: string | null;
};

export type Registry = {
  readonly all: readonly Operator[];
  readonly byId: (id: number) => Operator | undefined;
  readonly close: () => Promise<void>;
};

/** A connection with other settings, not in use yet. */
export type Prepared = { readonly use: () => void; readonly discard: () => Promise<void> };

/** A registry whose connections can be replaced: an `Operator` taken from it is a snapshot. */
export type LiveRegistry = Registry & {
  /** Connects with other settings, beside the connection in use. Throws if they are invalid. */
  readonly prepare: (id: number, settings: Settings) => Prepared;
  /** Stops reaching an operator whose settings are unknown. */
  readonly cutOff: (id: number) => void;
  /** The operators whose connectors threw when they were opened, with the kinds of errors. */
  readonly unopened: ReadonlyMap<number, string>;
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

/** A connection and its system. */
type Reached = Pick<Operator, 'connection' | 'system'>;

/** Represents an operator that cannot be reached, because its settings are unknown. */
const nowhere: Reached = {
  connection: {
    buy: async () => ({ kind: 'refused', code: 'unreachable', reason: 'it could not be reached' }),
    status: async () => unknownBecause({ code: 'settings_unusable', values: {} }),
    deadlineMs: 1000,
    close: async () => {},
  },
  system: null,
};

// Longer than an order may wait to be sent by default.
const defaultGraceMs = 3000;

export type RegistryOptions = {
  /** Operators that may lack valid settings until they get others. */
  readonly excused?: ReadonlySet<number>;
  /** How long a replaced connection is kept for calls that began with it. */
  readonly graceMs?: number;
  /** Hears of errors in the code of an operator's connector. */
  readonly onFault?: (operatorId: number, fault: CallFault) => void;
};

/** What one operator needs to be connected again. */
type Place = {
  readonly config: OperatorConfig;
  readonly connector: Connector;
  readonly context: ConnectorContext;
  readonly onFault: (fault: CallFault) => void;
};

/** Throws what the connector throws. */
const reach = ({ connector, context, onFault }: Place, settings: Static<TObject>): Reached => {
  const { clock } = context;
  const connection = connector.connect(settings, context);
  return {
    connection: checkedConnection(connection, {
      clock,
      onFault,
      mask: (text) => withoutSecrets(connector, settings, text),
    }),
    system: systemOf(connector, settings),
  };
};

/** The name alone: a message may repeat what a connector was given. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'error');

/** The current operators; holders of a replaced one can use it for a while. */
const createTable = (graceMs: number) => {
  const byId = new Map<number, { readonly operator: Operator; readonly generation: Generation }>();
  const retired = new Set<Generation>();
  return {
    all: () => [...byId.values()].map(({ operator }) => operator),
    byId: (id: number) => byId.get(id)?.operator,
    put: ({ config, connector, context }: Place, reached: Reached): void => {
      const { id, name } = config;
      const generation = createGeneration(reached.connection, context.clock, graceMs);
      const before = byId.get(id);
      const { system } = reached;
      const names = displayNames(config);
      const operator = { id, name, names, connector, connection: generation.connection, system };
      byId.set(id, { operator, generation });
      if (before === undefined) return;
      retired.add(before.generation);
      before.generation.retire(() => retired.delete(before.generation));
    },
    close: async (): Promise<void> => {
      const current = [...byId.values()].map(({ generation }) => generation);
      await Promise.all([...retired, ...current].map((generation) => generation.close()));
    },
  };
};

/**
 * Opens a connection for every operator, or throws a `UsageError` before it has opened any. An operator whose
 * connector throws is there, and cannot be reached.
 */
export const openRegistry = (
  operators: readonly OperatorConfig[],
  connectors: readonly Connector[],
  contextFor: (operatorId: number) => ConnectorContext,
  { excused = new Set(), graceMs = defaultGraceMs, onFault = () => {} }: RegistryOptions = {},
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
  const unopened = new Map<number, string>();
  for (const { config, connector, settings } of checked) {
    const { id } = config;
    const place = {
      config,
      connector,
      context: contextFor(id),
      onFault: (fault: CallFault) => onFault(id, fault),
    };
    places.set(id, place);
    try {
      table.put(place, settings === undefined ? nowhere : reach(place, settings));
    } catch (error) {
      // The others can be sold.
      unopened.set(id, nameOf(error));
      table.put(place, nowhere);
    }
  }
  return {
    get all() {
      return table.all();
    },
    byId: table.byId,
    prepare: (id, settings) => {
      const place = places.get(id);
      if (place === undefined) throw new UsageError(`There is no operator ${id}.`);
      const { config, connector } = place;
      const reached = reach(place, readSettings({ ...config, settings }, connector));
      return { use: () => table.put(place, reached), discard: () => reached.connection.close() };
    },
    cutOff: (id) => {
      const place = places.get(id);
      if (place !== undefined) table.put(place, nowhere);
    },
    unopened,
    close: table.close,
  };
};
