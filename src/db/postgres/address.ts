/** Parses a PostgreSQL URL, and decides how its connections are secured. */
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import pg from 'pg';
import { type TlsSettings, tlsModes, unreadableUrl } from '../../config/sections/database.ts';
import { UsageError } from '../../lib/errors.ts';

export type PostgresAddress = { readonly url: string; readonly tls?: TlsSettings };

/** The connection settings of a pool or a client of the driver. */
export type Connecting = {
  readonly connectionString: string;
  readonly ssl: false | ConnectionOptions;
};

export type SecuredAddress = {
  readonly connecting: Connecting;
  /** What others on the network could do, in a sentence; undefined if nothing. */
  readonly unsafe: string | undefined;
};

type Mode = (typeof tlsModes)[number];

// The driver reads them in its own way: it verifies where libpq does not, and its next version the reverse.
const tlsParameters = new Set([
  'sslmode',
  'ssl',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'uselibpqcompat',
]);

/** The address without its TLS parameters, and those parameters. */
const splitUrl = (url: string) => {
  const [whole = '', query = ''] = url.split(/\?(.*)/s);
  const others = query.split('&').filter((part) => !tlsParameters.has(part.split('=')[0] ?? ''));
  const connectionString = others.join('') === '' ? whole : `${whole}?${others.join('&')}`;
  return { connectionString, parameters: new URLSearchParams(query) };
};

/** The address as the driver finds it, which knows variables such as PGHOST too. */
const driverAddress = (connectionString: string): Pick<pg.Client, 'host' | 'port' | 'database'> => {
  try {
    return new pg.Client({ connectionString, ssl: true });
  } catch (cause) {
    throw new UsageError(unreadableUrl, { cause });
  }
};

const hostOf = (connectionString: string): string => driverAddress(connectionString).host;

const isSocket = (host: string): boolean => host.startsWith('/');
const isLocal = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/i.test(host);

const modes: ReadonlyMap<string, Mode | undefined> = new Map<string, Mode | undefined>([
  ...tlsModes.map((mode) => [mode, mode] as const),
  // Both would go without TLS whenever the server refuses it, which protects nothing.
  ['allow', undefined],
  ['prefer', undefined],
  // The driver's words.
  ['no-verify', 'require'],
  ['true', 'verify-full'],
  ['1', 'verify-full'],
  ['false', 'disable'],
  ['0', 'disable'],
]);

const modeIn = (parameters: URLSearchParams): Mode | undefined => {
  const text = parameters.get('sslmode') || parameters.get('ssl');
  if (!text) return undefined;
  if (modes.has(text)) return modes.get(text);
  throw new UsageError(`sslmode in DATABASE_URL must be one of: ${tlsModes.join(', ')}.`);
};

type Files = { readonly [part in 'ca' | 'cert' | 'key']: string | undefined };

const filesIn = (parameters: URLSearchParams, tls: TlsSettings): Files => ({
  ca: parameters.get('sslrootcert') || tls.ca,
  cert: parameters.get('sslcert') || tls.cert,
  key: parameters.get('sslkey') || tls.key,
});

/** Everything that leaves the machine is encrypted, for a server that has proved its name. */
const usualMode = (host: string, files: Files, parameters: URLSearchParams): Mode => {
  const asksForTls =
    Object.values(files).some((file) => file !== undefined) ||
    parameters.get('sslnegotiation') === 'direct';
  return isLocal(host) && !asksForTls ? 'disable' : 'verify-full';
};

const contentOf = (part: keyof Files, file: string): string | string[] => {
  if (part === 'ca' && file === 'system') return getCACertificates('system');
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The file that database.tls.${part} names cannot be read.`, { cause });
  }
};

const optionsFor = (mode: Mode, files: Files): ConnectionOptions => {
  const contents = (['ca', 'cert', 'key'] as const).flatMap((part) => {
    const file = files[part];
    return file === undefined ? [] : [[part, contentOf(part, file)] as const];
  });
  if (mode === 'verify-ca' && files.ca === undefined) {
    throw new UsageError(
      'TLS to PostgreSQL by "verify-ca" needs the file of a CA: set database.tls.ca, or use "verify-full".',
    );
  }
  return {
    ...Object.fromEntries(contents),
    // As in libpq: naming a CA means verifying it.
    rejectUnauthorized: mode !== 'require' || files.ca !== undefined,
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
};

const dangerOf = (host: string, { ssl }: Connecting): string | undefined => {
  if (isLocal(host)) return undefined;
  if (ssl === false) return 'the connection to the database is not encrypted';
  return ssl.rejectUnauthorized === true
    ? undefined
    : 'the certificate of the database server is not verified';
};

/** Host, port and database of an address: nothing of it is secret. */
export const describeAddress = (url: string): string => {
  const { host, port, database } = driverAddress(splitUrl(url).connectionString);
  if (isSocket(host)) return `postgres:///${database ?? ''}?host=${host}`;
  return `postgres://${host.includes(':') ? `[${host}]` : host}:${port}/${database ?? ''}`;
};

export const secureAddress = ({ url, tls = {} }: PostgresAddress): SecuredAddress => {
  const { connectionString, parameters } = splitUrl(url);
  const host = hostOf(connectionString);
  // Such a socket has no TLS, and nothing between its ends.
  if (isSocket(host)) return { connecting: { connectionString, ssl: false }, unsafe: undefined };
  const files = filesIn(parameters, tls);
  const mode = modeIn(parameters) ?? tls.mode ?? usualMode(host, files, parameters);
  const ssl = mode === 'disable' ? false : optionsFor(mode, files);
  const connecting: Connecting = { connectionString, ssl };
  return { connecting, unsafe: dangerOf(host, connecting) };
};
