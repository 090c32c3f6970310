/** Builds requests to Poplar Hub, and reads its answers and callbacks; every state has a meaning. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type * as simgate from 'simgate/connector';

const refused = (code: simgate.RefusalCode, blame: simgate.Blame, reason: string) =>
  ({ kind: 'refused', code, blame, reason }) as const;
const rejected = (detail: string) => ({ kind: 'rejected', detail }) as const;
const unlisted = { kind: 'unknown', detail: 'not on the list, or about another order' } as const;
export const isReference = (ref: string): boolean => /^[A-Za-z0-9-]{1,64}$/.test(ref);

/** Section 2: the order as JSON, or the refusal of one that does not fit into it: it is never sent. */
export const orderText = ({ ref: reference, mobile, amount, ...more }: simgate.Order) => {
  const product = more.profileId ?? String(more.productId);
  if (!/^98\d{10}$/.test(mobile))
    return refused('not_subscriber', 'subscriber', 'No number of this operator.');
  return isReference(reference) && product !== '' && product.length <= 40 && amount > 0
    ? JSON.stringify({ reference, msisdn: `+${mobile}`, product, amount })
    : refused('declined', 'request', 'The order cannot be put into the words of this operator.');
};

/** The texts and numbers in a JSON object, by name; none where it is no object. */
type Texts = ReadonlyMap<string, string>;
const textsIn = (json: string): Texts => {
  try {
    const content: unknown = JSON.parse(json);
    const pairs = Object.entries(typeof content === 'object' ? (content ?? {}) : {});
    const plain = pairs.filter(([, value]) => ['string', 'number'].includes(typeof value));
    return new Map(plain.map(([name, value]) => [name, String(value)]));
  } catch {
    return new Map();
  }
};
const contentOf = ({ contentType, text }: simgate.WireAnswer): Texts =>
  textsIn(contentType === 'application/json' ? text : '');

export const readToken = (reply: simgate.Reply): simgate.AccessToken | undefined => {
  if (reply.kind !== 'answer' || reply.status !== 200) return undefined;
  const content = contentOf(reply);
  const [value = '', expires = ''] = [content.get('access_token'), content.get('expires_in')];
  const isOne = /^[!-~]{1,4096}$/.test(value) && /^\d{1,9}$/.test(expires);
  return isOne ? { value, seconds: Number(expires) } : undefined;
};

/** Section 1: nothing was carried out. A bare 401 may come from any machine on the way, and proves nothing. */
export const isExpired = (answer: simgate.WireAnswer): boolean =>
  answer.status === 401 && contentOf(answer).get('error') === 'token_expired';

const refusals = new Map([
  [
    'unknown_subscriber',
    refused('not_subscriber', 'subscriber', 'The operator has no such number.'),
  ],
  ['barred', refused('declined', 'subscriber', 'The subscriber is barred.')],
  ['wrong_sim', refused('wrong_sim_type', 'subscriber', 'It is not sold for this SIM card.')],
  ['unknown_product', refused('declined', 'request', 'The operator does not know this product.')],
  ['wrong_amount', refused('declined', 'request', 'The operator has another price for it.')],
  ['no_funds', refused('out_of_funds', 'supplier', 'The operator takes no orders now.')],
]);

/** Sections 2 to 4: what a state says. */
const outcomeIn = (said: Texts): simgate.StatusOutcome => {
  const [state, receipt = ''] = [said.get('state'), said.get('receipt')];
  if (state === 'delivered' && receipt !== '') return { kind: 'done', ref: receipt };
  if (state === 'accepted') return { kind: 'pending' };
  if (state === 'reversed')
    return { kind: 'reversed', at: Date.parse(said.get('changed_at') ?? '') };
  return (state === 'rejected' ? refusals.get(said.get('reason') ?? '') : undefined) ?? unlisted;
};

/** What an answer says of the order. In an inquiry status 422 speaks of the question. */
const read = (answer: simgate.WireAnswer, ref: string): simgate.StatusOutcome => {
  const content = contentOf(answer);
  if (content.get('reference') !== ref) return unlisted;
  if (answer.status === 404 && content.get('error') === 'no_such_order')
    return { kind: 'not_found' };
  if (answer.status === 422) return refusals.get(content.get('error') ?? '') ?? unlisted;
  return answer.status === 200 ? outcomeIn(content) : unlisted;
};

export const readOrder = (answer: simgate.WireAnswer, ref: string): simgate.OrderOutcome => {
  if (isExpired(answer))
    return refused('declined', 'supplier', 'The operator did not accept this gateway.');
  const outcome = read(answer, ref);
  return outcome.kind === 'done' || outcome.kind === 'refused' ? outcome : unlisted;
};

export const readStatus = (answer: simgate.WireAnswer, ref: string): simgate.StatusOutcome =>
  answer.status === 422 ? unlisted : read(answer, ref);

/** Section 4: the signature first, over the bytes as they came; then what is said. */
export const readCallback = (call: simgate.CallbackRequest, key: string) => {
  const form = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
  const [, time = '', signature = ''] = form.exec(call.headers['poplar-signature'] ?? '') ?? [];
  const expected = createHmac('sha256', key).update(`${time}.`).update(call.body).digest();
  const given = Buffer.from(signature.padEnd(64, '0'), 'hex');
  if (!timingSafeEqual(expected, given)) return rejected('the signature does not fit');
  if (Math.abs(call.receivedAt / 1000 - Number(time)) > 300) return rejected('it is too old');
  const content = textsIn(Buffer.from(call.body).toString('utf8'));
  const ref = content.get('reference') ?? '';
  return { kind: 'statements', statements: [{ ref, outcome: outcomeIn(content) }] } as const;
};
