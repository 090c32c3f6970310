/** Receives operators' callbacks: stores them, ends what they prove, and brings inquiries forward. */
import type {
  CallbackRequest,
  CallbackStatement,
  Report,
  StatusOutcome,
} from '../../connector/connector.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log/log.ts';
import type { CallbackEffect } from '../../metrics/callbacks.ts';
import type { Operator } from '../../operators/registry.ts';
import type { PurchaseDeps } from '../deps.ts';
import { isSameFact } from '../facts/facts.ts';
import { currentFrom, isDisputeClosed } from '../facts/note.ts';
import type { SettleContext } from '../failover.ts';
import { findPurchase, readNotes, type WrittenNote } from '../inquiry/store.ts';
import { recordLeftDelivery, recordLeftReversal } from '../left/delivered.ts';
import { askSoon } from '../left/store.ts';
import { isFinal, isOpen, type Purchase } from '../purchase.ts';
import { codeOfRefusal, wantsOffers } from '../replay/answers.ts';
import { keepUnknown } from '../reports/unmatched.ts';
import { settleContext } from '../settle-context.ts';
import { digestOf, messageText } from './message.ts';
import { callbackFact } from './step.ts';
import { type CallbackRow, dropOldCallbacks, insertCallbacks } from './store.ts';

export type CallbackDeps = Omit<PurchaseDeps, 'log'> & {
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Masks numbers, and an operator's secrets, in its messages. */
  readonly maskMessage: (operator: Operator, text: string) => string;
  /** Called with the result of each statement, and for each rejected message. */
  readonly calledBack: (operatorId: number, effect: CallbackEffect) => void;
};

// Its inquiries come anyway. Repeated callbacks of an operator do not cause an inquiry each.
const mostNoted = 5;

// Some 40 megabytes. The newest are those that people look up.
export const mostKept = 10_000;
// Finding the oldest takes as long as a few insertions.
const dropEvery = 100;

const saidBy = ({ kind }: StatusOutcome): CallbackRow['says'] =>
  kind === 'done' ? 'delivered' : kind;

/** Whether a callback is proof of an order's end. A refusal that needs fresh offers is left to an inquiry. */
const isProof = (outcome: StatusOutcome): boolean => {
  if (outcome.kind === 'refused') return !wantsOffers(codeOfRefusal(outcome.code));
  return outcome.kind === 'done' || outcome.kind === 'reversed';
};

/** The same as a report, for orders that are unknown here; undefined if it is not about a delivery. */
const reportOf = ({ ref, outcome }: CallbackStatement): Report | undefined => {
  if (outcome.kind === 'done') return { ref, kind: 'delivered', at: null };
  return outcome.kind === 'reversed' ? { ref, kind: 'reversed', at: outcome.at } : undefined;
};

const mayBeNoted = (notes: readonly WrittenNote[], outcome: StatusOutcome): boolean => {
  // What a supplier that was left has said, the current one may say again.
  const heard = notes
    .slice(currentFrom(notes.map(({ fact }) => fact)))
    .filter(({ kind }) => kind === 'callback' || kind === 'contradiction');
  const fact = callbackFact(outcome);
  if (isDisputeClosed(notes)) return false;
  return heard.length < mostNoted && !heard.some((note) => isSameFact(note.fact, fact));
};

const effectOn = (before: Purchase, after: Purchase): CallbackEffect => {
  if (after.state !== before.state && isFinal(after)) return 'settled';
  return after.state === 'unknown' ? 'inquiry' : 'noted';
};

/** What a statement is to be taken for. */
type Heard = { readonly outcome: StatusOutcome; readonly final: boolean };

/**
 * A supplier that was left behind: only a delivery and its reversal count, and they settle nothing. Where its
 * callbacks are no proof, it is asked.
 */
const applyLeft = async (
  deps: CallbackDeps,
  operator: Operator,
  found: Purchase,
  { outcome, final }: Heard,
): Promise<CallbackEffect> => {
  if (outcome.kind === 'reversed' && final) {
    return (await recordLeftReversal(deps, found, operator.id)) ? 'noted' : 'no_effect';
  }
  if (outcome.kind !== 'done') return 'no_effect';
  if (!final) {
    const now = await deps.databaseTime(deps.db);
    return (await askSoon(deps.db, found, operator.id, now)) ? 'inquiry' : 'no_effect';
  }
  return (await recordLeftDelivery(deps, found, operator.id)) ? 'noted' : 'no_effect';
};

/** Applies a statement to one purchase; repeating it changes nothing. It never causes an order. */
const apply = async (
  deps: CallbackDeps,
  operator: Operator,
  found: Purchase,
  { outcome, final }: Heard,
): Promise<CallbackEffect> => {
  const { id: supplierId } = operator;
  for (let seen = found; ; ) {
    if (seen.left.includes(supplierId)) return applyLeft(deps, operator, seen, { outcome, final });
    const notes = seen.notes === 0 ? [] : await readNotes(deps.db, seen);
    const seenNotes = mayBeNoted(notes, outcome) ? seen.notes : null;
    const isEnd = final && isProof(outcome);
    const context: SettleContext | undefined =
      isEnd && isOpen(seen)
        ? await settleContext(deps, { operator, purchase: seen }, outcome)
        : undefined;
    const reversal = isEnd && outcome.kind === 'reversed' ? outcome : undefined;
    if (seenNotes === null && context === undefined && reversal === undefined) return 'no_effect';
    const { purchase, moved } = await deps.transact.advance({
      name: seen,
      fence: 'any',
      move: { kind: 'callback', supplierId, outcome, seenNotes, context },
      ...(reversal === undefined
        ? {}
        : { andThen: { kind: 'reversal', at: reversal.at, supplierId } }),
    });
    if (moved) return effectOn(seen, purchase);
    // If there are more notes than were read, this may be among them.
    if (purchase.notes === seen.notes) return 'no_effect';
    seen = purchase;
  }
};

const unexamined = (): GatewayError =>
  new GatewayError('DATABASE_UNAVAILABLE', {
    message: {
      en: 'The database is being checked. Nothing was done. Send the callback again later.',
      fa: 'پایگاه داده در حال بررسی است و کاری انجام نشد. پیام را بعداً دوباره بفرستید.',
    },
  });

/** Stores a message before anything follows from it. */
const createKeeper = (deps: CallbackDeps) => {
  let kept = 0;
  return async (
    operator: Operator,
    request: CallbackRequest,
    statements: readonly CallbackStatement[],
  ): Promise<void> => {
    const digest = digestOf(request);
    const message = messageText(request, (text) => deps.maskMessage(operator, text));
    const at = await deps.databaseTime(deps.db);
    const row = { operator_id: operator.id, digest, message, times: 1, first_at: at, last_at: at };
    const said = new Map<string, CallbackRow>();
    for (const { ref, outcome } of statements) {
      const says = saidBy(outcome);
      said.set(`${says} ${ref}`, { ...row, ref, says });
    }
    const rows = said.size === 0 ? [{ ...row, ref: '', says: 'nothing' as const }] : said.values();
    await insertCallbacks(deps.db, [...rows]);
    kept += 1;
    if (kept % dropEvery === 1) await dropOldCallbacks(deps.db, operator.id, mostKept);
  };
};

export type ReceiveCallback = (
  operator: Operator,
  request: CallbackRequest,
) => Promise<'taken' | 'rejected'>;

/** A rejected message is counted and not stored: any caller can send one. */
const createRejections = ({ log, clock, calledBack }: CallbackDeps) => {
  const logEveryMs = 60_000;
  const loggedAt = new Map<number, number>();
  return (operator: Operator, detail: string): void => {
    calledBack(operator.id, 'rejected');
    const now = clock.monotonic();
    if (now - (loggedAt.get(operator.id) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
    loggedAt.set(operator.id, now);
    log.warn({ operator: operator.id, detail }, 'a callback was rejected: it is not authenticated');
  };
};

/** Applies each statement separately: a failing one blocks no other. */
const createApplier = (deps: CallbackDeps) => {
  /** Keyed by operator and reference: one operator's statement says nothing about another's order. */
  const applyOne = async (
    operator: Operator,
    statement: CallbackStatement,
  ): Promise<CallbackEffect> => {
    const { ref, outcome } = statement;
    const found = await findPurchase(deps.db, ref, null);
    const declared = operator.connection.callbacks?.final === true;
    // A restored database may lack its end: then it is evidence, and an inquiry decides.
    const final = declared && deps.gate?.closed() === undefined;
    const isOurs = found?.supplierId === operator.id || found?.left.includes(operator.id) === true;
    if (found === undefined || !isOurs) {
      const report = reportOf(statement);
      await keepUnknown(deps, operator.id, report === undefined ? [] : [report]);
      return 'unmatched';
    }
    return apply(deps, operator, found, { outcome, final });
  };
  return async (
    operator: Operator,
    statements: readonly CallbackStatement[],
  ): Promise<CallbackEffect[]> => {
    const effects: CallbackEffect[] = [];
    const failures: unknown[] = [];
    for (const statement of statements) {
      try {
        const effect = await applyOne(operator, statement);
        deps.calledBack(operator.id, effect);
        effects.push(effect);
      } catch (err) {
        failures.push(err);
      }
    }
    // The operator sends it again, and applied statements are not applied twice.
    if (failures.length > 0) throw failures[0];
    return effects;
  };
};

/** Throws if the database is unavailable: then the operator sends its message again. */
export const createCallbacks = (deps: CallbackDeps): ReceiveCallback => {
  const keep = createKeeper(deps);
  const reject = createRejections(deps);
  const applyAll = createApplier(deps);
  return async (operator, request) => {
    const read = operator.connection.callbacks?.read(request);
    if (read?.kind !== 'statements') {
      reject(operator, read?.detail ?? 'the operator does not call back');
      return 'rejected';
    }
    if (deps.place !== undefined && deps.place.signature() === undefined) throw unexamined();
    const { statements } = read;
    await keep(operator, request, statements);
    const effects = await applyAll(operator, statements);
    const purchases = statements.map(({ ref }) => ref);
    deps.log.info({ operator: operator.id, purchases, effects }, 'an operator called back');
    return 'taken';
  };
};
