/** Decides what someone should act on now. Pure. */
import type { Operator } from '../../operators/registry.ts';
import { type Float, type FloatLevel, levelOf } from '../../purchases/floats/float.ts';
import type { CountsRow } from '../../purchases/stats/rows.ts';
import type { Counts } from '../../purchases/stats/tally.ts';
import { sumOf } from './figures.ts';
import type { CreditUse, LiveFigures, LowBalance, NamedClient } from './store.ts';

/** The most urgent first. */
export const alertKinds = [
  'operator_down',
  'float_empty',
  'failures',
  'float_low',
  'margin_below_zero',
  'review',
  'operator_suspended',
  'float_approaching',
  'credit_used_up',
  'credit_nearly_used_up',
  'low_balances',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Those about money at suppliers, which only who may see costs learns. */
export const costAlerts: ReadonlySet<AlertKind> = new Set([
  'float_empty',
  'float_low',
  'float_approaching',
  'margin_below_zero',
]);

type Named = Pick<Operator, 'id' | 'names'>;

export type Alert = {
  /** The same until the alert ends. */
  readonly id: string;
  readonly kind: AlertKind;
  readonly count?: number;
  readonly since?: number | undefined;
  readonly operator?: Named;
  readonly client?: NamedClient;
};

export type AlertSources = {
  readonly live: Pick<LiveFigures, 'review' | 'reviewNewestAt'>;
  /** Undefined if no balance is low. */
  readonly low: { readonly count: number; readonly lowest: LowBalance } | undefined;
  readonly credit: CreditUse;
  /** Of the last minutes, and of the day that ends with them. */
  readonly recent: readonly CountsRow[];
  readonly usual: readonly CountsRow[];
  readonly operators: readonly (Named & {
    readonly health: 'up' | 'degraded' | 'down' | 'suspended';
    readonly since: number | undefined;
    /** What lies there; undefined if that is not watched. */
    readonly float?: Float | undefined;
    /** How many of its last deliveries cost more than was charged; none by default. */
    readonly losses?: number;
  })[];
};

// Fewer are chance, and a share that is usual for an operator is no news.
const leastFailed = 10;
const leastShare = 0.2;
const timesUsual = 2;

const failedShare = (succeeded: number, failed: number): number =>
  failed === 0 ? 0 : failed / (succeeded + failed);

/** Whether many more purchases fail than usual. What is usual includes the recent ones. */
export const isSpike = (recent: Readonly<Counts>, usual: Readonly<Counts>): boolean => {
  const share = failedShare(recent.succeeded, recent.failed);
  const before = failedShare(
    Math.max(0, usual.succeeded - recent.succeeded),
    Math.max(0, usual.failed - recent.failed),
  );
  return recent.failed >= leastFailed && share >= leastShare && share >= timesUsual * before;
};

const spikesOf = ({ operators, recent, usual }: AlertSources): Alert[] => {
  const of = (rows: readonly CountsRow[], id: number) =>
    sumOf(rows.filter(({ operator_id: operator }) => operator === id));
  return operators.flatMap(({ id, names }): Alert[] => {
    const now = of(recent, id);
    if (!isSpike(now, of(usual, id))) return [];
    return [{ id: `failures:${id}`, kind: 'failures', count: now.failed, operator: { id, names } }];
  });
};

const healthAlerts = (
  { operators }: AlertSources,
  health: 'down' | 'suspended',
): readonly Alert[] => {
  const kind = `operator_${health}` as const;
  return operators
    .filter((operator) => operator.health === health)
    .map(({ id, names, since }) => ({ id: `${kind}:${id}`, kind, since, operator: { id, names } }));
};

const floatAlerts = ({ operators }: AlertSources, level: FloatLevel): readonly Alert[] => {
  if (level === 'enough') return [];
  const kind = `float_${level}` as const;
  return operators.flatMap(({ id, names, float }): Alert[] => {
    if (float === undefined || levelOf(float) !== level) return [];
    const count = float.coverHours === null ? undefined : Math.floor(float.coverHours);
    const hours = count === undefined ? {} : { count };
    return [{ id: `${kind}:${id}`, kind, ...hours, operator: { id, names } }];
  });
};

const lossAlerts = ({ operators }: AlertSources): readonly Alert[] => {
  const kind = 'margin_below_zero';
  return operators
    .filter(({ losses = 0 }) => losses > 0)
    .map(({ id, names, losses = 0 }) => ({
      id: `${kind}:${id}`,
      kind,
      count: losses,
      operator: { id, names },
    }));
};

const clientAlert = (
  kind: 'credit_used_up' | 'credit_nearly_used_up',
  clients: readonly NamedClient[],
): readonly Alert[] => {
  const [client] = clients;
  return client === undefined ? [] : [{ id: kind, kind, count: clients.length, client }];
};

export const alertsOf = (sources: AlertSources): readonly Alert[] => {
  const { live, low, credit } = sources;
  const { review: count, reviewNewestAt: newest } = live;
  return [
    ...healthAlerts(sources, 'down'),
    ...floatAlerts(sources, 'empty'),
    ...spikesOf(sources),
    ...floatAlerts(sources, 'low'),
    ...lossAlerts(sources),
    ...(count === 0
      ? []
      : [{ id: 'review', kind: 'review' as const, count, since: newest ?? undefined }]),
    ...healthAlerts(sources, 'suspended'),
    ...floatAlerts(sources, 'approaching'),
    ...clientAlert('credit_used_up', credit.usedUp),
    ...clientAlert('credit_nearly_used_up', credit.nearly),
    ...(low === undefined
      ? []
      : [
          {
            id: 'low_balances',
            kind: 'low_balances' as const,
            count: low.count,
            client: low.lowest,
          },
        ]),
  ];
};
