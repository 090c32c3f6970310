/** Owns the crash test of many instances: they are killed, paused and restarted, and their PostgreSQL with them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { createDraw, type Draw } from '../simulation/draw.ts';
import { freePort } from '../support/port.ts';
import { durable, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { simgate, simulatorProcess } from '../support/process.ts';
import { type GatewayDeps, type Life, startGateway } from './gateway.ts';
import { judge, purchasesOfPostgres } from './judge.ts';
import { openShop } from './shop.ts';
import {
  checkBooks,
  clientsOf,
  config,
  faults,
  type Report,
  type RunCommand,
  untilOver,
  waresOf,
} from './world.ts';

export type FleetOptions = {
  readonly folder: string;
  readonly seed: number;
  readonly seconds: number;
  readonly instances: number;
  /** Buyers, each on a connection of its own to whichever instance it asks. */
  readonly connections: number;
  readonly say: (line: string) => void;
};

export type FleetReport = Report & {
  readonly counted: Readonly<Record<Blow | 'database', number>>;
};

type Blow = 'kill' | 'restart' | 'pause' | 'longPause';

type Instance = {
  readonly gateway: GatewayDeps;
  readonly draw: Draw;
  life: Life;
  /** How it ended where nobody had told it to. */
  readonly died: string[];
};

type Fleet = {
  readonly options: FleetOptions;
  readonly postgres: TestPostgres;
  readonly instances: readonly Instance[];
  readonly counted: Record<Blow | 'database', number>;
  /** By the monotonic clock: when the blows end. */
  readonly until: number;
};

const isRunning = ({ child }: Life): boolean =>
  child.exitCode === null && child.signalCode === null;

/** Starts it as a process manager does: again, where it ended because the database was away. */
const startSurely = async (gateway: GatewayDeps): Promise<Life> => {
  for (let tries = 1; tries <= 60; tries += 1) {
    const life = await startGateway(gateway);
    if (isRunning(life)) return life;
    await rest(500);
  }
  throw new Error(`It does not start: ${gateway.logFile}`);
};

/** Longer than the longest lease. */
const longPauseMs = 22_000;

const strike = async (instance: Instance, blow: Blow): Promise<void> => {
  const { draw, gateway, life } = instance;
  if (!isRunning(life)) instance.died.push(`${gateway.logFile}: ${await life.ended}`);
  switch (blow) {
    case 'kill':
    case 'restart':
      life.child.kill(blow === 'kill' ? 'SIGKILL' : 'SIGTERM');
      await life.ended;
      await rest(draw.whole(0, 1500));
      instance.life = await startSurely(gateway);
      return;
    case 'pause':
    case 'longPause':
      // It goes on afterwards, with all that it thinks is still its own.
      life.child.kill('SIGSTOP');
      await rest(blow === 'pause' ? draw.whole(200, 6000) : longPauseMs);
      life.child.kill('SIGCONT');
  }
};

const drawBlow = (draw: Draw): Blow =>
  draw.pick(['kill', 'kill', 'kill', 'restart', 'pause', 'pause']);

/** One instance's troubles, from the beginning of the test to its end. */
const trouble = async (fleet: Fleet, instance: Instance, index: number): Promise<void> => {
  const { until, counted, options } = fleet;
  // Each of them is paused for longer than a lease at another time, where there is time for it.
  const longAt = until - options.seconds * 1000 + index * (longPauseMs + 3000);
  let rested = false;
  for (;;) {
    await rest(instance.draw.whole(300, 3500));
    const now = performance.now();
    if (now > until) return;
    const long: boolean = !rested && now >= longAt && now + longPauseMs < until + 3000;
    rested ||= long;
    const blow = long ? 'longPause' : drawBlow(instance.draw);
    counted[blow] += 1;
    await strike(instance, blow);
  }
};

/** The database's own troubles: it is stopped twice, each time for a moment. */
const databaseTrouble = async (fleet: Fleet, draw: Draw): Promise<void> => {
  const { postgres, counted, options, until } = fleet;
  for (const share of [0.7, 0.3]) {
    await rest(Math.max(0, until - share * options.seconds * 1000 - performance.now()));
    await postgres.end('SIGQUIT');
    counted.database += 1;
    await rest(draw.whole(300, 3000));
    await postgres.start();
  }
};

const instancesOf = async (
  options: FleetOptions,
  env: Readonly<Record<string, string>>,
): Promise<Instance[]> => {
  const made = Array.from({ length: options.instances }, async (_, index): Promise<Instance> => {
    const dataDir = join(options.folder, `instance-${index}`);
    mkdirSync(dataDir, { recursive: true });
    const gateway = {
      dataDir,
      port: await freePort(),
      env,
      logFile: join(options.folder, `instance-${index}.log`),
    };
    const draw = createDraw(options.seed * 1000 + index);
    return { gateway, draw, life: await startSurely(gateway), died: [] };
  });
  return Promise.all(made);
};

const heal = async ({ instances }: Fleet): Promise<void> => {
  await Promise.all(
    instances.map(async (instance) => {
      const { life, gateway, died } = instance;
      if (isRunning(life)) return;
      died.push(`${gateway.logFile}: ${await life.ended}`);
      instance.life = await startSurely(gateway);
    }),
  );
};

const tell = ({ counted, options }: Fleet): string =>
  `${options.instances} instances on PostgreSQL, ${options.connections} connections, ${options.seconds} s: ${counted.kill} kills, ${counted.restart} restarts, ${counted.pause} pauses, ${counted.longPause} pauses longer than a lease; PostgreSQL stopped at once and started again ${counted.database} times`;

const runFleet = async (options: FleetOptions, postgres: TestPostgres): Promise<FleetReport> => {
  const began = performance.now();
  const { folder, seed } = options;
  const draw = createDraw(seed);
  const configFile = join(folder, 'config.json');
  writeFileSync(configFile, JSON.stringify(config));
  const simulator = await simulatorProcess(folder, '--seed', String(seed), ...faults);
  // Nothing that was started outlives the test.
  process.once('exit', () => simulator.child.kill('SIGKILL'));
  const url = postgres.url('postgres');
  const database = { DATABASE_URL: url };
  const env = {
    ...database,
    SIMGATE_CONFIG: configFile,
    OPERATOR_URL: simulator.url,
    LOG_LEVEL: 'warn',
  };
  const instances = await instancesOf(options, env);
  const urlOf = ({ gateway }: Instance): string => `http://127.0.0.1:${gateway.port}`;
  const [first, ...others] = instances.map(urlOf);
  if (first === undefined) throw new Error('There are no instances.');
  const command: RunCommand = (...args) => simgate(folder, args, database);
  const read = purchasesOfPostgres(url);
  const clients = await clientsOf(command);
  const wares = await waresOf(first, clients[0].token);
  const shop = openShop({
    // The same key may be sent to another one each time.
    url: () => draw.pick([first, ...others]),
    clients,
    wares,
    draw,
    life: () => 0,
    // Whoever waits for one that is paused turns to another.
    patienceMs: () => (draw.chance(0.05) ? 12_000 : draw.whole(200, 1500)),
  });
  const counted = { kill: 0, restart: 0, pause: 0, longPause: 0, database: 0 };
  const until = performance.now() + options.seconds * 1000;
  const fleet: Fleet = { options, postgres, instances, counted, until };

  const served = shop.serve(options.connections);
  const progress = setInterval(() => {
    options.say(`${shop.all.length} keys, ${shop.counted.requests} requests`);
  }, 10_000);
  await Promise.all([
    databaseTrouble(fleet, draw),
    ...instances.map((instance, index) => trouble(fleet, instance, index)),
  ]);
  clearInterval(progress);
  await heal(fleet);
  options.say('all is well again; every key is driven to its end');
  await untilOver(shop, read);
  await served;
  for (const { life } of instances) life.child.kill('SIGTERM');
  for (const { life, died, gateway } of instances) {
    const end = await life.ended;
    if (end !== 0) died.push(`${gateway.logFile}: ${end}, asked to stop`);
  }
  await simulator.stop();
  const verdict = judge(shop.all, join(folder, 'book.jsonl'), await read());
  return {
    ...verdict,
    contradictions: [...shop.contradictions, ...verdict.contradictions],
    blows: tell(fleet),
    counted,
    keys: shop.all.length,
    requests: shop.counted.requests,
    repeats: shop.counted.repeats,
    answers: shop.answers,
    cutOff: [],
    died: instances.flatMap(({ died }) => died),
    books: await checkBooks(command, read, clients),
    seconds: (performance.now() - began) / 1000,
  };
};

export const crashPostgres = async (options: FleetOptions): Promise<FleetReport> => {
  const postgres = await startPostgres(durable);
  try {
    return await runFleet(options, postgres);
  } finally {
    await postgres.remove();
  }
};
