/** Owns recovery: what is not final when it is due is claimed and driven on, by inquiry first. */
import { repeat } from '../lib/clock.ts';
import type { Report, StatusOutcome } from '../operators/connector.ts';
import type { Operator } from '../operators/registry.ts';
import { advanceOrLeave, attempt, meansFor, type PurchaseDeps } from './order.ts';
import { isOpen, type Open, type Purchase } from './purchase.ts';
import { claimDue, findUnsettledBy, readCursor, saveCursor, takeOverAll } from './store.ts';
import { longestLeaseMs, quietFrom, termsOf } from './terms.ts';

/** What the operator said, undefined where there was none to ask, and where the purchase is now. */
export type Driven = {
  readonly outcome: StatusOutcome | undefined;
  readonly purchase: Purchase;
};

export type Recovery = {
  /** Claims what is due and drives it on; resolves when it is claimed, not when it is done. */
  readonly claim: () => Promise<void>;
  /** Reads what the operators report: reversals, and what contradicts a recorded end. */
  readonly readReports: () => Promise<void>;
  /** Calls `run`, and no other any more, when an operator has room again of which claims left something. */
  readonly onRoom: (run: () => void) => void;
  /** Drives one on that was claimed, as it drives what is due, and tells what was heard. */
  readonly driveOn: (purchase: Open) => Promise<Driven>;
  /** Resolves when nothing is driven any more. */
  readonly idle: () => Promise<void>;
};

// Enough to empty a queue quickly, few enough not to press on an operator that has just come back.
const mostAtOnce = 16;

const inquire = async (
  deps: PurchaseDeps,
  operator: Operator,
  purchase: Open,
): Promise<StatusOutcome> => {
  const { status, deadlineMs } = operator.connection;
  const asked = { operatorId: operator.id, kind: 'inquiry' } as const;
  const result = await deps.call(deadlineMs, () => status(purchase.id), asked);
  const outcome = result.kind === 'answer' ? result.value : result;
  if (outcome.kind !== 'unknown') deps.admission.alive(operator.id);
  return outcome;
};

/** Drives one claimed purchase a step on; the same functions that settle the first try. */
const drive = async (deps: PurchaseDeps, purchase: Open): Promise<Driven> => {
  const operator = deps.registry.byId(purchase.operatorId ?? 0);
  const claim = { name: purchase, fence: purchase.fence };
  if (operator === undefined) {
    const given = await advanceOrLeave(deps, { ...claim, move: { kind: 'no operator' } });
    return { outcome: undefined, purchase: given?.purchase ?? purchase };
  }
  const askedAt = await deps.databaseTime(deps.db);
  const outcome = await inquire(deps, operator, purchase);
  const means = await meansFor(deps, operator, purchase, outcome);
  const started = deps.clock.monotonic();
  const result = await advanceOrLeave(deps, {
    ...claim,
    move: { kind: 'inquiry', outcome, means, askedAt },
    ...(outcome.kind === 'reversed' ? { andThen: { kind: 'reversal', at: outcome.at } } : {}),
  });
  const after = result?.purchase ?? purchase;
  const ordersAgain = result?.moved === true && after.attempts > purchase.attempts;
  if (!ordersAgain || !isOpen(after)) return { outcome, purchase: after };
  return { outcome, purchase: await attempt(deps, { purchase: after, operator, started }) };
};

// As many as a statement takes with ease.
const reportsAtATime = 200;

/** A report is read once, so it settles also what is still open: a delivery, or one taken back. */
const applyReports = async (deps: PurchaseDeps, reports: readonly Report[]): Promise<void> => {
  for (const kind of ['delivered', 'reversed'] as const) {
    const byRef = new Map(
      reports.filter((report) => report.kind === kind).map((report) => [report.ref, report]),
    );
    for (const name of await findUnsettledBy(deps.db, kind, [...byRef.keys()])) {
      const report = byRef.get(name.id);
      if (report === undefined) continue;
      await deps.transact.advance({
        name,
        fence: 'any',
        move: { kind: 'report', report },
        ...(kind === 'reversed' ? { andThen: { kind: 'reversal', at: report.at } } : {}),
      });
    }
  }
};

const readReportsOf = async (deps: PurchaseDeps, operator: Operator): Promise<void> => {
  const { reports, deadlineMs } = operator.connection;
  if (reports === undefined) return;
  const cursor = await readCursor(deps.db, operator.id);
  const asked = { operatorId: operator.id, kind: 'reports' } as const;
  const result = await deps.call(deadlineMs, () => reports(cursor), asked);
  if (result.kind === 'unknown' || result.value.kind === 'unknown') return;
  // The cursor moves last: after a crash reports are read twice, which changes nothing.
  const { reports: events } = result.value;
  for (let from = 0; from < events.length; from += reportsAtATime) {
    await applyReports(deps, events.slice(from, from + reportsAtATime));
  }
  if (result.value.cursor !== cursor) await saveCursor(deps.db, operator.id, result.value.cursor);
};

/**
 * Takes over everything that is open. Only for a server that has proof that the former one is dead,
 * as the lock on an SQLite file gives it.
 */
export const takeOver = async (deps: PurchaseDeps): Promise<void> => {
  const now = await deps.databaseTime(deps.db);
  for (const operator of deps.registry.all) {
    const quietAt = quietFrom(now, termsOf(operator, deps.config.recovery));
    await takeOverAll(deps.db, operator.id, { now, quietAt });
  }
};

// Not for each one that ends: a claim of some costs no more than a claim of one.
const roomAgain = mostAtOnce / 2;

export const createRecovery = (deps: PurchaseDeps): Recovery => {
  const driven = new Map<Promise<unknown>, number>();
  /** The operators that the last claim passed over. */
  let passedOver: readonly number[] = [];
  let hearOfRoom = (): void => {};

  const drivenOf = (id: number): number =>
    driven.values().reduce((count, operatorId) => count + (operatorId === id ? 1 : 0), 0);

  /** The operators of which so many purchases are driven that no more are claimed. */
  const busy = (): number[] =>
    [...new Set(driven.values())].filter((id) => drivenOf(id) >= mostAtOnce);

  const ended = (work: Promise<unknown>, operatorId: number): void => {
    driven.delete(work);
    if (!passedOver.includes(operatorId) || drivenOf(operatorId) > roomAgain) return;
    passedOver = passedOver.filter((id) => id !== operatorId);
    hearOfRoom();
  };

  /** Counts it among what is driven until it is over. */
  const driveOn = (purchase: Open): Promise<Driven> => {
    const operatorId = purchase.operatorId ?? 0;
    const work = drive(deps, purchase).finally(() => ended(work, operatorId));
    driven.set(work, operatorId);
    return work;
  };

  /** Gives how many it claimed. */
  const claimSome = async (): Promise<number> => {
    const now = await deps.databaseTime(deps.db);
    // One that is silent must not keep the purchases of the others from their end.
    const exceptOf = busy();
    passedOver = exceptOf;
    const claimed = await claimDue(deps.db, {
      now,
      leaseUntil: now + longestLeaseMs,
      most: mostAtOnce,
      exceptOf,
    });
    for (const purchase of claimed.filter(isOpen)) {
      driveOn(purchase).catch((err: unknown) => {
        deps.log.error({ err, purchase: purchase.id }, 'a purchase could not be driven on');
      });
    }
    return claimed.length;
  };

  return {
    claim: async () => {
      while ((await claimSome()) === mostAtOnce);
    },
    readReports: async () => {
      // Side by side, for the same reason.
      const ends = await Promise.allSettled(
        deps.registry.all.map((operator) => readReportsOf(deps, operator)),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
    driveOn,
    onRoom: (run) => {
      hearOfRoom = run;
    },
    idle: async () => {
      while (driven.size > 0) await Promise.allSettled(driven.keys());
    },
  };
};

const claimEveryMs = 1000;
const readReportsEveryMs = 2000;

/** Keeps recovery going until the returned function stops it; what it has claimed goes on. */
export const keepRecovering = (deps: PurchaseDeps, recovery: Recovery): (() => Promise<void>) => {
  const logged = (work: () => Promise<void>, text: string) => async (): Promise<void> =>
    work().catch((err: unknown) => deps.log.error({ err }, text));
  const claim = logged(recovery.claim, 'cannot look for what is due');
  const stops = [
    repeat(deps.clock, claimEveryMs, claim),
    repeat(deps.clock, readReportsEveryMs, logged(recovery.readReports, 'cannot read reports')),
  ];
  // A queue is emptied as quickly as its operator answers, not by so many a second.
  let claiming: Promise<void> = Promise.resolve();
  recovery.onRoom(() => {
    claiming = claiming.then(claim);
  });
  return async () => {
    recovery.onRoom(() => {});
    await Promise.all([...stops.map((stop) => stop()), claiming]);
  };
};
