/** Defines the database settings: URL, TLS, pool and limits. */
import { type Static, Type } from 'typebox';
import { UsageError } from '../../lib/errors.ts';
import { maskUrl } from '../../lib/mask-url.ts';
import { group, wholeNumber } from './shapes.ts';

export const DatabaseUrlSchema = Type.String({
  pattern: '^postgres(ql)?://\\S+$',
  description:
    'DATABASE_URL: PostgreSQL database, as `postgres://user:password@host/name`. Without it, a SQLite file in `dataDir`.',
});

/** The modes of libpq, except those that fall back to no TLS if a server refuses it. */
export const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

const TlsSchema = Type.Object(
  {
    mode: Type.Optional(
      Type.Enum([...tlsModes], {
        description:
          'disable, require (not verified), verify-ca or verify-full. Unless set: verify-full where the host is not local.',
      }),
    ),
    ca: Type.Optional(
      Type.String({ minLength: 1, description: "The file of the server's CA, in PEM." }),
    ),
    cert: Type.Optional(
      Type.String({ minLength: 1, description: "The file of the gateway's own certificate." }),
    ),
    key: Type.Optional(
      Type.String({ minLength: 1, description: 'The file of the key to that certificate.' }),
    ),
  },
  {
    ...group,
    description:
      'PGSSLMODE, PGSSLROOTCERT, PGSSLCERT, PGSSLKEY: TLS to PostgreSQL: `mode`, `ca`, `cert`, `key`. `DATABASE_URL` takes precedence.',
  },
);

export type TlsSettings = Static<typeof TlsSchema>;

const tlsVariables = {
  PGSSLMODE: 'mode',
  PGSSLROOTCERT: 'ca',
  PGSSLCERT: 'cert',
  PGSSLKEY: 'key',
} as const;

// They leave the choice to the server or to the system.
const noChoice: ReadonlySet<string | undefined> = new Set(['', 'allow', 'prefer', 'system']);

/** TLS settings from libpq's variables. */
export const tlsFromEnv = (
  env: Readonly<Record<string, string | undefined>>,
): { readonly database?: { readonly tls: unknown } } => {
  const given = Object.entries(tlsVariables).flatMap(([variable, key]) => {
    const value = env[variable];
    if (value === undefined || noChoice.has(value)) return [];
    return [[key, value === 'no-verify' ? 'require' : value] as const];
  });
  return given.length === 0 ? {} : { database: { tls: Object.fromEntries(given) } };
};

export const DatabaseSchema = Type.Object(
  {
    connections: wholeNumber(
      10,
      2,
      'Most connections of one process or worker. One more listens for changes.',
    ),
    connectMs: wholeNumber(3000, 1, 'How long to wait for a connection to open or to become free.'),
    startWaitMs: wholeNumber(
      0,
      0,
      'How long a start waits for an unreachable database. A refusal, such as a wrong password, ends it at once.',
    ),
    migrate: Type.Boolean({
      default: true,
      description:
        'Migrate an older database at the start and in commands. With false only `simgate migrate` does.',
    }),
    statementMs: wholeNumber(
      5000,
      10,
      'Limit for a statement, and for a pause in a transaction. A wait for a lock may take four fifths of it.',
    ),
    listen: Type.Boolean({
      default: true,
      description:
        'Listen for changes on a connection of its own. With false the gateway polls every half second.',
    }),
    synchronousReplication: Type.Boolean({
      default: false,
      description:
        'Every commit is on a standby before it is acknowledged, and only such a standby is promoted.',
    }),
    tls: TlsSchema,
  },
  {
    ...group,
    description: 'Settings of PostgreSQL. Only `migrate` applies to SQLite.',
  },
);

// Any other part of a database URL may be a secret.
const shownParameters: ReadonlySet<string> = new Set([
  'application_name',
  'connect_timeout',
  'dbname',
  'host',
  'port',
  'sslmode',
  'sslrootcert',
  'target_session_attrs',
  'user',
]);

/** The database address, masked for a screen. */
export const maskDatabaseUrl = (url: string): string =>
  maskUrl(url, { user: true, parameters: shownParameters });

// The path has no @: it would be a part of a password that is not in percent form.
const urlParts = /^[a-z]+:\/\/(?:[^/?#]*@)?(?<host>[^/?#@]*)(?:\/[^?@]*)?(?:\?(?<query>.*))?$/s;

/** Whether an address names several hosts, as libpq allows it: as its host, or in the query. */
const namesSeveralHosts = (url: string): boolean => {
  const { host = '', query } = urlParts.exec(url)?.groups ?? {};
  return [host, ...new URLSearchParams(query).getAll('host')].some((name) => name.includes(','));
};

const severalHosts =
  'databaseUrl names several hosts, and the gateway connects to one. Name an address that leads to the primary, such as that of HAProxy: see "High availability" in the documentation.';

/** Refuses an unusable address. It is never repeated: it may contain a password. */
export const assertDatabaseUrl = (url: string | undefined): void => {
  if (url !== undefined && namesSeveralHosts(url)) throw new UsageError(severalHosts);
  // A user may precede an empty host, if that is a folder in the query.
  if (url === undefined || URL.canParse(url) || URL.canParse(url.replace('@/', '@local/'))) return;
  throw new UsageError(unreadableUrl);
};

export const unreadableUrl =
  'databaseUrl cannot be read as an address. Write signs such as / ? # @ % in the user or the password in percent form: / is %2F.';
