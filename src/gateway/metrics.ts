/** Builds the sources of the gauges: memory, operators and the database. */
import { countAlarms } from '../admin/alarms/count.ts';
import { poolOf } from '../db/engine.ts';
import type { DatabaseTime, Db } from '../db/types.ts';
import type { Sources } from '../metrics/state.ts';
import type { Admission } from '../operators/admission.ts';
import type { Registry } from '../operators/registry.ts';
import type { LiveOperators } from '../operators/settings/live.ts';
import type { Promises } from '../purchases/left/promises.ts';
import { countUnsettled } from '../purchases/stats/unsettled.ts';
import type { RouteHealth } from '../routing/health.ts';
import { readBacklog } from '../webhooks/metrics/store.ts';

type MetricsDeps = Pick<Sources, 'clock' | 'products' | 'selling'> & {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  readonly registry: Pick<Registry, 'all'>;
  readonly admission: Pick<Admission, 'state'>;
  readonly live: Pick<LiveOperators, 'suspended' | 'inUse'>;
  readonly promises: Pick<Promises, 'brokenBy'>;
  readonly routeHealth: Pick<RouteHealth, 'countClosed'>;
};

export const metricSources = ({
  clock,
  db,
  databaseTime,
  registry,
  admission,
  live,
  routeHealth,
  promises,
  products,
  selling,
}: MetricsDeps): Sources => ({
  clock,
  products,
  selling,
  operators: () => registry.all,
  operator: (id) => ({
    ...admission.state(id),
    suspended: live.suspended.has(id),
    brokenPromises: promises.brokenBy(id),
    closedRoutes: routeHealth.countClosed(id),
    unusable: (live.inUse(id)?.problem ?? null) !== null,
  }),
  pool: () => poolOf(db),
  unsettled: async () => countUnsettled(db, await databaseTime(db)),
  backlog: async () => readBacklog(db, await databaseTime(db)),
  alarms: () => countAlarms(db),
});
