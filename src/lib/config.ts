/** Owns the configuration: one schema, read once from the environment and a file, frozen, passed down. */
import { existsSync, readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { AdminSchema } from './config-admin.ts';
import { DatabaseSchema, DatabaseUrlSchema, WriterThreadSchema } from './config-database.ts';
import { BreakerSchema, LimitsSchema } from './config-limits.ts';
import { MetricsSchema, metricsGiven } from './config-metrics.ts';
import {
  type OperatorConfig,
  OperatorSchema,
  operatorIds,
  operatorsOf,
} from './config-operators.ts';
import { rateSchema } from './config-rate.ts';
import { OldSecretsKeysSchema, SecretsKeySchema } from './config-secrets.ts';
import { WebhooksSchema } from './config-webhooks.ts';
import { UsageError } from './errors.ts';
import { fieldErrors } from './schema-errors.ts';

const closed = { additionalProperties: false };
const group = { ...closed, default: {} };
const seconds = (count: number): number => count * 1000;

/** More than the cores of a machine on which they would be of use. */
export const mostWorkers = 64;

export const ConfigSchema = Type.Object(
  {
    host: Type.String({ default: '127.0.0.1', description: 'HOST: the address to listen on.' }),
    port: Type.Integer({
      default: 3000,
      minimum: 0,
      maximum: 65_535,
      description: 'PORT: the port to listen on; 0 takes a free one.',
    }),
    workers: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: mostWorkers,
      description:
        'WORKERS: how many processes sell on the port; more than one on PostgreSQL only.',
    }),
    dataDir: Type.String({
      default: './data',
      minLength: 1,
      description: 'DATA_DIR: the folder of the embedded database.',
    }),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s?#]+$',
        description:
          'PUBLIC_URL: what absolute addresses in answers begin with; it may carry a path.',
      }),
    ),
    trustedProxies: Type.Array(Type.String(), {
      default: [],
      description: 'Addresses and networks whose forwarded headers count.',
    }),
    logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      description: 'LOG_LEVEL: how much is logged.',
    }),
    demo: Type.Boolean({
      default: true,
      description: 'SIMGATE_DEMO=off: no demo data on the first start.',
    }),
    writerThread: WriterThreadSchema,
    mobile: Type.Object(
      {
        prefix: Type.String({ default: '98', pattern: '^[0-9]{1,4}$' }),
        digits: Type.Integer({ default: 10, minimum: 4, maximum: 14 }),
      },
      {
        ...group,
        description: 'What a mobile number looks like: the prefix, then that many digits.',
      },
    ),
    numbers: Type.Object(
      {
        enforcePrefixes: Type.Boolean({
          default: false,
          description:
            "Refuse a purchase for a number whose prefix is another operator's, unless it says `ported=1`.",
        }),
      },
      group,
    ),
    operators: Type.Object(
      Object.fromEntries(
        operatorIds.map((id) => [id, Type.Optional(Type.Partial(OperatorSchema, closed))]),
      ),
      { ...group, description: 'By operator id; what is left out keeps its default.' },
    ),
    databaseUrl: Type.Optional(DatabaseUrlSchema),
    database: DatabaseSchema,
    operatorUrl: Type.Optional(
      Type.String({
        // No user, query or fragment: a secret in an address would be shown with it.
        pattern: '^https?://[^\\s?#@]+$',
        description: 'OPERATOR_URL: a simulator server that all operators are bought from.',
      }),
    ),
    offers: Type.Object(
      {
        deadlineMs: Type.Integer({
          default: seconds(10),
          minimum: 1,
          description: 'How long an operator may take to list offers.',
        }),
        rememberMs: Type.Integer({
          default: seconds(600),
          minimum: 0,
          description: 'How long listed offers are remembered, and their prices stand.',
        }),
        rememberAtMost: Type.Integer({
          default: 50_000,
          minimum: 1,
          description: 'For how many subscribers offers are remembered; the oldest go first.',
        }),
      },
      group,
    ),
    vatPercent: Type.String({
      default: '10',
      pattern: '^[0-9]{1,3}(\\.[0-9]{1,4})?$',
      description: 'Value-added tax on personal offers, in percent, as text.',
    }),
    personalOffers: Type.Object(
      {
        credit: Type.Integer({ default: 510, minimum: 1 }),
        permanent: Type.Integer({ default: 511, minimum: 1 }),
      },
      { ...group, description: 'The products under which personal offers are bought.' },
    ),
    purchases: Type.Object(
      {
        pendingAfterMs: Type.Integer({
          default: seconds(25),
          minimum: 1,
          description: 'After this long a request that waits is answered 202.',
        }),
        sendWithinMs: Type.Integer({
          default: seconds(2),
          minimum: 1,
          description: 'How long after its beginning an order may still be sent.',
        }),
        firstInquiryMs: Type.Integer({
          default: seconds(2),
          minimum: 1,
          description: 'The pause before an operator is first asked what became of an order.',
        }),
        widestInquiryMs: Type.Integer({
          default: seconds(600),
          minimum: 1,
          description: 'Each pause is twice the one before, up to this.',
        }),
        reviewAfterMs: Type.Integer({
          default: seconds(86_400),
          minimum: 1,
          description: 'After this long a person decides.',
        }),
      },
      group,
    ),
    limits: LimitsSchema,
    breaker: BreakerSchema,
    metrics: MetricsSchema,
    webhooks: WebhooksSchema,
    admin: AdminSchema,
    secretsKey: Type.Optional(SecretsKeySchema),
    oldSecretsKeys: OldSecretsKeysSchema,
    rateLimits: Type.Object(
      {
        client: Type.Optional(rateSchema()),
        anonymous: Type.Optional(rateSchema()),
      },
      {
        ...group,
        description:
          'Requests a second and at once: for each client, and for each address without a valid token. Off unless set.',
      },
    ),
    http: Type.Object(
      {
        bodyBytes: Type.Integer({ default: 65_536, minimum: 1024 }),
        headerBytes: Type.Integer({ default: 16_384, minimum: 4096 }),
        headersTimeoutMs: Type.Integer({ default: seconds(10), minimum: 1 }),
        requestTimeoutMs: Type.Integer({ default: seconds(30), minimum: 1 }),
        keepAliveMs: Type.Integer({ default: seconds(72), minimum: 1 }),
        drainMs: Type.Integer({ default: seconds(30), minimum: 0 }),
      },
      {
        ...group,
        description:
          'Limits of a request and of slow clients. keepAliveMs is longer than the 60 s that proxies keep a connection, so that it is never closed under a request.',
      },
    ),
  },
  closed,
);

export type { OperatorConfig } from './config-operators.ts';

export type Config = Readonly<Omit<Static<typeof ConfigSchema>, 'operators'>> & {
  readonly operators: readonly OperatorConfig[];
};

type Environment = Readonly<Record<string, string | undefined>>;

const variables = {
  HOST: 'host',
  PORT: 'port',
  WORKERS: 'workers',
  DATA_DIR: 'dataDir',
  PUBLIC_URL: 'publicUrl',
  DATABASE_URL: 'databaseUrl',
  OPERATOR_URL: 'operatorUrl',
  LOG_LEVEL: 'logLevel',
  SIMGATE_SECRETS_KEY: 'secretsKey',
} as const;

const isNumber = (key: string): boolean => ['port', 'workers'].includes(key);

const fromEnvironment = (env: Environment): Record<string, unknown> => {
  const read: Record<string, unknown> = {};
  for (const [variable, key] of Object.entries(variables)) {
    const value = env[variable];
    if (value === undefined || value === '') continue;
    read[key] = isNumber(key) && /^\d+$/.test(value) ? Number(value) : value;
  }
  if (env['SIMGATE_DEMO'] === 'off' || env['NODE_ENV'] === 'production') read['demo'] = false;
  if (env['SIMGATE_WRITER_THREAD'] === 'on') read['writerThread'] = true;
  return read;
};

const defaultFile = 'simgate.json';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fromFile = (env: Environment): Record<string, unknown> => {
  const file = env['SIMGATE_CONFIG'] ?? (existsSync(defaultFile) ? defaultFile : undefined);
  if (file === undefined) return {};
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(read)) return read;
  } catch (cause) {
    throw new UsageError(`The config file ${file} cannot be read as JSON.`, { cause });
  }
  throw new UsageError(`The config file ${file} must hold a JSON object.`);
};

const freezeDeep = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freezeDeep(part);
    Object.freeze(value);
  }
  return value;
};

const checked = (value: unknown): Static<typeof ConfigSchema> => {
  const filled = Value.Default(ConfigSchema, value);
  if (Value.Check(ConfigSchema, filled)) return filled;
  const faults = Object.values(fieldErrors(ConfigSchema, filled)).flat();
  throw new UsageError(`The configuration is wrong. ${faults.join(' ')}`);
};

/** What is set, by where it is set. */
export const givenBy = (env: Environment = process.env) => ({
  file: fromFile(env),
  environment: { ...fromEnvironment(env), ...metricsGiven(undefined, env) },
});

/** The environment wins over the file, the file over the defaults. */
export const readConfig = (env: Environment = process.env): Config => {
  const file = fromFile(env);
  const given = { ...file, ...fromEnvironment(env), ...metricsGiven(file['metrics'], env) };
  const config = checked(given);
  const trimmed = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');
  const [publicUrl, operatorUrl] = [trimmed(config.publicUrl), trimmed(config.operatorUrl)];
  return freezeDeep({
    ...config,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(operatorUrl === undefined ? {} : { operatorUrl }),
    operators: operatorsOf(new Map(Object.entries(config.operators)), operatorUrl),
  });
};
