/** Owns one seed: a world made, lived through and judged. */
import { verifyLedger } from '../../src/ledger/verify.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import { createClients } from './clients.ts';
import { createDatabase, type Store } from './database.ts';
import { type Instance, startInstance } from './instance.ts';
import { createModel, unsettled } from './model.ts';
import { createOperator, declarations } from './operators.ts';
import { createWorld, type Run, type World } from './world.ts';

export type SeedResult = Run & {
  readonly seed: number;
  readonly purchases: number;
  readonly requests: number;
};

/** Faults stop here; from then on everything has this long to end. */
const faultsLastMs = 16_000;
const settleWithinMs = 150_000;

/** Crashes, pauses, jumps and restarts that come from outside, at moments of their own. */
const disturb = (world: World, instances: () => readonly Instance[]): void => {
  const { draw, fault } = world;
  const victim = (): Instance | undefined => {
    const [first, ...others] = instances().filter(({ process }) => process.alive());
    return first === undefined ? undefined : draw.pick([first, ...others]);
  };
  const strike = (): void => {
    const one = victim();
    if (one === undefined) {
      world.after(100, strike);
      return;
    }
    if (fault('crash', 0.3)) one.process.die('killed');
    else if (fault('pause', 0.3)) one.process.pause(draw.whole(200, 12_000));
    else if (fault('graceful restart', 0.3)) one.stop();
    else if (fault('wall clock jump', 1)) one.process.jump(draw.whole(-86_400_000, 86_400_000));
  };
  const blows = draw.whole(3, 5);
  // Early enough for one that finds nobody alive to wait for somebody.
  const latest = faultsLastMs - 4000;
  for (let blow = 0; blow < blows; blow += 1) world.after(draw.whole(100, latest), strike);
};

/** Keeps as many instances as the world wants: who dies is started again after a while. */
const keepInstances = (
  world: World,
  wanted: number,
  start: (name: string) => Instance,
): (() => readonly Instance[]) => {
  const slots: (Instance | undefined)[] = [];
  let started = 0;
  const fill = (slot: number): void => {
    started += 1;
    const instance = start(`i${started}`);
    slots[slot] = instance;
    instance.process.onDeath(() => {
      slots[slot] = undefined;
      world.after(world.draw.whole(50, 2500), () => fill(slot));
    });
  };
  for (let slot = 0; slot < wanted; slot += 1) fill(slot);
  return () => slots.filter((instance) => instance !== undefined);
};

// Dear beside all that is checked at every commit anyway.
const auditEvery = 8;

/** The product's own proofs, on the database as it was left. */
const audit = async (world: World, store: Store): Promise<void> => {
  const ledger = await verifyLedger(store.audit);
  const purchases = await verifyPurchases(store.audit);
  for (const { problem } of [...ledger.problems, ...purchases.problems]) {
    world.violate(`verify says: ${problem}`);
  }
};

// Stack traces are dear, and nobody reads those of errors that are meant to happen.
Error.stackTraceLimit = 0;

export const runSeed = async (store: Store, seed: number, traced = false): Promise<SeedResult> => {
  const { world, run, end } = createWorld(seed, traced);
  const { draw } = world;
  const clientIds = ['c1', 'c2', 'c3'] as const;
  const purchases = 20;
  const deposits = new Map(clientIds.map((id) => [id, draw.whole(4, 14) * 150]));
  store.reset(deposits);
  const model = createModel(world, deposits);
  const alone = draw.chance(0.5);
  const database = createDatabase(world, store, {
    rate: draw.pick([0.2, 0.4, 1, 3]),
    outlives: !alone,
    committed: model.committed,
  });
  const rate = draw.pick([0.1, 0.3, 1]);
  const operators = declarations.map((declared) =>
    createOperator(world, model, { declared, rate }),
  );
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `p${ids}`;
  };
  const deps = { world, database, operators, newId, alone };
  const instances = keepInstances(world, alone ? 1 : draw.whole(2, 3), (name) =>
    startInstance(name, deps),
  );
  disturb(world, instances);
  const clients = createClients({
    world,
    model,
    instances,
    clientIds,
    purchases,
    during: faultsLastMs - 6000,
  });
  world.after(faultsLastMs, () => {
    world.say('faults stop');
    world.stopFaults();
    for (const { process } of instances()) process.wake();
  });
  const settled = (): boolean =>
    !world.faulty() &&
    clients.done() &&
    operators.every((operator) => operator.pending() === 0) &&
    unsettled(model).length === 0;
  const ended = await run(settled, () => faultsLastMs + settleWithinMs);
  if (ended === 'late') {
    const problems = [...unsettled(model), ...clients.waiting().map((key) => `${key} waits`)];
    world.violate(`not settled in time: ${problems.join('; ')}`);
  }
  database.close();
  if (!world.violated() && seed % auditEvery === 0) await audit(world, store);
  return { ...end(), seed, purchases: model.purchases.size, requests: clients.counted.requests };
};
