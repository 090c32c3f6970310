/** Prints a bench's results: medians beside their targets, as tables and as JSON. */
import { type Measured, median, medianOf, type Side } from './measure.ts';
import type { Full, Steady } from './wrk.ts';

export const memoryMb = 200;

/** The medians of a workload. */
export const summarise = ({ work, gateway, bare, rival, peer, peakMb }: Measured) => {
  const full = (side: readonly Full[], name: 'perSecond' | 'cpuMicros' | 'bytes'): number =>
    medianOf(side, (one) => one[name]);
  const steady = (side: readonly Steady[]) => {
    const of = (name: 'p50' | 'p99' | 'p999' | 'ownP99'): number =>
      medianOf(side, (one) => one[name]);
    return { p50: of('p50'), p99: of('p99'), p999: of('p999'), ownP99: of('ownP99') };
  };
  const perSecond = full(gateway.full, 'perSecond');
  const baseline = rival === undefined ? full(bare.full, 'perSecond') : median(rival);
  const [latency, bareLatency] = [steady(gateway.steady), steady(bare.steady)];
  return {
    ...work,
    aimedAt: { ratio: work.ratio, addedP99Ms: work.addedP99Ms, peakMb: memoryMb },
    perSecond,
    baseline,
    baselineIs: rival === undefined ? 'bare' : 'pgbench',
    ratio: perSecond / baseline,
    peerPerSecond: peer === undefined ? undefined : full(peer, 'perSecond'),
    peerCpuMicros: peer === undefined ? undefined : full(peer, 'cpuMicros'),
    cpuMicros: full(gateway.full, 'cpuMicros'),
    bareCpuMicros: full(bare.full, 'cpuMicros'),
    bytes: full(gateway.full, 'bytes'),
    peakMb,
    rate: medianOf(gateway.steady, ({ rate }) => rate),
    latency,
    bareLatency,
    addedP50: latency.p50 - bareLatency.p50,
    addedP99: latency.p99 - bareLatency.p99,
  };
};

export type Summary = ReturnType<typeof summarise>;

/** Every answer other than 200, and every unanswered request, of all loads of a workload. */
export const othersOf = ({
  gateway,
  bare,
  peer = [],
}: Measured): Readonly<Record<string, number>> => {
  const sum: Record<string, number> = {};
  const loadsOf = ({ warm, full, steady }: Side) => [warm, ...full, ...steady];
  const sides = { '': loadsOf(gateway), 'bare ': loadsOf(bare), 'peer ': peer };
  for (const [prefix, loads] of Object.entries(sides)) {
    for (const [name, count] of loads.flatMap((one) => Object.entries(one.others))) {
      sum[prefix + name] = (sum[prefix + name] ?? 0) + count;
    }
  }
  return sum;
};

/** From here on the generator may be slower than what it measures. */
const tooBusy = 0.9;

/** The workloads whose load generator may have been the limit. */
export const limitedByGenerator = (measured: readonly Measured[]): string[] =>
  measured
    .filter(({ gateway, bare }) =>
      [...gateway.full, ...bare.full].some(({ busy }) => busy > tooBusy),
    )
    .map(({ work }) => work.name);

const shown = (value: number | undefined, places = 0): string =>
  value === undefined || Number.isNaN(value) ? '-' : value.toFixed(places);

/** The measurement, marked if it misses its target. */
const beside = (value: number, aim: number | undefined, places: number, least: boolean): string => {
  if (aim === undefined) return shown(value, places);
  const missed = least ? value < aim : value >= aim;
  return `${shown(value, places)}${missed ? '!' : ''}`;
};

/** Columns as wide as necessary; the first left-aligned, the others right-aligned. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
};

export const throughputTable = (all: readonly Summary[]): string =>
  table([
    [
      'work',
      'a second',
      'baseline',
      'ratio',
      'aim',
      'CPU µs',
      'bare µs',
      'peak MB',
      'peer',
      'times',
      'peer µs',
    ],
    ...all.map((one) => [
      one.name,
      shown(one.perSecond),
      `${one.baselineIs} ${shown(one.baseline)}`,
      beside(one.ratio, one.aimedAt.ratio, 2, true),
      shown(one.aimedAt.ratio, 2),
      shown(one.cpuMicros),
      shown(one.bareCpuMicros),
      beside(one.peakMb, memoryMb, 0, false),
      shown(one.peerPerSecond),
      one.peerPerSecond === undefined ? '-' : shown(one.perSecond / one.peerPerSecond, 1),
      shown(one.peerCpuMicros),
    ]),
  ]);

export const latencyTable = (all: readonly Summary[]): string =>
  table([
    ['work', 'rate', 'p50', 'p99', 'p99.9', 'bare p50', 'p99', 'p99.9', 'added p50', 'p99', 'aim'],
    ...all.map((one) => [
      one.name,
      shown(one.rate),
      shown(one.latency.p50, 1),
      shown(one.latency.p99, 1),
      shown(one.latency.p999, 1),
      shown(one.bareLatency.p50, 1),
      shown(one.bareLatency.p99, 1),
      shown(one.bareLatency.p999, 1),
      shown(one.addedP50, 1),
      beside(one.addedP99, one.aimedAt.addedP99Ms, 1, false),
      shown(one.aimedAt.addedP99Ms),
    ]),
  ]);
