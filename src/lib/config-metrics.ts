/** Owns the settings of the metrics: where they are shown, and to whom. */
import { type Static, Type } from 'typebox';

export const MetricsSchema = Type.Object(
  {
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'METRICS_PORT: a port for /metrics alone; 0 takes a free one.',
      }),
    ),
    host: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      description: 'METRICS_HOST: the address of that port.',
    }),
    token: Type.Optional(
      Type.String({
        // As it stands in a header, and too long to be guessed.
        pattern: '^[!-~]{16,}$',
        secret: true,
        description:
          'METRICS_TOKEN: who asks for /metrics must send it. Without a port of their own, it opens them on the main one.',
      }),
    ),
  },
  {
    additionalProperties: false,
    default: {},
    description: 'What Prometheus reads. Nothing is measured unless a port or a token is set.',
  },
);

export type MetricsConfig = Readonly<Static<typeof MetricsSchema>>;

const variables = { METRICS_PORT: 'port', METRICS_HOST: 'host', METRICS_TOKEN: 'token' } as const;

/** What the file says of the metrics, with the environment's word over it. */
export const metricsGiven = (
  file: unknown,
  env: Readonly<Record<string, string | undefined>>,
): { readonly metrics?: unknown } => {
  const given = Object.entries(variables).flatMap(([variable, key]) => {
    const value = env[variable];
    if (value === undefined || value === '') return [];
    return [[key, key === 'port' && /^\d+$/.test(value) ? Number(value) : value] as const];
  });
  if (given.length === 0) return {};
  // What is no object stays as it is, to be refused by name.
  if (file !== undefined && (typeof file !== 'object' || file === null)) return {};
  return { metrics: { ...file, ...Object.fromEntries(given) } };
};

/** The settings fit for a screen. */
export const maskMetrics = ({ token, ...others }: MetricsConfig): MetricsConfig =>
  token === undefined ? others : { ...others, token: '***' };
