/** Counts on the hot path in plain numbers, and hands them to prom-client at a scrape. */
import { type Aggregator, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { recordOf } from '../lib/record.ts';

export type Labels = Readonly<Record<string, string>>;

export type Described = {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** How several processes are aggregated; the sum by default. */
  readonly aggregator?: Aggregator;
};

export type Reading = { readonly labels: Labels; readonly value: number };

type Printed = Reading & { readonly metricName?: string };

/**
 * Reads the values where they are counted. prom-client finds its own by a key which it builds from the labels
 * at each observation: a microsecond, while an addition takes some nanoseconds.
 */
const readFrom = (
  metric: Counter | Gauge | Histogram,
  read: () => readonly Printed[] | Promise<readonly Printed[]>,
): void => {
  const describe = metric.get.bind(metric);
  metric.get = async () => ({ ...(await describe()), values: [...(await read())] });
};

/** Returns a function that creates a child by its labels; that counts one at each call. */
export const createCounter = (
  registry: Registry,
  described: Described,
): ((labels: Labels) => () => void) => {
  const children: { readonly labels: Labels; value: number }[] = [];
  readFrom(new Counter({ ...described, registers: [registry] }), () => children);
  return (labels) => {
    const child = { labels, value: 0 };
    children.push(child);
    return () => {
      child.value += 1;
    };
  };
};

/** A value that is read at a scrape. An empty list: it is unknown now. */
export const readGauge = (
  registry: Registry,
  described: Described,
  read: () => readonly Reading[] | Promise<readonly Reading[]>,
): void => readFrom(new Gauge({ ...described, registers: [registry] }), read);

type Tally = { readonly labels: Labels; readonly counts: Float64Array; sum: number };

const printed = (name: string, bounds: readonly number[], tally: Tally): Printed[] => {
  const { labels, counts, sum } = tally;
  let total = 0;
  const buckets = [...bounds.map(String), '+Inf'].map((le, index): Printed => {
    total += counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
};

/** Returns a function that creates a child by its labels; that takes one observation at each call. */
export const createHistogram = (
  registry: Registry,
  { bounds, ...described }: Described & { readonly bounds: readonly number[] },
): ((labels: Labels) => (value: number) => void) => {
  const children: Tally[] = [];
  const metric = new Histogram({ ...described, buckets: [...bounds], registers: [registry] });
  readFrom(metric, () => children.flatMap((tally) => printed(described.name, bounds, tally)));
  return (labels) => {
    const tally: Tally = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 };
    children.push(tally);
    const { counts } = tally;
    return (value) => {
      let index = 0;
      while (value > (bounds[index] ?? Number.POSITIVE_INFINITY)) index += 1;
      counts[index] = (counts[index] ?? 0) + 1;
      tally.sum += value;
    };
  };
};

/** Counts by one label, each of whose values exists from the start. */
export const countEach = <Value extends string>(
  registry: Registry,
  [label, values]: readonly [label: string, values: readonly Value[]],
  described: Pick<Described, 'name' | 'help'>,
): ((value: Value) => void) => {
  const counts = createCounter(registry, { ...described, labelNames: [label] });
  const children = recordOf(values, (value) => counts({ [label]: value }));
  return (value) => children[value]();
};
