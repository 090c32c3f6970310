/** Runs one seed: builds its world, runs it to the end and judges it. */
import { verifyLedger } from '../../src/ledger/verify.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import { createCallBack } from './callbacks.ts';
import { createClients } from './clients.ts';
import { checkCounted, createCounters } from './counting.ts';
import { createCreditPerson } from './credit.ts';
import { createDatabase, type Database } from './database.ts';
import { createDraw } from './draw.ts';
import { checkFloats } from './floats.ts';
import { type Instance, startInstance } from './instance.ts';
import { createModel, type Model, unsettled } from './model.ts';
import { createPerson } from './people.ts';
import { drawPlan, type Plan } from './plan.ts';
import { createPrices } from './prices.ts';
import type { Machine } from './process.ts';
import { createRegistries } from './registries.ts';
import { planPromotion, planRestore } from './restores.ts';
import type { Store } from './store.ts';
import { createWebhookModel, endpoints } from './webhooks.ts';
import { createWorld, type Run, type World } from './world.ts';

export type SeedResult = Run & {
  readonly seed: number;
  readonly purchases: number;
  readonly requests: number;
};

/** When the faults stop, everything has this long to end. */
const settleWithinMs = 150_000;

/** Crashes, pauses, jumps, outages and restarts from outside, at random times. */
const disturb = (
  world: World,
  plan: Plan,
  database: Database,
  instances: () => readonly Instance[],
): void => {
  const { draw, fault } = world;
  const victim = (): Instance | undefined => {
    const [first, ...others] = instances().filter(({ process }) => process.alive());
    return first === undefined ? undefined : draw.pick([first, ...others]);
  };
  const strike = (): void => {
    if (plan.outages && fault('database outage', plan.clockSteps ? 0.5 : 0.3))
      return database.outage();
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
  if (plan.clockSteps && !plan.alone && draw.chance(0.4)) {
    world.after(draw.whole(500, 12_000), database.stepBack);
  }
  const blows = draw.whole(3, 5);
  // Early enough that one which finds no live process can wait for one.
  const latest = plan.faultsLastMs - 4000;
  for (let blow = 0; blow < blows; blow += 1) world.after(draw.whole(100, latest), strike);
};

/** Keeps as many instances as the world wants: a dead one is restarted after a while. */
const keepInstances = (
  world: World,
  plan: Plan,
  machine: Machine,
  start: (name: string, machine: Machine) => Instance,
): (() => readonly Instance[]) => {
  const slots: (Instance | undefined)[] = [];
  let started = 0;
  const fill = (slot: number): void => {
    started += 1;
    // A clock that has jumped is corrected before the next start, except in worlds with clock steps.
    if (!plan.clockSteps) machine.wallOffset = 0;
    const instance = start(`i${started}`, plan.alone ? machine : { wallOffset: 0 });
    slots[slot] = instance;
    instance.process.onDeath(() => {
      slots[slot] = undefined;
      world.after(world.draw.whole(50, 2500), () => fill(slot));
    });
  };
  for (let slot = 0; slot < plan.instances; slot += 1) fill(slot);
  return () => slots.filter((instance) => instance !== undefined);
};

// Expensive beside all the checks at every commit.
const auditEvery = 8;
const chainsEvery = 3;

/** The product's own verification, on the final database. */
const audit = async (world: World, store: Store): Promise<void> => {
  const ledger = await verifyLedger(store.audit);
  const purchases = await verifyPurchases(store.audit);
  for (const { problem } of [...ledger.problems, ...purchases.problems]) {
    world.violate(`verify says: ${problem}`);
  }
};

/** What a restored database lacks must be recorded, if its operator reports it. */
const checkForgotten = async (world: World, model: Model, store: Store): Promise<void> => {
  if (model.rewinds() === 0) return;
  const rows = await store.audit.selectFrom('forgotten').select('ref').execute();
  const asked = await store.audit
    .selectFrom('restore_operators')
    .select('operator_id')
    .where('state', '<>', 'told')
    .execute();
  const written = new Set(rows.map(({ ref }) => ref));
  for (const [id, { operator_id }] of model.forgotten) {
    const entry = model.bookOf(id);
    const silent = asked.some((one) => one.operator_id === operator_id);
    const excused = silent || model.isAcceptedUnasked(id);
    const known = excused || written.has(id) || model.purchases().has(id);
    if (entry !== undefined && entry.deliveries > 0 && entry.reported && !entry.lied && !known) {
      world.violate(`${id} was delivered and forgotten, and is not written down`);
    }
  }
};

/** A report of an unknown order must be kept once it is read. */
const checkUnmatched = async (world: World, model: Model, store: Store): Promise<void> => {
  if (model.rewinds() > 0 || model.reportedUnknown.length === 0) return;
  const rows = await store.audit.selectFrom('unmatched_reports').select('ref').execute();
  const cursors = await store.audit
    .selectFrom('operator_reports')
    .select(['operator_id', 'cursor'])
    .execute();
  const kept = new Set(rows.map(({ ref }) => ref));
  for (const { operatorId, ref, position } of model.reportedUnknown) {
    const cursor = cursors.find(({ operator_id }) => operator_id === operatorId)?.cursor ?? 0;
    if (Number(cursor) > position && !kept.has(ref)) {
      world.violate(`${ref} was reported, is unknown here, and is not kept`);
    }
  }
};

// Stack traces are expensive, and useless for injected errors.
Error.stackTraceLimit = 0;

/** Waits once in every turn for work that other code has left to the next turn of the event loop. */
const eventLoop = (): (() => Promise<void> | undefined) => {
  let waited = true;
  return () => {
    waited = !waited;
    return waited ? undefined : new Promise((resolve) => setImmediate(resolve));
  };
};

const realImmediate = globalThis.setImmediate;

/** The next turn of the event loop is a turn of the world, unless a statement needs the real one. */
const takeImmediates = (world: World): void => {
  Reflect.set(globalThis, 'setImmediate', (run: () => void) => world.after(0, run));
};

/** Pauses by the system's own time use the world's: otherwise two runs of a seed would differ. */
const runOnWorldTime = (world: World): void => {
  const after: Clock['after'] = (ms, run) => {
    world.after(ms, run);
    return () => {};
  };
  Object.assign(systemClock, { monotonic: world.now, after });
};

export const runSeed = async (store: Store, seed: number, traced = false): Promise<SeedResult> => {
  const clientIds = ['c1', 'c2', 'c3'] as const;
  let wait: () => Promise<void> | undefined = store.busy;
  const { world, run, end } = createWorld(seed, { traced, busy: () => wait() });
  if (store.waits) runOnWorldTime(world);
  const { draw } = world;
  const plan = drawPlan(draw, clientIds, seed);
  // Where there is credit, deposits alone cover few purchases.
  const share = plan.credit ? 0.4 : 1;
  const deposits = new Map(clientIds.map((id) => [id, Math.ceil(draw.whole(4, 14) * share) * 150]));
  const { rules, recovery, clockSteps, moves, resendsTo, tests } = plan;
  await store.reset({ deposits, tests, endpoints: plan.webhooks ? endpoints : [] });
  const prices = plan.prices ? createPrices(world, plan, seed) : undefined;
  const model = createModel(world, {
    deposits,
    tests,
    rules,
    recovery,
    clockSteps,
    moves,
    resendsTo,
    prices: prices?.model,
  });
  const webhooks = plan.webhooks
    ? createWebhookModel(world, deposits, (id) => model.purchases().get(id)?.state)
    : undefined;
  if (webhooks !== undefined) {
    model.hearWith(webhooks);
    const loop = eventLoop();
    if (store.waits) wait = () => store.busy() ?? loop();
    else takeImmediates(world);
  }
  const database = createDatabase(world, store, {
    rate: plan.databaseRate,
    outlives: !plan.alone,
    outages: plan.outages,
    clockSteps: plan.clockSteps && !plan.alone,
    tellsPlace: plan.watchesPlace,
    pipelines: plan.pipelines,
    restored: model.restored,
    committed: (commit) => {
      if (!store.isDurable()) world.violate('a commit does not wait for the disk');
      model.committed(commit);
    },
  });
  const serverTime = () => instances()[0]?.time();
  const mayBegin = () => clients.mayBegin();
  prices?.start({ database, serverTime, mayBegin });
  const callBack = createCallBack(world, model, () => instances());
  const operators = createRegistries(world, model, plan, callBack);
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `p${ids}`;
  };
  const { registryFor, lacking } = operators;
  const machine: Machine = { wallOffset: 0 };
  const deps = { world, model, plan, database, registryFor, newId, webhooks };
  const instances = keepInstances(world, plan, machine, (name, on) =>
    startInstance(name, on, deps),
  );
  disturb(world, plan, database, instances);
  if (plan.people || plan.restore !== 'none') createPerson({ ...deps, serverTime });
  if (plan.credit) {
    const draw = createDraw(seed + 0x7e_0000);
    createCreditPerson({ world, database, clientIds, draw, mayBegin });
  }
  if (plan.counts) createCounters({ world, database, draw: createDraw(seed + 0x1d_0000) });
  if (plan.restore !== 'none') {
    const processes = () => instances().map(({ process }) => process);
    const given = { world, model, store, database, machine, processes };
    if (plan.restore === 'backup') planRestore(given);
    else planPromotion(given, plan);
  }
  const clients = createClients({
    world,
    model,
    plan,
    instances,
    clientIds,
    during: plan.faultsLastMs - 6000,
  });
  world.after(plan.faultsLastMs, () => {
    world.say('faults stop');
    world.stopFaults();
    for (const { process } of instances()) {
      process.wake();
      if (lacking.has(process)) process.die('gets its whole configuration');
    }
  });
  const problems = (): string[] => [...unsettled(model), ...(webhooks?.missing() ?? [])];
  const settled = (): boolean =>
    !world.faulty() &&
    clients.done() &&
    operators.pending() === 0 &&
    model.isLossNoticed() &&
    problems().length === 0;
  const ended = await run(settled, () => plan.faultsLastMs + settleWithinMs);
  if (ended === 'late') {
    const left = [...problems(), ...clients.waiting().map((key) => `${key} waits`)];
    world.violate(`not settled in time: ${left.join('; ')}`);
  }
  globalThis.setImmediate = realImmediate;
  await database.close();
  if (!world.violated()) await checkForgotten(world, model, store);
  if (!world.violated()) await checkUnmatched(world, model, store);
  const floats = { model, plan, db: store.audit, chains: seed % chainsEvery === 0 };
  if (!world.violated()) await checkFloats(world, floats);
  if (!world.violated() && plan.counts) await checkCounted(world, store.audit);
  if (!world.violated() && seed % auditEvery === 0) await audit(world, store);
  return { ...end(), seed, purchases: model.purchases().size, requests: clients.counted.requests };
};
