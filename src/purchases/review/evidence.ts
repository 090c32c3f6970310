/** Weighs a person's decision against the evidence: the operator's answer and its reports. Pure. */
import type { StatusOutcome } from '../../connector/connector.ts';
import { type Fact, type FactCode, type PlainFact, unknownFact } from '../facts/facts.ts';
import { currentFrom } from '../facts/note.ts';
import { shownWords } from '../facts/words.ts';

export type ReviewOutcome = 'succeeded' | 'failed';

/** The result of asking the operator once more. */
export type Asked =
  | {
      readonly kind: 'asked';
      readonly outcome: StatusOutcome;
      /** Whether "no such order" is proof by now. */
      readonly quiet: boolean;
    }
  | { readonly kind: 'not_asked'; readonly why: PlainFact };

/** One piece of evidence: what it says, if anything, and its fact. */
export type Evidence = {
  readonly says: 'delivered' | 'taken_back' | 'not_delivered' | 'nothing';
  readonly fact: Fact;
};

const evidenceOf =
  (says: Evidence['says']) =>
  (fact: Fact): Evidence => ({ says, fact });

const delivered = evidenceOf('delivered');
const reversed = evidenceOf('taken_back');
const notDelivered = evidenceOf('not_delivered');
const inconclusive = evidenceOf('nothing');

/** The operator's current answer. */
const saidNow = (outcome: StatusOutcome, quiet: boolean): Evidence => {
  switch (outcome.kind) {
    case 'done':
      return delivered({ code: 'now_delivered', values: {} });
    case 'reversed':
      return reversed({ code: 'now_reversed', values: { at: outcome.at } });
    case 'refused':
      return notDelivered({ code: 'now_refused', values: { reason: outcome.reason } });
    case 'not_found':
      return quiet
        ? notDelivered({ code: 'now_not_found', values: {} })
        : inconclusive({ code: 'now_not_found_yet', values: {} });
    case 'pending':
      return inconclusive({ code: 'now_pending', values: {} });
    case 'unknown':
      return inconclusive({ code: 'now_no_answer', values: { last: unknownFact(outcome) } });
  }
};

/** What each noted fact says about the delivery. Other facts are not evidence. */
const says: { readonly [Code in FactCode]?: Evidence['says'] } = {
  reported_delivered: 'delivered',
  reported_reversed: 'taken_back',
  called_back_delivered: 'delivered',
  called_back_reversed: 'taken_back',
  called_back_refused: 'not_delivered',
  late_delivered: 'delivered',
  left_delivered: 'delivered',
  late_refused: 'not_delivered',
  said_delivered: 'delivered',
  said_reversed: 'taken_back',
  said_refused: 'not_delivered',
  said_not_found: 'not_delivered',
};

/** Which of the facts have one of these codes, as evidence. */
const withCodes = (facts: readonly Fact[], codes: readonly FactCode[]): Evidence[] =>
  facts
    .filter(({ code }) => codes.includes(code))
    .map((fact) => ({ says: says[fact.code] ?? 'nothing', fact }));

/** Of all reports and callbacks only the last counts. */
const reported = (facts: readonly Fact[]): Evidence[] =>
  withCodes(facts, [
    'reported_delivered',
    'reported_reversed',
    'called_back_delivered',
    'called_back_reversed',
  ]).slice(-1);

/** Late answers to the order itself; each kind of answer once. */
const answeredLate = (facts: readonly Fact[]): Evidence[] => {
  const late = withCodes(facts, ['late_delivered', 'late_refused', 'called_back_refused']);
  return late.filter(
    ({ fact }, index) => late.findIndex((one) => one.fact.code === fact.code) === index,
  );
};

/**
 * Deliveries by suppliers that were left behind, or what they have reversed since. The current supplier's
 * reversal takes none of them back.
 */
const deliveredByOthers = (facts: readonly Fact[]): Evidence[] => {
  const reversed = withCodes(facts, ['left_reversed']);
  const hasReversed = (fact: Fact): boolean =>
    reversed.some((one) => JSON.stringify(one.fact.values) === JSON.stringify(fact.values));
  const delivered = withCodes(facts, ['left_delivered']);
  return [...reversed, ...delivered.filter(({ fact }) => !hasReversed(fact))];
};

/** An operator's certain answer about an order, asked for a person who decides. */
export type SureAnswer = Exclude<StatusOutcome, { kind: 'pending' | 'unknown' }>;

/** The operator's certain answer; undefined if it was not asked, does not know, or proves nothing. */
export const sureAnswer = (asked: Asked): SureAnswer | undefined => {
  if (asked.kind === 'not_asked') return undefined;
  const { outcome, quiet } = asked;
  if (outcome.kind === 'pending' || outcome.kind === 'unknown') return undefined;
  return outcome.kind === 'not_found' && !quiet ? undefined : outcome;
};

/** The same as a fact to be noted. */
export const answerFact = (answer: SureAnswer): PlainFact => {
  switch (answer.kind) {
    case 'done':
      return { code: 'said_delivered', values: {} };
    case 'reversed':
      return { code: 'said_reversed', values: { at: answer.at } };
    case 'not_found':
      return { code: 'said_not_found', values: {} };
    case 'refused':
      return { code: 'said_refused', values: { reason: answer.reason } };
  }
};

const isOfDelivery = ({ says }: Evidence): boolean => says === 'delivered' || says === 'taken_back';

/** Its earlier answer to a person: it counts even if the operator does not answer now. */
const askedBefore = (facts: readonly Fact[]) => {
  const said = withCodes(facts, [
    'said_delivered',
    'said_reversed',
    'said_refused',
    'said_not_found',
  ]);
  return {
    /** Its last statement about a delivery. */
    delivery: said.findLast(isOfDelivery),
    denial: said.findLast(({ says }) => says === 'not_delivered'),
  };
};

/** The facts about the suppliers that were left, and those about the current one. */
const byAttempt = (facts: readonly Fact[]) => {
  const from = currentFrom(facts);
  return { left: facts.slice(0, from), current: facts.slice(from) };
};

/** Whether its certain answer was known before, whatever the reason it gave. */
export const isKnown = (facts: readonly Fact[], answer: SureAnswer): boolean => {
  const { delivery, denial } = askedBefore(byAttempt(facts).current);
  const { says } = saidNow(answer, true);
  return says === delivery?.says || says === denial?.says;
};

/** All that is known: earlier notes, and the operator's current answer. */
export const gather = (facts: readonly Fact[], answer: Asked): Evidence[] => {
  const { left, current } = byAttempt(facts);
  return [
    ...deliveredByOthers(facts),
    // A reversal by a supplier that was left says nothing about the current one.
    ...reported(left).filter(({ says }) => says === 'delivered'),
    ...gatherOfCurrent(current, answer),
  ];
};

/** What is known of the current supplier's order. */
const gatherOfCurrent = (facts: readonly Fact[], answer: Asked): Evidence[] => {
  const reports = reported(facts);
  const { delivery, denial } = askedBefore(facts);
  const now =
    answer.kind === 'not_asked' ? inconclusive(answer.why) : saidNow(answer.outcome, answer.quiet);
  // A reversal explains an earlier delivery.
  if (now.says === 'taken_back') return [now];
  const asked = [
    ...(delivery === undefined || isOfDelivery(now) ? [] : [delivery]),
    ...(denial === undefined || denial.says === now.says ? [] : [denial]),
  ];
  const takenBack = [...reports, ...asked].filter(({ says }) => says === 'taken_back');
  if (takenBack.length > 0) return [...takenBack, now];
  return [...answeredLate(facts), ...reports, ...asked, now];
};

/** When the operator reversed it, null if unknown; undefined if it did not, or another one delivered too. */
export const reversedAt = (evidence: readonly Evidence[]): number | null | undefined => {
  if (evidence.some(({ fact }) => fact.code === 'left_delivered')) return undefined;
  const fact = evidence.findLast(({ says }) => says === 'taken_back')?.fact;
  return fact !== undefined && 'at' in fact.values ? fact.values.at : undefined;
};

/** A reversal contradicts neither: it was delivered, and no longer is. */
const contrary = { succeeded: 'not_delivered', failed: 'delivered' } as const;

export const against = (evidence: readonly Evidence[], verdict: ReviewOutcome): Evidence[] =>
  evidence.filter(({ says }) => says === contrary[verdict]);

/** The evidence as part of a sentence. */
export const evidenceText = (evidence: readonly Pick<Evidence, 'fact'>[]): string =>
  evidence.map(({ fact }) => shownWords(fact)).join('; ');
