/** Defines the configuration schema, and reads it once from the environment and a file. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { didYouMean } from '../lib/closest-word.ts';
import { UsageError } from '../lib/errors.ts';
import { isRecord } from '../lib/record.ts';
import { faultsOf } from '../lib/schema-errors.ts';
import { AdminSchema } from './sections/admin.ts';
import { AlarmsSchema } from './sections/alarms.ts';
import { assertDatabaseUrl, DatabaseSchema, DatabaseUrlSchema } from './sections/database.ts';
import { HttpSchema } from './sections/http.ts';
import { BreakerSchema, LimitsSchema } from './sections/limits.ts';
import { MetricsSchema } from './sections/metrics.ts';
import {
  OperatorSchema,
  type OperatorsFound,
  operatorsOf,
  possibleOperatorIds,
  possibleSupplierIds,
  SupplierSchema,
} from './sections/operators.ts';
import { PurchasesSchema } from './sections/purchases.ts';
import { rateSchema } from './sections/rate.ts';
import { RouteHealthSchema, RoutingSchema } from './sections/routing.ts';
import { OldSecretsKeysSchema, SecretsKeySchema } from './sections/secrets.ts';
import { closed, group, wholeNumber } from './sections/shapes.ts';
import { WebhooksSchema } from './sections/webhooks.ts';
import { type ConfigSources, type Environment, mergeSources, readSources } from './sources.ts';
import { type TracingConfig, tracingFrom } from './tracing.ts';

const seconds = (count: number): number => count * 1000;

/** More than the cores of any machine on which they would help. */
export const mostWorkers = 64;

export const ConfigSchema = Type.Object(
  {
    host: Type.String({ default: '127.0.0.1', description: 'HOST: Address to listen on.' }),
    port: Type.Integer({
      default: 3000,
      minimum: 0,
      maximum: 65_535,
      description: 'PORT: Port to listen on. 0 takes a free one.',
    }),
    workers: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: mostWorkers,
      description:
        'WORKERS: Number of server processes on the port, as `serve --workers N`. More than one needs PostgreSQL.',
    }),
    dataDir: Type.String({
      default: './data',
      minLength: 1,
      description: 'DATA_DIR: Folder of the SQLite database.',
    }),
    instance: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
        description:
          'SIMGATE_INSTANCE: Name of this instance in its log: up to 64 letters, digits and `.`, `_`, `:`, `-`. Without it, host name and port.',
      }),
    ),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s?#]+$',
        description:
          'PUBLIC_URL: Base of absolute URLs in responses, such as `https://api.example.com/gateway`. Without it, scheme and host of the request.',
      }),
    ),
    trustedProxies: Type.Array(Type.String(), {
      default: [],
      description: 'Addresses and networks of proxies whose `X-Forwarded-*` headers are trusted.',
    }),
    logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      description:
        'LOG_LEVEL: Log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    }),
    demo: Type.Boolean({
      default: true,
      description:
        'SIMGATE_DEMO=off: Create demo data on a first start with an empty database. Never with `NODE_ENV=production`.',
    }),
    mobile: Type.Object(
      {
        prefix: Type.String({
          default: '98',
          pattern: '^[0-9]{1,4}$',
          description: 'Prefix of every mobile number.',
        }),
        digits: Type.Integer({
          default: 10,
          minimum: 4,
          maximum: 14,
          description: 'Number of digits after the prefix.',
        }),
      },
      {
        ...group,
        description: 'Format of a mobile number: the prefix, then that many digits.',
      },
    ),
    numbers: Type.Object(
      {
        enforcePrefixes: Type.Boolean({
          default: false,
          description:
            "Refuse a purchase for a number with another operator's prefix, unless the request has `ported=1`.",
        }),
      },
      group,
    ),
    operators: Type.Object(
      Object.fromEntries(
        possibleOperatorIds.map((id) => [id, Type.Optional(Type.Partial(OperatorSchema, closed))]),
      ),
      {
        ...group,
        description:
          'Operators by id, 1 to 99. Those from 1 to 5 always exist. Omitted values keep their defaults.',
      },
    ),
    suppliers: Type.Optional(
      Type.Object(
        Object.fromEntries(possibleSupplierIds.map((id) => [id, Type.Optional(SupplierSchema)])),
        {
          ...closed,
          description:
            'Suppliers beside the operators themselves, by id, 100 to 999. Routes name them. Without it, a demo has 101.',
        },
      ),
    ),
    connectors: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'More connectors for the console to choose from, each a file or a package as in `operators.*.connector`.',
    }),
    databaseUrl: Type.Optional(DatabaseUrlSchema),
    database: DatabaseSchema,
    operatorUrl: Type.Optional(
      Type.String({
        // No user, query or fragment: a secret in an address would be shown with it.
        pattern: '^https?://[^\\s?#@]+$',
        description:
          'OPERATOR_URL: Address of a simulator server that replaces the built-in simulated operators.',
      }),
    ),
    offers: Type.Object(
      {
        deadlineMs: wholeNumber(seconds(10), 1, 'Timeout for listing offers, in milliseconds.'),
        rememberMs: wholeNumber(
          seconds(600),
          0,
          'How long listed offers and their prices stay valid, in milliseconds.',
        ),
        rememberAtMost: wholeNumber(
          50_000,
          1,
          'Number of subscribers whose offers are remembered. The oldest are dropped first.',
        ),
      },
      group,
    ),
    vatPercent: Type.String({
      default: '10',
      pattern: '^[0-9]{1,3}(\\.[0-9]{1,4})?$',
      description: 'Value-added tax on personal offers in percent, as text, such as `"9.5"`.',
    }),
    personalOffers: Type.Object(
      {
        credit: wholeNumber(510, 1, 'Product for personal offers of prepaid SIMs.'),
        permanent: wholeNumber(511, 1, 'Product for personal offers of postpaid SIMs.'),
      },
      { ...group, description: 'Products under which personal offers are bought.' },
    ),
    purchases: PurchasesSchema,
    routing: RoutingSchema,
    routeHealth: RouteHealthSchema,
    limits: LimitsSchema,
    breaker: BreakerSchema,
    metrics: MetricsSchema,
    webhooks: WebhooksSchema,
    alarms: AlarmsSchema,
    admin: AdminSchema,
    secretsKey: Type.Optional(SecretsKeySchema),
    oldSecretsKeys: OldSecretsKeysSchema,
    rateLimits: Type.Object(
      {
        client: Type.Optional(
          rateSchema({ description: 'Rate limit for each client. null: no limit.' }),
        ),
        // More than a browser needs for the console, far less than a process can answer.
        anonymous: Type.Optional(
          rateSchema({
            default: { perSecond: 50, burst: 500 },
            description: 'Rate limit for each address without a valid token. null: no limit.',
          }),
        ),
      },
      {
        ...group,
        description:
          'Rate limits: requests per second and burst, for each client and for each address.',
      },
    ),
    http: HttpSchema,
  },
  closed,
);

export type { ConnectionConfig, OperatorConfig, SupplierConfig } from './sections/operators.ts';

export type Config = Readonly<Omit<Static<typeof ConfigSchema>, 'operators' | 'suppliers'>> &
  OperatorsFound & {
    /** Where paths of connectors begin. */
    readonly folder: string;
  };

const freezeDeep = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freezeDeep(part);
    Object.freeze(value);
  }
  return value;
};

/** A setting's schema, by its path. */
const schemaAt = (path: readonly string[]): unknown =>
  path.reduce<unknown>((schema, name) => {
    const properties = isRecord(schema) ? schema['properties'] : undefined;
    return isRecord(properties) ? properties[name] : undefined;
  }, ConfigSchema);

const descriptionOf = (path: readonly string[]): string | undefined => {
  const schema = schemaAt(path);
  const text = isRecord(schema) ? schema['description'] : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** A hint to correct a setting: the name that was probably meant, or its format. */
const helpWith = (setting: string, keyword: string): string => {
  const path = setting.split('.');
  if (keyword === 'additionalProperties') {
    const group = schemaAt(path.slice(0, -1));
    const properties = isRecord(group) ? group['properties'] : undefined;
    return didYouMean(path.at(-1) ?? '', isRecord(properties) ? Object.keys(properties) : []);
  }
  // Without a description of its own, it belongs to one that has.
  const description = descriptionOf(path) ?? descriptionOf(path.slice(0, -1));
  return keyword === 'pattern' && description !== undefined ? ` ${description}` : '';
};

const checked = (value: unknown): Static<typeof ConfigSchema> => {
  // Validation adds the defaults to its input, and the original is needed later.
  const filled = Value.Default(ConfigSchema, structuredClone(value));
  if (Value.Check(ConfigSchema, filled)) return filled;
  const faults = faultsOf(ConfigSchema, filled).map(
    ({ field, keyword, text }) => text.en + helpWith(field, keyword),
  );
  throw new UsageError(`The configuration is wrong. ${[...new Set(faults)].join(' ')}`);
};

/** The given values over the defaults. */
export const configFrom = (given: ConfigSources): Config => {
  const config = checked(mergeSources(given));
  assertDatabaseUrl(config.databaseUrl);
  const trimmed = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');
  const [publicUrl, operatorUrl] = [trimmed(config.publicUrl), trimmed(config.operatorUrl)];
  return freezeDeep({
    ...config,
    folder: given.folder ?? '.',
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(operatorUrl === undefined ? {} : { operatorUrl }),
    ...operatorsOf(
      new Map(Object.entries(config.operators)),
      config.suppliers && new Map(Object.entries(config.suppliers)),
      { serverUrl: operatorUrl, isProduction: given.isProduction },
    ),
  });
};

/** Reads the environment and the files that it names. */
export const readConfigSources = (env: Environment = process.env): ConfigSources =>
  readSources(env);

/** Whether spans are exported, by the variables of OpenTelemetry. */
export const readTracing = (env: Environment = process.env): TracingConfig | undefined =>
  tracingFrom(env);

export const readConfig = (env?: Environment): Config => configFrom(readConfigSources(env));

/** The configuration with another PostgreSQL database; TLS is read as for the configured one. */
export const readConfigAt = (databaseUrl: string, env: Environment = process.env): Config =>
  readConfig({ ...env, DATABASE_URL: databaseUrl, DATABASE_URL_FILE: undefined });
