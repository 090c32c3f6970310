/** Builds the operators: connections, admission, and settings and suspensions from the console. */
import type { Config, ConnectionConfig } from '../config/config.ts';
import type { Call } from '../connector/call.ts';
import type { Connector } from '../connector/connector.ts';
import type { Secrets } from '../db/secrets/keys.ts';
import type { DatabaseTime, Db } from '../db/types.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { NewId, Random } from '../lib/random.ts';
import { type Admission, createAdmission } from '../operators/admission.ts';
import type { RecordFault } from '../operators/faults.ts';
import { findSupplier, type LiveRegistry, openRegistry } from '../operators/registry.ts';
import { createLiveOperators, type LiveOperators } from '../operators/settings/live.ts';
import { rowFor } from '../operators/settings/sealed.ts';
import { listSettings } from '../operators/settings/store.ts';
import { simulator } from '../operators/simulator/index.ts';
import { openTestSuppliers } from '../operators/simulator/test-connection.ts';
import type { Health } from '../operators/status/store.ts';
import { createTestOrders } from '../purchases/test-orders/store.ts';
import type { LiveRoutes } from '../routing/live.ts';

export type OperatorDeps = {
  readonly config: Config;
  readonly connectors: readonly Connector[];
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly call: Call;
  readonly log: Log;
  readonly secrets: Secrets;
  /** Operators with settings from the console: their file's may be invalid. */
  readonly excused: ReadonlySet<number>;
  readonly tell: (operatorId: number, health: Health) => void;
  readonly routes: Pick<LiveRoutes, 'suppliersOf'>;
  readonly recordFault: RecordFault;
  /** Loads the connectors that no operator of the configuration needs. */
  readonly loadMore: () => Promise<readonly Connector[]>;
};

export type Operators = {
  readonly registry: LiveRegistry;
  readonly admission: Admission;
  readonly live: LiveOperators;
};

type Configured = Pick<Config, 'operators' | 'suppliers' | 'unconnected'>;

/** The brands. Those without a connector included: the console may give them one. */
export const allOperators = ({
  operators,
  unconnected,
}: Omit<Configured, 'suppliers'>): Config['operators'] => [...operators, ...unconnected];

/** The same with the suppliers. */
export const allConnections = (config: Configured): readonly ConnectionConfig[] => [
  ...allOperators(config),
  ...config.suppliers,
];

/** The operators and suppliers that have settings from the console. */
export const withConsoleSettings = async (
  db: Db,
  all: readonly ConnectionConfig[],
  list = listSettings,
): Promise<ReadonlySet<number>> => {
  const rows = await list(db);
  const found = all.filter((one) => rowFor(one, rows) !== undefined);
  return new Set(found.map(({ id }) => id));
};

/** The operators of which nothing is sold, because all their suppliers are suspended. */
export const wholeSuspensions = ({
  config,
  live,
  routes,
}: Pick<OperatorDeps, 'config' | 'routes'> & Pick<Operators, 'live'>): readonly number[] =>
  allOperators(config)
    .map(({ id }) => id)
    .filter((id) => routes.suppliersOf(id).every((supplier) => live.suspended.has(supplier)));

// For orders begun just before their time to send ended.
const marginMs = 1000;

export const createOperators = (deps: OperatorDeps): Operators => {
  const { config, db, databaseTime, clock, random, newId, call, log, excused } = deps;
  const contextFor = (operatorId: number) => ({ operatorId, clock, random, newId, call });
  const registry = openRegistry(config.operators, deps.connectors, contextFor, {
    excused,
    unconnected: config.unconnected,
    suppliers: config.suppliers,
    graceMs: config.purchases.sendWithinMs + marginMs,
    onFault: deps.recordFault,
    tests: openTestSuppliers(allOperators(config), createTestOrders(db, databaseTime), contextFor),
  });
  const isUp = (supplierId: number): boolean =>
    registry.byId(supplierId) !== undefined &&
    !live.suspended.has(supplierId) &&
    admission.state(supplierId).breaker === 'closed';
  /** An operator is up while any of its suppliers is. */
  const tellOf = (supplierId: number): void => {
    for (const { id } of allOperators(config)) {
      const suppliers = deps.routes.suppliersOf(id);
      if (suppliers.includes(supplierId)) deps.tell(id, suppliers.some(isUp) ? 'up' : 'down');
    }
  };
  const live = createLiveOperators({
    ...deps,
    operators: allConnections(config),
    mayHave: (id, connector) => connector !== simulator.name || config.simulatable.includes(id),
    registry,
    suspensionChanged: (id) => tellOf(id),
  });
  const admission = createAdmission({
    clock,
    bounds: config.limits,
    carries: (operator) => findSupplier(registry, operator)?.connection.atOnce,
    suspended: live.suspended,
    breaker: config.breaker,
    changed: (operator, kind) => {
      tellOf(operator);
      if (kind === 'closed') log.info({ operator }, 'operator is responding again');
      else log.warn({ operator }, 'operator is not responding: new purchases are paused');
    },
  });
  return { registry, admission, live };
};
