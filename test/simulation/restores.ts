/** Simulates backups and restores: one is taken, the disk is lost, and the backup replaces it. */
import { insertRestore } from '../../src/purchases/restored/store.ts';
import type { Database } from './database.ts';
import type { Books, Model } from './model.ts';
import type { Plan } from './plan.ts';
import type { Machine, Process } from './process.ts';
import { epoch } from './process.ts';
import type { Snapshot, Store } from './store.ts';
import type { World } from './world.ts';

export type RestoreDeps = {
  readonly world: World;
  readonly model: Model;
  readonly store: Store;
  readonly database: Database;
  readonly machine: Machine;
  readonly processes: () => readonly Process[];
};

/** Takes a copy when no transaction is open, and hands it over this much later. */
const copyThen = (
  { world, model, database }: Pick<RestoreDeps, 'world' | 'model' | 'database'>,
  ms: number,
  use: (snapshot: Snapshot, books: Books) => void,
): void => {
  const copy = async (): Promise<void> => {
    const snapshot = await database.snapshot();
    if (snapshot === undefined) {
      world.after(1, () => void copy());
      return;
    }
    const books = model.copy();
    world.after(ms, () => use(snapshot, books));
  };
  void copy();
};

/** What the command `simgate restore` does: the copy, and its mark by the machine's wall clock. */
export const planRestore = (deps: RestoreDeps): void => {
  const { world, model, store, database, machine, processes } = deps;
  const { draw } = world;
  const times = draw.chance(0.3) ? 2 : 1;
  for (let time = 0; time < times; time += 1) {
    const from = time * 6000;
    world.after(draw.whole(from + 500, from + 3000), () => {
      world.say('a backup is taken');
      copyThen(deps, draw.whole(100, 2900), (snapshot, books) => {
        if (!world.fault('restored backup', 1)) return;
        for (const process of processes()) process.die('its disk is lost');
        const at = epoch + world.now() + machine.wallOffset;
        const id = `r${String(at).padStart(16, '0')}`;
        void database.comeBackAs(snapshot, 1, () => insertRestore(store.audit, { id, at }));
        model.rewind(books);
        model.restored(true, 'backup');
      });
    });
  }
};

/** A standby that lacks the last commits replaces the primary; the servers live on. */
export const planPromotion = (deps: RestoreDeps, plan: Pick<Plan, 'watchesPlace'>): void => {
  const { world, model, database, processes } = deps;
  const { draw } = world;
  // Mostly in the middle of a batch of purchases, so that the standby lacks some of it.
  const isAtBurst = draw.chance(0.7);
  const at = isAtBurst ? draw.pick([2000, 4000]) + draw.whole(-100, 300) : draw.whole(1500, 9000);
  world.after(at, () => {
    const started = model.started();
    copyThen(deps, draw.whole(5, 800), (snapshot, books) => {
      // One that lacks even the first start is a database that was never used, for all that it can know.
      const isUsed = !plan.watchesPlace || (snapshot.get('place') ?? []).length > 0;
      // If it lacks a server's start, and that server dies too, no server knows what it has sold.
      const hasAll = model.started() === started;
      if (!isUsed || !hasAll || !world.fault('promoted standby', 1)) return;
      for (const process of processes()) if (draw.chance(0.35)) process.die('with the primary');
      void database.comeBackAs(snapshot, draw.whole(200, 3000), async () => {});
      database.promote();
      model.rewind(books);
    });
  });
};
