/** Finds a purchase that needs a decision, with the evidence for and against each outcome. */
import type { StatusOutcome } from '../../connector/connector.ts';
import type { LockRetry } from '../../db/lock-retry.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { UsageError } from '../../lib/errors.ts';
import { advanceIn } from '../commit/advance.ts';
import { learnOfDispute } from '../disputes.ts';
import type { Fact } from '../facts/facts.ts';
import { findPurchase, readNotes } from '../inquiry/store.ts';
import { learn } from '../learn.ts';
import {
  type Ended,
  type InReview,
  isFinal,
  type Note,
  type Purchase,
  type Step,
} from '../purchase.ts';
import {
  type Asked,
  answerFact,
  type Evidence,
  gather,
  isKnown,
  reversedAt,
  sureAnswer,
} from './evidence.ts';

/** A case that needs review. */
export type Undecided = InReview | Disputed;

/** Ended, and something contradicts the end: failed but delivered, or delivered by two suppliers. */
export type Disputed = Ended & { readonly disputed: Fact };

export const isDisputed = (purchase: Purchase): purchase is Disputed =>
  isFinal(purchase) && purchase.state !== 'refused' && purchase.disputed !== null;

/** Changes with every claim, step and note. */
export const versionOf = ({ fence, notes }: Purchase): string => `${fence}-${notes}`;

export const isUndecided = (purchase: Purchase): purchase is Undecided =>
  purchase.state === 'review' || isDisputed(purchase);

export type NotResolvedCode = 'not found' | 'not undecided' | 'contradicted' | 'changed';

/** Why nothing was decided. */
export class NotResolved extends UsageError {
  readonly why: NotResolvedCode;
  /** What contradicts it. */
  readonly evidence: readonly Evidence[];

  constructor(why: NotResolvedCode, message: string, evidence: readonly Evidence[] = []) {
    super(message);
    this.why = why;
    this.evidence = evidence;
  }
}

export const notFound = (id: string): NotResolved =>
  new NotResolved('not found', `There is no purchase ${id}.`);

export const findUndecided = async (db: Db, id: string): Promise<Undecided> => {
  const purchase = await findPurchase(db, id, null);
  if (purchase === undefined) throw notFound(id);
  if (isUndecided(purchase)) return purchase;
  throw new NotResolved(
    'not undecided',
    `Purchase ${id} is ${purchase.state} and does not wait for a person. Nothing was decided.`,
  );
};

const factsAbout = async (db: Db, purchase: Purchase): Promise<Fact[]> =>
  (await readNotes(db, purchase)).map(({ fact }) => fact);

/** What the operator says now of its delivery, if it says that it has delivered. */
const deliveryIn = (asked: Asked): Extract<StatusOutcome, { kind: 'done' }> | undefined =>
  asked.kind === 'asked' && asked.outcome.kind === 'done' ? asked.outcome : undefined;

/** A purchase that needs review, and the evidence for and against each decision. */
export type Weighed = {
  readonly before: Undecided;
  readonly evidence: readonly Evidence[];
  readonly ref: string;
  /** What the operator says that it costs; undefined if it does not. */
  readonly cost: number | undefined;
  /** When the operator reversed it, null if unknown; undefined if it did not. */
  readonly takenBackAt: number | null | undefined;
};

export type WeighDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  /** Asks the operator once more for the outcome. */
  readonly ask: (purchase: Undecided) => Promise<Asked>;
  /** Waits while another process has the database locked. */
  readonly retryLocked?: LockRetry;
};

/**
 * Keeps the operator's certain answer before any decision: it counts for every later one, even if the
 * operator does not answer then.
 */
const keepWord = async (deps: WeighDeps, about: Undecided, asked: Asked): Promise<void> => {
  const word = sureAnswer(asked);
  if (word === undefined) return;
  if (isKnown(await factsAbout(deps.db, about), word)) return;
  const note: Note = { kind: 'testimony', fact: answerFact(word) };
  const step = (purchase: Purchase): Step | undefined => {
    if (purchase.state === 'review') return learn(purchase, note);
    return isDisputed(purchase) ? learnOfDispute(purchase, note) : undefined;
  };
  const { retryLocked = (work) => work() } = deps;
  const item = { name: about, fence: 'any', step } as const;
  await retryLocked(() =>
    deps.db.transaction().execute((db) => advanceIn(db, deps.databaseTime, [item])),
  );
};

export const weigh = async (deps: WeighDeps, found: Undecided): Promise<Weighed> => {
  const asked = await deps.ask(found);
  await keepWord(deps, found, asked);
  const before = await findUndecided(deps.db, found.id);
  const evidence = gather(await factsAbout(deps.db, before), asked);
  const delivery = deliveryIn(asked);
  return {
    before,
    evidence,
    ref: delivery?.ref ?? before.id,
    cost: delivery?.cost,
    takenBackAt: reversedAt(evidence),
  };
};
