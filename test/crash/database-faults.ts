/** Injects faults into the database of the crash test: immediate stop, restore from a copy, failover to its standby. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Draw } from '../simulation/draw.ts';
import type { Cluster, Copy } from './cluster.ts';
import { endOf, type ReadPurchases } from './judge.ts';
import type { Person } from './person.ts';
import type { Shop } from './shop.ts';
import { beginHistory, sellMore } from './world.ts';

// Those that instances survive come last: what they remember wrongly shows until the end.
export const databaseBlows = [
  'stop',
  'copy without instances',
  'promotion',
  'volume without instances',
  'complete promotion',
  'recovery without instances',
  'copy',
  'recovery',
  'volume',
] as const;

/**
 * - `stop`: an immediate stop and a restart. The gate stays open.
 * - `copy`: a copy of the database, some seconds old, takes its place: another database oid.
 * - `recovery`: a base backup, recovered to a point some seconds ago: another timeline.
 * - `volume`: the files of some seconds ago are put back, and only what instances remember tells it. Where
 *   none lived on, a person has to tell it.
 * - `promotion`: a standby that lacks the last commits becomes the primary.
 * - `complete promotion`: a synchronous standby does. The gate opens automatically.
 */
export type DatabaseBlow = (typeof databaseBlows)[number];

export type Struck = {
  readonly cluster: Cluster;
  readonly shop: Shop;
  readonly person: Person;
  readonly read: ReadPurchases;
  readonly draw: Draw;
  /** Deposits to an account, and allows to repeat it if it was lost. */
  readonly deposit: () => Promise<() => Promise<void>>;
  /** Closes the gate by command. */
  readonly mark: () => Promise<void>;
  /** Protects all instances from faults until the returned function is called. */
  readonly hush: () => Promise<() => void>;
  /** Kills all instances; the returned function starts them. */
  readonly killAll: () => Promise<() => Promise<void>>;
};

/** What was acknowledged and is missing or different in the database. */
const findMissing = async ({ shop, read }: Struck): Promise<string[]> => {
  const acknowledged = shop.all.flatMap((wanted) =>
    wanted.answer === undefined ? [] : [{ wanted, answer: wanted.answer }],
  );
  const purchases = await read();
  return acknowledged
    .filter(({ wanted, answer }) => endOf(purchases, wanted)?.body !== answer.body)
    .map(({ wanted, answer }) => `${wanted.key} was answered ${answer.status}, and is not there`);
};

const stop = async ({ cluster, shop, person, draw, hush }: Struck): Promise<void> => {
  const before = await person.restores();
  await cluster.crash(draw.whole(300, 3000));
  // If a start takes longer than the time between two kills, no instance would live to sell.
  const calm = rest(draw.whole(0, 3000)).then(hush);
  const { closed } = await person.seeThrough(shop.all.length, before);
  (await calm)();
  if (closed) person.faults.push('an immediate stop closed the gate');
};

/** What happens to the instances: their faults continue, all live on, or none does. */
type Meanwhile = 'troubled' | 'spared' | 'killed';

/** Sells, and restores an earlier state. */
const loseCommits = async (
  struck: Struck,
  putBack: () => Promise<void>,
  meanwhile: Meanwhile,
  isTold = false,
): Promise<void> => {
  const { cluster, shop, person, draw } = struck;
  const depositAgain = await struck.deposit();
  // An instance that must remember its sales has to live from now on.
  const goOn = meanwhile === 'spared' ? await struck.hush() : undefined;
  await sellMore(shop, draw);
  const startAll = meanwhile === 'killed' ? await struck.killAll() : undefined;
  await cluster.isolate();
  await putBack();
  await beginHistory(struck);
  const before = await person.restores();
  await cluster.expose();
  const mark = shop.all.length;
  if (isTold) await struck.mark();
  await depositAgain();
  await startAll?.();
  // A process has to live for half a minute to declare the dead ones missing: kills go on only for a while.
  const calm = rest(draw.whole(0, 10_000)).then(struck.hush);
  const { closed } = await person.seeThrough(mark, before);
  if (!closed) person.faults.push('the gate stayed open although commits were lost');
  (await calm)();
  goOn?.();
};

const completePromotion = async (struck: Struck): Promise<void> => {
  const { cluster, shop, person, draw } = struck;
  const standby = await cluster.startSynchronousStandby();
  // An instance that dies with the primary could not vouch.
  const goOn = await struck.hush();
  await struck.deposit();
  await sellMore(shop, draw);
  await cluster.isolate();
  await standby.putBack();
  person.faults.push(...(await findMissing(struck)));
  const before = await person.restores();
  await cluster.expose();
  const { accepted } = await person.seeThrough(shop.all.length, before);
  if (accepted) person.faults.push('a complete standby needed a person');
  goOn();
};

export const strikeDatabase = async (struck: Struck, blow: DatabaseBlow): Promise<void> => {
  const { cluster } = struck;
  const lose = async (copy: Promise<Copy>, meanwhile: Meanwhile, isTold = false): Promise<void> =>
    loseCommits(struck, (await copy).putBack, meanwhile, isTold);
  switch (blow) {
    case 'stop':
      return stop(struck);
    case 'copy':
      return lose(cluster.copyDatabase(), 'troubled');
    case 'copy without instances':
      return lose(cluster.copyDatabase(), 'killed');
    case 'recovery':
      return lose(cluster.copyFiles(), 'troubled');
    case 'recovery without instances':
      return lose(cluster.copyFiles(), 'killed');
    case 'volume':
      return lose(cluster.copyVolume(), 'spared');
    case 'volume without instances':
      return lose(cluster.copyVolume(), 'killed', true);
    case 'promotion':
      return lose(cluster.startLaggingStandby(), 'troubled');
    case 'complete promotion':
      return completePromotion(struck);
  }
};
