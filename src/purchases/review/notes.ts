/** Writes what an operator said of a purchase as the text of a note, and reads it back as evidence. */
import type { OrderOutcome, Report, StatusOutcome } from '../../connector/connector.ts';
import { timeFrom } from '../../connector/sanitize.ts';

/** What was reported, without whom it concerns. */
export type Reported = Pick<Report, 'kind' | 'at'>;

const atTime = (at: number | null): string =>
  at === null ? 'at a time that cannot be read' : `at ${at}`;

export const reportNote = ({ kind, at }: Reported): string =>
  `the operator reports it ${kind} ${atTime(at)}`;

export const readReport = (text: string): Reported | undefined => {
  const [, kind, at] = /the operator reports it (delivered|reversed) at (.+)$/.exec(text) ?? [];
  if (kind !== 'delivered' && kind !== 'reversed') return undefined;
  return { kind, at: timeFrom(Number(at)) };
};

export const reversalNote = (at: number | null): string =>
  `the operator took it back ${atTime(at)}`;

/** A final answer to an order that came after others had claimed the purchase. */
export const lateAnswerNote = (outcome: Exclude<OrderOutcome, { kind: 'unknown' }>): string =>
  outcome.kind === 'done'
    ? 'the operator answered late: delivered'
    : `the operator answered late: refused (${outcome.reason})`;

/** Only at the beginning: what follows are the operator's own words. */
export const readLateAnswer = (text: string): 'delivered' | 'refused' | undefined => {
  const [, answer] =
    /^(?:recorded as failed, and )?the operator answered late: (delivered|refused)/.exec(text) ??
    [];
  return answer === 'delivered' || answer === 'refused' ? answer : undefined;
};

/** What an operator says for sure of an order, asked for a person who decides. */
export type SureAnswer = Exclude<StatusOutcome, { kind: 'pending' | 'unknown' }>;

export const answerNote = (word: SureAnswer): string => {
  switch (word.kind) {
    case 'done':
      return 'the operator says: delivered';
    case 'reversed':
      return `the operator says: taken back ${atTime(word.at)}`;
    case 'not_found':
      return 'the operator says: no such order';
    case 'refused':
      return `the operator says: refused (${word.reason})`;
  }
};

export type RecordedAnswer =
  | { readonly kind: 'delivered' | 'refused' | 'no such order' }
  | { readonly kind: 'taken back'; readonly at: number | null };

/** Only at the beginning: what follows are the operator's own words. */
export const readAnswerNote = (text: string): RecordedAnswer | undefined => {
  const [, kind, at] =
    /^the operator says: (delivered|taken back|no such order|refused)(?: at (.+))?/.exec(text) ??
    [];
  switch (kind) {
    case 'delivered':
    case 'refused':
    case 'no such order':
      return { kind };
    case 'taken back':
      return { kind, at: timeFrom(Number(at)) };
    default:
      return undefined;
  }
};
