/** Owns a simulated gateway: the real purchase code in a simulated process, started, stopped and killed. */
import { sleep } from '../../src/lib/clock.ts';
import { readDecimal } from '../../src/lib/money.ts';
import { createOffers } from '../../src/offers/offers.ts';
import { callWithin } from '../../src/operators/call.ts';
import { wideAdmission } from '../../src/operators/test-admission.ts';
import { type Buying, createBuying } from '../../src/purchases/buy.ts';
import type { PurchaseConfig, PurchaseDeps } from '../../src/purchases/order.ts';
import { createRecovery, keepRecovering, takeOver } from '../../src/purchases/recover.ts';
import { createTransact } from '../../src/purchases/transact.ts';
import { productOf } from './catalogue.ts';
import { type createDatabase, InjectedFault } from './database.ts';
import { registryFor, type SimulatedOperator } from './operators.ts';
import { createProcess, type Process } from './process.ts';
import type { World } from './world.ts';

export type Instance = {
  readonly process: Process;
  readonly buying: Buying;
  /** Whether requests reach it. */
  readonly listens: () => boolean;
  /** Takes nothing new, finishes what it has, and ends. */
  readonly stop: () => void;
};

/** Shorter than the defaults in every respect, so that a seed is over soon; in the same proportions. */
export const config: PurchaseConfig = {
  vatPercent: readDecimal('10') ?? { digits: 10n, scale: 0 },
  personalOffers: [510],
  pendingAfterMs: 4000,
  recovery: {
    sendWithinMs: 1000,
    firstInquiryMs: 400,
    widestInquiryMs: 4000,
    reviewAfterMs: 45_000,
  },
};

export type InstanceDeps = {
  readonly world: World;
  readonly database: ReturnType<typeof createDatabase>;
  readonly operators: readonly SimulatedOperator[];
  readonly newId: () => string;
  /** Whether the former process is known to be dead. */
  readonly alone: boolean;
};

const depsFor = (process: Process, deps: InstanceDeps): PurchaseDeps => {
  const { world, database, operators, newId } = deps;
  const db = database.connect(process);
  const databaseTime = async (): Promise<number> => world.now();
  const gather = (): Promise<void> => sleep(process.clock, world.draw.whole(0, 40));
  const call = callWithin(process.clock);
  const admission = wideAdmission(process.clock);
  const registry = registryFor(operators, process);
  const complain = (details: unknown, text?: unknown): void => {
    const err = typeof details === 'object' && details && 'err' in details ? details.err : details;
    if (err instanceof InjectedFault) return;
    const cause = err instanceof Error ? err.message : String(err);
    world.violate(`${process.name}: ${String(text)}: ${cause}`);
  };
  const bytes = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => world.draw.whole(0, 255));
  return {
    db,
    databaseTime,
    transact: createTransact({ db, databaseTime, clock: process.clock, makePause: () => gather }),
    clock: process.clock,
    newId,
    random: bytes,
    call,
    registry,
    admission,
    catalogue: () => ({ product: productOf }),
    offers: createOffers({
      clock: process.clock,
      call,
      admission,
      settings: { deadlineMs: 1000, rememberMs: 5000, rememberAtMost: 100 },
    }),
    log: { warn: complain, error: complain },
    config,
  };
};

/** Timers of a busy machine fire late; those that only look for work also save the seed's time. */
const lateTimers = (world: World, process: Process): Process['clock'] => ({
  ...process.clock,
  after: (ms, run) => process.after(ms + world.draw.whole(0, 5 * ms), run),
});

export const startInstance = (name: string, deps: InstanceDeps): Instance => {
  const { world, alone } = deps;
  const process = createProcess(world, name);
  const purchaseDeps = depsFor(process, deps);
  const buying = createBuying(purchaseDeps);
  const recovery = createRecovery(purchaseDeps);
  let listens = false;
  let stopRecovering = async (): Promise<void> => {};
  const start = async (): Promise<void> => {
    world.say(`${name} starts`);
    if (alone) await takeOver(purchaseDeps);
    stopRecovering = keepRecovering(
      { ...purchaseDeps, clock: lateTimers(world, process) },
      recovery,
    );
    listens = true;
  };
  start().catch((error: unknown) => {
    world.fault('failed start', 1);
    if (!(error instanceof InjectedFault)) world.violate(`${name} cannot start: ${String(error)}`);
    process.die('could not start');
  });
  const finish = async (): Promise<void> => {
    buying.drain();
    await buying.idle();
    await stopRecovering();
    await recovery.idle();
    process.die('stopped');
  };
  return {
    process,
    buying,
    listens: () => listens && process.alive(),
    stop: () => {
      if (listens) void finish();
    },
  };
};
