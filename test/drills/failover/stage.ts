/** Sets up what sells on the cluster: two gateways behind a balancer, the operators' simulator, and clients. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { purchasesBy, queryPostgres, type ReadPurchases } from '../../crash/judge.ts';
import type { Client, Ware } from '../../crash/shop.ts';
import { clientsOf, type RunCommand, waresOf } from '../../crash/world.ts';
import { createDraw, type Draw } from '../../simulation/draw.ts';
import { at } from '../../support/answers.ts';
import { parsed } from '../../support/live.ts';
import { simgate, simulatorProcess } from '../../support/process.ts';
import { startFront } from '../front.ts';
import { type Instance, startInstances, stopInstance } from '../instances.ts';
import type { PatroniCluster } from './patroni.ts';

export type FailoverOptions = {
  readonly cluster: PatroniCluster;
  readonly folder: string;
  readonly seed: number;
  readonly buyers: number;
  /** How long it runs undisturbed before and after each disturbance. */
  readonly calmMs: number;
  readonly say: (line: string) => void;
};

export type Stage = {
  readonly instances: readonly [Instance, ...Instance[]];
  readonly clients: readonly [Client, Client];
  readonly wares: readonly [Ware, ...Ware[]];
  readonly draw: Draw;
  /** The address at which clients buy. */
  readonly url: string;
  /** The operators' book. */
  readonly book: string;
  readonly command: RunCommand;
  readonly read: ReadPurchases;
  /** The result of `simgate restore status`. */
  readonly restoreStatus: () => Promise<unknown>;
  /** Drains the gateways, and ends everything. */
  readonly close: () => Promise<void>;
};

const configOf = (synchronous: boolean) => ({
  database: { synchronousReplication: synchronous },
  admin: { firstLink: false },
  // A busy machine is not a failing operator.
  breaker: { leastCalls: 1_000_000 },
});

/** `synchronous`: the gateways are configured for a synchronous standby. */
export const setStage = async (
  { cluster, folder, seed }: FailoverOptions,
  name: string,
  synchronous: boolean,
): Promise<Stage> => {
  const home = join(folder, name);
  mkdirSync(home);
  await cluster.createDatabase(name);
  const file = join(home, 'config.json');
  writeFileSync(file, JSON.stringify(configOf(synchronous)));
  const slow = ['--seed', String(seed), '--delay', '40', '--only', 'orders'];
  const simulator = await simulatorProcess(home, ...slow);
  const env = {
    DATABASE_URL: cluster.url(name),
    SIMGATE_CONFIG: file,
    OPERATOR_URL: simulator.url,
    LOG_LEVEL: 'warn',
  };
  const instances = await startInstances({ folder: home, count: 2 }, env);
  const front = await startFront(instances.map(({ port }) => port));
  const command: RunCommand = (...args) => simgate(home, args, env);
  const [rich, alsoRich] = await clientsOf(command);
  return {
    instances,
    clients: [rich, alsoRich],
    wares: await waresOf(front.url, rich.token),
    draw: createDraw(seed),
    url: front.url,
    book: join(home, 'book.jsonl'),
    command,
    read: purchasesBy(queryPostgres(() => cluster.url(name))),
    restoreStatus: async () => parsed((await command('restore', 'status', '--json')).out),
    close: async () => {
      await front.close();
      for (const instance of instances) await stopInstance(instance);
      await simulator.stop();
    },
  };
};

/** Whether each gateway says that it sells. */
export const whetherSelling = ({ instances }: Stage): Promise<boolean[]> =>
  Promise.all(
    instances.map(async ({ port }) => {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
      const body = parsed(await response.text());
      return response.ok && at(body, 'selling') !== false;
    }),
  );
