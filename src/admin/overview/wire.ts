/** Describes the overview as the back office's API shows it. */

import { type Static, Type } from 'typebox';
import type { Text } from '../../lib/text.ts';
import { formatTime } from '../../lib/time.ts';
import type { Percentiles } from '../../purchases/stats/buckets.ts';
import { exampleTime, NamesSchema, orNull, timeOrNull } from '../wire.ts';
import type { ChartName, Point } from './figures.ts';
import { sumOf } from './figures.ts';
import type { LiveFigures, LowBalance } from './store.ts';

const healths = ['up', 'degraded', 'down', 'suspended'] as const;
export type Health = (typeof healths)[number];

export type Figures = {
  readonly at: number;
  readonly chart: ChartName;
  readonly points: readonly Point[];
  /** Of all points together. */
  readonly times: Percentiles;
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
    `Within so many ms operators answered ${percent} in a hundred orders, off by a twentieth at most; null where there was none.`,
  );
const times = { p50: ms(50), p95: ms(95), p99: ms(99) };
const rate = (when: string) =>
  orNull(
    Type.Number({ minimum: 0, maximum: 1 }),
    `Of those that came to an end at their operator ${when}, how many were delivered, from 0 to 1; null where none did.`,
  );
const at = Type.String({ description: 'When it begins.' });
const perMinute = count('Begun in the last sixty seconds, as near as minutes tell it.');

const counts = {
  begun: count('Begun: the money was held. Those refused are not among them.'),
  succeeded: count('Delivered.'),
  failed: count('Not delivered, and the money back.'),
  refused: count('Refused before anything was held.'),
  reversed: count('Delivered, then reversed by the operator.'),
  amount: count('What those cost that were delivered.'),
};

const PointSchema = Type.Object({ at, ...counts, ...times });

const SmallPointSchema = Type.Object({
  at,
  begun: counts.begun,
  succeeded: counts.succeeded,
  failed: counts.failed,
});

const OperatorSchema = Type.Object({
  id: Type.Integer({ description: 'The operator.' }),
  name: Type.String({ description: 'Its name.' }),
  names: NamesSchema,
  health: Type.Enum([...healths], {
    description:
      'As this process sees it. `degraded`: it gets a few purchases, to see whether it answers again. `suspended`: new purchases were stopped in the back office.',
  }),
  since: orNull(Type.String(), 'Since when; null: since the start.'),
  per_minute: perMinute,
  success_rate: rate('within the span'),
  ...times,
  under_way: count('What asks it at this moment, in this process.'),
  points: Type.Array(SmallPointSchema, { description: 'As `points` above, and less of each.' }),
});

export const OverviewSchema = Type.Object({
  at: Type.String({ description: 'When it was read.' }),
  span: Type.Enum(['hour', 'day', 'month'], { description: 'What was asked for.' }),
  points: Type.Array(PointSchema, {
    description:
      '60 minutes, 24 hours or 30 days (of UTC), the oldest first; the last is not over yet. A purchase counts where its state was committed.',
  }),
  now: Type.Object(
    {
      per_minute: perMinute,
      success_rate: rate('in the last five minutes'),
      pending: count('Ordered, and the outcome is not known yet.'),
      review: count('Purchases that need review.'),
      pending_oldest_at: orNull(Type.String(), 'When the oldest pending purchase began.'),
      review_oldest_at: orNull(Type.String(), 'When the oldest purchase that needs review began.'),
    },
    { description: 'At this moment.' },
  ),
  operators: Type.Array(OperatorSchema, { description: 'All of them.' }),
  low_balances: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The client.' }),
      name: Type.String({ description: 'Its name.' }),
      available: Type.Integer({ description: 'What it can spend.' }),
    }),
    { description: 'The ten lowest of those below `low_balance_below`.' },
  ),
  totals: Type.Object({ ...counts, ...times }, { description: 'All points together.' }),
});

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
  span: 'hour',
  points: [{ at: exampleTime, ...exampleCounts, ...exampleTimes }],
  now: {
    per_minute: 44,
    success_rate: 0.95,
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
