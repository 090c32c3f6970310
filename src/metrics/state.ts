/** Exposes gauges that are read at each scrape, from memory or the database. */
import type { Registry } from 'prom-client';
import type { PoolFigures } from '../db/postgres/pools.ts';
import type { Clock } from '../lib/clock.ts';
import { createCounter, type Described, type Reading, readGauge } from './counters.ts';
import type { Named } from './names.ts';

export type BreakerState = 'closed' | 'open' | 'trying';

export type UnsettledFigures = {
  /** How many purchases have no final outcome yet, by their state. */
  readonly open: ReadonlyMap<string, number>;
  /** How long the oldest of them has been open; 0 if there is none. */
  readonly oldestOpenMs: number;
  /** How many need review. */
  readonly review: number;
};

export type BacklogFigures = {
  /** How many messages wait for active endpoints, up to a limit. */
  readonly waiting: number;
  /** How long the oldest of them has waited; 0 if there is none. */
  readonly oldestMs: number;
  /** How overdue the first due message is; 0 if none is due. */
  readonly overdueMs: number;
};

export type Sources = {
  readonly clock: Clock;
  readonly operators: () => readonly Named[];
  readonly operator: (id: number) => {
    readonly breaker: BreakerState;
    readonly inFlight: number;
    /** Whether it is suspended. */
    readonly suspended: boolean;
    /** How many routes to it are closed or probed, because their orders fail. */
    readonly closedRoutes: number;
    /** How many orders it delivered although it had denied them. */
    readonly brokenPromises: number;
    /** Whether its settings are unreadable or invalid, so that it cannot be reached. */
    readonly unusable: boolean;
  };
  readonly products: () => number;
  /** Undefined if there is no pool. */
  readonly pool: () => PoolFigures | undefined;
  readonly unsettled: () => Promise<UnsettledFigures>;
  readonly backlog: () => Promise<BacklogFigures>;
  /** How many alarms of each kind are raised. */
  readonly alarms: () => Promise<ReadonlyMap<string, number>>;
  /** Whether the gate of a restored database admits new purchases. */
  readonly selling: () => boolean;
};

const breakerStates: readonly BreakerState[] = ['closed', 'open', 'trying'];
const openStates = ['submitted', 'unknown'];

/** A gauge without labels; omitted if its value is unknown. */
const readNumber = (
  registry: Registry,
  described: Described,
  read: () => number | undefined | Promise<number | undefined>,
): void =>
  readGauge(registry, described, async (): Promise<readonly Reading[]> => {
    const value = await read();
    return value === undefined ? [] : [{ labels: {}, value }];
  });

const readOperators = (registry: Registry, { operators, operator }: Sources): void => {
  readGauge(
    registry,
    {
      name: 'simgate_operator_breaker_state',
      help: "1 for the state of an operator's circuit breaker, 0 for the others.",
      labelNames: ['operator', 'state'],
    },
    () =>
      operators().flatMap(({ id, name }) => {
        const { breaker } = operator(id);
        return breakerStates.map((state) => ({
          labels: { operator: name, state },
          value: state === breaker ? 1 : 0,
        }));
      }),
  );
  const readEach = (
    key: 'inFlight' | 'brokenPromises' | 'closedRoutes' | 'suspended' | 'unusable',
    described: Described,
  ): void =>
    readGauge(registry, { ...described, labelNames: ['operator'] }, () =>
      operators().map(({ id, name }) => ({
        labels: { operator: name },
        value: Number(operator(id)[key]),
      })),
    );
  readEach('inFlight', {
    name: 'simgate_operator_purchases_in_flight',
    help: 'Purchases and offer requests in progress, by operator.',
  });
  readEach('closedRoutes', {
    name: 'simgate_operator_routes_closed',
    help: 'Routes to an operator or supplier that are passed over because their orders fail.',
    aggregator: 'max',
  });
  // Every process reads the same database, and one may be late.
  readEach('brokenPromises', {
    name: 'simgate_operator_promises_broken',
    help: 'Orders that an operator or supplier delivered although denied, or twice although it deduplicates.',
    aggregator: 'max',
  });
  readEach('suspended', {
    name: 'simgate_operator_suspended',
    help: '1 while an operator is suspended, else 0.',
    aggregator: 'max',
  });
  readEach('unusable', {
    name: 'simgate_operator_settings_unusable',
    help: "1 while an operator's settings cannot be decrypted or are not valid, else 0.",
    aggregator: 'max',
  });
};

const readPool = (registry: Registry, { pool }: Sources): void => {
  const gauge = (name: string, help: string, key: keyof PoolFigures): void =>
    readNumber(registry, { name, help }, () => pool()?.[key]);
  gauge('simgate_database_pool_connections', 'Connections to PostgreSQL.', 'total');
  gauge('simgate_database_pool_idle', 'Idle connections to PostgreSQL.', 'idle');
  gauge('simgate_database_pool_waiting', 'Statements waiting for a connection.', 'waiting');
};

// However many scrapes there are, the database is queried no more often.
const freshMs = 5000;
// A hanging database must not delay the other metrics: a scrape has ten seconds.
const patienceMs = 1000;

/** Queries with a limited rate and a timeout; undefined if it failed. */
const createLook = <Figures>(
  clock: Clock,
  ask: () => Promise<Figures>,
  failed: () => void,
): (() => Promise<Figures | undefined>) => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let seen: Figures | undefined;
  let asking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      seen = await ask();
    } catch {
      // Old figures would look as if all were well.
      seen = undefined;
      failed();
    }
    lookedAt = clock.monotonic();
    asking = undefined;
  };
  return async () => {
    if (clock.monotonic() - lookedAt < freshMs) return seen;
    asking ??= look();
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(patienceMs, late.resolve);
    await Promise.race([asking, late.promise]);
    cancel();
    return seen;
  };
};

// Every process queries the same database, so a sum would count each purchase several times.
const aggregator = 'max';

type Look<Figures> = () => Promise<Figures | undefined>;

/** Returns a function that shows one of the queried figures. */
const figuresBy =
  <Figures>(registry: Registry, look: Look<Figures>) =>
  (name: string, help: string, valueOf: (figures: Figures) => number): void =>
    readNumber(registry, { name, help, aggregator }, async () => {
      const figures = await look();
      return figures && valueOf(figures);
    });

const readBacklog = (registry: Registry, look: Look<BacklogFigures>): void => {
  const show = figuresBy(registry, look);
  show(
    'simgate_webhook_messages_waiting',
    'Undelivered messages of active endpoints, counted up to 10000.',
    ({ waiting }) => waiting,
  );
  show(
    'simgate_webhook_oldest_waiting_seconds',
    'Age of the oldest undelivered message of an active endpoint.',
    ({ oldestMs }) => oldestMs / 1000,
  );
  show(
    'simgate_webhook_overdue_seconds',
    'Delay of the oldest message that is due.',
    ({ overdueMs }) => overdueMs / 1000,
  );
};

const readUnsettled = (registry: Registry, look: Look<UnsettledFigures>): void => {
  readGauge(
    registry,
    {
      name: 'simgate_purchases_open',
      help: 'Purchases without a final outcome, by state.',
      labelNames: ['state'],
      aggregator,
    },
    async (): Promise<readonly Reading[]> => {
      const figures = await look();
      if (figures === undefined) return [];
      return openStates.map((state) => ({
        labels: { state },
        value: figures.open.get(state) ?? 0,
      }));
    },
  );
  const show = figuresBy(registry, look);
  show(
    'simgate_purchases_oldest_open_seconds',
    'Age of the oldest purchase without a final outcome.',
    ({ oldestOpenMs }) => oldestOpenMs / 1000,
  );
  show(
    'simgate_purchases_review',
    'Purchases that need review: in review, or disputed.',
    ({ review }) => review,
  );
};

const readAlarms = (registry: Registry, look: Look<ReadonlyMap<string, number>>): void =>
  readGauge(
    registry,
    {
      name: 'simgate_alarms_raised',
      help: 'Alarms that are raised, by kind.',
      labelNames: ['kind'],
      aggregator,
    },
    async (): Promise<readonly Reading[]> =>
      [...((await look()) ?? [])].map(([kind, value]) => ({ labels: { kind }, value })),
  );

const readFromDatabase = (
  registry: Registry,
  { clock, unsettled, backlog, alarms }: Sources,
): void => {
  const failed = createCounter(registry, {
    name: 'simgate_metrics_query_failures_total',
    help: 'Failed reads of open purchases, waiting messages and alarms.',
  })({});
  readUnsettled(registry, createLook(clock, unsettled, failed));
  readBacklog(registry, createLook(clock, backlog, failed));
  readAlarms(registry, createLook(clock, alarms, failed));
};

export const registerGauges = (registry: Registry, sources: Sources): void => {
  readOperators(registry, sources);
  readPool(registry, sources);
  readFromDatabase(registry, sources);
  readNumber(
    registry,
    {
      name: 'simgate_selling',
      help: '0 while new purchases are refused because the database was restored or has moved, else 1.',
      aggregator: 'min',
    },
    () => Number(sources.selling()),
  );
  readNumber(
    registry,
    { name: 'simgate_catalogue_products', help: 'Products in the catalogue.', aggregator: 'max' },
    sources.products,
  );
};
