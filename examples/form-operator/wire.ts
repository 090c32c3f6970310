/** Builds signed forms for Maple Recharge and reads its signed answers; every result has a meaning. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Blame,
  type Order,
  type OrderOutcome,
  type RefusalCode,
  type StatusOutcome,
  unknownBecause,
  type WireAnswer,
} from 'simgate/connector';

export type Account = { readonly merchant: string; readonly key: string };
export type Fields = Readonly<Record<string, string>>;

export const formType = 'application/x-www-form-urlencoded';

const refused = (code: RefusalCode, blame: Blame, reason: string) =>
  ({ kind: 'refused', code, blame, reason }) as const;
const unknown = (detail: string) => ({ kind: 'unknown', detail }) as const;

/** Section 2. */
export const signatureOf = (fields: Fields, key: string): string => {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return createHmac('sha256', key).update(pairs.sort().join('&')).digest('hex');
};

export const formOf = (fields: Fields, { merchant, key }: Account, now: number): string => {
  const whole = { ...fields, merchant, time: String(Math.floor(now / 1000)) };
  return String(new URLSearchParams({ ...whole, sign: signatureOf(whole, key) }));
};

export const isReference = (ref: string): boolean => /^[A-Za-z0-9-]{1,40}$/.test(ref);

/** Section 3: the order as a form, or the refusal of one that does not fit into it: it is never sent. */
export const orderForm = (order: Order, account: Account, now: number): string | OrderOutcome => {
  const { ref, mobile, amount, profileId, productId } = order;
  const item = profileId ?? String(productId);
  if (!/^98\d{10}$/.test(mobile)) {
    return refused('not_subscriber', 'subscriber', 'The operator has no numbers of this form.');
  }
  const fits = isReference(ref) && /^[\w-]{1,40}$/.test(item) && Number.isSafeInteger(amount);
  return fits && amount > 0
    ? formOf({ reference: ref, number: mobile, item, amount: String(amount) }, account, now)
    : refused('declined', 'request', 'The order cannot be put into the words of this operator.');
};

/** The fields of an answer that is theirs and about this order; undefined for anything else. */
const fieldsIn = (answer: WireAnswer, ref: string, key: string): Fields | undefined => {
  if (answer.status !== 200 || answer.contentType !== formType) return undefined;
  const pairs = [...new URLSearchParams(answer.text)];
  const { sign = '', ...fields } = Object.fromEntries(pairs);
  // A name that comes twice could be read in two ways.
  const isPlain = Object.keys(fields).length + 1 === pairs.length && /^[0-9a-f]{64}$/.test(sign);
  const isTheirs =
    isPlain && timingSafeEqual(Buffer.from(sign), Buffer.from(signatureOf(fields, key)));
  return isTheirs && fields['reference'] === ref ? fields : undefined;
};

type Meaning<Outcome> = (fields: Fields) => Outcome;

/** Reads an answer by a list. Results are compared as text: "" and "0x0" are no zeros. */
const reader =
  <Outcome>(meanings: ReadonlyMap<string, Meaning<Outcome>>) =>
  (answer: WireAnswer, ref: string, key: string): Outcome | ReturnType<typeof unknown> => {
    const fields = fieldsIn(answer, ref, key);
    if (fields === undefined) return unknown('the answer is not theirs, or about another order');
    const { result = '' } = fields;
    const shown = /^\d{1,4}$/.test(result) ? result : '(unreadable)';
    return meanings.get(result)?.(fields) ?? unknown(`the operator answered ${shown}`);
  };

const delivered: Meaning<OrderOutcome> = ({ receipt = '' }) =>
  /^[A-Za-z0-9-]{1,30}$/.test(receipt)
    ? { kind: 'done', ref: receipt }
    : unknown('delivered, they say, but without a receipt');

/** Section 3: what is given before anything is carried out. */
const refusals = new Map([
  ['10', refused('not_subscriber', 'subscriber', 'The operator does not serve this number.')],
  ['11', refused('declined', 'subscriber', 'The subscriber is barred.')],
  ['12', refused('wrong_sim_type', 'subscriber', 'The product is not sold for this SIM card.')],
  ['13', refused('declined', 'request', 'The operator does not know this product.')],
  ['14', refused('declined', 'request', 'The operator has another price for this product.')],
  // That our account is empty is no business of the client's.
  ['20', refused('out_of_funds', 'supplier', 'The operator takes no orders at the moment.')],
]);
const notAccepted = (blame: Blame) => () =>
  refused('declined', blame, 'The operator did not accept the message of this gateway.');

/** What an answer to `/order` says. */
export const readOrder = reader(
  new Map<string, Meaning<OrderOutcome>>([
    ['0', delivered],
    ['1', () => unknownBecause({ code: 'order_pending', values: {} })],
    ...[...refusals].map(([code, refusal]) => [code, () => refusal] as const),
    // Our key or our clock is wrong there, which is nothing to another supplier.
    ['30', notAccepted('supplier')],
    ['31', notAccepted('request')],
    ['32', notAccepted('supplier')],
  ]),
);

/** Section 4: what an answer to `/status` says. A result about the question says nothing of the order. */
export const readStatus = reader(
  new Map<string, Meaning<StatusOutcome>>([
    ['0', delivered],
    ['1', () => ({ kind: 'pending' })],
    ['2', ({ cause = '' }) => refusals.get(cause) ?? unknown('refused without a listed cause')],
    // It is reversed for certain, even if the time is missing.
    ['3', ({ changed = '' }) => ({ kind: 'reversed', at: Number(changed) * 1000 || null })],
    ['4', () => ({ kind: 'not_found' })],
  ]),
);
