/** Stops, restarts and upgrades three instances one after another under load, and judges what the buyers saw. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { judge, purchasesBy, queryPostgres } from '../crash/judge.ts';
import { checkBooks, clientsOf, type RunCommand, waresOf } from '../crash/world.ts';
import { createDraw } from '../simulation/draw.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { makeNewerProgram, type NewerProgram, thisVersion } from '../support/newer-program.ts';
import { type Program, type Served, simgate, simulatorProcess } from '../support/process.ts';
import { type Front, startFront } from './front.ts';
import { type Instance, startInstance, startInstances, stopInstance } from './instances.ts';
import { isIdle, type Phase, type PlannedPhase, runPhases } from './phases.ts';
import { openBuyers } from './retrying-buyers.ts';

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

export type RollingReport = {
  readonly phases: readonly Phase[];
  readonly answers: ReadonlyMap<string, number>;
  readonly keys: number;
  readonly deliveries: number;
  /** What has to be empty, by name. */
  readonly faults: readonly (readonly [string, readonly string[]])[];
};

// Several checks of the front fall into it.
const stopDelayMs = 500;

const config = {
  http: { stopDelayMs },
  admin: { firstLink: false },
  // A busy machine is not a failing operator.
  breaker: { leastCalls: 1_000_000 },
};

/** The newer version's change, outside a transaction: the older one can run beside it. */
const migration = `-- outside a transaction
-- oldest program ${thisVersion}
create index concurrently purchases_by_mobile_of_drill on purchases (mobile, id);`;

const phasesOf = (
  { calmMs }: RollingOptions,
  [first, ...others]: readonly [Instance, ...Instance[]],
  { program }: NewerProgram,
): readonly PlannedPhase[] => {
  const all = [first, ...others];
  const calm = (): Promise<void> => rest(calmMs);
  const each = async (next?: Program): Promise<void> => {
    for (const instance of all) {
      await stopInstance(instance);
      await startInstance(instance, next);
    }
  };
  return [
    ['calm', calm],
    [
      'one stopped',
      async () => {
        await stopInstance(first);
        await rest(calmMs);
        await startInstance(first);
      },
    ],
    ['rolling restart', () => each()],
    ['rolling upgrade', () => each(program)],
    ['calm, upgraded', calm],
  ];
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
  const [first, ...others] = await startInstances({ folder, count: options.instances }, env);
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
  for (const instance of instances) await stopInstance(instance);
  await simulator.stop();
  const version = await queryPostgres(() => databaseUrl)(
    `select name from migrations where name = '${newer.migration}'`,
  );
  newer.remove();
  const verdict = judge(buyers.all, [join(folder, 'book.jsonl')], await read());
  return {
    phases,
    answers: buyers.answers,
    keys: buyers.all.length,
    deliveries: verdict.deliveries,
    faults: [
      ['errors that reached a buyer who retries', [...buyers.errors, ...buyers.notOrdered]],
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
