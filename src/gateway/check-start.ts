/** Checks whether the server would start with this configuration, without changing anything. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { Config, ConnectionConfig, OperatorConfig } from '../config/config.ts';
import { assertShownByPrimary } from '../config/sections/metrics.ts';
import { kindWord } from '../config/sections/operators.ts';
import { callWithin } from '../connector/call.ts';
import type { Connector } from '../connector/connector.ts';
import { checkDatabase } from '../db/check.ts';
import { createSecrets, missingKeyWarning } from '../db/secrets/keys.ts';
import { databaseFile } from '../db/sqlite/open.ts';
import { isPortTaken, listenError, metricsListenError } from '../http/listen-error.ts';
import { assertProxies } from '../http/proxies.ts';
import { systemClock } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { systemRandom, uuidV7 } from '../lib/random.ts';
import { openRegistry } from '../operators/registry.ts';
import { listEarlierSettings, listSettings } from '../operators/settings/store.ts';
import { refuseUnreadable, witnessFileOf } from '../purchases/restored/place/witness-file.ts';
import { allConnections, withConsoleSettings } from './operators.ts';
import { purchaseConfig } from './purchases.ts';
import { assertNetworks } from './webhooks.ts';

/** The checks that the configuration's schema cannot express. */
const assertSettings = (config: Config): void => {
  assertProxies(config.trustedProxies);
  assertNetworks(config);
  purchaseConfig(config);
  if (config.workers > 1) assertShownByPrimary(config.metrics);
};

const checkPlace = async (config: Config) => {
  const checked = await checkDatabase(config, async (db, tables) => {
    const columns = tables.get('operator_settings');
    if (columns === undefined) return undefined;
    const list = columns.has('chosen_over') ? listSettings : listEarlierSettings;
    return withConsoleSettings(db, allConnections(config), list);
  });
  if (config.databaseUrl === undefined) {
    const witness = witnessFileOf(databaseFile(config.dataDir));
    await readFile(witness).catch(refuseUnreadable(witness));
  }
  return checked;
};

const assertOperators = async (
  { operators, suppliers }: Config,
  connectors: readonly Connector[],
  excused: ReadonlySet<number> = new Set(),
): Promise<void> => {
  const shared = { clock: systemClock, random: systemRandom, call: callWithin(systemClock) };
  const newId = uuidV7(systemClock, systemRandom);
  const contextFor = (operatorId: number) => ({ operatorId, newId, ...shared });
  const registry = openRegistry(operators, connectors, contextFor, { excused, suppliers });
  await registry.close();
  for (const { id, name, connector } of [...operators, ...suppliers]) {
    const error = registry.unopened.get(id);
    if (error === undefined) continue;
    const kind = kindWord(id);
    throw new UsageError(
      `${kind} "${name}": the connector "${connector}" cannot be opened with these settings: ${error}. The server would start without this ${kind.toLowerCase()}.`,
    );
  }
};

type Place = { readonly host: string; readonly port: number };

/** Listens at an address; undefined if it is taken. */
const tryPlace = async (
  { host, port }: Place,
  faultOf: (cause: unknown) => Error | undefined,
): Promise<Server | undefined> => {
  const server = createServer();
  server.listen({ host, port });
  try {
    await once(server, 'listening');
    return server;
  } catch (cause) {
    if (isPortTaken(cause)) return undefined;
    throw faultOf(cause) ?? cause;
  }
};

/** Both at once, since they need different ports. Returns those that are taken now. */
const checkPorts = async ({ host, port, metrics }: Config): Promise<string[]> => {
  const own = await tryPlace({ host, port }, (cause) => listenError({ host, port }, cause));
  const taken = own === undefined ? [`Port ${port} of ${host} is in use`] : [];
  try {
    if (metrics.port === undefined) return taken;
    const place = { host: metrics.host, port: metrics.port };
    const other = await tryPlace(place, (cause) => metricsListenError(place, cause));
    other?.close();
    if (other !== undefined) return taken;
    if (own !== undefined && place.port === port) {
      throw metricsListenError(place, new Error('it is the port of the gateway'));
    }
    return [...taken, `Port ${place.port} of ${place.host} is in use`];
  } finally {
    own?.close();
  }
};

const listed = (names: readonly string[], none: string): string =>
  names.length === 0 ? none : names.join(', ');

/** Throws the sentence with which a start would fail; else returns what would be sold. */
export const checkStart = async (
  config: Config,
  connectors: readonly Connector[],
): Promise<{ readonly data: unknown; readonly text: string }> => {
  assertSettings(config);
  const { state, found, inUse } = await checkPlace(config);
  createSecrets(config, systemRandom);
  await assertOperators(config, connectors, found);
  const warning = missingKeyWarning(config);
  const taken = [...inUse, ...(await checkPorts(config))];
  const isConnected = ({ id }: OperatorConfig): boolean => found?.has(id) === true;
  const unsold = config.unconnected.filter((one) => !isConnected(one));
  const notForSale = unsold.map(({ name }) => name);
  const byConsole = config.unconnected.filter(isConnected).map(({ name }) => name);
  const reachedBy = ({ name, connector }: ConnectionConfig) => ({ name, connector });
  const [operators, suppliers] = [config.operators.map(reachedBy), config.suppliers.map(reachedBy)];
  const shown = ({ name, connector }: (typeof operators)[number]) => `${name} (${connector})`;
  const sold = [
    ...operators.map(shown),
    ...byConsole.map((name) => `${name} (chosen in the console)`),
  ];
  const sentences = [
    'The configuration is valid.',
    `Database: ${state}.`,
    `Operators: ${listed(sold, 'none, so nothing can be sold')}.`,
    ...(suppliers.length === 0 ? [] : [`Suppliers: ${suppliers.map(shown).join(', ')}.`]),
    ...(notForSale.length === 0 ? [] : [`Not for sale: ${notForSale.join(', ')}.`]),
    ...(warning === undefined ? [] : [warning]),
    ...taken.map((what) => `${what}. Stop the process that uses it first.`),
  ];
  return {
    data: {
      ok: true,
      database: state,
      operators,
      suppliers,
      notForSale,
      inUse: taken,
      warnings: warning === undefined ? [] : [warning],
    },
    text: sentences.join(' '),
  };
};
