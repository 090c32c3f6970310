/**
 * Simulates the job that counts what was sold: killed and started again at any statement, two of them at once, as
 * long as there are faults. The rest is counted at the end.
 */
import { OutcomeUnknown } from '../../src/db/transaction.ts';
import type { Db } from '../../src/db/types.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type CountDeps, countRound } from '../../src/purchases/sales/count.ts';
import { verifySales } from '../../src/purchases/sales/verify/verify.ts';
import { type Database, InjectedFault } from './database.ts';
import type { Draw } from './draw.ts';
import { createProcess } from './process.ts';
import type { World } from './world.ts';

export type CountingDeps = {
  readonly world: World;
  readonly database: Database;
  /** Its own, so that other worlds take their course. */
  readonly draw: Draw;
};

const zones = ['UTC', 'Asia/Tehran', 'America/New_York'] as const;

// So few that a client's past takes several rounds.
const most = 3;

const depsOf = (db: Db, timeZone: CountDeps['timeZone']): CountDeps => ({
  db,
  clock: systemClock,
  retryLocked: (work) => work(),
  log: { error: () => {} },
  timeZone,
});

const expected = (error: unknown): boolean =>
  error instanceof InjectedFault || error instanceof OutcomeUnknown;

const createCounter = (given: CountingDeps, name: string): void => {
  const { world, database, draw } = given;
  const process = createProcess(world, name);
  process.onDeath(() => world.after(draw.whole(10, 500), () => createCounter(given, name)));
  const deps = depsOf(database.connect(process), async () => draw.pick(zones));
  const again = (): void => {
    process.after(draw.whole(20, 1500), () => {
      if (!world.faulty()) return;
      if (draw.chance(0.2)) world.after(draw.whole(0, 30), () => process.die('killed'));
      countRound(deps, { most })
        .catch((error: unknown) => {
          if (!expected(error)) world.fail(`${name}: ${String(error)}`);
        })
        .finally(again);
    });
  };
  again();
};

export const createCounters = (given: CountingDeps): void => {
  for (const name of ['counter 1', 'counter 2']) createCounter(given, name);
};

export const countAll = async (db: Db): Promise<void> => {
  const deps = depsOf(db, async () => 'UTC');
  while ((await countRound(deps)).left > 0);
};

/** Counts what is left, and compares all of it with the postings. */
export const checkCounted = async (world: World, db: Db): Promise<void> => {
  await countAll(db);
  const { problems } = await verifySales(db);
  for (const { problem } of problems) world.violate(`verify says: ${problem}`);
};
