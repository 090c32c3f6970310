/** Loses a leader with commits that no standby has: the gate closes, lists them, and opens when a person accepts. */
import { setTimeout as rest } from 'node:timers/promises';
import { judge, type Row } from '../../crash/judge.ts';
import type { Wanted } from '../../crash/shop.ts';
import { checkBooks } from '../../crash/world.ts';
import { at, listOf } from '../../support/answers.ts';
import { type Buyers, openBuyers } from '../retrying-buyers.ts';
import { until } from '../system-postgres.ts';
import { untilSold } from './kept.ts';
import { type FailoverOptions, type Stage, setStage, whetherSelling } from './stage.ts';

export type LostReport = {
  /** Sales that were acknowledged and are missing. */
  readonly lostSales: number;
  /** What `simgate restore status` listed. */
  readonly listed: number;
  readonly leaderMs: number;
  /** From the new leader to the last operator's report. */
  readonly askedMs: number;
  /** From the acceptance to the moment when both gateways sell. */
  readonly openMs: number;
  readonly cause: string;
  /** What the buyers were answered from the loss to the acceptance. */
  readonly answers: ReadonlyMap<string, number>;
  readonly keys: number;
  readonly deliveries: number;
  readonly faults: readonly (readonly [string, readonly string[]])[];
};

/** Enough to be seen, and few enough for Patroni's limit on the lag. */
const salesLost = 20;

const nameOf = ({ client, key }: Wanted): string => `${client.id} ${key}`;

const listIn = (status: unknown) => {
  const listed = listOf(at(status, 'forgotten'));
  const keys = new Set(
    listed.map((one) => `${String(at(one, 'client_id'))} ${String(at(one, 'idempotency_key'))}`),
  );
  return {
    refs: new Set(listed.map((one) => String(at(one, 'ref')))),
    has: (wanted: Wanted): boolean => keys.has(nameOf(wanted)),
  };
};

const newSales = ({ bought }: Buyers): number => bought.filter(({ isNew }) => isNew).length;

/** Cuts the standbys off, lets the leader sell on, and kills it. */
const loseLeader = async (
  { cluster }: FailoverOptions,
  buyers: Buyers,
): Promise<{ readonly killed: number; readonly led: number }> => {
  const leader = await cluster.leader();
  await leader.link.goAway();
  const before = newSales(buyers);
  await until('the leader sells alone', async () => newSales(buyers) >= before + salesLost);
  const killed = performance.now();
  leader.kill();
  await cluster.untilLedByOther(leader);
  return { killed, led: performance.now() };
};

/** Resolves with the status when every operator has reported, and a person is awaited. */
const untilPersonAwaited = async ({ restoreStatus }: Stage): Promise<unknown> => {
  let status: unknown;
  await until('every operator has reported', async () => {
    status = await restoreStatus();
    const operators = listOf(at(status, 'operators') ?? []);
    return operators.length > 0 && operators.every((one) => at(one, 'state') !== 'waiting');
  });
  return status;
};

/** An answer from before the loss is no promise of the database that lacks it. */
const forget = (wanted: Wanted, settled: boolean): void => {
  if (wanted.answer !== undefined) wanted.forgotten.push(wanted.answer);
  wanted.answer = undefined;
  wanted.settled = settled;
};

const countNew = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>) =>
  new Map(
    [...now]
      .map(([answer, count]) => [answer, count - (before.get(answer) ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );

/** The first rows of the new leader: HAProxy takes a moment to lead there. */
const firstRows = async ({ read }: Stage): Promise<ReadonlyMap<string, Row>> => {
  let rows: ReadonlyMap<string, Row> | undefined;
  await until('the new leader is reached', async () => {
    rows = await read().catch(() => undefined);
    return rows !== undefined;
  });
  return rows ?? new Map();
};

/** Examines what the loss left, before a person decides about it. */
const examineLoss = async (stage: Stage, buyers: Buyers) => {
  const rows = await firstRows(stage);
  const status = await untilPersonAwaited(stage);
  const later = await stage.read();
  const begun = [...later.keys()].filter((name) => !rows.has(name));
  const selling = await whetherSelling(stage);
  // A person asks the clients not to send the listed keys again.
  buyers.abort();
  const listed = listIn(status);
  const missing = buyers.all.filter((one) => !later.has(nameOf(one)));
  return {
    status,
    listed,
    missing,
    sold: missing.filter(({ answer }) => answer?.status === 200),
    faults: [
      ['sold while the gate was closed', begun],
      ['open too early', selling.filter(Boolean).map(String)],
      [
        'acknowledged and missing, and not listed',
        missing
          .filter((one) => one.answer?.status === 200 && !listed.has(one))
          .map(({ key }) => key),
      ],
    ] as const,
  };
};

/** Sends again what has no answer, except settled keys. */
const retryOthers = async (all: readonly Wanted[], buyers: Buyers): Promise<void> => {
  const others = all.filter(({ answer, settled }) => answer === undefined && !settled);
  await Promise.all(others.map(buyers.retry));
};

export const runLost = async (options: FailoverOptions): Promise<LostReport> => {
  const { cluster, say } = options;
  const stage = await setStage(options, 'lost', false);
  const { url, clients, wares, draw, command, read } = stage;
  const shopping = { url, clients, wares, draw };
  const buyers = openBuyers(shopping);
  const served = buyers.serve(options.buyers);
  say('calm …');
  await rest(options.calmMs);
  await cluster.untilComplete();
  say('standbys cut off, leader killed …');
  const before = new Map(buyers.answers);
  const { killed, led } = await loseLeader(options, buyers);
  const loss = await examineLoss(stage, buyers);
  const asked = performance.now();
  const answers = countNew(before, buyers.answers);
  await served;

  say('accepted by a person …');
  const count = String(at(loss.status, 'forgotten_count'));
  const settled = ['--forgotten', count, '--reason', 'settled with the clients'];
  const accepted = await command('restore', 'accept', ...settled);
  const acceptedAt = performance.now();
  for (const one of loss.missing) forget(one, loss.listed.has(one));
  await until('both gateways sell', async () => (await whetherSelling(stage)).every(Boolean));
  const openMs = performance.now() - acceptedAt;
  const others = openBuyers({ ...shopping, firstNumber: buyers.all.length });
  const resumed = others.serve(options.buyers);
  await untilSold(others, acceptedAt);
  await retryOthers(buyers.all, others);
  await rest(options.calmMs);
  others.close();
  await resumed;
  await stage.close();

  const all = [...buyers.all, ...others.all];
  const verdict = judge(all, [stage.book], await read(), loss.listed.refs);
  return {
    lostSales: loss.sold.length,
    listed: Number(count),
    leaderMs: led - killed,
    askedMs: asked - led,
    openMs,
    cause: String(at(loss.status, 'cause')),
    answers,
    keys: all.length,
    deliveries: verdict.deliveries,
    faults: [
      ...loss.faults,
      ['not accepted', accepted.status === 0 ? [] : [accepted.err]],
      ['errors of later buyers', others.errors],
      ['doubles', verdict.doubles],
      ['lost and not listed', verdict.lost],
      ['contradictions', verdict.contradictions],
      ['neither final nor in review', [...verdict.open, ...verdict.review]],
      ['instances that ended by themselves', stage.instances.flatMap((one) => one.died)],
      ['wrong in the books', await checkBooks(command, read, clients)],
      ['nothing was lost: the drill proves nothing', loss.sold.length > 0 ? [] : ['0 sales']],
    ],
  };
};
