/** Loses the leader of a synchronous cluster under load, three times: nothing is lost, and sales resume by themselves. */
import { setTimeout as rest } from 'node:timers/promises';
import { judge } from '../../crash/judge.ts';
import { checkBooks } from '../../crash/world.ts';
import { at, listOf } from '../../support/answers.ts';
import { isRunning, startInstance } from '../instances.ts';
import { isIdle, type Phase, type PlannedPhase, runPhases } from '../phases.ts';
import { type Buyers, openBuyers } from '../retrying-buyers.ts';
import { until } from '../system-postgres.ts';
import { type FailoverOptions, type Stage, setStage } from './stage.ts';

export type KeptReport = {
  readonly phases: readonly Phase[];
  readonly failovers: readonly Failover[];
  readonly answers: ReadonlyMap<string, number>;
  readonly keys: number;
  readonly deliveries: number;
  /** Keys whose order was not sent in time, and which cost nothing. */
  readonly notOrdered: number;
  /** What has to be empty, by name. */
  readonly faults: readonly (readonly [string, readonly string[]])[];
};

type Failover = {
  readonly name: string;
  /** From the disturbance to the next leader, to the open gate, and to the sale of a new key. */
  readonly leaderMs: number;
  readonly openMs: number;
  readonly soldMs: number;
  /** How the gate opened. */
  readonly gate: string;
};

/** Resolves when a new key that was first sent after that time is sold. */
export const untilSold = (buyers: Buyers, since: number): Promise<void> =>
  until('something new is sold', async () =>
    buyers.bought.some(({ at, isNew }) => isNew && at > since),
  );

/** How the gate opened after the last change of place, in words. */
const gateIn = (status: unknown): string => {
  const results = listOf(at(status, 'instances') ?? []).map((one) => String(at(one, 'result')));
  const words = ['cause', 'changed', 'opened_by'].map((key) => String(at(status, key)));
  return `${words.join(', ')}: ${results.toSorted().join(' and ')}`;
};

const expectedGate = 'place_changed, timeline, simgate: ';

const phasesOf = (
  { cluster, calmMs }: FailoverOptions,
  stage: Stage,
  buyers: Buyers,
  failovers: Failover[],
): readonly PlannedPhase[] => {
  const [first] = stage.instances;
  const calm = (): Promise<void> => rest(calmMs);

  /** Takes the lead from the leader, and waits until the next one sells. */
  const takeLead = async (name: string, take: () => Promise<void>): Promise<void> => {
    const former = await cluster.leader();
    const [began, beganAt] = [performance.now(), Date.now()];
    await take();
    await cluster.untilLedByOther(former);
    const led = performance.now();
    await untilSold(buyers, led);
    const soldMs = performance.now() - began;
    const status = await stage.restoreStatus();
    const openMs = Date.parse(String(at(status, 'opened_at'))) - beganAt;
    failovers.push({ name, leaderMs: led - began, openMs, soldMs, gate: gateIn(status) });
    // Buyers that wait before their next retry finish too.
    await calm();
  };
  const comeBack = async (): Promise<void> => {
    for (const machine of cluster.machines) if (!machine.isRunning()) machine.start();
    await cluster.untilComplete();
  };
  const killLeader = async (): Promise<void> => (await cluster.leader()).kill();
  return [
    ['calm', calm],
    [
      'planned switchover',
      () =>
        takeLead('planned switchover', async () => {
          const standby = await cluster.synchronousStandby();
          if (standby === undefined) throw new Error('There is no synchronous standby.');
          await cluster.switchOver(await cluster.leader(), standby);
        }),
    ],
    ['calm, machine rejoins', comeBack],
    ['leader killed', () => takeLead('leader killed', killLeader)],
    ['calm, machine returns', comeBack],
    [
      'leader and gateway killed',
      () =>
        takeLead('leader and gateway killed', async () => {
          first.life.child.kill('SIGKILL');
          await killLeader();
        }),
    ],
    [
      'calm, both return',
      async () => {
        await startInstance(first);
        await comeBack();
        await calm();
      },
    ],
  ];
};

const wrongAtGate = (failovers: readonly Failover[]): string[] =>
  failovers
    .filter(({ gate }) => !gate.startsWith(expectedGate))
    .map(({ name, gate }) => `${name}: ${gate}`);

export const runKept = async (options: FailoverOptions): Promise<KeptReport> => {
  const stage = await setStage(options, 'kept', true);
  const { url, clients, wares, draw, instances, command, read } = stage;
  const buyers = openBuyers({ url, clients, wares, draw });
  const failovers: Failover[] = [];
  const served = buyers.serve(options.buyers);
  const phases = await runPhases(phasesOf(options, stage, buyers, failovers), buyers, options.say);
  buyers.close();
  await served;
  const died = instances.filter(({ life }) => !isRunning(life)).map(({ port }) => String(port));
  await stage.close();
  const verdict = judge(buyers.all, [stage.book], await read());
  return {
    phases,
    failovers,
    answers: buyers.answers,
    keys: buyers.all.length,
    deliveries: verdict.deliveries,
    notOrdered: buyers.notOrdered.length,
    faults: [
      ['errors that reached a buyer who retries', buyers.errors],
      ['doubles', verdict.doubles],
      ['lost', verdict.lost],
      ['contradictions', [...buyers.contradictions, ...verdict.contradictions]],
      ['neither final nor in review', [...verdict.open, ...verdict.review]],
      ['instances that ended by themselves', [...died, ...instances.flatMap((one) => one.died)]],
      ['wrong at the gate', wrongAtGate(failovers)],
      ['wrong in the books', await checkBooks(command, read, clients)],
      ['phases in which nothing was sold', phases.filter(isIdle).map(({ name }) => name)],
    ],
  };
};
