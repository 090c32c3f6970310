/** Defines the configuration schema, and reads it once from the environment and a file. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { didYouMean } from '../lib/closest-word.ts';
import { UsageError } from '../lib/errors.ts';
import { isRecord } from '../lib/record.ts';
import { fieldErrors } from '../lib/schema-errors.ts';
import { AdminSchema } from './sections/admin.ts';
import { assertDatabaseUrl, DatabaseSchema, DatabaseUrlSchema } from './sections/database.ts';
import { BreakerSchema, LimitsSchema } from './sections/limits.ts';
import { MetricsSchema } from './sections/metrics.ts';
import {
  OperatorSchema,
  type OperatorsFound,
  operatorIds,
  operatorsOf,
} from './sections/operators.ts';
import { rateSchema } from './sections/rate.ts';
import { OldSecretsKeysSchema, SecretsKeySchema } from './sections/secrets.ts';
import { closed, group, wholeNumber } from './sections/shapes.ts';
import { WebhooksSchema } from './sections/webhooks.ts';
import { type ConfigSources, type Environment, mergeSources, readSources } from './sources.ts';

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
    instance: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
        description:
          'SIMGATE_INSTANCE: the name of this instance in its log, in letters, digits and `.`, `_`, `:`, `-`.',
      }),
    ),
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
        deadlineMs: wholeNumber(seconds(10), 1, 'How long an operator may take to list offers.'),
        rememberMs: wholeNumber(
          seconds(600),
          0,
          'How long listed offers are remembered, and their prices stand.',
        ),
        rememberAtMost: wholeNumber(
          50_000,
          1,
          'For how many subscribers offers are remembered; the oldest go first.',
        ),
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
        pendingAfterMs: wholeNumber(
          seconds(25),
          1,
          'After this long a request that waits is answered 202.',
        ),
        sendWithinMs: wholeNumber(
          seconds(2),
          1,
          'How long after its beginning an order may still be sent.',
        ),
        firstInquiryMs: wholeNumber(
          seconds(2),
          1,
          'The pause before an operator is first asked what became of an order.',
        ),
        widestInquiryMs: wholeNumber(
          seconds(600),
          1,
          'Each pause is twice the one before, up to this.',
        ),
        reviewAfterMs: wholeNumber(seconds(86_400), 1, 'After this long a person decides.'),
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
        // More than a browser needs for the console, far less than a process can answer.
        anonymous: Type.Optional(rateSchema({ default: { perSecond: 50, burst: 500 } })),
      },
      {
        ...group,
        description:
          'Requests a second and at once: for each client, and for each address, or /64 network of IPv6, without a valid token. null: no limit.',
      },
    ),
    http: Type.Object(
      {
        fastPath: Type.Boolean({
          default: true,
          description:
            'SIMGATE_FAST_PATH=off: common requests go through the framework, too. Answers are the same.',
        }),
        bodyBytes: Type.Integer({ default: 65_536, minimum: 1024 }),
        headerBytes: Type.Integer({ default: 16_384, minimum: 4096 }),
        headersTimeoutMs: Type.Integer({ default: seconds(10), minimum: 1 }),
        requestTimeoutMs: Type.Integer({ default: seconds(30), minimum: 1 }),
        unreadMs: Type.Integer({ default: seconds(15), minimum: 1 }),
        anonymousMs: Type.Integer({ default: seconds(60), minimum: 1 }),
        pipelined: Type.Integer({ default: 32, minimum: 1 }),
        keepAliveMs: Type.Integer({ default: seconds(72), minimum: 1 }),
        stopDelayMs: Type.Integer({ default: 0, minimum: 0 }),
        drainMs: Type.Integer({ default: seconds(30), minimum: 0 }),
      },
      {
        ...group,
        description:
          'Limits of a request and of slow clients. A connection is closed where nothing of an answer is read for unreadMs, where more than pipelined requests are under way on it, or where it has no valid token and requests under way for anonymousMs without a pause. At a stop /health/ready says no for stopDelayMs, in which all is served as before; then it drains. keepAliveMs is longer than the 60 s that proxies keep a connection, so that it is never closed under a request.',
      },
    ),
  },
  closed,
);

export type { OperatorConfig } from './sections/operators.ts';

export type Config = Readonly<Omit<Static<typeof ConfigSchema>, 'operators'>> & OperatorsFound;

const freezeDeep = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freezeDeep(part);
    Object.freeze(value);
  }
  return value;
};

/** What the schema says of a setting, by the names that lead to it. */
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

/** What helps to correct a setting: which one was meant, or how it is written. */
const helpWith = (setting: string, sentence: string): string => {
  const path = setting.split('.');
  if (sentence.endsWith('is not known here.')) {
    const group = schemaAt(path.slice(0, -1));
    const properties = isRecord(group) ? group['properties'] : undefined;
    return didYouMean(path.at(-1) ?? '', isRecord(properties) ? Object.keys(properties) : []);
  }
  // What has no words of its own is a part of what has.
  const description = descriptionOf(path) ?? descriptionOf(path.slice(0, -1));
  const isForm = sentence.endsWith('is not in the right form.');
  return isForm && description !== undefined ? ` ${description}` : '';
};

const checked = (value: unknown): Static<typeof ConfigSchema> => {
  // It writes the defaults into what it gets, and what was given is still asked for.
  const filled = Value.Default(ConfigSchema, structuredClone(value));
  if (Value.Check(ConfigSchema, filled)) return filled;
  const faults = Object.entries(fieldErrors(ConfigSchema, filled)).flatMap(([setting, sentences]) =>
    sentences.map((sentence) => sentence + helpWith(setting, sentence)),
  );
  throw new UsageError(`The configuration is wrong. ${faults.join(' ')}`);
};

/** What is given, over the defaults. */
export const configFrom = (given: ConfigSources): Config => {
  const config = checked(mergeSources(given));
  assertDatabaseUrl(config.databaseUrl);
  const trimmed = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');
  const [publicUrl, operatorUrl] = [trimmed(config.publicUrl), trimmed(config.operatorUrl)];
  return freezeDeep({
    ...config,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(operatorUrl === undefined ? {} : { operatorUrl }),
    ...operatorsOf(new Map(Object.entries(config.operators)), {
      serverUrl: operatorUrl,
      isProduction: given.isProduction,
    }),
  });
};

/** Reads the environment and the files that it names. */
export const readConfigSources = (env: Environment = process.env): ConfigSources =>
  readSources(env);

export const readConfig = (env?: Environment): Config => configFrom(readConfigSources(env));
