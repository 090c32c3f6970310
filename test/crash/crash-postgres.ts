/** Runs the crash test of many instances on PostgreSQL: kills and pauses them; stops, restores and replaces their database. */
import { setTimeout as rest } from 'node:timers/promises';
import { createDraw, type Draw } from '../simulation/draw.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { simgate } from '../support/process.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type DatabaseBlow, type Struck, strikeDatabase } from './database-faults.ts';
import { createDepositor, fundedBy } from './deposits.ts';
import { type Blow, type Fleet, longPauseMs, startFleet } from './instances.ts';
import { judge, purchasesBy, queryPostgres } from './judge.ts';
import { createPerson } from './person.ts';
import { openShop } from './shop.ts';
import { startSuppliers } from './suppliers.ts';
import {
  checkBooks,
  clientsOf,
  countsOf,
  type Report,
  type RunCommand,
  untilOver,
  waresOf,
} from './world.ts';

export type FleetOptions = {
  readonly folder: string;
  readonly seed: number;
  /** At least this long: every fault of the database occurs once, however long that takes. */
  readonly seconds: number;
  readonly instances: number;
  /** Buyers, each with its own connection to any instance. */
  readonly connections: number;
  /** The faults of the database, in this order, repeatedly. */
  readonly blows: readonly DatabaseBlow[];
  readonly say: (line: string) => void;
};

export type FleetReport = Report & {
  readonly counted: Readonly<Record<Blow, number>>;
  readonly struck: ReadonlyMap<DatabaseBlow, number>;
};

const blowsInWords = (
  { instances, connections }: FleetOptions,
  counted: Fleet['counted'],
  struck: ReadonlyMap<DatabaseBlow, number>,
): string =>
  [
    `${instances} instances on PostgreSQL, ${connections} connections: ${counted.kill} kills, ${counted.restart} restarts, ${counted.pause} pauses, ${counted.longPause} pauses longer than a lease`,
    ...[...struck].map(([blow, times]) => `${blow} ${times}`),
  ].join(', ');

/** Causes database faults round after round until the time is over. */
const strikeInTurn = async (
  { blows, seconds, say }: FleetOptions,
  struck: Struck,
  times: Map<DatabaseBlow, number>,
): Promise<void> => {
  const until = performance.now() + seconds * 1000;
  const wait = (): Promise<void> => rest(struck.draw.whole(300, 3000));
  do {
    for (const blow of blows) {
      await wait();
      say(`${blow}: ${struck.shop.all.length} keys, ${struck.shop.counted.requests} requests`);
      await strikeDatabase(struck, blow);
      times.set(blow, (times.get(blow) ?? 0) + 1);
    }
  } while (performance.now() < until);
};

const runFleet = async (
  options: FleetOptions,
  cluster: Cluster,
  draw: Draw,
  over: AbortSignal,
): Promise<FleetReport> => {
  const began = performance.now();
  const { folder, seed } = options;
  const suppliers = await startSuppliers(folder, seed);
  const database = { DATABASE_URL: cluster.url };
  const fleet = await startFleet({
    ...options,
    env: { ...database, ...suppliers.env, LOG_LEVEL: 'warn' },
    longPauses: options.seconds * 1000 > options.instances * longPauseMs,
    over,
  });
  const urls = fleet.instances.map(({ gateway }) => `http://127.0.0.1:${gateway.port}`);
  const [first, ...others] = urls;
  if (first === undefined) throw new Error('There are no instances.');
  const command: RunCommand = (...args) => simgate(folder, args, { ...database, ...suppliers.env });
  const query = queryPostgres(cluster.direct);
  const read = purchasesBy(query);
  const clients = await clientsOf(command);
  await suppliers.addRoutes(command);
  const shop = openShop({
    // Each attempt of a key may go to another instance.
    url: () => draw.pick([first, ...others]),
    clients,
    wares: await waresOf(first, clients[0].token),
    draw,
    life: () => 0,
    // A buyer does not wait long for a paused instance, and turns to another.
    patienceMs: () => (draw.chance(0.05) ? 12_000 : draw.whole(200, 1500)),
    over,
  });
  const { books } = suppliers;
  const person = createPerson({ shop, books, command, query, read });
  const money = createDepositor(command, query, clients[2]);
  const struck = new Map<DatabaseBlow, number>();

  const served = shop.serve(options.connections);
  const blows = { ...money, ...person, ...fleet, cluster, shop, person, read, draw };
  // The first failure fails the run.
  await Promise.all([strikeInTurn(options, blows, struck).then(fleet.end), fleet.trouble()]);
  await fleet.heal();
  options.say('all is well again; every key is driven to its end');
  await untilOver(shop, read);
  await served;
  await fleet.stop();
  await suppliers.stop();
  const verdict = judge(shop.all, books, await read(), person.told);
  return {
    ...verdict,
    contradictions: [...shop.contradictions(), ...verdict.contradictions],
    blows: blowsInWords(options, fleet.counted, struck),
    counted: fleet.counted,
    struck,
    ...countsOf(shop),
    cutOff: [],
    died: fleet.instances.flatMap(({ died }) => died),
    moves: (await query('select seq from attempts')).length,
    books: await checkBooks(command, read, fundedBy(money, clients)),
    gate: person.faults,
    seconds: (performance.now() - began) / 1000,
  };
};

export const crashPostgres = async (options: FleetOptions): Promise<FleetReport> => {
  const cluster = await startCluster();
  const over = new AbortController();
  // A test that times out keeps running: this ends what it has started.
  cleanUpAfterTest(() => over.abort());
  try {
    return await runFleet(options, cluster, createDraw(options.seed), over.signal);
  } finally {
    over.abort();
    await cluster.remove();
  }
};
