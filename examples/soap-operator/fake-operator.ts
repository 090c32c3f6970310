/** Simulates Larch Mobile for tests: follows its document, records deliveries, and misbehaves by number. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { childText, escapeXml, onlyChild, readXml, type XmlElement } from './xml.ts';

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const larch = 'urn:larch:recharge:1';

/** An order, and in the book a delivery. */
export type Delivery = {
  readonly dealerRef: string;
  readonly msisdn: string;
  readonly amountRial: string;
  readonly item: string;
};

export type FakeOperator = {
  readonly url: string;
  /** Every delivery ever made, in order. */
  readonly deliveries: readonly Delivery[];
  /** Every received message, in order. */
  readonly messages: readonly string[];
  readonly close: () => Promise<void>;
};

export const credentials = { dealer: 'D-204 & sons', pin: '<secret>' };

type Values = Readonly<Record<string, string>>;

/** The state of an order: the answer to it, and to an inquiry about it. */
type Entry = { readonly recharge: Values; readonly query: Values };

type Book = { readonly entries: Map<string, Entry>; readonly deliveries: Delivery[] };

type Send = (response: ServerResponse, answer: string) => void;

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<S:Envelope xmlns:S="${soap}"><S:Body>${body}</S:Body></S:Envelope>`;

/** An answer by the document. */
export const answerOf = (name: string, values: Values): string => {
  const content = Object.entries(values).map(
    ([field, value]) => `<${field}>${escapeXml(value) ?? ''}</${field}>`,
  );
  return envelope(`<${name} xmlns="${larch}">${content.join('')}</${name}>`);
};

/** A fault by the document. */
export const faultOf = (reason: string): string =>
  envelope(
    `<S:Fault><faultcode>S:Server</faultcode><faultstring>Not now.</faultstring>` +
      `<detail><l:reason xmlns:l="${larch}">${reason}</l:reason></detail></S:Fault>`,
  );

const xml = { 'content-type': 'text/xml; charset=utf-8' };

const send: Send = (response, answer) => {
  response.writeHead(200, xml).end(answer);
};

const sendFault = (response: ServerResponse, reason: string): void => {
  response.writeHead(500, xml).end(faultOf(reason));
};

/** How the answer to an order leaves for numbers with these endings; the others get it normally. */
const manners: ReadonlyMap<string, Send> = new Map<string, Send>([
  ['93', () => {}],
  ['94', () => {}],
  ['95', (response) => sendFault(response, 'DatabaseDown')],
  ['96', (response) => response.writeHead(200, xml).end('<html>Down for repairs<br></html>')],
]);

/** Numbers whose order is lost on the way. */
const lost: ReadonlySet<string> = new Set(['94', '96']);

const outcomes: ReadonlyMap<string, Entry> = new Map([
  ['90', { recharge: { code: '12' }, query: { state: 'Declined', code: '12' } }],
  ['91', { recharge: { code: '11' }, query: { state: 'Declined', code: '11' } }],
  ['97', { recharge: { code: '1' }, query: { state: 'Queued' } }],
  ['98', { recharge: { code: '1' }, query: { state: 'Stalled' } }],
]);

/** Executes an order once; a repeat gets the outcome of the first. */
const carryOut = ({ entries, deliveries }: Book, order: Delivery): Entry => {
  const known = entries.get(order.dealerRef);
  if (known !== undefined) return known;
  const digits = order.msisdn.slice(-2);
  const receipt = `LM-${entries.size + 1}`;
  const changedAt = '2026-01-31T13:00:00+03:30';
  const state = digits === '99' ? { state: 'Withdrawn', changedAt } : { state: 'Served' };
  const served = { recharge: { code: '0', receipt }, query: { ...state, receipt } };
  const entry = outcomes.get(digits) ?? served;
  entries.set(order.dealerRef, entry);
  if (entry === served) deliveries.push(order);
  return entry;
};

const orderIn = (recharge: XmlElement): Delivery | undefined => {
  const read = (name: string, form: RegExp): string | undefined => {
    const text = childText(recharge, larch, name) ?? '';
    return form.test(text) ? text : undefined;
  };
  const dealerRef = read('dealerRef', /^[A-Za-z0-9]{1,32}$/);
  const msisdn = read('msisdn', /^09\d{9}$/);
  const amountRial = read('amountRial', /^[1-9]\d*$/);
  const item = read('item', /^[^]{1,40}$/);
  return dealerRef === undefined || !msisdn || !amountRial || !item
    ? undefined
    : { dealerRef, msisdn, amountRial, item };
};

const recharge = (book: Book, response: ServerResponse, element: XmlElement): void => {
  const order = orderIn(element);
  if (order === undefined) return sendFault(response, 'BadMessage');
  const digits = order.msisdn.slice(-2);
  const { dealerRef } = order;
  const values = lost.has(digits) ? {} : carryOut(book, order).recharge;
  const answer = answerOf('RechargeResponse', { dealerRef, text: 'Larch Mobile', ...values });
  return (manners.get(digits) ?? send)(response, answer);
};

const query = (book: Book, response: ServerResponse, element: XmlElement): void => {
  const dealerRef = childText(element, larch, 'dealerRef') ?? '';
  const values = book.entries.get(dealerRef)?.query ?? { state: 'NoRecord' };
  send(response, answerOf('QueryResponse', { dealerRef, ...values }));
};

const serve = (book: Book, request: IncomingMessage, response: ServerResponse, text: string) => {
  const message = readXml(text);
  const header = onlyChild(onlyChild(message, soap, 'Header'), larch, 'Credentials');
  const known =
    childText(header, larch, 'dealer') === credentials.dealer &&
    childText(header, larch, 'pin') === credentials.pin;
  if (!known) return sendFault(response, 'BadCredentials');
  const body = onlyChild(message, soap, 'Body');
  const operations = { Recharge: recharge, Query: query };
  for (const [name, operation] of Object.entries(operations)) {
    const element = onlyChild(body, larch, name);
    if (element !== undefined && request.headers['soapaction'] === `"${larch}#${name}"`) {
      return operation(book, response, element);
    }
  }
  return sendFault(response, 'BadMessage');
};

export const startFakeOperator = async (): Promise<FakeOperator> => {
  const book: Book = { entries: new Map(), deliveries: [] };
  const messages: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    messages.push(text);
    serve(book, request, response, text);
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries: book.deliveries,
    messages,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
