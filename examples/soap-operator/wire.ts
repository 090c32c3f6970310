/** Builds requests to Larch Mobile and interprets its answers; every answer has a meaning. Pure. */

import type {
  Blame,
  Order,
  OrderOutcome,
  RefusalCode,
  StatusOutcome,
  WireAnswer,
} from 'simgate/connector';
import { childText, escapeXml, onlyChild, readXml, type XmlElement } from './xml.ts';

type Refused = Extract<OrderOutcome, { kind: 'refused' }>;
type Unknown = Extract<OrderOutcome, { kind: 'unknown' }>;

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const larch = 'urn:larch:recharge:1';

export type Credentials = { readonly dealer: string; readonly pin: string };

/** A message that is ready to be sent. */
export type Message = { readonly soapAction: string; readonly text: string };

const refused = (code: RefusalCode, blame: Blame, reason: string): Refused => ({
  kind: 'refused',
  code,
  blame,
  reason,
});
const unknown = (detail: string): Unknown => ({ kind: 'unknown', detail });

/** Section 2: the codes that are final. Every other but 0 leaves the order open, new ones included. */
const refusals: ReadonlyMap<string, Refused> = new Map([
  ['11', refused('not_subscriber', 'subscriber', 'The number is no subscriber of this operator.')],
  ['12', refused('declined', 'subscriber', 'The subscriber is barred.')],
  ['13', refused('wrong_sim_type', 'subscriber', 'The product is not sold for this SIM card.')],
  ['14', refused('declined', 'request', 'The operator does not know this product.')],
  ['15', refused('declined', 'request', 'The operator has another price for this product.')],
  // That our account is empty is no business of the client's.
  ['21', refused('out_of_funds', 'supplier', 'The operator takes no orders at the moment.')],
]);

const notAccepted = (blame: Blame): Refused =>
  refused('declined', blame, 'The operator did not accept the message of this gateway.');

/** Section 4: the reasons of faults that come before the message was looked at. */
const rejections: ReadonlyMap<string, Refused> = new Map([
  ['BadCredentials', notAccepted('supplier')],
  ['BadMessage', notAccepted('request')],
]);

/** Their reference has 32 characters at most: just what a UUID has without its hyphens. */
export const dealerRefOf = (ref: string): string | undefined =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(ref) ? ref.replaceAll('-', '') : undefined;

/** 989123456789 here is 09123456789 there. */
export const msisdnOf = (mobile: string): string | undefined =>
  /^989\d{9}$/.test(mobile) ? `0${mobile.slice(2)}` : undefined;

// The gateway counts in tomans.
const rialsInToman = 10n;

/** Exact at any size: ten times the largest amount is no safe integer any more. */
export const rialsOf = (amount: number): string | undefined =>
  Number.isSafeInteger(amount) && amount > 0 ? String(BigInt(amount) * rialsInToman) : undefined;

const longestItem = 40;

/** The price list goes by `profile_id`; a product that has none is listed under its number. */
const itemOf = ({ profileId, productId }: Order): string | undefined => {
  const item = profileId ?? String(productId);
  return item !== '' && item.length <= longestItem ? item : undefined;
};

type Fields = Readonly<Record<string, string>>;

const elements = (fields: Fields): string | undefined => {
  let written = '';
  for (const [name, value] of Object.entries(fields)) {
    const text = escapeXml(value);
    if (text === undefined) return undefined;
    written += `<l:${name}>${text}</l:${name}>`;
  }
  return written;
};

const message = (
  operation: string,
  credentials: Credentials,
  fields: Fields,
): Message | undefined => {
  const header = elements({ dealer: credentials.dealer, pin: credentials.pin });
  const body = elements(fields);
  if (header === undefined || body === undefined) return undefined;
  const text =
    `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="${soap}" xmlns:l="${larch}">` +
    `<soap:Header><l:Credentials>${header}</l:Credentials></soap:Header>` +
    `<soap:Body><l:${operation}>${body}</l:${operation}></soap:Body></soap:Envelope>`;
  return { soapAction: `"${larch}#${operation}"`, text };
};

/** The order as a message, or the refusal of one that cannot be put into their words: it is never sent. */
export const rechargeMessage = (order: Order, credentials: Credentials): Message | Refused => {
  const msisdn = msisdnOf(order.mobile);
  if (msisdn === undefined) {
    return refused('not_subscriber', 'subscriber', 'The operator has no numbers of this form.');
  }
  const dealerRef = dealerRefOf(order.ref);
  const amountRial = rialsOf(order.amount);
  const item = itemOf(order);
  const unfit = refused(
    'declined',
    'request',
    'The order cannot be put into the words of this operator.',
  );
  if (dealerRef === undefined || amountRial === undefined || item === undefined) return unfit;
  return message('Recharge', credentials, { dealerRef, msisdn, amountRial, item }) ?? unfit;
};

/** The inquiry, or undefined for a reference under which nothing can have been ordered. */
export const queryMessage = (ref: string, credentials: Credentials): Message | undefined => {
  const dealerRef = dealerRefOf(ref);
  return dealerRef === undefined ? undefined : message('Query', credentials, { dealerRef });
};

/** The body of an envelope: one element and nothing else. */
const contentOf = (answer: WireAnswer): XmlElement | Unknown => {
  if (answer.contentType !== 'text/xml') return unknown('the answer is not text/xml');
  const envelope = readXml(answer.text);
  if (envelope === undefined) return unknown('the answer is not well-formed XML');
  const isEnvelope = envelope.namespace === soap && envelope.name === 'Envelope';
  const body = isEnvelope ? onlyChild(envelope, soap, 'Body') : undefined;
  const [content, ...more] = body?.children ?? [];
  if (content === undefined || more.length > 0) return unknown('the answer is no SOAP message');
  return content;
};

/** The response to one operation about one order, or what a fault or anything else comes to. */
const responseOf = (
  answer: WireAnswer,
  operation: string,
  ref: string,
): XmlElement | { readonly kind: 'fault'; readonly reason: string } | Unknown => {
  const content = contentOf(answer);
  if ('kind' in content) return content;
  if (answer.status === 500 && content.namespace === soap && content.name === 'Fault') {
    // The parts of a fault are in no namespace, what is in its detail is in theirs.
    const reason = childText(onlyChild(content, '', 'detail'), larch, 'reason');
    return { kind: 'fault', reason: reason ?? '' };
  }
  if (answer.status !== 200) return unknown(`the operator answered HTTP ${answer.status}`);
  if (content.namespace !== larch || content.name !== `${operation}Response`) {
    return unknown(`the answer is none to ${operation}`);
  }
  const dealerRef = dealerRefOf(ref);
  // An answer about another order is worse than none.
  return dealerRef !== undefined && childText(content, larch, 'dealerRef') === dealerRef
    ? content
    : unknown('the answer is about another order');
};

/** Only what is harmless in a log: a word or a number. */
const shown = (value = ''): string => (/^[A-Za-z0-9]{1,20}$/.test(value) ? value : '(unreadable)');

const served = (response: XmlElement): OrderOutcome => {
  const receipt = childText(response, larch, 'receipt') ?? '';
  return /^[A-Za-z0-9-]{1,30}$/.test(receipt)
    ? { kind: 'done', ref: receipt }
    : unknown('delivered, they say, but without a receipt');
};

/** What an answer to `Recharge` says of the order. */
export const readRecharge = (answer: WireAnswer, ref: string): OrderOutcome => {
  const response = responseOf(answer, 'Recharge', ref);
  if ('kind' in response) {
    if (response.kind === 'unknown') return response;
    return (
      rejections.get(response.reason) ??
      unknown(`the operator answered with the fault ${shown(response.reason)}`)
    );
  }
  const code = childText(response, larch, 'code') ?? '';
  if (code === '0') return served(response);
  return refusals.get(code) ?? unknown(`the operator answered with the code ${shown(code)}`);
};

/** A moment with its offset. `Date.parse` alone would take one without it for local time. */
const readMoment = (text: string): number | undefined => {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;
  const moment = form.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
};

const withdrawn = (response: XmlElement): StatusOutcome => {
  const at = readMoment(childText(response, larch, 'changedAt') ?? '');
  // That it was withdrawn is certain, whenever it was.
  return { kind: 'reversed', at: at ?? null };
};

const declined = (response: XmlElement): StatusOutcome => {
  const code = childText(response, larch, 'code');
  return refusals.get(code ?? '') ?? unknown(`declined with the code ${shown(code)}`);
};

/** Section 3, in the operator's own words. */
const states: ReadonlyMap<string, (response: XmlElement) => StatusOutcome> = new Map([
  ['Served', served],
  ['Queued', () => ({ kind: 'pending' })],
  // Sounds final, but is not: the operator's staff may still deliver it by hand.
  ['Stalled', () => ({ kind: 'pending' })],
  ['Declined', declined],
  ['Withdrawn', withdrawn],
  ['NoRecord', () => ({ kind: 'not_found' })],
]);

/** What an answer to `Query` says of the order. A fault speaks of the question, never of the order. */
export const readQuery = (answer: WireAnswer, ref: string): StatusOutcome => {
  const response = responseOf(answer, 'Query', ref);
  if ('kind' in response) {
    return response.kind === 'unknown'
      ? response
      : unknown(`the inquiry met the fault ${shown(response.reason)}`);
  }
  const state = childText(response, larch, 'state') ?? '';
  const read = states.get(state);
  return read?.(response) ?? unknown(`the operator answered with the state ${shown(state)}`);
};
