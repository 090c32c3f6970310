/** Puts facts into English: for the command line, the log and the `reason` of the client API. */
import { causeWords } from '../../connector/cause.ts';
import type { Fact } from './facts.ts';

/** How people read a fact, and how the client API has always worded it. */
type Style = {
  readonly time: (at: number) => string;
  /** The prefix of the operator's answer before a decision. */
  readonly said: string;
  readonly reversed: string;
  /** Suppliers are not named to clients. */
  readonly supplier: (id: number) => string;
};

const wire: Style = {
  time: String,
  said: 'the operator says',
  reversed: 'taken back',
  supplier: () => 'another way',
};

const shown: Style = {
  time: (at) => new Date(at).toISOString(),
  said: 'the operator was asked before and said',
  reversed: 'reversed',
  supplier: (id) => `supplier ${id}`,
};

const unreadable = 'a time that cannot be read';

const marked = (
  what: string,
  {
    by,
    reason,
    forced,
  }: { readonly by: string; readonly reason: string; readonly forced: boolean },
): string => `marked as ${what} by ${by}${forced ? ' against the evidence' : ''}: ${reason}`;

type Of<Codes extends Fact['code']> = Extract<Fact, { code: Codes }>;

/** The operator's words about an order, asked or reported. */
type Answer = Of<
  | 'answered_delivered'
  | 'answered_reversed'
  | 'answered_refused'
  | 'answered_pending'
  | 'not_found'
  | 'not_found_yet'
  | 'ordered_again'
  | 'sent_again'
  | 'refused_again'
  | 'resend_over'
  | 'late_delivered'
  | 'late_refused'
>;

const answerWords = (fact: Answer): string => {
  switch (fact.code) {
    case 'answered_delivered':
      return 'done';
    case 'answered_reversed':
      return 'reversed';
    case 'answered_refused':
      return 'refused';
    case 'answered_pending':
      return 'the operator says that it is pending';
    case 'not_found':
      return 'the operator knows no such order';
    case 'not_found_yet':
      return 'the operator knows no such order, which is no proof yet';
    case 'ordered_again':
      return `the operator knows no such order: submitted again, attempt ${fact.values.attempt}`;
    case 'sent_again':
      return `the operator takes no inquiries: submitted again, attempt ${fact.values.attempt}`;
    case 'refused_again':
      return `submitted again and refused, which is no proof (${fact.values.reason})`;
    case 'resend_over':
      return 'the operator takes no inquiries, and it is too late to submit it again';
    case 'late_delivered':
      return 'the operator answered late: delivered';
    case 'late_refused':
      return `the operator answered late: refused (${fact.values.reason})`;
  }
};

/** The operator's answer while a decision is prepared, or why there is none. */
type Now = Of<
  | 'now_delivered'
  | 'now_reversed'
  | 'now_refused'
  | 'now_not_found'
  | 'now_not_found_yet'
  | 'now_pending'
  | 'operator_not_configured'
  | 'no_inquiries'
  | 'operator_in_process'
  | 'operator_settings_unreadable'
  | 'operator_unreachable'
  | 'operator_removed'
>;

const asked = 'the operator was asked just now and';

const nowWords = (fact: Now): string => {
  switch (fact.code) {
    case 'now_delivered':
      return `${asked} says: delivered`;
    case 'now_reversed':
      return `${asked} says: delivered and then reversed`;
    case 'now_refused':
      return `${asked} says: ${fact.values.reason}`;
    case 'now_not_found':
      return `${asked} knows no such order`;
    case 'now_not_found_yet':
      return 'the operator knows no such order, which is no proof';
    case 'now_pending':
      return 'the operator says that it is still pending, and may yet deliver it';
    case 'operator_not_configured':
      return `operator ${fact.values.operator} is not configured and was not asked`;
    case 'no_inquiries':
      return `operator ${fact.values.operator} takes no inquiries and was not asked`;
    case 'operator_in_process':
      return `operator ${fact.values.operator} is simulated inside the server and cannot be asked from here`;
    case 'operator_settings_unreadable':
      return `operator ${fact.values.operator} was not asked: ${fact.values.reason}`;
    case 'operator_unreachable':
      return `operator ${fact.values.operator} cannot be asked from any running instance`;
    case 'operator_removed':
      return `operator ${fact.values.operator} is not configured any more`;
  }
};

/** What concerns other suppliers. */
const supplierWords = (
  fact: Of<'moved_on' | 'left_delivered' | 'left_reversed' | 'may_be_elsewhere'>,
  style: Style,
): string => {
  switch (fact.code) {
    case 'moved_on':
      return `not delivered: ordered from ${style.supplier(fact.values.supplier)}`;
    case 'left_delivered':
      return `${style.supplier(fact.values.supplier)}, left before, delivered it after all`;
    case 'left_reversed':
      return `${style.supplier(fact.values.supplier)}, left before, delivered it and reversed it`;
    case 'may_be_elsewhere':
      return 'not delivered, and all other suppliers have to be asked';
  }
};

const factWords = (fact: Fact, style: Style): string => {
  const time = (at: number | null): string => (at === null ? unreadable : style.time(at));
  switch (fact.code) {
    case 'text':
      return fact.values.text;
    case 'error':
      return fact.values.name;
    case 'attempt':
      return `attempt ${fact.values.attempt}`;
    case 'no_answer_within':
    case 'connection_failed':
    case 'answer_unlisted':
    case 'order_pending':
    case 'settings_unusable':
      return causeWords(fact);
    case 'unresolved': {
      const { inquiries, last } = fact.values;
      return `not known after ${inquiries} inquiries: ${factWords(last, style)}`;
    }
    case 'now_no_answer':
      return `the operator was asked and gave no answer (${factWords(fact.values.last, style)})`;
    case 'moved_on':
    case 'left_delivered':
    case 'left_reversed':
    case 'may_be_elsewhere':
      return supplierWords(fact, style);
    case 'reported_delivered':
      return `the operator reports it delivered at ${time(fact.values.at)}`;
    case 'reported_reversed':
      return `the operator reports it reversed at ${time(fact.values.at)}`;
    case 'called_back':
      return 'the operator called back, without a final outcome';
    case 'called_back_delivered':
      return 'the operator called back: delivered';
    case 'called_back_reversed':
      return `the operator called back: reversed at ${time(fact.values.at)}`;
    case 'called_back_refused':
      return `the operator called back: refused (${fact.values.reason})`;
    case 'reversed':
      return `the operator reversed it at ${time(fact.values.at)}`;
    case 'said_delivered':
      return `${style.said}: delivered`;
    case 'said_reversed':
      return `${style.said}: ${style.reversed} at ${time(fact.values.at)}`;
    case 'said_refused':
      return `${style.said}: refused (${fact.values.reason})`;
    case 'said_not_found':
      return `${style.said}: no such order`;
    case 'marked_delivered':
      return marked('delivered', fact.values);
    case 'marked_not_delivered':
      return marked('not delivered', fact.values);
    case 'answered_delivered':
    case 'answered_reversed':
    case 'answered_refused':
    case 'answered_pending':
    case 'not_found':
    case 'not_found_yet':
    case 'ordered_again':
    case 'sent_again':
    case 'refused_again':
    case 'resend_over':
    case 'late_delivered':
    case 'late_refused':
      return answerWords(fact);
    default:
      return nowWords(fact);
  }
};

/** A fact as the client API has always worded it. */
export const wireWords = (fact: Fact | null): string | null =>
  fact === null ? null : factWords(fact, wire);

/** A fact as the command line and messages for people word it. */
export const shownWords = (fact: Fact): string => factWords(fact, shown);
