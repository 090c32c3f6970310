/** Says what is sent, and what each answer means. Pure functions: an answer that is not listed is unknown. */
import { Check, Type } from 'simgate/connector';

const refused = (code, blame, reason) => ({ kind: 'refused', code, blame, reason });
const unknown = (detail) => ({ kind: 'unknown', detail });

/**
 * The answers that prove that nothing was delivered and never will be, each with the line of the document. Only
 * where the supplier is to blame, another one may be tried.
 */
const refusals = new Map([
  [
    'NOT_OURS',
    refused('not_subscriber', 'subscriber', 'The number is not a subscriber of this operator.'),
  ],
  ['BARRED', refused('declined', 'subscriber', 'The subscriber is barred.')],
  // The client reads the reason, and that our account is empty is no business of the client's.
  ['NO_FUNDS', refused('out_of_funds', 'supplier', 'The operator takes no orders at the moment.')],
]);

/** Our references are UUIDs; nothing else is sent. */
const isRef = (ref) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(ref);

/** The order as the operator wants it, or the refusal of one that it could not be told of. */
export const orderMessage = ({ ref, mobile, amount, productId }) => {
  if (!/^98\d{10}$/.test(mobile)) {
    return refused('not_subscriber', 'subscriber', 'The operator has no numbers of this form.');
  }
  if (!isRef(ref) || !Number.isSafeInteger(amount) || amount <= 0) {
    return refused(
      'declined',
      'request',
      'The order cannot be put into the words of this operator.',
    );
  }
  const body = { reference: ref, msisdn: mobile, amount, product: productId };
  return { kind: 'message', text: JSON.stringify(body) };
};

export const inquiryPath = (ref) => (isRef(ref) ? `/orders/${ref}` : undefined);

const Delivered = Type.Object({
  state: Type.Literal('delivered'),
  reference: Type.String(),
  receipt: Type.String({ pattern: '^[A-Za-z0-9-]{1,40}$' }),
});
const Rejected = Type.Object({
  state: Type.Literal('rejected'),
  reference: Type.String(),
  code: Type.String(),
});
const Queued = Type.Object({ state: Type.Literal('queued'), reference: Type.String() });
const NoOrder = Type.Object({ state: Type.Literal('none'), reference: Type.String() });

/** The JSON of an answer about this order; undefined where it is anything else. */
const bodyOf = (answer, ref) => {
  if (answer.status !== 200 || answer.contentType !== 'application/json') return undefined;
  try {
    const body = JSON.parse(answer.text);
    // An answer that belongs to another order is worse than none.
    return body?.reference === ref ? body : undefined;
  } catch {
    return undefined;
  }
};

const unlisted = (answer) => unknown(`the answer, HTTP ${answer.status}, is not on the list`);

/** What an answer to an order says. */
export const readOrder = (answer, ref) => {
  const body = bodyOf(answer, ref);
  if (Check(Delivered, body)) return { kind: 'done', ref: body.receipt };
  if (Check(Rejected, body)) return refusals.get(body.code) ?? unlisted(answer);
  return unlisted(answer);
};

/** What an answer to an inquiry says of the order. */
export const readInquiry = (answer, ref) => {
  const body = bodyOf(answer, ref);
  if (Check(Queued, body)) return { kind: 'pending' };
  if (Check(NoOrder, body)) return { kind: 'not_found' };
  return readOrder(answer, ref);
};
