/** Holds the operators and suppliers in use: finds connectors by name, checks settings, opens connections. */
import { type Static, type TObject, Type } from 'typebox';
import type { ConnectionConfig, OperatorConfig } from '../config/config.ts';
import { displayNames, isSupplierId } from '../config/sections/operators.ts';
import { unknownBecause } from '../connector/cause.ts';
import type { Connection, Connector, ConnectorContext } from '../connector/connector.ts';
import { type CallFault, checkedConnection } from '../connector/contain.ts';
import type { Settings } from '../connector/settings/check.ts';
import { withoutSecrets } from '../connector/settings/mask.ts';
import { systemOf } from '../connector/settings/system.ts';
import { UsageError } from '../lib/errors.ts';
import type { Text } from '../lib/text.ts';
import { checkConfigs, readSettings } from './check-configs.ts';
import { createGeneration, type Generation } from './generation.ts';
import { isTestSupplier } from './supplier.ts';

/** From whom products are ordered: an operator by its own connection, or a supplier. */
export type Operator = {
  readonly id: number;
  readonly kind: 'operator' | 'supplier';
  readonly name: string;
  /** The name that people read. */
  readonly names: Text;
  readonly connector: Connector;
  readonly connection: Connection;
  /** The system of its connection (`systemOf`); null without usable settings. */
  readonly system: string | null;
  /** Those of one group share an account. */
  readonly group?: string;
};

/** An operator as clients know it. A supplier is none, and is shown to no client. */
export type Brand = Operator & { readonly kind: 'operator' };

/** Every connection: orders, inquiries, reports and callbacks go over any of them. */
export type Registry = {
  readonly all: readonly Operator[];
  /** The simulated operators of test clients, by IDs of their own (`testSupplierId`). */
  readonly tests?: readonly Operator[];
  readonly byId: (id: number) => Operator | undefined;
  readonly close: () => Promise<void>;
};

/** The operators alone: all that clients, products and numbers name. */
export type Brands = {
  readonly operators: readonly Brand[];
  readonly operatorById: (id: number) => Brand | undefined;
};

type Suppliers = Pick<Registry, 'all' | 'tests' | 'byId'>;

/** All that purchases may be sent to. */
export const suppliersIn = ({ all, tests = [] }: Omit<Suppliers, 'byId'>): readonly Operator[] => [
  ...all,
  ...tests,
];

/** What a purchase was sent to: `byId` finds no simulated operator of test clients. */
export const findSupplier = (
  { tests = [], byId }: Omit<Suppliers, 'all'>,
  id: number,
): Operator | undefined => (isTestSupplier(id) ? tests.find((one) => one.id === id) : byId(id));

/** A connection with other settings, not in use yet. */
export type Prepared = { readonly use: () => void; readonly discard: () => Promise<void> };

/** A registry whose connections can be replaced: an `Operator` taken from it is a snapshot. */
export type LiveRegistry = Registry &
  Brands & {
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
    /** Adds a supplier that the console defines, without a connector; else gives it its names and its group. */
    readonly define: (config: ConnectionConfig) => void;
    /** Forgets such a supplier. */
    readonly forget: (id: number) => void;
    /** Stops reaching an operator whose settings are unknown. */
    readonly cutOff: (id: number, connector?: Connector) => void;
    /** The operators whose connectors threw when they were opened, with the kinds of errors. */
    readonly unopened: ReadonlyMap<number, string>;
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
  readonly suppliers?: readonly ConnectionConfig[];
  /** How long a replaced connection is kept for what began with it. */
  readonly graceMs?: number;
  /** The simulated operators of test clients; none by default. */
  readonly tests?: readonly Operator[];
  /** Hears of errors in the code of an operator's connector. */
  readonly onFault?: (operatorId: number, fault: CallFault) => void;
};

/** What one operator needs to be connected again. */
type Place = {
  readonly config: ConnectionConfig;
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
  const { id, name, group } = config;
  return {
    id,
    kind: isSupplierId(id) ? 'supplier' : 'operator',
    name,
    names: displayNames(config),
    connector,
    ...nowhere,
    ...(group === undefined ? {} : { group }),
  };
};

export const isBrand = (one: Operator): one is Brand => one.kind === 'operator';

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
    /** The connection in use stays. */
    describe: (place: Place): void => {
      const known = byId.get(place.config.id);
      if (known === undefined) return;
      const { connector, connection, system } = known.operator;
      const operator = { ...operatorAt(place), connector, connection, system };
      byId.set(place.config.id, { ...known, operator });
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

type Places = ReadonlyMap<number, Place>;

/** With another connector, if one is named. */
const placeIn = (places: Places, id: number, connector?: Connector): Place | undefined => {
  const place = places.get(id);
  return place === undefined ? undefined : { ...place, connector: connector ?? place.connector };
};

const unconnectedIn = (places: Places, byId: Registry['byId']): readonly Operator[] =>
  [...places.values()]
    .filter(({ config }) => byId(config.id) === undefined)
    .map((place) => operatorAt({ ...place, connector: noConnector }));

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
  const { excused = new Set(), unconnected = [], suppliers = [], tests = [] } = options;
  const checked = checkConfigs({ operators, unconnected, suppliers }, connectors, excused);
  const table = createTable(options.graceMs ?? defaultGraceMs);
  const places = new Map<number, Place>();
  const unopened = new Map<number, string>();
  const placeFor = (config: ConnectionConfig, connector: Connector): Place => {
    const onFault = (fault: CallFault): void => options.onFault?.(config.id, fault);
    const place = { config, connector, context: contextFor(config.id), onFault };
    places.set(config.id, place);
    return place;
  };
  for (const config of unconnected) placeFor(config, noConnector);
  for (const { config, connector, settings } of checked) {
    const place = placeFor(config, connector);
    try {
      table.put(place, settings === undefined ? nowhere : reach(place, settings));
    } catch (error) {
      // The others can be sold.
      unopened.set(config.id, nameOf(error));
      table.put(place, nowhere);
    }
  }
  let known = connectors;
  return {
    get all() {
      return table.all();
    },
    tests,
    byId: table.byId,
    get operators() {
      return table.all().filter(isBrand);
    },
    operatorById: (id) => table.all().find((one): one is Brand => one.id === id && isBrand(one)),
    get unconnected() {
      return unconnectedIn(places, table.byId);
    },
    connectors: () => known,
    addConnectors: (more) => {
      known = [...known, ...more.filter(({ name }) => known.every((one) => one.name !== name))];
    },
    prepare: (id, settings, connector) => {
      const place = placeIn(places, id, connector);
      if (place === undefined) throw new UsageError(`There is no operator ${id}.`);
      if (place.connector === noConnector) {
        return { use: () => table.remove(id), discard: async () => {} };
      }
      const given = { ...place.config, settings };
      const reached = reach(place, readSettings(given, place.connector));
      return { use: () => table.put(place, reached), discard: () => reached.connection.close() };
    },
    define: (config) => table.describe(placeFor(config, noConnector)),
    forget: (id) => {
      table.remove(id);
      places.delete(id);
    },
    cutOff: (id, connector) => {
      const place = placeIn(places, id, connector ?? table.byId(id)?.connector);
      if (place === undefined || place.connector === noConnector) table.remove(id);
      else table.put(place, nowhere);
    },
    unopened,
    close: table.close,
  };
};
