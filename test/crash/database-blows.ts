/** Strikes the database of the crash test: stopped at once, restored from a copy, replaced by its standby. */
import type { Draw } from '../simulation/draw.ts';
import type { Cluster, Copy } from './cluster.ts';
import { endOf, type ReadPurchases } from './judge.ts';
import type { Person } from './person.ts';
import type { Shop } from './shop.ts';
import { beginHistory, sellMore } from './world.ts';

export const databaseBlows = [
  'stop',
  'promotion',
  'copy',
  'complete promotion',
  'recovery',
  'copy without instances',
  'recovery without instances',
] as const;

/**
 * - `stop`: an immediate stop and a restart. The gate stays open.
 * - `copy`: a copy of the database, some seconds old, takes its place: another database oid.
 * - `recovery`: a base backup, recovered to a point some seconds ago: another timeline.
 * - `promotion`: a standby that lacks the last commits becomes the primary.
 * - `complete promotion`: a synchronous standby does. The gate opens by itself.
 */
export type DatabaseBlow = (typeof databaseBlows)[number];

export type Struck = {
  readonly cluster: Cluster;
  readonly shop: Shop;
  readonly person: Person;
  readonly read: ReadPurchases;
  readonly draw: Draw;
  /** Puts money on an account, and gives the means to do so again where that was forgotten. */
  readonly deposit: () => Promise<() => Promise<void>>;
  /** Lets no instance be struck until the returned function is called. */
  readonly hush: () => Promise<() => void>;
  /** Kills all instances; the returned function starts them. */
  readonly killAll: () => Promise<() => Promise<void>>;
};

/** What was acknowledged and is not in the database as it was answered. */
const findMissing = async ({ shop, read }: Struck): Promise<string[]> => {
  const acknowledged = shop.all.flatMap((wanted) =>
    wanted.answer === undefined ? [] : [{ wanted, answer: wanted.answer }],
  );
  const purchases = await read();
  return acknowledged
    .filter(({ wanted, answer }) => endOf(purchases, wanted)?.body !== answer.body)
    .map(({ wanted, answer }) => `${wanted.key} was answered ${answer.status}, and is not there`);
};

const stop = async ({ cluster, shop, person, draw }: Struck): Promise<void> => {
  const before = await person.restores();
  await cluster.crash(draw.whole(300, 3000));
  const { closed } = await person.seeThrough(shop.all.length, before);
  if (closed) person.faults.push('an immediate stop closed the gate');
};

/** Puts an earlier state in place, under the eyes of the instances or with none of them alive. */
const loseCommits = async (
  struck: Struck,
  putBack: () => Promise<void>,
  alive: boolean,
): Promise<void> => {
  const { cluster, shop, person, read, draw } = struck;
  const depositAgain = await struck.deposit();
  await sellMore(shop, draw);
  const startAll = alive ? undefined : await struck.killAll();
  await cluster.isolate();
  await putBack();
  await beginHistory(shop, read);
  const before = await person.restores();
  await cluster.expose();
  const mark = shop.all.length;
  await depositAgain();
  await startAll?.();
  const { closed } = await person.seeThrough(mark, before);
  if (!closed) person.faults.push('the gate stayed open although commits were lost');
};

const restore = async (
  struck: Struck,
  takeCopy: () => Promise<Copy>,
  alive: boolean,
): Promise<void> => {
  const copy = await takeCopy();
  await loseCommits(struck, copy.putBack, alive);
};

const promotion = async (struck: Struck): Promise<void> => {
  const standby = await struck.cluster.startStandby();
  await standby.cutOff();
  await loseCommits(struck, standby.promote, true);
};

const completePromotion = async (struck: Struck): Promise<void> => {
  const { cluster, shop, person, draw } = struck;
  const standby = await cluster.startStandby();
  await standby.synchronous();
  // An instance that dies with the primary could not vouch.
  const goOn = await struck.hush();
  await struck.deposit();
  await sellMore(shop, draw);
  await cluster.isolate();
  await standby.promote();
  person.faults.push(...(await findMissing(struck)));
  const before = await person.restores();
  await cluster.expose();
  const { accepted } = await person.seeThrough(shop.all.length, before);
  if (accepted) person.faults.push('a complete standby needed a person');
  goOn();
};

export const strikeDatabase = async (struck: Struck, blow: DatabaseBlow): Promise<void> => {
  const { copyDatabase, copyFiles } = struck.cluster;
  switch (blow) {
    case 'stop':
      return stop(struck);
    case 'copy':
      return restore(struck, copyDatabase, true);
    case 'copy without instances':
      return restore(struck, copyDatabase, false);
    case 'recovery':
      return restore(struck, copyFiles, true);
    case 'recovery without instances':
      return restore(struck, copyFiles, false);
    case 'promotion':
      return promotion(struck);
    case 'complete promotion':
      return completePromotion(struck);
  }
};
