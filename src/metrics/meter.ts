/** Enables metrics, and prints them for one process or for all workers. */
import { AggregatorRegistry, Registry } from 'prom-client';
import type { MetricsConfig } from '../config/sections/metrics.ts';
import { readGauge } from './counters.ts';
import { createMetrics, type Metrics, noMetrics } from './metrics.ts';
import { type Named, namesOf } from './names.ts';
import { processMetrics } from './process.ts';
import { registerGauges, type Sources } from './state.ts';

/** Prints the metrics in the Prometheus format. */
export type ReadMetrics = () => Promise<string>;

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

export type Meter = {
  readonly metrics: Metrics;
  /** From now on also shows gauges that are read at each scrape. */
  readonly watch: (sources: Sources) => void;
  /** Undefined if nothing is measured. */
  readonly read: ReadMetrics | undefined;
  /** Sends the figures to the primary process whenever it asks. */
  readonly answerPrimary: () => void;
};

const offMeter: Meter = {
  metrics: noMetrics,
  watch: () => {},
  read: undefined,
  answerPrimary: () => {},
};

type MeterDeps = {
  readonly config: { readonly metrics: MetricsConfig; readonly operators: readonly Named[] };
  /** The name of a supplier that was created since the start. */
  readonly nameOf?: (operatorId: number) => string | undefined;
  readonly version: string;
};

const tellBuild = (registry: Registry, version: string): void => {
  const labels = { version, node: process.versions.node };
  readGauge(
    registry,
    {
      name: 'simgate_build_info',
      help: 'Always 1; the labels show the running version.',
      labelNames: ['version', 'node'],
      aggregator: 'first',
    },
    () => [{ labels, value: 1 }],
  );
};

/** Measures if metrics are enabled, and costs nothing otherwise. */
export const openMeter = ({ config, nameOf, version }: MeterDeps): Meter => {
  const { port, token } = config.metrics;
  if (port === undefined && token === undefined) return offMeter;
  const registry = new Registry();
  const registries = [registry, processMetrics()];
  tellBuild(registry, version);
  return {
    metrics: createMetrics(registry, config.operators, namesOf(config.operators, nameOf)),
    watch: (sources) => registerGauges(registry, sources),
    // As the primary prints those of many, so that there is one way to print.
    read: async () => {
      const figures = await Promise.all(registries.map((one) => one.getMetricsAsJSON()));
      return AggregatorRegistry.aggregate(figures).metrics();
    },
    answerPrimary: () => {
      AggregatorRegistry.setRegistries(registries);
      listenToWorkers();
    },
  };
};

/** prom-client begins to listen, in the primary as in its workers, when one of these is created. */
const listenToWorkers = () => new AggregatorRegistry();

/**
 * For the primary of a cluster: prints the metrics of all workers as one, summed or as each metric says.
 * Fails if a worker does not answer within five seconds.
 */
export const readWorkers = (): ReadMetrics => {
  const workers = listenToWorkers();
  return () => workers.clusterMetrics();
};
