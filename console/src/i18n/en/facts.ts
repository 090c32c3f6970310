/** Contains the English texts for the facts recorded about a purchase; one for each code. */
import type { Operations } from '../../api/types.ts';

type FactCode = NonNullable<Operations['getPurchase']['answer']['reason']>['code'];
type MoneyCode = Operations['previewResolution']['answer']['money']['code'];

/** A code without a text does not compile. */
type Texts = {
  readonly code: Readonly<Record<FactCode, string>>;
  readonly forced: Readonly<Partial<Record<FactCode, string>>>;
  readonly unreadableTime: string;
  readonly money: Readonly<Record<MoneyCode, string>>;
};

export const facts = {
  code: {
    text: '%{text}',
    error: '%{name}',
    attempt: 'Attempt %{attempt}',
    no_answer_within: 'No answer within %{ms} milliseconds',
    connection_failed: 'The connection failed: %{name}',
    answer_unlisted: 'The operator sent an unknown response: HTTP %{status}',
    order_pending: 'The operator took the order and has not finished it',
    settings_unusable: 'The operator has no usable settings',
    answered_delivered: 'It says: delivered',
    answered_reversed: 'It says: delivered, then reversed',
    answered_refused: 'It says: not delivered, and it will not be',
    answered_pending: 'The operator says that it is pending',
    not_found: 'The operator knows no such order',
    not_found_yet: 'The operator knows no such order, which is no proof yet',
    ordered_again: 'The operator knows no such order: it was ordered again, attempt %{attempt}',
    sent_again: 'The operator takes no inquiries: the order was sent again, attempt %{attempt}',
    refused_again: 'Sent again and refused, which is no proof: %{reason}',
    resend_over: 'The operator takes no inquiries, and it is too late to send the order again',
    operator_unreachable: 'Operator %{operator} cannot be asked from any running instance',
    operator_removed: 'Operator %{operator} is not configured any more',
    reported_delivered: 'The operator reports that it was delivered at %{at}',
    reported_reversed: 'The operator reports that it was reversed at %{at}',
    called_back: 'It says nothing final',
    called_back_delivered: 'It says without being asked: delivered',
    called_back_reversed: 'It says without being asked: reversed at %{at}',
    called_back_refused: 'It says without being asked, refused: %{reason}',
    moved_on: 'Not delivered: ordered from supplier %{supplier}',
    left_delivered: 'Supplier %{supplier}, left before, delivered it after all',
    left_reversed: 'Supplier %{supplier}, left before, delivered it and reversed it',
    may_be_elsewhere: 'Not delivered; the other suppliers have to be asked',
    late_delivered: 'Late answer to the order: delivered',
    late_refused: 'Late answer to the order, refused: %{reason}',
    reversed: 'At %{at}',
    said_delivered: 'Asked before a decision, the operator said: delivered',
    said_reversed: 'Asked before a decision, the operator said: reversed at %{at}',
    said_refused: 'Asked before a decision, the operator said: refused, %{reason}',
    said_not_found: 'Asked before a decision, the operator knew no such order',
    marked_delivered: 'Marked as delivered by %{by}: %{reason}',
    marked_not_delivered: 'Marked as not delivered by %{by}: %{reason}',
    now_delivered: 'The operator was asked just now and says: delivered',
    now_reversed: 'The operator was asked just now and says: delivered, then reversed',
    now_refused: 'The operator was asked just now and says: %{reason}',
    now_not_found: 'The operator was asked just now and knows no such order',
    now_not_found_yet: 'The operator knows no such order, which is no proof',
    now_pending: 'The operator says that it is still pending, and may yet deliver it',
    now_no_answer: 'The operator was asked and gave no answer: %{last}',
    operator_not_configured: 'Operator %{operator} is not configured and was not asked',
    no_inquiries: 'Operator %{operator} takes no inquiries and was not asked',
    operator_in_process:
      'Operator %{operator} is simulated and could not be asked from the command line',
    operator_settings_unreadable: 'Operator %{operator} was not asked: %{reason}',
    unresolved: 'Not known after %{inquiries} inquiries: %{last}',
  },
  /** Decided against the evidence. */
  forced: {
    marked_delivered: 'Marked as delivered by %{by} against the evidence: %{reason}',
    marked_not_delivered: 'Marked as not delivered by %{by} against the evidence: %{reason}',
  },
  unreadableTime: 'a time that cannot be read',
  money: {
    unchanged:
      'No money moves and the recorded response stays: the client already got the answer that it failed and nothing was charged.',
    released:
      'The held %{amount} is released, and from now on the key answers that the purchase failed.',
    charged:
      'The held %{amount} is charged, and from now on the key answers that the purchase succeeded.',
    charged_and_refunded:
      'The held %{amount} is charged and then refunded, because the operator reversed the sale. From now on the key answers that the purchase succeeded.',
  },
} as const satisfies Texts;
