/** Simulates a gateway: the real purchase code in a simulated process, started, stopped and killed. */

import { callWithin } from '../../src/connector/call.ts';
import { createPricing } from '../../src/gateway/pricing.ts';
import { sleep, steadyTime } from '../../src/lib/clock.ts';
import type { Log } from '../../src/lib/log/log.ts';
import { readDecimal } from '../../src/lib/money.ts';
import { createOffers } from '../../src/offers/offers.ts';
import { createLivePrices } from '../../src/pricing/live.ts';
import { type Buying, createBuying } from '../../src/purchases/buy.ts';
import { createCallbacks } from '../../src/purchases/callbacks/receive.ts';
import { PurchaseMissing } from '../../src/purchases/commit/advance.ts';
import { GateClosed, PlaceNotTrusted } from '../../src/purchases/commit/begin.ts';
import { notifyingTransact } from '../../src/purchases/commit/notify.ts';
import { createTransact } from '../../src/purchases/commit/transact.ts';
import type { PurchaseConfig, PurchaseDeps } from '../../src/purchases/deps.ts';
import { createRecovery, keepRecovering, takeOver } from '../../src/purchases/recover.ts';
import { createGate, type Gate } from '../../src/purchases/restored/gate.ts';
import {
  createPlaceMonitor,
  type PlaceMonitor,
} from '../../src/purchases/restored/place/monitor.ts';
import { createWitness, witnessedTransact } from '../../src/purchases/restored/place/witness.ts';
import { createDelivery, type Delivery } from '../../src/webhooks/delivery/deliver.ts';
import { createListeners } from '../../src/webhooks/listeners.ts';
import { wideAdmission } from '../support/admission.ts';
import type { Receiver } from './callbacks.ts';
import { productOf } from './catalogue.ts';
import { type Database, InjectedFault } from './database.ts';
import { personalProduct } from './declarations.ts';
import type { Model } from './model.ts';
import type { Plan } from './plan.ts';
import { createProcess, type Machine, type Process } from './process.ts';
import { type Registries, routingOf } from './registries.ts';
import { unsealed, type WebhookModel, webhookSettings } from './webhooks.ts';
import type { World } from './world.ts';

export type Instance = {
  readonly process: Process;
  readonly buying: Buying;
  readonly receive: Receiver['receive'];
  /** The time by which it decides. */
  readonly time: () => number;
  /** Whether requests reach it. */
  readonly listens: () => boolean;
  /** Takes nothing new, finishes its work, and exits. */
  readonly stop: () => void;
};

const vatPercent = readDecimal('10') ?? { digits: 10n, scale: 0 };

const configOf = ({ recovery }: Plan): PurchaseConfig => ({
  vatPercent,
  personalOffers: [personalProduct],
  pendingAfterMs: 4000,
  recovery,
});

export type InstanceDeps = {
  readonly world: World;
  readonly model: Model;
  readonly plan: Plan;
  readonly database: Database;
  readonly registryFor: Registries['registryFor'];
  readonly newId: () => string;
  readonly webhooks: WebhookModel | undefined;
};

type Parts = {
  readonly purchaseDeps: PurchaseDeps;
  readonly time: () => number;
  readonly gate: Gate | undefined;
  readonly place: PlaceMonitor | undefined;
  readonly delivery: Delivery | undefined;
  /** What it keeps in memory. */
  readonly load: () => Promise<void>;
};

/** How a process learns that a standby lacks what it saw committed. */
const isOfAnotherPlace = (err: unknown): boolean =>
  err instanceof PurchaseMissing || err instanceof PlaceNotTrusted || err instanceof GateClosed;

const createLog = (world: World, process: Process): Pick<Log, 'info' | 'warn' | 'error'> => {
  const complain = (details: unknown, text?: unknown): void => {
    const err = typeof details === 'object' && details && 'err' in details ? details.err : details;
    if (err instanceof InjectedFault || isOfAnotherPlace(err)) return;
    const cause = err instanceof Error ? err.message : String(err);
    world.fail(`${process.name}: ${String(text)}: ${cause}`);
  };
  const warn = (details: unknown, text?: unknown): void => {
    // What a restored database lacks is logged as a warning.
    if (typeof details === 'object' && details && !('err' in details)) return;
    complain(details, text);
  };
  return { info: () => {}, warn, error: complain };
};

/** Timers of a busy machine fire late; polling timers also save the seed's time. */
const lateTimers = (world: World, process: Process): Process['clock'] => ({
  ...process.clock,
  after: (ms, run) => process.after(ms + world.draw.whole(0, 5 * ms), run),
});

const partsFor = (process: Process, deps: InstanceDeps): Parts => {
  const { world, database, plan, newId } = deps;
  const db = database.connect(process);
  const own = steadyTime(process.clock);
  const time = (): number => (plan.alone ? own() : database.time());
  const databaseTime = async (): Promise<number> => deps.model.reads(process.name, time());
  const { clock } = process;
  const call = callWithin(clock);
  const admission = wideAdmission(clock);
  const config = configOf(plan);
  const log = createLog(world, process);
  const registry = deps.registryFor(process, { db, databaseTime });
  const routing = routingOf(plan, registry);
  const prices = createLivePrices(db);
  const pricing = plan.prices ? createPricing(prices) : undefined;
  const random = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => world.draw.whole(0, 255));
  const gather = (): Promise<void> => sleep(clock, world.draw.whole(0, 40));
  const shared = { db, databaseTime, clock, newId, random, call, registry, routing, pricing, log };
  const late = { ...shared, clock: lateTimers(world, process) };
  const mask = (mobile: string): string => mobile;
  const witness = createWitness({ clients: 100, held: 100 });
  const place = plan.watchesPlace
    ? createPlaceMonitor({
        ...late,
        instanceId: process.name,
        witness,
        sendWithinMs: plan.recovery.sendWithinMs,
        synchronous: false,
        readPlace: async () => database.place(),
        mask,
        onLoss: async () => {},
        suspected: () => void gate?.shut('suspected'),
      })
    : undefined;
  const batched = createTransact({
    db,
    databaseTime,
    clock,
    makePause: () => gather,
    ...(place === undefined ? {} : { trusts: place.trusts }),
  });
  const plain = place === undefined ? batched : witnessedTransact(batched, witness, place.suspect);
  const gate =
    plan.restore === 'none' && !plan.watchesPlace
      ? undefined
      : createGate({ ...late, recovery: plan.recovery, mask, place });
  deps.model.knows(process.name, time);
  const listeners = createListeners(db);
  const delivery =
    deps.webhooks === undefined
      ? undefined
      : createDelivery({
          ...shared,
          retryLocked: (work) => work(),
          secrets: unsealed,
          settings: webhookSettings,
          listeners,
          sender: deps.webhooks.senderFor(process),
        });
  return {
    time,
    gate,
    place,
    delivery,
    load: async () => {
      if (delivery !== undefined) await listeners.reload();
      if (plan.prices) await prices.reload();
    },
    purchaseDeps: {
      ...shared,
      transact:
        delivery === undefined
          ? plain
          : notifyingTransact(plain, { newId, listeners, wake: delivery.wake }),
      admission,
      catalogue: () => ({ product: productOf }),
      offers: createOffers({
        clock,
        call,
        admission,
        settings: { deadlineMs: 1000, rememberMs: 5000, rememberAtMost: 100 },
      }),
      config,
      ...(gate === undefined ? {} : { gate }),
      ...(place === undefined ? {} : { place }),
    },
  };
};

export const startInstance = (name: string, machine: Machine, deps: InstanceDeps): Instance => {
  const { world, plan } = deps;
  const process = createProcess(world, name, machine);
  const { purchaseDeps, time, gate, place, delivery, load } = partsFor(process, deps);
  const buying = createBuying(purchaseDeps);
  const recovery = createRecovery(purchaseDeps);
  let listens = false;
  let stopRecovering = async (): Promise<void> => {};
  const start = async (): Promise<void> => {
    world.say(`${name} starts`);
    await load();
    await gate?.start();
    place?.start();
    if (plan.alone) await takeOver(purchaseDeps);
    stopRecovering = keepRecovering(
      { ...purchaseDeps, clock: lateTimers(world, process) },
      recovery,
    );
    delivery?.start();
    listens = true;
  };
  start().catch((error: unknown) => {
    world.fault('failed start', 1);
    if (!(error instanceof InjectedFault)) world.fail(`${name} cannot start: ${String(error)}`);
    process.die('could not start');
  });
  const finish = async (): Promise<void> => {
    buying.drain();
    await stopRecovering();
    await gate?.stop();
    await buying.whenIdle();
    await recovery.whenIdle();
    await delivery?.stop();
    await place?.stop();
    process.die('stopped');
  };
  const receive = createCallbacks({
    ...purchaseDeps,
    log: createLog(world, process),
    maskMessage: (_operator, text) => text,
    calledBack: (_operatorId, effect) => world.say(`${name}: ${effect}`),
  });
  return {
    process,
    buying,
    time,
    receive: (operatorId, request) => {
      const operator = purchaseDeps.registry.byId(operatorId);
      return operator === undefined ? undefined : receive(operator, request);
    },
    listens: () => listens && process.alive(),
    stop: () => {
      if (listens) void finish();
    },
  };
};
