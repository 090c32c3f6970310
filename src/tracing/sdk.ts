/** Starts OpenTelemetry's SDK if its variables request it, and stops it within a time limit. */
import { type DiagLogger, DiagLogLevel, diag, trace as tracingApi } from '@opentelemetry/api';
import type { TracingConfig } from '../config/tracing.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { Random } from '../lib/random.ts';
import { isRecord } from '../lib/record.ts';
import { isTracerRegistered, passOnly, recordWith, type Spans } from './spans.ts';

/** An optional peer: it brings the exporters, and reads every variable of OpenTelemetry. */
export const sdkPackage: string = '@opentelemetry/sdk-node';

export type TracingDeps = {
  /** Undefined if the variables request nothing: then nothing is loaded. */
  readonly settings: TracingConfig | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Loads a package; as Node.js does by default. */
  readonly load?: (name: string) => Promise<unknown>;
};

export type Tracing = {
  readonly spans: Spans;
  /** Exports the rest, and gives up after a while. False if it gave up: the exporter may still be running. */
  readonly stop: () => Promise<boolean>;
};

/** The part of the SDK that is used here. The package is absent when this is compiled. */
type Sdk = { readonly start: () => void; readonly shutdown: () => Promise<void> };
type SdkModule = { readonly NodeSDK: new (options: Readonly<Record<string, unknown>>) => Sdk };

const isSdkModule = (loaded: unknown): loaded is SdkModule =>
  isRecord(loaded) && typeof loaded['NodeSDK'] === 'function';

// A collector on the same network answers in milliseconds. A stop waits no longer for one that does not.
const stopWithinMs = 3000;

// Every batch fails while a collector is down, one in a few seconds.
const tellEveryMs = 60_000;

/** Logs the SDK's messages about its exports, at a limited rate. They never contain spans. */
const diagLogger = ({ log, clock }: Pick<TracingDeps, 'log' | 'clock'>): DiagLogger => {
  let quietUntil = Number.NEGATIVE_INFINITY;
  const tell = (reason: string): void => {
    if (clock.monotonic() < quietUntil) return;
    quietUntil = clock.monotonic() + tellEveryMs;
    log.warn({ reason: reason.slice(0, 500) }, 'spans are not exported');
  };
  const nothing = (): void => {};
  return { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing };
};

const startSdk = async (deps: TracingDeps, settings: TracingConfig): Promise<Sdk | undefined> => {
  const { log, load = (name) => import(name) } = deps;
  const loaded: unknown = await load(sdkPackage).catch(() => undefined);
  if (!isSdkModule(loaded)) {
    log.warn(
      `spans are not recorded: OTEL_* variables ask for them, and the package ${sdkPackage} is not installed beside simgate`,
    );
    return undefined;
  }
  const { serviceName, logsByItself } = settings;
  const sdk = new loaded.NodeSDK({
    ...(serviceName === undefined ? {} : { serviceName }),
    // Spans alone. Their parents are passed explicitly, so nothing has to follow asynchronous calls.
    metricReaders: [],
    logRecordProcessors: [],
    contextManager: null,
    textMapPropagator: null,
  });
  if (!logsByItself) diag.setLogger(diagLogger(deps), DiagLogLevel.WARN);
  sdk.start();
  return sdk;
};

/** Registers nothing if something loaded earlier has registered a tracer: spans go there. */
export const startTracing = async (deps: TracingDeps): Promise<Tracing> => {
  const { settings, version, clock, random, log } = deps;
  const sdk =
    settings === undefined || isTracerRegistered() ? undefined : await startSdk(deps, settings);
  if (!isTracerRegistered()) return { spans: passOnly(random), stop: async () => true };
  log.info('spans are recorded');
  return {
    spans: recordWith(tracingApi.getTracer('simgate', version), random),
    stop: async () => {
      if (sdk === undefined) return true;
      const stopped = sdk.shutdown().then(
        () => true,
        () => true,
      );
      const isStopped = await Promise.race([stopped, sleep(clock, stopWithinMs).then(() => false)]);
      if (!isStopped) log.warn('the last spans could not be exported in time and are lost');
      return isStopped;
    },
  };
};
