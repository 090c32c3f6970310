/** Recovers purchases: claims what is due and not final, inquires, then settles or orders again. */
import { onClockSetBack } from '../db/clock-step.ts';
import { repeat } from '../lib/clock.ts';
import { suppliersIn } from '../operators/registry.ts';
import {
  bringForward,
  type Claim,
  type ClaimedDue,
  claimDue,
  findUnclaimed,
  takeOverAll,
} from './claims.ts';
import type { PurchaseDeps } from './deps.ts';
import { askAboutLeft } from './left/ask.ts';
import { isOpen, type Open } from './purchase.ts';
import { type Recovered, recoverPurchase } from './recover-one.ts';
import { createReportReader } from './reports/read.ts';
import { longestLeaseMs, longestWaitMs, quietFrom, termsOf } from './terms.ts';

export type Recovery = {
  /** Claims what is due and runs it; resolves when it is claimed, not when it is done. */
  readonly claim: () => Promise<void>;
  /**
   * Finds purchases that no instance claims; after many such runs it claims them, or moves them to review.
   */
  readonly claimAbandoned: () => Promise<void>;
  /** Asks suppliers that were left behind once more. */
  readonly askAboutLeft: () => Promise<void>;
  /** Reads the operators' reports while `going`: reversals, and contradictions of a recorded end. */
  readonly readReports: (going?: () => boolean) => Promise<void>;
  /** Calls `run`, instead of any earlier one, when an operator that claims skipped has room again. */
  readonly onRoom: (run: () => void) => void;
  /** Runs one claimed purchase as if it were due, and returns the operator's answer. */
  readonly recoverOne: (purchase: Open) => Promise<Recovered>;
  /** Resolves when nothing runs any more. */
  readonly whenIdle: () => Promise<void>;
};

// Enough to empty a queue quickly, few enough not to overload an operator that has just recovered.
const mostAtOnce = 16;

// Instances that have an operator claim its purchases within seconds, a starting one within minutes.
const claimAbandonedEveryMs = 30_000;
const looksUntilAbandoned = 600_000 / claimAbandonedEveryMs;

/**
 * Takes over everything that is open. Only for a server with proof that the former one is dead, as the lock
 * on an SQLite file gives.
 */
export const takeOver = async (deps: PurchaseDeps): Promise<void> => {
  const now = await deps.databaseTime(deps.db);
  for (const operator of suppliersIn(deps.registry)) {
    const quietAt = quietFrom(now, termsOf(operator, deps.config.recovery));
    await takeOverAll(deps.db, operator.id, { now, quietAt });
  }
};

// The time is read a little before it is used, and a lease may be taken in between.
const readLateMs = 60_000;

/**
 * After a step back of the database's clock, open purchases would be due too late. Nothing is due later than
 * the longest wait from now, so anything beyond it is made due now. With SQLite, taking over does the same.
 * The quiet time stays: it may only ever be too long.
 */
const bringAllForward = async (deps: PurchaseDeps, now: number): Promise<void> => {
  for (const operator of suppliersIn(deps.registry)) {
    const waitMs = longestWaitMs(termsOf(operator, deps.config.recovery));
    const furthest = now + waitMs + readLateMs;
    await bringForward(deps.db, operator.id, { now, furthest });
  }
};

const claimFrom = (now: number): Claim => ({
  now,
  leaseUntil: now + longestLeaseMs,
  most: mostAtOnce,
});

/** The operators that this instance can ask; purchases of others are left to instances that can. */
const known = ({ registry }: PurchaseDeps): number[] =>
  suppliersIn(registry)
    .filter(({ system }) => system !== null)
    .map(({ id }) => id);

/**
 * Finds operators whose purchases no instance claims in one run after another. It counts runs instead of
 * comparing times, so neither a stop of all instances nor a clock step counts.
 */
const createAbandonedWatch = () => {
  let found = new Map<number, number>();
  return async (deps: PurchaseDeps, now: number): Promise<number[]> => {
    const before = found;
    found = new Map();
    const unclaimed = await findUnclaimed(deps.db, known(deps), now - claimAbandonedEveryMs);
    found = new Map(unclaimed.map((id) => [id, (before.get(id) ?? 0) + 1]));
    return unclaimed.filter((id) => (found.get(id) ?? 0) > looksUntilAbandoned);
  };
};

/** Returns how many there are. */
const recoverAll = (
  { log }: PurchaseDeps,
  { purchases, unreadable }: ClaimedDue,
  recoverOne: (purchase: Open) => Promise<Recovered>,
): number => {
  for (const { id, err } of unreadable) {
    log.error({ err, purchase: id }, 'a purchase cannot be read and is left as it is');
  }
  for (const purchase of purchases.filter(isOpen)) {
    recoverOne(purchase).catch((err: unknown) => {
      log.error({ err, purchase: purchase.id }, 'a purchase could not be driven on');
    });
  }
  return purchases.length + unreadable.length;
};

// Not at each end: claiming several costs no more than claiming one.
const roomAgain = mostAtOnce / 2;

export const createRecovery = (deps: PurchaseDeps): Recovery => {
  const running = new Map<Promise<unknown>, number>();
  /** The operators that the last claim passed over. */
  let passedOver: readonly number[] = [];
  let hearOfRoom = (): void => {};
  const findAbandoned = createAbandonedWatch();
  const readReports = createReportReader(deps);
  const mendTimes = onClockSetBack(deps.clock, (now) => bringAllForward(deps, now));

  const runningOf = (id: number): number =>
    running.values().reduce((count, operatorId) => count + (operatorId === id ? 1 : 0), 0);

  /** The operators with so many purchases in progress that no more are claimed. */
  const busy = (): number[] =>
    [...new Set(running.values())].filter((id) => runningOf(id) >= mostAtOnce);

  const ended = (work: Promise<unknown>, operatorId: number): void => {
    running.delete(work);
    if (!passedOver.includes(operatorId) || runningOf(operatorId) > roomAgain) return;
    passedOver = passedOver.filter((id) => id !== operatorId);
    hearOfRoom();
  };

  /** Counts it as running until it ends. */
  const recoverOne = (purchase: Open, isAbandoned = false): Promise<Recovered> => {
    const supplierId = purchase.supplierId ?? 0;
    const work = recoverPurchase(deps, purchase, isAbandoned).finally(() =>
      ended(work, supplierId),
    );
    running.set(work, supplierId);
    return work;
  };

  /** Returns how many it claimed. */
  const claimSome = async (): Promise<number> => {
    const now = await deps.databaseTime(deps.db);
    await mendTimes(now);
    // An operator that does not answer must not block the purchases of others.
    const exceptOf = busy();
    passedOver = exceptOf;
    const free = known(deps).filter((id) => !exceptOf.includes(id));
    return recoverAll(deps, await claimDue(deps.db, claimFrom(now), free), recoverOne);
  };

  return {
    claim: async () => {
      while ((await claimSome()) === mostAtOnce);
    },
    claimAbandoned: async () => {
      const now = await deps.databaseTime(deps.db);
      const abandoned = await findAbandoned(deps, now);
      const claimed = await claimDue(deps.db, claimFrom(now), abandoned);
      recoverAll(deps, claimed, (purchase) => recoverOne(purchase, true));
    },
    askAboutLeft: async () => {
      await askAboutLeft(deps);
      await deps.promises?.refresh();
    },
    readReports: (going = () => true) => readReports(going),
    recoverOne: (purchase) => recoverOne(purchase),
    onRoom: (run) => {
      hearOfRoom = run;
    },
    whenIdle: async () => {
      while (running.size > 0) await Promise.allSettled(running.keys());
    },
  };
};

const claimEveryMs = 1000;
const readReportsEveryMs = 2000;
const askAboutLeftEveryMs = 5000;

/** Keeps recovery running until the returned function stops it; claimed purchases continue. */
export const keepRecovering = (deps: PurchaseDeps, recovery: Recovery): (() => Promise<void>) => {
  const logged = (work: () => Promise<void>, text: string) => async (): Promise<void> =>
    work().catch((err: unknown) => deps.log.error({ err }, text));
  let going = true;
  const claim = logged(recovery.claim, 'cannot look for what is due');
  const readReports = logged(() => recovery.readReports(() => going), 'cannot read reports');
  const claimAbandoned = logged(recovery.claimAbandoned, 'cannot look for what is abandoned');
  const askLeft = logged(recovery.askAboutLeft, 'cannot ask suppliers that were left behind');
  const stops = [
    repeat(deps.clock, claimEveryMs, claim),
    repeat(deps.clock, claimAbandonedEveryMs, claimAbandoned),
    repeat(deps.clock, readReportsEveryMs, readReports),
    ...(deps.routing === undefined ? [] : [repeat(deps.clock, askAboutLeftEveryMs, askLeft)]),
  ];
  // A queue empties as fast as its operator answers, not at a fixed rate.
  let claiming: Promise<void> = Promise.resolve();
  recovery.onRoom(() => {
    claiming = claiming.then(claim);
  });
  return async () => {
    going = false;
    recovery.onRoom(() => {});
    await Promise.all([...stops.map((stop) => stop()), claiming]);
  };
};
