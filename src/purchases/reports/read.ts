/** Reads operators' reports and applies them: deliveries, reversals, and contradictions of a recorded end. */
import type { Report, ReportsOutcome } from '../../connector/connector.ts';
import { isUnavailable } from '../../db/errors.ts';
import { isRowLocked } from '../../db/postgres/errors.ts';
import type { Db } from '../../db/types.ts';
import { type Operator, suppliersIn } from '../../operators/registry.ts';
import type { PurchaseDeps } from '../deps.ts';
import { isSameFact } from '../facts/facts.ts';
import { isDisputeClosed } from '../facts/note.ts';
import { readNotes } from '../inquiry/store.ts';
import { isDeliveryKnown } from '../left/delivered.ts';
import { reportFact } from '../settle.ts';
import { termsOf } from '../terms.ts';
import { type Concerned, findUnsettledBy, readCursor, saveCursor } from './store.ts';
import { findTwice } from './twice.ts';
import { keepUnmatched } from './unmatched.ts';

// As many as one statement handles easily. They block the thread that sells from a file for some milliseconds.
const reportsAtATime = 100;

type Reported = { readonly report: Report; readonly supplierId: number };

/** Whether the purchase already has a note of the report. */
const isNoted = async (
  db: Db,
  purchase: Concerned,
  { report, supplierId }: Reported,
): Promise<boolean> => {
  if (purchase.notes === 0) return false;
  const reported = reportFact(report);
  const notes = await readNotes(db, purchase);
  if (report.kind === 'delivered' && isDeliveryKnown(notes, supplierId)) return true;
  if (purchase.state !== 'review' && purchase.state !== 'failed') return false;
  // A callback told of the same delivery, and a person has closed what that opened.
  const isCalledBack = notes.some(({ fact }) => fact.code === 'called_back_delivered');
  if (purchase.state === 'failed' && isCalledBack && isDisputeClosed(notes)) return true;
  return notes.some(({ fact }) => isSameFact(fact, reported));
};

/**
 * Applies a report to one purchase, unless it was applied before: a page that a slow server applies late must
 * not reopen a closed case.
 */
const apply = async (
  deps: PurchaseDeps,
  { report, supplierId }: Reported,
  concerned: Concerned,
): Promise<void> => {
  let seen: Pick<Concerned, 'clientId' | 'id' | 'state' | 'notes'> = concerned;
  while (!(await isNoted(deps.db, seen, { report, supplierId }))) {
    const { purchase, moved } = await deps.transact.advance({
      name: seen,
      fence: 'any',
      move: { kind: 'report', report, supplierId, seenNotes: seen.notes },
      ...(report.kind === 'reversed'
        ? { andThen: { kind: 'reversal', at: report.at, supplierId } }
        : {}),
    });
    // If there are more notes than were read, this report may be among them.
    if (moved || purchase.notes === seen.notes) return;
    seen = purchase;
  }
};

/** Failures: transient, or caused by the purchase itself. */
type NotApplied = { readonly later: readonly Report[]; readonly broken: readonly Report[] };

// A commit that failed once may succeed: only what always fails is broken.
const triesToApply = 3;

/** How often this process failed to apply the report of an order. */
type Failures = Map<string, number>;

const isBroken = (failures: Failures, { ref, kind }: Report, err: unknown): boolean => {
  if (isRowLocked(err)) return false;
  const name = `${kind} ${ref}`;
  const failed = (failures.get(name) ?? 0) + 1;
  failures.set(name, failed);
  return failed >= triesToApply;
};

/**
 * Applies reports one by one: a failing one blocks no other, except those of a client whose rows are locked.
 * A report is read once, so it also settles open purchases: delivered, or reversed.
 */
const applyReports = async (
  deps: PurchaseDeps,
  { supplierId, reports }: { readonly supplierId: number; readonly reports: readonly Report[] },
  { failures, mayGoOn }: Pick<Reading, 'failures' | 'mayGoOn'>,
): Promise<NotApplied> => {
  const later: Report[] = [];
  const broken: Report[] = [];
  const locked = new Set<string>();
  for (const kind of ['delivered', 'reversed'] as const) {
    const byRef = new Map(
      reports.filter((report) => report.kind === kind).map((report) => [report.ref, report]),
    );
    for (const purchase of await findUnsettledBy(deps.db, { kind, supplierId }, [
      ...byRef.keys(),
    ])) {
      const report = byRef.get(purchase.id);
      if (report === undefined) continue;
      if (locked.has(purchase.clientId) || !mayGoOn()) {
        later.push(report);
        continue;
      }
      try {
        await apply(deps, { report, supplierId }, purchase);
      } catch (err) {
        if (isUnavailable(err)) throw err;
        if (isRowLocked(err)) locked.add(purchase.clientId);
        deps.log.error({ err, purchase: purchase.id }, 'a report could not be applied');
        (isBroken(failures, report, err) ? broken : later).push(report);
      }
    }
  }
  return { later, broken };
};

/**
 * Advances a cursor in the place where the page was applied: elsewhere it would skip what that place lacks.
 */
const moveCursor = async (
  { db, place }: PurchaseDeps,
  operatorId: number,
  {
    appliedIn,
    ...move
  }: { readonly appliedIn: string; readonly from: string; readonly to: string },
): Promise<boolean> => {
  if (place === undefined) return saveCursor(db, operatorId, move);
  const isSaved = await place.within((db) => saveCursor(db, operatorId, move), appliedIn);
  return isSaved === true;
};

/** Where reports are read: always the same place for a file. Undefined while the place is not examined. */
const placeOf = ({ place }: PurchaseDeps): string | undefined =>
  place === undefined ? '' : place.signature();

/** What a process remembers of its readings. */
type Memory = {
  /** Takes each answer of an operator, and reports once when its reports cannot be read. */
  readonly heard: (operatorId: number, result: ReportsOutcome) => void;
  readonly failures: Failures;
};

/** One run through the pages of an operator. */
type Reading = Memory & {
  readonly mayGoOn: () => boolean;
  /** Whether all pages so far were applied: the cursor stays before the first that was not. */
  isApplied: boolean;
};

/** Reads and applies the page after a cursor. Returns the next cursor, or undefined at the end. */
const readPage = async (
  deps: PurchaseDeps,
  operator: Operator,
  cursor: string,
  reading: Reading,
): Promise<string | undefined> => {
  const { id, connection } = operator;
  const appliedIn = placeOf(deps);
  if (appliedIn === undefined) return undefined;
  const { reports, deadlineMs } = connection;
  if (reports === undefined) return undefined;
  const asked = { operatorId: id, kind: 'reports' } as const;
  const called = await deps.call(deadlineMs, () => reports(cursor), asked);
  const result = called.kind === 'answer' ? called.value : called;
  reading.heard(id, result);
  if (result.kind === 'unknown') return undefined;
  // The cursor moves last: after a crash reports are read twice, which changes nothing.
  const { reports: events, cursor: next } = result;
  for (let from = 0; from < events.length; from += reportsAtATime) {
    const some = events.slice(from, from + reportsAtATime);
    const { later, broken } = await applyReports(deps, { supplierId: id, reports: some }, reading);
    await keepUnmatched(deps, id, some, broken);
    if (termsOf(operator, deps.config.recovery).deduplicates) await findTwice(deps, id, some);
    reading.isApplied &&= later.length === 0;
    await deps.nextTurn?.();
  }
  const hasMore = next !== cursor && events.length > 0;
  // Later pages are read again by the next run, which changes nothing.
  if (!reading.isApplied) return hasMore ? next : undefined;
  for (const { ref, kind } of events) reading.failures.delete(`${kind} ${ref}`);
  if (next === cursor) return undefined;
  const isSaved = await moveCursor(deps, id, { appliedIn, from: cursor, to: next });
  // If it is not saved, another server has read this page too, and continues.
  return isSaved && hasMore ? next : undefined;
};

// A run ends when all operators have been read: a long backlog must not delay the others' next turn.
const mostPages = 100;
const longestRunMs = 10_000;

/** Reads an operator's reports page by page until there are no more, for one run's time at most. */
const readReportsOf = async (
  deps: PurchaseDeps,
  operator: Operator,
  going: () => boolean,
  memory: Memory,
): Promise<void> => {
  if (operator.connection.reports === undefined) return;
  const began = deps.clock.monotonic();
  const mayGoOn = (): boolean => going() && deps.clock.monotonic() - began < longestRunMs;
  const reading: Reading = { ...memory, mayGoOn, isApplied: true };
  let cursor: string | undefined = await readCursor(deps.db, operator.id);
  for (let page = 0; page < mostPages && cursor !== undefined && mayGoOn(); page += 1) {
    cursor = await readPage(deps, operator, cursor, reading);
  }
};

/** Reads the reports of all operators concurrently, so that one that does not answer delays no other. */
export const createReportReader = (
  deps: PurchaseDeps,
): ((going: () => boolean) => Promise<void>) => {
  const unread = new Set<number>();
  const heard: Memory['heard'] = (operator, result) => {
    if (result.kind === 'reports') unread.delete(operator);
    else if (!unread.has(operator)) {
      unread.add(operator);
      deps.log.warn({ operator, detail: result.detail }, 'reports of an operator cannot be read');
    }
  };
  const memory: Memory = { heard, failures: new Map() };
  return async (going) => {
    const ends = await Promise.allSettled(
      suppliersIn(deps.registry).map((operator) => readReportsOf(deps, operator, going, memory)),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
};
