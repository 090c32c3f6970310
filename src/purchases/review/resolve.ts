/** Resolves a purchase by a person's decision: one in review, or one disputed after its end. */

import { runTransaction } from '../../db/transaction.ts';
import type { Db } from '../../db/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/random.ts';
import { messageIdFrom } from '../../webhooks/event.ts';
import { readListeners } from '../../webhooks/store.ts';
import { advanceIn, PurchaseMissing } from '../commit/advance.ts';
import { type CostEntry, costAt, reversedCost } from '../cost.ts';
import { closeDispute } from '../disputes.ts';
import { deliveredByLeft } from '../left/step.ts';
import { fail, type Note, type Purchase, type Step, succeed } from '../purchase.ts';
import { refusalAnswer, successAnswer } from '../replay/answers.ts';
import { stepAfterReversal } from '../settle.ts';
import { countStates } from '../stats/count-states.ts';
import { against, type Evidence, evidenceText, type ReviewOutcome } from './evidence.ts';
import { type MoneyEffect, moneyOf, moneyWords } from './money.ts';
import { insertDecision } from './store.ts';
import {
  type Disputed,
  findUndecided,
  isDisputed,
  NotResolved,
  notFound,
  type Undecided,
  versionOf,
  type WeighDeps,
  type Weighed,
  weigh,
} from './undecided.ts';

/** The same step under a new fencing number: the old one can no longer move the purchase. */
const fencedOff = <After extends Purchase>(step: Step<After>): Step<After> => ({
  ...step,
  after: { ...step.after, fence: step.after.fence + 1 },
});

export type ResolveDeps = WeighDeps & {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  /** What else is written in the transaction of the decision. */
  readonly alsoWrite?: (db: Db, decided: Decided) => Promise<void>;
};

/** The decision and its basis. */
type Decided = {
  readonly before: Undecided;
  readonly purchase: Purchase;
  readonly evidence: readonly Evidence[];
  /** Whether it was made against the evidence. */
  readonly forced: boolean;
  /** The endpoints that may receive its event. */
  readonly endpoints: readonly string[];
};

export type Resolution = {
  readonly verdict: ReviewOutcome;
  readonly reason: string;
  readonly actor: string;
} & Ground;

/** Its basis: a version that was shown, or without one, all current evidence. */
type Ground =
  | { readonly force: false; readonly version?: string }
  /** Also against the evidence of that version, and no other. */
  | { readonly force: boolean; readonly version: string };

export type Resolved = Decided & { readonly money: MoneyEffect };

/** What the disputed deliveries cost, as a negative amount: a person found that there were none. */
const disputedCosts = (purchase: Disputed): readonly CostEntry[] => {
  const { disputed, supplierId } = purchase;
  const isByLeft = disputed.code === 'left_delivered' || disputed.code === 'left_reversed';
  const current = supplierId === null ? [] : [supplierId];
  return (isByLeft ? deliveredByLeft(disputed) : current).map((id) => ({
    supplierId: id,
    kind: 'not_delivered',
    cost: reversedCost(costAt(purchase, id)),
  }));
};

/** The step of a decision, with the same functions that settle an operator's answer. */
const stepOf =
  (
    { verdict, actor, reason }: Resolution,
    weighed: Pick<Weighed, 'before' | 'ref' | 'cost'> & { readonly forced: boolean },
  ) =>
  (purchase: Purchase, now: number): Step | undefined => {
    // New evidence has not been weighed.
    if (purchase.notes !== weighed.before.notes) return undefined;
    const code = verdict === 'succeeded' ? 'marked_delivered' : 'marked_not_delivered';
    const fact = { code, values: { by: actor, reason, forced: weighed.forced } } as const;
    if (isDisputed(purchase)) {
      const step = closeDispute(purchase, { kind: 'dispute closed', fact });
      return fencedOff(verdict === 'failed' ? { ...step, costs: disputedCosts(purchase) } : step);
    }
    if (purchase.state !== 'review') return undefined;
    const note: Note = { kind: 'decision', fact };
    if (verdict === 'succeeded') {
      const { ref, cost } = weighed;
      const end = { at: now, answer: successAnswer, ref, cost, note };
      return fencedOff(succeed(purchase, end));
    }
    const error = 'NOT_DELIVERED';
    const answer = refusalAnswer({ code: error }, purchase.requestId);
    return fencedOff(fail(purchase, { at: now, answer, reason: error, note }));
  };

const standing = ({ state, disputed }: Purchase) => ({ state, disputed });

/** Refuses what the evidence contradicts, and says what the decision would have done. */
const assertPermitted = (
  purchase: Undecided,
  evidence: readonly Evidence[],
  { verdict, force }: Resolution,
): void => {
  const contradicting = against(evidence, verdict);
  if (contradicting.length === 0 || force) return;
  const words = evidenceText(contradicting);
  const money = moneyWords(moneyOf(purchase, verdict, false));
  throw new NotResolved(
    'contradicted',
    `The evidence contradicts "${verdict}": ${words}. Nothing was decided. With --force ${versionOf(purchase)} it is done all the same: ${money}`,
    contradicting,
  );
};

export type Preview = {
  readonly purchase: Undecided;
  readonly evidence: readonly Evidence[];
  /** Whether the evidence contradicts it. */
  readonly contradicted: boolean;
  readonly money: MoneyEffect;
  readonly version: string;
};

/** What a decision would do, and the evidence against it. The operator is asked, and its answer is kept. */
export const preview = async (
  deps: WeighDeps,
  id: string,
  verdict: ReviewOutcome,
): Promise<Preview> => {
  const found = await findUndecided(deps.db, id);
  const { before: purchase, evidence, takenBackAt } = await weigh(deps, found);
  return {
    purchase,
    evidence,
    contradicted: against(evidence, verdict).length > 0,
    money: moneyOf(purchase, verdict, takenBackAt !== undefined),
    version: versionOf(purchase),
  };
};

const changedMeanwhile = (id: string): NotResolved =>
  new NotResolved(
    'changed',
    `Purchase ${id} has changed since it was shown, or its operator has said something new. Nothing was decided; look at it again.`,
  );

/** A restore after the inquiry may lack the purchase. */
const orNotFound =
  (id: string) =>
  (error: unknown): never => {
    throw error instanceof PurchaseMissing ? notFound(id) : error;
  };

/** Takes the step and records who decided and on what, in one transaction. */
const decide = async (
  db: Db,
  deps: ResolveDeps,
  { before, evidence, ref, cost, takenBackAt }: Weighed,
  resolution: Resolution,
): Promise<Decided> => {
  const { id } = before;
  const forced = against(evidence, resolution.verdict).length > 0;
  const listeners = await readListeners(db, before.clientId);
  const [result] = await advanceIn(db, deps.databaseTime, [
    {
      name: before,
      fence: before.fence,
      step: stepOf(resolution, { before, ref, cost, forced }),
      ...(takenBackAt === undefined ? {} : { andThen: stepAfterReversal(takenBackAt) }),
      audience: { listeners, messageId: messageIdFrom(deps.newId()) },
    },
  ]).catch(orNotFound(id));
  if (result === undefined || !result.moved) throw changedMeanwhile(id);
  await countStates(db, deps.clock, result.passed);
  await insertDecision(db, {
    id: deps.newId(),
    at: deps.clock.now(),
    actor: resolution.actor,
    action: 'purchase resolve',
    subject: id,
    before: standing(before),
    after: { ...standing(result.purchase), decided: resolution.verdict },
    evidence: evidence.map(({ fact }) => fact),
    forced,
    reason: resolution.reason,
  });
  const endpoints = listeners.map((listener) => listener.id);
  const decided = { before, purchase: result.purchase, evidence, forced, endpoints };
  await deps.alsoWrite?.(db, decided);
  return decided;
};

/**
 * Decides one purchase in one transaction, and records who did and why. The operator is asked first; a
 * decision against the evidence is refused, unless forced. Throws `OutcomeUnknown` if the commit's
 * acknowledgement is lost.
 */
export const resolve = async (
  deps: ResolveDeps,
  id: string,
  resolution: Resolution,
): Promise<Resolved> => {
  const { verdict, version } = resolution;
  const isSeen = (purchase: Undecided): boolean =>
    version === undefined || version === versionOf(purchase);
  const found = await findUndecided(deps.db, id);
  if (!isSeen(found)) throw changedMeanwhile(id);
  const weighed = await weigh(deps, found);
  const { before } = weighed;
  // A claim or a decision moves the fencing number: it is no longer the same case.
  if (!isSeen(before) || before.fence !== found.fence) throw changedMeanwhile(id);
  assertPermitted(before, weighed.evidence, resolution);
  const decided = await runTransaction(deps, (db) => decide(db, deps, weighed, resolution));
  return { ...decided, money: moneyOf(before, verdict, weighed.takenBackAt !== undefined) };
};
