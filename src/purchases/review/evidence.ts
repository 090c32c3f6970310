/** Weighs a person's decision against the evidence: the operator's answer and its reports. Pure. */
import type { StatusOutcome } from '../../connector/connector.ts';
import {
  type RecordedAnswer,
  readAnswerNote,
  readLateAnswer,
  readReport,
  type SureAnswer,
} from './notes.ts';

export type ReviewOutcome = 'succeeded' | 'failed';

/** What came of asking the operator once more. */
export type Asked =
  | {
      readonly kind: 'asked';
      readonly outcome: StatusOutcome;
      /** Whether "no such order" is proof by now. */
      readonly quiet: boolean;
    }
  | { readonly kind: 'not_asked'; readonly why: string };

/** One piece of evidence: what it says, if anything, and in which words. */
export type Evidence = {
  readonly says: 'delivered' | 'taken_back' | 'not_delivered' | 'nothing';
  readonly text: string;
  /** When the operator took it back; null where that is not known. */
  readonly at?: number | null;
};

const say = (says: Evidence['says'], text: string): Evidence => ({ says, text });

const wordOf = (outcome: StatusOutcome, quiet: boolean): Evidence => {
  switch (outcome.kind) {
    case 'done':
      return say('delivered', 'the operator was asked just now and says: delivered');
    case 'reversed':
      return {
        ...say('taken_back', 'the operator was asked just now and says: delivered and taken back'),
        at: outcome.at,
      };
    case 'refused':
      return say('not_delivered', `the operator was asked just now and says: ${outcome.reason}`);
    case 'not_found':
      return quiet
        ? say('not_delivered', 'the operator was asked just now and knows no such order')
        : say('nothing', 'the operator knows no such order, which is no proof');
    case 'pending':
      return say('nothing', 'the operator says that it is still pending, and may yet deliver it');
    case 'unknown':
      return say('nothing', `the operator was asked and gave no answer (${outcome.detail})`);
  }
};

const atTime = (at: number | null): string =>
  at === null ? 'at a time that cannot be read' : `at ${new Date(at).toISOString()}`;

/** Of all that was reported only the last counts: it is how things stood then. */
const reported = (details: readonly string[]): Evidence[] => {
  const last = details.flatMap((detail) => readReport(detail) ?? []).at(-1);
  if (last === undefined) return [];
  const { kind, at } = last;
  return kind === 'delivered'
    ? [say('delivered', `the operator reported it delivered ${atTime(at)}`)]
    : [{ ...say('taken_back', `the operator reported it taken back ${atTime(at)}`), at }];
};

/** What the order itself was answered, after somebody else had taken it over. */
const answeredLate = (details: readonly string[]): Evidence[] => {
  const answers = new Set(details.flatMap((detail) => readLateAnswer(detail) ?? []));
  return [...answers].map((answer) =>
    answer === 'delivered'
      ? say('delivered', 'the operator answered the order late: delivered')
      : say('not_delivered', 'the operator answered the order late: refused'),
  );
};

/** What the operator says for sure; undefined where it was not asked, does not know, or proves nothing by it. */
export const sureAnswer = (asked: Asked): SureAnswer | undefined => {
  if (asked.kind === 'not_asked') return undefined;
  const { outcome, quiet } = asked;
  if (outcome.kind === 'pending' || outcome.kind === 'unknown') return undefined;
  return outcome.kind === 'not_found' && !quiet ? undefined : outcome;
};

const saidBefore = (said: RecordedAnswer): Evidence => {
  const text = `the operator was asked before and said: ${said.kind}`;
  switch (said.kind) {
    case 'delivered':
      return say('delivered', text);
    case 'taken back':
      return { ...say('taken_back', text), at: said.at };
    case 'refused':
    case 'no such order':
      return say('not_delivered', text);
  }
};

const isOfDelivery = ({ says }: Evidence): boolean => says === 'delivered' || says === 'taken_back';

/** What it said when a person had it asked: it counts also where it is silent now. */
const askedBefore = (details: readonly string[]) => {
  const said = details.flatMap((detail) => readAnswerNote(detail) ?? []).map(saidBefore);
  return {
    /** The last of what it said of a delivery: that is how things stood then. */
    delivery: said.findLast(isOfDelivery),
    denial: said.findLast(({ says }) => says === 'not_delivered'),
  };
};

/** Whether what it says for sure now is known from before, in whichever words. */
export const isKnown = (details: readonly string[], word: SureAnswer): boolean => {
  const { delivery, denial } = askedBefore(details);
  const { says } = wordOf(word, true);
  return says === delivery?.says || says === denial?.says;
};

/** All that is known: what was told before, and what the operator says now. */
export const gather = (details: readonly string[], answer: Asked): Evidence[] => {
  const reports = reported(details);
  const { delivery, denial } = askedBefore(details);
  const now =
    answer.kind === 'not_asked' ? say('nothing', answer.why) : wordOf(answer.outcome, answer.quiet);
  // That it was taken back explains why it was told as delivered.
  if (now.says === 'taken_back') return [now];
  const asked = [
    ...(delivery === undefined || isOfDelivery(now) ? [] : [delivery]),
    ...(denial === undefined || denial.says === now.says ? [] : [denial]),
  ];
  const takenBack = [...reports, ...asked].filter(({ says }) => says === 'taken_back');
  if (takenBack.length > 0) return [...takenBack, now];
  return [...answeredLate(details), ...reports, ...asked, now];
};

/** What was taken back contradicts neither: it was delivered, and it is not any more. */
const contrary = { succeeded: 'not_delivered', failed: 'delivered' } as const;

export const against = (evidence: readonly Evidence[], verdict: ReviewOutcome): Evidence[] =>
  evidence.filter(({ says }) => says === contrary[verdict]);

/** The evidence as a part of a sentence. */
export const evidenceText = (evidence: readonly Evidence[]): string =>
  evidence.map(({ text }) => text).join('; ');
