/** Owns recovery: what is not final when it is due is claimed and driven on, by inquiry first. */
import { repeat } from '../lib/clock.ts';
import type { Report, StatusOutcome } from '../operators/connector.ts';
import type { Operator } from '../operators/registry.ts';
import { advanceOrLeave, attempt, meansFor, type PurchaseDeps } from './order.ts';
import { giveUp, isOpen, type Open, type Purchase, type Step } from './purchase.ts';
import { stepAfterInquiry, stepAfterReport, stepAfterReversal } from './settle.ts';
import { claimDue, findUnsettledBy, readCursor, saveCursor, takeOverAll } from './store.ts';
import { longestLeaseMs, quietFrom, termsOf } from './terms.ts';

export type Recovery = {
  /** Claims what is due and drives it on; resolves when it is claimed, not when it is done. */
  readonly claim: () => Promise<void>;
  /** Reads what the operators report: reversals, and what contradicts a recorded end. */
  readonly readReports: () => Promise<void>;
  /** Resolves when nothing is driven any more. */
  readonly idle: () => Promise<void>;
};

// Enough to empty a queue quickly, few enough not to press on an operator that has just come back.
const mostAtOnce = 32;

const inquire = async (
  deps: PurchaseDeps,
  operator: Operator,
  purchase: Open,
): Promise<StatusOutcome> => {
  const { status, deadlineMs } = operator.connection;
  const result = await deps.call(deadlineMs, () => status(purchase.id));
  return result.kind === 'answer' ? result.value : result;
};

const noOperator = (purchase: Purchase): Step | undefined => {
  if (!isOpen(purchase)) return undefined;
  const detail = `operator ${purchase.operatorId} is not configured any more`;
  return giveUp(purchase, detail, { kind: 'inquiry', detail });
};

/** Drives one claimed purchase a step on; the same functions that settle the first try. */
const drive = async (deps: PurchaseDeps, purchase: Open): Promise<void> => {
  const operator = deps.registry.byId(purchase.operatorId ?? 0);
  const claim = { name: purchase, fence: purchase.fence };
  if (operator === undefined) {
    await advanceOrLeave(deps, { ...claim, step: noOperator });
    return;
  }
  const askedAt = await deps.databaseTime(deps.db);
  const outcome = await inquire(deps, operator, purchase);
  const means = await meansFor(deps, operator, purchase, outcome);
  const started = deps.clock.monotonic();
  const result = await advanceOrLeave(deps, {
    ...claim,
    step: stepAfterInquiry(outcome, means, askedAt),
    ...(outcome.kind === 'reversed' ? { andThen: stepAfterReversal(outcome.at) } : {}),
  });
  if (result === undefined || !result.moved) return;
  const after = result.purchase;
  if (isOpen(after) && after.attempts > purchase.attempts) await attempt(deps, after, started);
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
        step: stepAfterReport(report),
        ...(kind === 'reversed' ? { andThen: stepAfterReversal(report.at) } : {}),
      });
    }
  }
};

const readReportsOf = async (deps: PurchaseDeps, operator: Operator): Promise<void> => {
  const { reports, deadlineMs } = operator.connection;
  if (reports === undefined) return;
  const cursor = await readCursor(deps.db, operator.id);
  const result = await deps.call(deadlineMs, () => reports(cursor));
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

export const createRecovery = (deps: PurchaseDeps): Recovery => {
  const driven = new Set<Promise<void>>();

  const claim = async (): Promise<void> => {
    const most = mostAtOnce - driven.size;
    if (most <= 0) return;
    const now = await deps.databaseTime(deps.db);
    const claimed = await claimDue(deps.db, { now, leaseUntil: now + longestLeaseMs, most });
    for (const purchase of claimed.filter(isOpen)) {
      const work = drive(deps, purchase)
        .catch((err: unknown) => {
          deps.log.error({ err, purchase: purchase.id }, 'a purchase could not be driven on');
        })
        .finally(() => driven.delete(work));
      driven.add(work);
    }
  };

  return {
    claim,
    readReports: async () => {
      for (const operator of deps.registry.all) await readReportsOf(deps, operator);
    },
    idle: async () => {
      while (driven.size > 0) await Promise.allSettled(driven);
    },
  };
};

const claimEveryMs = 1000;
const readReportsEveryMs = 2000;

/** Keeps recovery going until the returned function stops it. */
export const keepRecovering = (deps: PurchaseDeps, recovery: Recovery): (() => void) => {
  const logged = (work: () => Promise<void>, text: string) => async (): Promise<void> =>
    work().catch((err: unknown) => deps.log.error({ err }, text));
  const stops = [
    repeat(deps.clock, claimEveryMs, logged(recovery.claim, 'cannot look for what is due')),
    repeat(deps.clock, readReportsEveryMs, logged(recovery.readReports, 'cannot read reports')),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
