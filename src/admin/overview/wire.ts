/** Describes the overview as the back office's API shows it. */

import { type Static, Type } from 'typebox';
import type { Text } from '../../lib/text.ts';
import { formatTime } from '../../lib/time.ts';
import type { Percentiles } from '../../purchases/stats/buckets.ts';
import { exampleTime, NamesSchema, orNull, timeOrNull } from '../wire.ts';
import { type ChartName, chartNames, type Point, sumOf } from './figures.ts';
import type { LiveFigures, LowBalance } from './store.ts';

const healths = ['up', 'degraded', 'down', 'suspended'] as const;
export type Health = (typeof healths)[number];

export type Figures = {
  readonly at: number;
  readonly chart: ChartName;
  readonly points: readonly Point[];
  /** Of all points together. */
  readonly times: Percentiles;
  /** Of the last five minutes. */
  readonly recentTimes: Percentiles;
  readonly perMinute: number;
  readonly successRate: number | null;
  readonly live: LiveFigures;
  readonly lowBalances: readonly LowBalance[];
  readonly operators: readonly (Percentiles & {
    readonly id: number;
    readonly name: string;
    readonly names: Text;
    readonly health: Health;
    readonly since: number | undefined;
    readonly inFlight: number;
    readonly perMinute: number;
    readonly successRate: number | null;
    readonly points: readonly Point[];
  })[];
};

const count = (description: string) => Type.Integer({ description });
const ms = (percent: number) =>
  orNull(
    Type.Number(),
    `Operator response time in milliseconds, p${percent}, accurate to 5 %; null if there were no orders.`,
  );
const times = { p50: ms(50), p95: ms(95), p99: ms(99) };
const rate = (when: string) =>
  orNull(
    Type.Number({ minimum: 0, maximum: 1 }),
    `Share of orders that succeeded ${when}, from 0 to 1; null if there were none.`,
  );
const at = Type.String({ description: 'When the interval begins.' });
const perMinute = count('Purchases begun in the last 60 seconds, approximately.');

const counts = {
  begun: count('Purchases begun, without refused ones.'),
  succeeded: count('Purchases that succeeded.'),
  failed: count('Purchases that failed.'),
  refused: count('Purchases that were refused.'),
  reversed: count('Purchases that the operator reversed.'),
  amount: count('Total that purchases charged which succeeded.'),
};

const PointSchema = Type.Object(
  { at, ...counts, ...times },
  { title: 'OverviewPoint', description: 'Purchases in one interval.' },
);

const SmallPointSchema = Type.Object(
  {
    at,
    begun: counts.begun,
    succeeded: counts.succeeded,
    failed: counts.failed,
  },
  { title: 'OperatorPoint', description: 'Purchases of an operator in one interval.' },
);

const OperatorSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The ID of the operator.' }),
    name: Type.String({ description: 'The name of the operator.' }),
    names: NamesSchema,
    health: Type.Enum([...healths], {
      description:
        'The health that this process sees. `degraded`: it is recovering and gets a few purchases. `suspended`: new purchases were stopped in the back office.',
    }),
    since: orNull(Type.String(), 'Since when; null if since the start.'),
    per_minute: perMinute,
    success_rate: rate('in the period'),
    ...times,
    under_way: count('Requests in flight in this process.'),
    points: Type.Array(SmallPointSchema, { description: 'Purchases by interval, oldest first.' }),
  },
  { title: 'OperatorFigures', description: 'An operator with its status and figures.' },
);

export const OverviewSchema = Type.Object(
  {
    at: Type.String({ description: 'When the figures were read.' }),
    span: Type.Enum([...chartNames], { description: 'The period.' }),
    points: Type.Array(PointSchema, {
      description:
        'The hours of one business day, or business days, oldest first. The present interval is not over yet.',
    }),
    now: Type.Object(
      {
        per_minute: perMinute,
        success_rate: rate('in the last five minutes'),
        ...times,
        pending: count('Purchases whose outcome is pending.'),
        review: count('Purchases that need review.'),
        pending_oldest_at: orNull(
          Type.String(),
          'When the oldest pending purchase began; null if there is none.',
        ),
        review_oldest_at: orNull(
          Type.String(),
          'When the oldest purchase that needs review began; null if there is none.',
        ),
      },
      { description: 'Current figures; they do not depend on the period.' },
    ),
    operators: Type.Array(OperatorSchema, { description: 'All operators.' }),
    low_balances: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The ID of the client.' }),
        name: Type.String({ description: 'The name of the client.' }),
        available: Type.Integer({ description: 'What it can spend, with its credit.' }),
      }),
      { description: 'The ten lowest balances below `low_balance_below`.' },
    ),
    totals: Type.Object({ ...counts, ...times }, { description: 'The sum of all intervals.' }),
  },
  { title: 'Overview', description: 'Figures of the gateway.' },
);

export type WireOverview = Static<typeof OverviewSchema>;

const hundredth = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;

const timesToWire = ({ p50, p95, p99 }: Percentiles) => ({
  p50: hundredth(p50),
  p95: hundredth(p95),
  p99: hundredth(p99),
});

const pointToWire = ({ at, p50, p95, p99, ...counts }: Point): WireOverview['points'][number] => ({
  at: formatTime(at),
  ...counts,
  ...timesToWire({ p50, p95, p99 }),
});

export const overviewToWire = (figures: Figures): WireOverview => ({
  at: formatTime(figures.at),
  span: figures.chart,
  points: figures.points.map(pointToWire),
  now: {
    per_minute: figures.perMinute,
    success_rate: figures.successRate,
    ...timesToWire(figures.recentTimes),
    pending: figures.live.pending,
    review: figures.live.review,
    pending_oldest_at: timeOrNull(figures.live.pendingOldestAt),
    review_oldest_at: timeOrNull(figures.live.reviewOldestAt),
  },
  operators: figures.operators.map((operator) => ({
    id: operator.id,
    name: operator.name,
    names: operator.names,
    health: operator.health,
    since: timeOrNull(operator.since),
    per_minute: operator.perMinute,
    success_rate: operator.successRate,
    ...timesToWire(operator),
    under_way: operator.inFlight,
    points: operator.points.map(({ at, begun, succeeded, failed }) => ({
      at: formatTime(at),
      begun,
      succeeded,
      failed,
    })),
  })),
  low_balances: figures.lowBalances.map(({ id, name, available }) => ({ id, name, available })),
  totals: { ...sumOf(figures.points), ...timesToWire(figures.times) },
});

const exampleTimes = { p50: 180.4, p95: 911.24, p99: 1467.56 };
const exampleCounts = {
  begun: 41,
  succeeded: 38,
  failed: 2,
  refused: 3,
  reversed: 0,
  amount: 2_090_000,
};

/** With one point of many. */
export const exampleOverview: WireOverview = {
  at: exampleTime,
  span: 'today',
  points: [{ at: exampleTime, ...exampleCounts, ...exampleTimes }],
  now: {
    per_minute: 44,
    success_rate: 0.95,
    ...exampleTimes,
    pending: 1,
    review: 0,
    pending_oldest_at: exampleTime,
    review_oldest_at: null,
  },
  operators: [
    {
      id: 1,
      name: 'operator_1',
      names: { en: 'Operator 1', fa: 'اپراتور ۱' },
      health: 'up',
      since: null,
      per_minute: 44,
      success_rate: 0.95,
      ...exampleTimes,
      under_way: 1,
      points: [{ at: exampleTime, begun: 41, succeeded: 38, failed: 2 }],
    },
  ],
  low_balances: [
    { id: '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18', name: 'Example shop', available: 12_000 },
  ],
  totals: { ...exampleCounts, ...exampleTimes },
};
