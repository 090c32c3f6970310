/** Starts a whole gateway on its own database for tests, reached over real HTTP. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before } from 'node:test';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import type { ClientDeps } from '../../src/clients/errors.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { openForServer } from '../../src/db/open.ts';
import type { Db } from '../../src/db/types.ts';
import { createGateway, type Gateway, type GatewayDeps } from '../../src/gateway/gateway.ts';
import { steadyTime, systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { cleanUpAfterTest, onlyOnce } from './cleanup.ts';
import { createClient } from './clients.ts';
import {
  type Engine,
  openBesideTest,
  openTestDatabase,
  type PlaceEnvironment,
  type TestDatabase,
} from './database.ts';
import { exchange, type Received, type Sent } from './exchange.ts';
import { importProducts } from './import-products.ts';
import { quickPasswords } from './passwords.ts';

export type TestServer = {
  readonly url: string;
  /** A first client, with a balance of a million. */
  readonly client: { readonly id: string; readonly token: string };
  /** What use-cases need to act on the server's own database. */
  readonly deps: ClientDeps;
  /** Every log line. */
  readonly logged: string[];
  readonly meter: Gateway['meter'];
  readonly reloadCatalogue: Gateway['reloadCatalogue'];
  readonly makePages: Gateway['makePages'];
  readonly drain: () => void;
  /** As at the beginning of a stop: not ready, and still serving. */
  readonly setNotReady: () => void;
  readonly stop: () => Promise<void>;
};

/** One whose database others may serve too. */
export type StartedServer = TestServer & { readonly env: PlaceEnvironment };

export type TestOptions = {
  readonly config?: Partial<Config>;
  readonly products?: readonly ImportedProduct[];
  readonly balance?: number;
  /** The run's engine by default. */
  readonly engine?: Engine;
  /** The host in its URL; 127.0.0.1 by default. */
  readonly host?: string;
} & Pick<GatewayDeps, 'clock' | 'connectors' | 'spans'>;

/** A manual clock is also the database's. */
const windsDatabase = (clock: GatewayDeps['clock']): Pick<GatewayDeps, 'databaseTime'> => {
  if (clock === undefined) return {};
  const now = steadyTime(clock);
  return { databaseTime: async () => now() };
};

const depsOn = (db: Db): ClientDeps => ({
  db,
  clock: systemClock,
  newId: uuidV7(systemClock, systemRandom),
  random: systemRandom,
});

// Shorter than a lease, so that no other instance claims waiting purchases.
const patientSendMs = 15_000;

/**
 * With the system's clock an order may wait as long as a busy machine delays it, unless a test sets a limit;
 * late orders are tested with manual clocks.
 */
const longTimeouts = ({ clock }: TestOptions, config: Config): Config =>
  clock === undefined
    ? { ...config, purchases: { ...config.purchases, sendWithinMs: patientSendMs } }
    : config;

/**
 * Without the fast path in a framework run. Tests that replace other `http` settings get the fast path's
 * default.
 */
const throughFramework = (config: Config): Config =>
  process.env['SIMGATE_FAST_PATH'] === 'off'
    ? { ...config, http: { ...config.http, fastPath: false } }
    : config;

/**
 * A gateway while it runs: a test file keeps its server to the end of the process, and need not keep all
 * this.
 */
const whileRunning = (gateway: Gateway) => {
  let running: Gateway | undefined = gateway;
  const live = (): Gateway => running ?? assert.fail('the server has stopped');
  return {
    get meter() {
      return live().meter;
    },
    reloadCatalogue: () => live().reloadCatalogue(),
    makePages: () => live().makePages(),
    drain: () => live().drain(),
    setNotReady: () => live().setNotReady(),
    close: async () => {
      await live().close();
      running = undefined;
    },
  };
};

const serve = async (
  database: TestDatabase,
  client: TestServer['client'],
  options: TestOptions,
): Promise<StartedServer> => {
  const { env } = database;
  const config = throughFramework({
    ...longTimeouts(options, readConfig({ PORT: '0', ...env })),
    // Tests send within a second what takes callers minutes.
    rateLimits: {},
    // A test's own operators replace the demo, with its second supplier.
    ...(options.connectors === undefined && options.config?.operators === undefined
      ? {}
      : { suppliers: [] }),
    ...options.config,
  });
  const logged: string[] = [];
  const log = createLog(
    { level: 'trace', mobile: config.mobile },
    { write: (lines) => void logged.push(...lines.trimEnd().split('\n')) },
  );
  const gateway = await createGateway({
    passwords: quickPasswords,
    ...options,
    ...windsDatabase(options.clock),
    config,
    db: database.db,
    log,
  });
  const live = whileRunning(gateway);
  const stop = onlyOnce(async () => {
    await live.close();
    await database.close();
  });
  cleanUpAfterTest(stop);
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  const address = gateway.app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://${options.host ?? '127.0.0.1'}:${port}`,
    client,
    deps: depsOn(database.db),
    get logged() {
      log.flush();
      return logged;
    },
    env,
    get meter() {
      return live.meter;
    },
    reloadCatalogue: live.reloadCatalogue,
    makePages: live.makePages,
    drain: live.drain,
    setNotReady: live.setNotReady,
    stop,
  };
};

export const startServer = async (options: TestOptions = {}): Promise<StartedServer> => {
  const database = await openTestDatabase(options.engine);
  const deps = depsOn(database.db);
  await importProducts(deps, options.products ?? []);
  const { balance = 1_000_000 } = options;
  const { id, token } = await createClient(deps, { name: 'First', balance });
  return serve(database, { id, token: token.token }, options);
};

/** The first gateway on an empty PostgreSQL database of the caller. Stopping it leaves the database. */
export const startOn = async (url: string, options: TestOptions = {}): Promise<StartedServer> => {
  const env = { DATA_DIR: tmpdir(), DATABASE_URL: url };
  const opened = await openForServer(readConfig(env), systemClock);
  const { db } = opened;
  const close = onlyOnce(opened.close);
  cleanUpAfterTest(close);
  const deps = depsOn(db);
  await importProducts(deps, options.products ?? []);
  const { balance = 1_000_000 } = options;
  const { id, token } = await createClient(deps, { name: 'First', balance });
  return serve({ db, close, env }, { id, token: token.token }, options);
};

/** Another instance of the gateway on the PostgreSQL database of a test server, with its own pool. */
export const startBeside = async (
  { env, client }: StartedServer,
  options: TestOptions = {},
): Promise<TestServer> => {
  const { DATABASE_URL: url } = env;
  if (url === undefined) throw new Error('A file has one server.');
  return serve({ ...openBesideTest(url), env }, client, options);
};

/** Another client on a test server. */
export const addClient = async (
  server: TestServer,
  options: { readonly name?: string; readonly balance?: number; readonly test?: boolean } = {},
): Promise<{ readonly id: string; readonly token: string }> => {
  const { name = 'Another', balance = 0, test = false } = options;
  const client = await createClient(server.deps, { name, balance, test });
  return { id: client.id, token: client.token.token };
};

/**
 * One server for the tests of a suite that only need their own client. It starts before the suite and stops
 * after it.
 */
export const shareServer = (
  options: TestOptions = {},
): ((work: (server: TestServer) => Promise<void>, balance?: number) => Promise<void>) => {
  const started: StartedServer[] = [];
  before(async () => {
    started.push(await startServer(options));
  });
  after(async () => {
    for (const server of started) await server.stop();
  });
  return async (work, balance = 1_000_000) => {
    // Called outside the suite of its tests, none is started: then a test must not silently pass.
    const server = started[0] ?? assert.fail('the shared server is not started');
    const client = await addClient(server, { balance });
    await work({
      ...server,
      client,
      get logged() {
        return server.logged;
      },
    });
  };
};

export type Answer = Received & {
  /** The body as JSON, or null if it is not JSON. */
  readonly body: unknown;
};

const parsedOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Sends one request with a token, the first client's by default; null sends none. */
export const request = async (
  server: TestServer,
  path: string,
  options: Partial<Sent> & {
    readonly token?: string | null;
    /** Sent as a JSON body, by POST. */
    readonly json?: unknown;
  } = {},
): Promise<Answer> => {
  const { token = server.client.token, json, headers, ...sent } = options;
  const received = await exchange(server.url + path, {
    ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
    ...sent,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  return { ...received, body: parsedOrNull(received.text) };
};
