/** Stops, restarts and upgrades three instances one after another under load, and judges what the buyers saw. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { judge, purchasesBy, queryPostgres } from '../crash/judge.ts';
import { checkBooks, clientsOf, type RunCommand, waresOf } from '../crash/world.ts';
import { createDraw } from '../simulation/draw.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { makeNewerProgram, type NewerProgram, thisVersion } from '../support/newer-program.ts';
import { freePort } from '../support/port.ts';
import {
  type Launched,
  launch,
  type Program,
  type Served,
  simgate,
  simulatorProcess,
} from '../support/process.ts';
import { type Front, startFront } from './front.ts';
import { type Bought, type Buyers, openBuyers } from './retrying-buyers.ts';

export type RollingOptions = {
  readonly folder: string;
  /** An empty database. */
  readonly databaseUrl: string;
  readonly seed: number;
  readonly instances: number;
  readonly buyers: number;
  /** How long it runs undisturbed at the beginning, at the end, and while one is stopped. */
  readonly calmMs: number;
  readonly say: (line: string) => void;
};

export type Phase = {
  readonly name: string;
  readonly ms: number;
  readonly bought: readonly Bought[];
  /** What reached a buyer despite retries. */
  readonly errors: number;
};

export type RollingReport = {
  readonly phases: readonly Phase[];
  readonly answers: ReadonlyMap<string, number>;
  readonly keys: number;
  readonly deliveries: number;
  /** What has to be empty, by name. */
  readonly faults: readonly (readonly [string, readonly string[]])[];
};

type Instance = {
  readonly dataDir: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  life: Launched;
  /** How it ended, if it failed. */
  readonly died: string[];
};

// Several checks of the front fall into it.
const stopDelayMs = 500;

const config = {
  http: { stopDelayMs },
  admin: { firstLink: false },
  // A busy machine is not a failing operator.
  breaker: { leastCalls: 1_000_000 },
};

/** Far more than a busy machine needs: it separates "late" from "never". */
const patienceMs = 300_000;

const isRunning = ({ child }: Launched): boolean =>
  child.exitCode === null && child.signalCode === null;

const untilReady = async ({ port, life }: Instance): Promise<void> => {
  const latest = performance.now() + patienceMs;
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    if (!isRunning(life)) throw new Error(`An instance ended: ${life.printed()}`);
    if (performance.now() > latest) throw new Error('An instance is never ready.');
    await rest(50);
  }
};

const start = async (instance: Instance, program?: Program): Promise<void> => {
  const { dataDir, env, port } = instance;
  instance.life = await launch(dataDir, ['serve'], { ...env, PORT: String(port) }, program);
  await untilReady(instance);
};

const stop = async ({ life, died, port }: Instance): Promise<void> => {
  if (!isRunning(life)) died.push(`${port} exited unexpectedly: ${life.printed()}`);
  life.child.kill('SIGTERM');
  const status = await life.closed;
  if (status !== 0) died.push(`${port} ended with ${status}: ${life.printed()}`);
};

const startAll = (
  { folder, instances }: RollingOptions,
  env: Readonly<Record<string, string>>,
): Promise<Instance[]> =>
  Promise.all(
    Array.from({ length: instances }, async (_, index): Promise<Instance> => {
      const dataDir = join(folder, `instance-${index}`);
      mkdirSync(dataDir);
      const port = await freePort();
      const life = await launch(dataDir, ['serve'], { ...env, PORT: String(port) });
      const instance = { dataDir, port, env, life, died: [] };
      await untilReady(instance);
      return instance;
    }),
  );

/** The newer version's change, outside a transaction: the older one can run beside it. */
const migration = `-- outside a transaction
-- oldest program ${thisVersion}
create index concurrently purchases_by_mobile_of_drill on purchases (mobile, id);`;

const phasesOf = (
  { calmMs }: RollingOptions,
  [first, ...others]: readonly [Instance, ...Instance[]],
  { program }: NewerProgram,
): readonly (readonly [name: string, run: () => Promise<void>])[] => {
  const all = [first, ...others];
  const calm = (): Promise<void> => rest(calmMs);
  const each = async (next?: Program): Promise<void> => {
    for (const instance of all) {
      await stop(instance);
      await start(instance, next);
    }
  };
  return [
    ['calm', calm],
    [
      'one stopped',
      async () => {
        await stop(first);
        await rest(calmMs);
        await start(first);
      },
    ],
    ['rolling restart', () => each()],
    ['rolling upgrade', () => each(program)],
    ['calm, upgraded', calm],
  ];
};

const runPhases = async (
  phases: ReturnType<typeof phasesOf>,
  buyers: Buyers,
  say: (line: string) => void,
): Promise<Phase[]> => {
  const ran: Phase[] = [];
  for (const [name, run] of phases) {
    const [began, erred] = [performance.now(), buyers.errors.length];
    say(`${name} …`);
    await run();
    const ended = performance.now();
    const bought = buyers.bought.filter(({ at }) => at >= began && at < ended);
    ran.push({ name, ms: ended - began, bought, errors: buyers.errors.length - erred });
  }
  return ran;
};

/** The parts of the drill; ended in reverse order. */
type Stage = {
  readonly simulator: Served;
  readonly instances: readonly [Instance, ...Instance[]];
  readonly front: Front;
  readonly newer: NewerProgram;
  readonly env: Readonly<Record<string, string>>;
};

const setUp = async (options: RollingOptions): Promise<Stage> => {
  const { folder, seed } = options;
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  const slow = ['--seed', String(seed), '--delay', '40', '--only', 'orders'];
  const simulator = await simulatorProcess(folder, ...slow);
  const env = {
    DATABASE_URL: options.databaseUrl,
    SIMGATE_CONFIG: file,
    OPERATOR_URL: simulator.url,
    LOG_LEVEL: 'warn',
  };
  const [first, ...others] = await startAll(options, env);
  if (first === undefined) throw new Error('There are no instances.');
  const front = await startFront([first, ...others].map(({ port }) => port));
  return {
    simulator,
    instances: [first, ...others],
    front,
    newer: makeNewerProgram(migration),
    env,
  };
};

/** Runs the whole drill. */
export const runRolling = async (options: RollingOptions): Promise<RollingReport> => {
  const { folder, databaseUrl, say } = options;
  const { simulator, instances, front, newer, env } = await setUp(options);
  const [first] = instances;
  const command: RunCommand = (...args) => simgate(folder, args, env);
  const read = purchasesBy(queryPostgres(() => databaseUrl));
  const clients = await clientsOf(command);
  const [rich, alsoRich] = clients;
  const buyers = openBuyers({
    url: front.url,
    clients: [rich, alsoRich],
    wares: await waresOf(`http://127.0.0.1:${first.port}`, rich.token),
    draw: createDraw(options.seed),
  });
  // A test that times out, or fails, leaves none of them behind.
  cleanUpAfterTest(buyers.abort);
  const served = buyers.serve(options.buyers);
  const phases = await runPhases(phasesOf(options, instances, newer), buyers, say);
  buyers.close();
  await served;
  await front.close();
  for (const instance of instances) await stop(instance);
  await simulator.stop();
  const version = await queryPostgres(() => databaseUrl)(
    `select name from migrations where name = '${newer.migration}'`,
  );
  newer.remove();
  const verdict = judge(buyers.all, join(folder, 'book.jsonl'), await read());
  return {
    phases,
    answers: buyers.answers,
    keys: buyers.all.length,
    deliveries: verdict.deliveries,
    faults: [
      ['errors that reached a buyer who retries', buyers.errors],
      ['doubles', verdict.doubles],
      ['lost', verdict.lost],
      ['contradictions', [...buyers.contradictions, ...verdict.contradictions]],
      ['neither final nor in review', [...verdict.open, ...verdict.review]],
      ['instances that did not end well', instances.flatMap(({ died }) => died)],
      ['wrong in the books', await checkBooks(command, read, clients)],
      ['not upgraded', version.length === 1 ? [] : [newer.migration]],
      ['phases in which nothing was sold', phases.filter(isIdle).map(({ name }) => name)],
    ],
  };
};

/** A calm phase may end before a busy machine has sold anything. */
const isIdle = ({ name, bought }: Phase): boolean =>
  bought.length === 0 && !name.startsWith('calm');
