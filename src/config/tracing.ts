/** Reads from OpenTelemetry's standard variables whether spans are exported. The SDK reads the rest. */
import type { Environment } from './sources.ts';

export type TracingConfig = {
  /** Undefined if the variables name the service. */
  readonly serviceName: string | undefined;
  /** Whether the SDK itself logs, as `OTEL_LOG_LEVEL` says. */
  readonly logsByItself: boolean;
};

/** Any of them says where spans go. Names of services and attributes are often set for a whole machine. */
const destinations = [
  'OTEL_TRACES_EXPORTER',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
] as const;

const isTrue = (text: string | undefined): boolean => text?.trim().toLowerCase() === 'true';

/** Undefined if no spans are exported. */
export const tracingFrom = (env: Environment): TracingConfig | undefined => {
  const isGiven = (name: string): boolean => (env[name]?.trim() ?? '') !== '';
  if (isTrue(env['OTEL_SDK_DISABLED']) || !destinations.some(isGiven)) return undefined;
  if (env['OTEL_TRACES_EXPORTER']?.trim() === 'none') return undefined;
  const isNamed =
    isGiven('OTEL_SERVICE_NAME') ||
    /(^|,)\s*service\.name\s*=/.test(env['OTEL_RESOURCE_ATTRIBUTES'] ?? '');
  return {
    serviceName: isNamed ? undefined : 'simgate',
    logsByItself: isGiven('OTEL_LOG_LEVEL'),
  };
};
