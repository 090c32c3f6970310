/** Runs the server: reads the configuration, builds the gateway, listens, drains and exits. */
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { firstLink, type Setup } from './admin/access/accounts.ts';
import { createPasswords } from './admin/access/passwords/password.ts';
import type { AdminDeps } from './admin/audit/audit.ts';
import { type Config, readTracing } from './config/config.ts';
import { instanceName } from './config/instance.ts';
import type { Origins } from './config/origins.ts';
import { simulatedIn } from './config/sections/operators.ts';
import { onStrayError } from './connector/scope.ts';
import { createLockRetry } from './db/lock-retry.ts';
import type { Unusable } from './db/migrate/compatibility.ts';
import { programVersion } from './db/migrate/migrations.ts';
import { openForServer } from './db/open.ts';
import { missingKeyWarning } from './db/secrets/keys.ts';
import { type DemoClient, firstStart } from './gateway/first-start.ts';
import { createGateway, type Gateway, type GatewayDeps } from './gateway/gateway.ts';
import { listenError } from './http/listen-error.ts';
import { type MetricsPort, openMetricsPort } from './http/metrics.ts';
import { sleep, systemClock } from './lib/clock.ts';
import { createLog, type Log } from './lib/log/log.ts';
import { exampleMobile } from './lib/mobile.ts';
import { type NewId, systemRandom, uuidV7 } from './lib/random.ts';
import { exitSoon, untilStopped } from './lib/stop-signal.ts';
import { version } from './lib/version.ts';
import { writeAmount } from './settings/currency.ts';
import { startTracing } from './tracing/sdk.ts';

export type Output = (text: string) => void;

const welcome = (url: string, config: Config, demo: DemoClient): string => {
  const operator = config.operators.find((one) => one.settings['offers'] === true)?.name;
  const token = `-H 'Authorization: Bearer ${demo.token}'`;
  const json = "-H 'Content-Type: application/json'";
  const lines = [
    `Simgate listens at ${url}. The database was empty, so it now holds a demo catalogue`,
    `and a demo client with a balance of ${writeAmount(demo.currency, demo.balance)}. Its token is shown only now:`,
    '',
    `  ${demo.token}`,
    '',
    'List products:',
    `  curl ${token} '${url}/api/clients/products?per_page=2'`,
    ...(operator === undefined
      ? []
      : [
          'List the personal offers of a subscriber:',
          `  curl ${token} ${json} -d '{"mobile":"${exampleMobile(config.mobile)}"}' ${url}/api/${operator}/offers/`,
        ]),
    'Buy a package. Run it twice: the same key buys once and returns the same response:',
    `  curl ${token} -H 'Idempotency-Key: first-1' -d product_id=${demo.product.id} -d price=${demo.product.price} -d mobile=${exampleMobile(config.mobile)} -d webservice_code=first ${url}/api/top-up/package/`,
    ...(config.http.docs === 'off' ? [] : [`Read the documentation at ${url}/docs`]),
    '',
    '',
  ];
  return lines.join('\n');
};

/** Printed and never logged. The token is in the fragment, which browsers never send to a server. */
const invitation = (url: string, name: string, { token }: Setup): string =>
  [
    `No account can sign in to the console yet. Open this one-time link within a day to set the`,
    `password of "${name}":`,
    '',
    `  ${url}/console/setup#${token}`,
    '',
    '',
  ].join('\n');

const listen = async (gateway: Gateway, config: Config): Promise<string> => {
  try {
    await gateway.app.listen({ host: config.host, port: config.port });
  } catch (cause) {
    throw listenError(config, cause) ?? cause;
  }
  const address = gateway.app.server.address();
  const port = isAddress(address) ? address.port : config.port;
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

/** A worker's metrics are shown by its primary, together with those of the others. */
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

/** Lets work in flight finish, within limits. */
const stop = async (gateway: Gateway, config: Config, log: Log): Promise<void> => {
  gateway.drain();
  const cancel = systemClock.after(config.http.drainMs, () => {
    log.warn('some requests did not finish in time and were aborted');
    gateway.cutOff();
  });
  await gateway.close();
  cancel();
};

/** How a server runs: alone, or as one of several workers. */
export type ServerRole = {
  /** The fields of every log line. */
  readonly logged: Readonly<Record<string, string | number>>;
  /** Resolves with the reason to stop. Called once, at the start. */
  readonly untilStopped: () => Promise<string>;
  /** Whether it prints what is printed once per start. */
  readonly isFirst: boolean;
  /** Called with its address, once everything is ready. */
  readonly listening: (url: string, log: Log) => void;
};

const alone: ServerRole = {
  logged: {},
  untilStopped,
  isFirst: true,
  listening: (url, log) => log.info({ url }, 'listening'),
};

type Running = Pick<GatewayDeps, 'config' | 'db' | 'log' | 'origins' | 'spans'> & {
  /** Resolves with what tells it to stop. */
  readonly stopped: Promise<string>;
};

/** Creates the first owner's setup link until a password is set; returns what to print. */
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

/** Logs at every start which operators deliver nothing, and which are not for sale. */
const tellOperators = (config: Config, log: Log): void => {
  const { operators, suppliers, operatorUrl, notForSale } = config;
  const simulated = simulatedIn([...operators, ...suppliers], operatorUrl);
  if (simulated.length > 0) {
    log.warn({ operators: simulated }, 'these operators are simulated: nothing is delivered');
  }
  if (notForSale.length > 0) {
    log.warn({ operators: notForSale }, 'these operators have no connector: they are not for sale');
  }
};

/** Keeps serving until load balancers notice that it is not ready. */
const stopSlowly = async (
  gateway: Gateway,
  { config, log }: Running,
  signal: string,
): Promise<void> => {
  const { stopDelayMs: ms } = config.http;
  if (ms > 0) {
    gateway.setNotReady();
    log.info({ signal, ms }, 'draining: no longer ready, still serving');
    await sleep(systemClock, ms);
  }
  log.info({ signal }, 'draining');
};

const run = async (
  { stopped, ...given }: Running,
  print: Output,
  { isFirst, listening }: ServerRole,
): Promise<void> => {
  const { config, db, log } = given;
  const newId = uuidV7(systemClock, systemRandom);
  const retryLocked = createLockRetry(systemClock);
  const deps = { db, clock: systemClock, newId, random: systemRandom, retryLocked };
  const { promise: outdated, resolve } = Promise.withResolvers<Unusable>();
  const gateway = await createGateway({ ...given, newId, outdated: resolve });
  const stopHearing = onStrayError(({ operatorId }, error) =>
    gateway.recordFault(operatorId, 'unhandled', error),
  );
  let metricsPort: MetricsPort | undefined;
  try {
    await gateway.makePages();
    const url = await listen(gateway, config);
    metricsPort = await showMetrics(gateway, { config, log, newId });
    // Not before it listens: a token of a failed start would never be shown.
    const demo = config.demo
      ? await retryLocked(() => firstStart({ ...deps, suppliers: config.suppliers }))
      : undefined;
    if (demo !== undefined) {
      await gateway.reloadSettings();
      await gateway.reloadCatalogue();
    }
    const invited = isFirst ? await invite(deps, config, url) : '';
    listening(url, log);
    if (isFirst) {
      tellOperators(config, log);
      const warning = missingKeyWarning(config);
      if (warning !== undefined) log.warn(warning);
    }
    if (demo !== undefined) print(welcome(url, config, demo));
    if (invited !== '') print(invited);
    const end = await Promise.race([stopped, outdated]);
    if (typeof end !== 'string') {
      log.error({ reason: end.message }, 'draining');
      throw end;
    }
    await stopSlowly(gateway, { stopped, ...given }, end);
  } finally {
    await stop(gateway, config, log);
    await metricsPort?.close();
    stopHearing();
  }
};

/** Opens the database; undefined if a stop is requested first. */
const open = async (config: Config, log: Log, stopped: Promise<string>) => {
  const opening = openForServer(config, systemClock, {
    broken: (err) => log.warn({ err }, 'a database connection was lost'),
    waiting: ({ message }) => log.warn({ reason: message }, 'waiting for the database'),
    waits: (reason) => log.warn({ reason }, 'waiting for the database to be migrated'),
    unsafe: (text) => log.warn(text),
  });
  const opened = await Promise.race([opening, stopped.then(() => undefined)]);
  const migrations = opened?.migrated ?? [];
  // An empty database took all of them, which is not worth logging.
  if (migrations.length > 0 && migrations.length < programVersion()) {
    log.info({ migrations }, 'database migrated');
  }
  return opened;
};

/** The configuration, and where each setting comes from. */
export type ServeSettings = { readonly config: Config; readonly origins: Origins };

/** Runs the server until a stop is requested. */
export const serve = async (
  { config, origins }: ServeSettings,
  print: Output,
  role: ServerRole = alone,
): Promise<void> => {
  const { logLevel: level, mobile } = config;
  const fields = { instance: instanceName(config), ...role.logged };
  const log = createLog({ level, mobile, fields });
  const stopped = role.untilStopped();
  const database = await open(config, log, stopped);
  if (database === undefined) {
    log.info({ signal: await stopped }, 'stopped before it was ready');
    // A migration may be running: it is rolled back, or repeated by the next start.
    process.exit(0);
  }
  const known = { version: version(), clock: systemClock, random: systemRandom, log };
  const tracing = await startTracing({ ...known, settings: readTracing() });
  const { spans } = tracing;
  try {
    await run({ config, origins, db: database.db, log, spans, stopped }, print, role);
  } finally {
    await database.close();
    // An exporter that hangs would keep the process for as long as it waits itself.
    if (!(await tracing.stop())) exitSoon();
  }
  log.info('stopped');
};
