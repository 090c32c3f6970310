/** Decides what follows when a supplier is proved to have delivered nothing: the next supplier, or the end. Pure. */
import type { Blame, StatusOutcome } from '../connector/connector.ts';
import type { Operator } from '../operators/registry.ts';
import type { NextAttempt } from './attempt.ts';
import type { Refusal } from './decide.ts';
import { errorFact, type PlainFact } from './facts/facts.ts';
import { deliveredByLeft } from './left/step.ts';
import { moveOn, succeedEarlier } from './move-on.ts';
import { fail, type Note, type Open, type Step } from './purchase.ts';
import { refusalAnswer, successAnswer } from './replay/answers.ts';
import { quietOf, type Terms, timingFrom } from './terms.ts';

/** The next supplier's attempt. A slot there is taken before the transaction. */
export type Next = {
  readonly attempt: NextAttempt;
  readonly terms: Terms;
  /** No purchase moves on when it began longer ago than this. */
  readonly giveUpAfterMs: number;
  /** The version of the routes that chose it; null if it need not be the one in force. */
  readonly routes: string | null;
};

/** Another supplier that the purchase may have gone to, and its answer if it was asked. */
export type OtherAnswer = {
  readonly supplier: Operator;
  readonly terms: Terms;
  /** When it was asked, by the database's clock. */
  readonly asked?: { readonly outcome: StatusOutcome; readonly at: number } | undefined;
};

/** What a step needs besides the outcome; built before the transaction. */
export type SettleContext = {
  readonly terms: Terms;
  /** From 0 to 1. */
  readonly chance: number;
  /** The answer to record if the supplier refuses. */
  readonly refusal: Refusal;
  /** The next supplier; absent if the purchase ends with this one. */
  readonly next?: Next | undefined;
  /** The other suppliers of its operator; none by default. */
  readonly others?: readonly OtherAnswer[];
};

/**
 * Whether the database allows a purchase to be ordered again. `later`: nothing is ordered while a restore is
 * closed. `never`: the lost part of a restore may hold another end, which the client knows.
 */
export type OrdersAgain = 'now' | 'later' | 'never';

/** What a step needs to know of its database. */
export type Scene = {
  readonly again: OrdersAgain;
  /** The place's; undefined for a file, and for an unexamined place. */
  readonly signature: string | undefined;
  /** Whether a lost part of the database may hold an attempt at another supplier. */
  readonly mayBeElsewhere: boolean;
};

export const anywhere: Scene = { again: 'now', signature: undefined, mayBeElsewhere: false };

/** Why the current attempt delivered nothing and never will. */
export type Proof =
  | { readonly kind: 'refused'; readonly blame: Blame; readonly reason: string }
  /** "No such order" after the quiet time. */
  | { readonly kind: 'not_found' };

/** A proved end of the current attempt, by an order, an inquiry or the like. */
export type Without = {
  readonly context: SettleContext;
  readonly scene: Scene;
  readonly proof: Proof;
  /** The note of the source; null if the purchase itself shows it. */
  readonly note: Note | null;
};

const factOf = (proof: Proof, { refusal }: SettleContext): PlainFact =>
  proof.kind === 'refused'
    ? errorFact(refusal.code, proof.reason)
    : { code: 'not_found', values: {} };

// Longer than any delay that a supplier may declare in good faith.
const askOnceMoreMs = 3_600_000;

/** What is kept of the attempt. One that the supplier did not know of is asked about once more. */
const leftBy = ({ proof, context }: Without, now: number) => ({
  proof: proof.kind,
  fact: factOf(proof, context),
  askAt: proof.kind === 'not_found' ? now + askOnceMoreMs : null,
});

/** Only the supplier's own fault sends a purchase to another one. */
const isSuppliersFault = (proof: Proof): boolean =>
  proof.kind === 'not_found' || proof.blame === 'supplier';

/** The next supplier, if the purchase moves on to it. */
export const nextOf = (
  purchase: Open,
  now: number,
  { context, scene, proof }: Without,
): Next | undefined => {
  const { next } = context;
  if (next === undefined || !isSuppliersFault(proof) || purchase.disputed !== null)
    return undefined;
  if (scene.again !== 'now' || scene.mayBeElsewhere) return undefined;
  return now - purchase.beganAt < next.giveUpAfterMs ? next : undefined;
};

const isDelivery = ({ asked }: OtherAnswer): boolean =>
  asked?.outcome.kind === 'done' || asked?.outcome.kind === 'reversed';

/** Whether another supplier has proved, too, that it delivered nothing. */
const isDenial = (purchase: Open, { asked, terms }: OtherAnswer): boolean => {
  if (asked?.outcome.kind === 'refused') return true;
  const isBounded = terms.settlesWithinMs !== undefined;
  return asked?.outcome.kind === 'not_found' && isBounded && asked.at >= quietOf(purchase, terms);
};

/** What a refusal leaves behind. */
const refused = (purchase: Open, { refusal }: SettleContext) => ({
  answer: refusalAnswer(refusal, purchase.requestId),
  reason: refusal.code,
  words: refusal.words,
});

/** The other supplier that delivered, all of them proved to have not, or neither is known. */
const soldElsewhere = (
  purchase: Open,
  { others = [] }: SettleContext,
): number | 'nowhere' | 'not known' => {
  const delivery = others.find(isDelivery);
  if (delivery !== undefined) return delivery.supplier.id;
  return others.every((one) => isDenial(purchase, one)) ? 'nowhere' : 'not known';
};

/**
 * The current attempt delivered nothing and never will. Undefined if another supplier may have the purchase,
 * by a part of the history that this database lacks: first all of them are asked.
 */
export const endWithout = (purchase: Open, now: number, end: Without): Step | undefined => {
  const { context, scene, proof, note } = end;
  const sold = { at: now, answer: successAnswer };
  const [earlier] = deliveredByLeft(purchase.disputed);
  const because: Note = note ?? { kind: 'order', fact: factOf(proof, context) };
  if (earlier !== undefined) {
    return succeedEarlier(purchase, earlier, { ...sold, note: because }, leftBy(end, now));
  }
  if (scene.mayBeElsewhere) {
    const elsewhere = soldElsewhere(purchase, context);
    if (elsewhere === 'not known') return undefined;
    if (elsewhere !== 'nowhere') {
      return succeedEarlier(purchase, elsewhere, { ...sold, note: because }, leftBy(end, now));
    }
  }
  const next = nextOf(purchase, now, end);
  if (next === undefined) return fail(purchase, { at: now, ...refused(purchase, context), note });
  const values = { supplier: next.attempt.supplierId };
  const moved: Note = { kind: note?.kind ?? 'order', fact: { code: 'moved_on', values } };
  return moveOn(
    purchase,
    { attempt: next.attempt, timing: timingFrom(now, next.terms) },
    { ...leftBy(end, now), note: moved },
    next.routes,
  );
};
