/** Owns the life of the server: configuration, gateway, listen, drain. */
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { firstLink, type Setup } from './admin/accounts.ts';
import type { AdminDeps } from './admin/audit.ts';
import { createPasswords } from './admin/password.ts';
import { type DemoClient, firstStart } from './first-start.ts';
import { createGateway, type Gateway, type GatewayDeps } from './gateway.ts';
import { type MetricsPort, openMetricsPort } from './http/metrics.ts';
import { steadyTime, systemClock } from './lib/clock.ts';
import type { Config } from './lib/config.ts';
import { readOrigins } from './lib/config-origins.ts';
import { databaseFile } from './lib/db.ts';
import { openForServer } from './lib/db-open.ts';
import { patientlyBy } from './lib/db-patience.ts';
import { UsageError } from './lib/errors.ts';
import { createLog, type Log } from './lib/log.ts';
import { exampleMobile } from './lib/mobile.ts';
import { type NewId, systemRandom, uuidV7 } from './lib/random.ts';
import { stopSignal } from './lib/stop-signal.ts';

export type Output = (text: string) => void;

const welcome = (url: string, config: Config, demo: DemoClient): string => {
  const operator = config.operators.find((one) => one.settings['offers'] === true)?.name;
  const token = `-H 'Authorization: Bearer ${demo.token}'`;
  const json = "-H 'Content-Type: application/json'";
  const lines = [
    `Simgate listens at ${url}. The database was empty, so it now holds a demo catalogue`,
    `and a demo client with a balance of ${demo.balance}. Its token is shown this once:`,
    '',
    `  ${demo.token}`,
    '',
    'List products:',
    `  curl ${token} '${url}/api/clients/products?per_page=2'`,
    ...(operator === undefined
      ? []
      : [
          'Ask for the personal offers of a subscriber:',
          `  curl ${token} ${json} -d '{"mobile":"${exampleMobile(config.mobile)}"}' ${url}/api/${operator}/offers/`,
        ]),
    'Buy a package, and again: the same key is bought once and gets the same answer:',
    `  curl ${token} -H 'Idempotency-Key: first-1' -d product_id=${demo.product.id} -d price=${demo.product.price} -d mobile=${exampleMobile(config.mobile)} -d webservice_code=first ${url}/api/top-up/package/`,
    `The API is described at ${url}/docs`,
    '',
    '',
  ];
  return lines.join('\n');
};

/** Printed and never logged. The token stands behind the mark, which browsers send to nobody. */
const invitation = (url: string, name: string, { token }: Setup): string =>
  [
    `Nobody can sign in to the back office yet. By this link, once and within a day, set the password`,
    `of "${name}":`,
    '',
    `  ${url}/console/setup#${token}`,
    '',
    '',
  ].join('\n');

type Place = Pick<Config, 'host' | 'port'>;
const noHost = ({ host }: Place) => `${host} is not an address of this machine. Set HOST`;

/** What is wrong with the place to listen at, by the code of the system's error. */
const whyNot: ReadonlyMap<unknown, (place: Place) => string> = new Map([
  ['EADDRINUSE', ({ host, port }: Place) => `Port ${port} of ${host} is taken. Set PORT`],
  ['EACCES', ({ host, port }: Place) => `Port ${port} of ${host} is not allowed. Set PORT`],
  ['EADDRNOTAVAIL', noHost],
  ['ENOTFOUND', noHost],
]);

const listen = async (gateway: Gateway, config: Config): Promise<string> => {
  try {
    await gateway.app.listen({ host: config.host, port: config.port });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const why = whyNot.get(code);
    if (why === undefined) throw cause;
    throw new UsageError(`${why(config)} to another one.`, { cause });
  }
  const address = gateway.app.server.address();
  const port = isAddress(address) ? address.port : config.port;
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

/** A worker's figures are shown by its primary, together with those of the others. */
const showMetrics = async (
  { meter }: Gateway,
  deps: { readonly config: Config; readonly log: Log; readonly newId: NewId },
): Promise<MetricsPort | undefined> => {
  if (!cluster.isWorker) {
    return openMetricsPort({ ...deps, settings: deps.config.metrics, read: meter.read });
  }
  meter.answerPrimary();
  return undefined;
};

/** Lets what has begun come to its end, within limits. */
const stop = async (gateway: Gateway, config: Config, log: Log): Promise<void> => {
  gateway.drain();
  const cancel = systemClock.after(config.http.drainMs, () => {
    log.warn('some requests did not end in time and are cut off');
    gateway.cutOff();
  });
  await gateway.close();
  cancel();
};

/** How a server stands in the world: alone, or as one of several workers. */
export type Standing = {
  /** What every line of its log carries. */
  readonly logged: Readonly<Record<string, string | number>>;
  /** Resolves with what tells it to stop. */
  readonly untilStopped: () => Promise<string>;
  /** Whether it is the one of its start that tells what is told once. */
  readonly isFirst: boolean;
  /** Hears where it listens, once everything is there. */
  readonly listening: (url: string, log: Log) => void;
};

const alone: Standing = {
  logged: {},
  untilStopped: stopSignal,
  isFirst: true,
  listening: (url, log) => log.info({ url }, 'listening'),
};

type Running = Pick<GatewayDeps, 'config' | 'db' | 'log' | 'transact' | 'databaseTime' | 'origins'>;

/** Lets the first owner in, where nobody ever was; tells what to print. */
const invite = async (
  deps: Omit<AdminDeps, 'passwords'>,
  config: Config,
  url: string,
): Promise<string> => {
  const passwords = createPasswords(deps);
  const link = config.admin.firstLink ? await firstLink({ ...deps, passwords }) : undefined;
  return link === undefined
    ? ''
    : invitation(config.publicUrl ?? url, link.account.name, link.setup);
};

const run = async (
  given: Running,
  print: Output,
  { untilStopped, isFirst, listening }: Standing,
): Promise<void> => {
  const { config, db, log } = given;
  const stopped = untilStopped();
  const newId = uuidV7(systemClock, systemRandom);
  const patiently = patientlyBy(systemClock);
  const deps = { db, clock: systemClock, newId, random: systemRandom, patiently };
  const gateway = await createGateway({ ...given, newId });
  let metricsPort: MetricsPort | undefined;
  try {
    const url = await listen(gateway, config);
    metricsPort = await showMetrics(gateway, { config, log, newId });
    // Not before it listens: a token made by a start that fails would never be shown.
    const demo = config.demo ? await patiently(() => firstStart(deps)) : undefined;
    if (demo !== undefined) await gateway.reloadCatalogue();
    const invited = isFirst ? await invite(deps, config, url) : '';
    listening(url, log);
    if (demo !== undefined) print(welcome(url, config, demo));
    if (invited !== '') print(invited);
    log.info({ signal: await stopped }, 'draining');
  } finally {
    await stop(gateway, config, log);
    await metricsPort?.close();
  }
};

/** A file may be written by a thread of its own; PostgreSQL writes by itself. */
const runWithThread = async (given: Running, print: Output, standing: Standing): Promise<void> => {
  const { dataDir, databaseUrl, writerThread } = given.config;
  if (databaseUrl !== undefined || !writerThread) return run(given, print, standing);
  const { startTransactThread } = await import('./purchases/thread/index.ts');
  const now = steadyTime(systemClock);
  const thread = await startTransactThread(databaseFile(dataDir), now);
  try {
    const { transact } = thread;
    await run({ ...given, transact, databaseTime: async () => now() }, print, standing);
  } finally {
    await thread.close();
  }
};

/** Runs the server until it is told to stop. */
export const serve = async (
  config: Config,
  print: Output,
  standing: Standing = alone,
): Promise<void> => {
  const { logLevel: level, mobile } = config;
  const log = createLog({ level, mobile, fields: standing.logged });
  const database = await openForServer(config, systemClock, (err) => {
    log.warn({ err }, 'a connection to the database broke');
  });
  try {
    const origins = readOrigins();
    await runWithThread({ config, origins, db: database.db, log }, print, standing);
  } finally {
    await database.close();
  }
  log.info('stopped');
};
