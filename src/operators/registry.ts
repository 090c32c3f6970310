/** Holds the operators in use: finds connectors by name, checks settings, opens connections. */
import { type Static, type TObject, Type } from 'typebox';
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
  /** The operators that have no connector now. */
  readonly unconnected: readonly Operator[];
  /** Those that an operator can be given. */
  readonly connectors: () => readonly Connector[];
  /** Adds connectors that were not loaded before. */
  readonly addConnectors: (more: readonly Connector[]) => void;
  /**
   * Connects by other settings, and by another connector than the file's, beside the connection in use.
   * Throws where they do not fit.
   */
  readonly prepare: (id: number, settings: Settings, connector?: Connector) => Prepared;
  /** Stops reaching an operator whose settings are unknown. */
  readonly cutOff: (id: number, connector?: Connector) => void;
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
    buy: async () => ({
      kind: 'refused',
      code: 'unreachable',
      blame: 'supplier',
      reason: 'it could not be reached',
    }),
    status: async () => unknownBecause({ code: 'settings_unusable', values: {} }),
    deadlineMs: 1000,
    close: async () => {},
  },
  system: null,
};

/** What an operator has that has none: it is not for sale. */
export const noConnector: Connector = {
  name: '',
  settings: Type.Object({}),
  connect: () => nowhere.connection,
};

// Longer than an order may wait to be sent by default.
const defaultGraceMs = 3000;

export type RegistryOptions = {
  /** Operators that may lack valid settings until they get others. */
  readonly excused?: ReadonlySet<number>;
  /** Operators without a connector, which may be given one. */
  readonly unconnected?: readonly OperatorConfig[];
  /** How long a replaced connection is kept for what began with it. */
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

const operatorAt = ({ config, connector }: Place): Operator => {
  const { id, name } = config;
  return { id, name, names: displayNames(config), connector, ...nowhere };
};

/** The current operators; holders of a replaced one can use it for a while. */
const createTable = (graceMs: number) => {
  const byId = new Map<number, { readonly operator: Operator; readonly generation: Generation }>();
  const retired = new Set<Generation>();
  const retire = (id: number): void => {
    const { generation } = byId.get(id) ?? {};
    if (generation === undefined) return;
    retired.add(generation);
    generation.retire(() => retired.delete(generation));
  };
  return {
    all: () => [...byId.values()].map(({ operator }) => operator),
    byId: (id: number) => byId.get(id)?.operator,
    put: (place: Place, reached: Reached): void => {
      const { id } = place.config;
      const generation = createGeneration(reached.connection, place.context.clock, graceMs);
      retire(id);
      const { connection } = generation;
      const operator = { ...operatorAt(place), connection, system: reached.system };
      byId.set(id, { operator, generation });
    },
    remove: (id: number): void => {
      retire(id);
      byId.delete(id);
    },
    close: async (): Promise<void> => {
      const current = [...byId.values()].map(({ generation }) => generation);
      await Promise.all([...retired, ...current].map((generation) => generation.close()));
    },
  };
};

/** An operator with its connector and settings; without these where it may stand without. */
const checkedConfig = (
  config: OperatorConfig,
  connectors: readonly Connector[],
  excused: ReadonlySet<number>,
) => {
  const connector = connectorOf(config, connectors);
  const fits = checkSettings(connector, config.settings).kind === 'fit';
  const settings = fits || !excused.has(config.id) ? readSettings(config, connector) : undefined;
  return { config, connector, settings };
};

/**
 * Opens a connection for every operator, or throws a `UsageError` before it has opened any. An operator whose
 * connector throws is there, and cannot be reached.
 */
export const openRegistry = (
  operators: readonly OperatorConfig[],
  connectors: readonly Connector[],
  contextFor: (operatorId: number) => ConnectorContext,
  options: RegistryOptions = {},
): LiveRegistry => {
  const { excused = new Set(), unconnected = [], graceMs = defaultGraceMs } = options;
  refuseDuplicates([...operators, ...unconnected]);
  refuseClaimsOfTwo(operators);
  const checked = operators.map((config) => checkedConfig(config, connectors, excused));
  const table = createTable(graceMs);
  const places = new Map<number, Place>();
  const unopened = new Map<number, string>();
  const placeFor = (config: OperatorConfig, connector: Connector): Place => {
    const { id } = config;
    const onFault = (fault: CallFault): void => options.onFault?.(id, fault);
    const place = { config, connector, context: contextFor(id), onFault };
    places.set(id, place);
    return place;
  };
  for (const config of unconnected) placeFor(config, noConnector);
  for (const { config, connector, settings } of checked) {
    const { id } = config;
    const place = placeFor(config, connector);
    try {
      table.put(place, settings === undefined ? nowhere : reach(place, settings));
    } catch (error) {
      // The others can be sold.
      unopened.set(id, nameOf(error));
      table.put(place, nowhere);
    }
  }
  let known = connectors;
  const placeWith = (id: number, connector: Connector | undefined): Place | undefined => {
    const place = places.get(id);
    return place === undefined ? undefined : { ...place, connector: connector ?? place.connector };
  };
  return {
    get all() {
      return table.all();
    },
    byId: table.byId,
    get unconnected() {
      const without = [...places.values()].filter(({ config }) => !table.byId(config.id));
      return without.map((place) => operatorAt({ ...place, connector: noConnector }));
    },
    connectors: () => known,
    addConnectors: (more) => {
      known = [...known, ...more.filter(({ name }) => known.every((one) => one.name !== name))];
    },
    prepare: (id, settings, connector) => {
      const place = placeWith(id, connector);
      if (place === undefined) throw new UsageError(`There is no operator ${id}.`);
      if (place.connector === noConnector) {
        return { use: () => table.remove(id), discard: async () => {} };
      }
      const given = { ...place.config, settings };
      const reached = reach(place, readSettings(given, place.connector));
      return { use: () => table.put(place, reached), discard: () => reached.connection.close() };
    },
    cutOff: (id, connector) => {
      const place = placeWith(id, connector ?? table.byId(id)?.connector);
      if (place === undefined || place.connector === noConnector) table.remove(id);
      else table.put(place, nowhere);
    },
    unopened,
    close: table.close,
  };
};
