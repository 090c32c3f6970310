/** Defines the settings of the metrics: port, host and token. */
import { type Static, Type } from 'typebox';
import { UsageError } from '../../lib/errors.ts';
import { group } from './shapes.ts';

export const MetricsSchema = Type.Object(
  {
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'METRICS_PORT: Separate port for `/metrics`. 0 takes a free one.',
      }),
    ),
    host: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      description: 'METRICS_HOST: Address of that port.',
    }),
    token: Type.Optional(
      Type.String({
        // Valid in a header, and too long to be guessed.
        pattern: '^[!-~]{16,}$',
        secret: true,
        description:
          'METRICS_TOKEN: Bearer token for `/metrics`, at least 16 visible characters. Without `metrics.port` it enables `/metrics` on the main port.',
      }),
    ),
  },
  {
    ...group,
    description: 'Metrics for Prometheus. Nothing is measured unless a port or a token is set.',
  },
);

export type MetricsConfig = Readonly<Static<typeof MetricsSchema>>;

const variables = { METRICS_PORT: 'port', METRICS_HOST: 'host', METRICS_TOKEN: 'token' } as const;

/** The metrics settings of the environment. */
export const metricsFromEnv = (
  env: Readonly<Record<string, string | undefined>>,
): { readonly metrics?: unknown } => {
  const given = Object.entries(variables).flatMap(([variable, key]) => {
    const value = env[variable];
    if (value === undefined || value === '') return [];
    return [[key, key === 'port' && /^\d+$/.test(value) ? Number(value) : value] as const];
  });
  return given.length === 0 ? {} : { metrics: Object.fromEntries(given) };
};

/** Refuses metrics on the main port, where each worker would show its own. */
export const assertShownByPrimary = ({ port, token }: MetricsConfig): void => {
  if (port !== undefined || token === undefined) return;
  throw new UsageError(
    'With workers the metrics need a port of their own, where they are added up. Set METRICS_PORT.',
  );
};

/** The settings, masked for a screen. */
export const maskMetrics = ({ token, ...others }: MetricsConfig): MetricsConfig =>
  token === undefined ? others : { ...others, token: '***' };
