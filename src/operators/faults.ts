/** Counts and logs errors in the code of connectors, at a limited rate. */
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { ConnectorFault, Metrics } from '../metrics/metrics.ts';

// Often enough to see that it continues, seldom enough that one connector does not fill the log.
const tellEveryMs = 10_000;

/** Where the error came from. Its message may repeat a connector's settings, and is left out. */
const originOf = (error: unknown): object => {
  if (!(error instanceof Error)) return {};
  const at = /^\s+at .*$/m.exec(String(error.stack))?.[0].trim();
  return { error: error.name, ...(at === undefined ? {} : { at }) };
};

export type RecordFault = (operatorId: number, fault: ConnectorFault, error?: unknown) => void;

export const createFaultLog = (
  metrics: Pick<Metrics, 'connectorFault'>,
  log: Pick<Log, 'error'>,
  clock: Pick<Clock, 'monotonic'>,
): RecordFault => {
  const told = new Map<string, { readonly at: number; leftOut: number }>();
  return (operator, fault, error) => {
    metrics.connectorFault(operator, fault);
    const [key, now] = [`${operator} ${fault}`, clock.monotonic()];
    const before = told.get(key);
    if (before !== undefined && now - before.at < tellEveryMs) {
      before.leftOut += 1;
      return;
    }
    told.set(key, { at: now, leftOut: 0 });
    const { leftOut = 0 } = before ?? {};
    log.error(
      { operator, fault, ...originOf(error), leftOut },
      'the connector of an operator failed',
    );
  };
};
