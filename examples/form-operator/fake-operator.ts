/** Simulates Maple Recharge for tests: follows its document, records deliveries, and misbehaves by number. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { systemClock } from 'simgate/connector-suite';
import { type Fields, formType, signatureOf } from './wire.ts';

export type FakeOperator = {
  readonly url: string;
  /** The references of all deliveries, in order. */
  readonly deliveries: readonly string[];
  /** Every form that came, in order. */
  readonly forms: readonly Fields[];
  readonly close: () => Promise<void>;
};

export const account = { merchant: '7001', key: 'a key of maple & co.' };

/** An answer as the document has it. */
export const answerOf = (fields: Fields, key = account.key): string =>
  String(new URLSearchParams({ ...fields, sign: signatureOf(fields, key) }));

/** What `/order` and `/status` say of an order, by the last two digits of its number. */
type Entry = { readonly order: Fields; readonly status: Fields };

const outcomes: ReadonlyMap<string, Entry> = new Map([
  ['90', { order: { result: '11' }, status: { result: '2', cause: '11' } }],
  ['91', { order: { result: '10' }, status: { result: '2', cause: '10' } }],
  ['97', { order: { result: '1' }, status: { result: '1' } }],
]);

/** Numbers whose order gets lost before it is read, and those whose answer gets lost. */
const lost: ReadonlySet<string> = new Set(['94', '96']);
const silent: ReadonlySet<string> = new Set(['93', '94']);

const isForm = (fields: Fields): boolean =>
  /^[A-Za-z0-9-]{1,40}$/.test(fields['reference'] ?? '') &&
  /^98\d{10}$/.test(fields['number'] ?? '') &&
  /^[\w-]{1,40}$/.test(fields['item'] ?? '') &&
  /^[1-9]\d*$/.test(fields['amount'] ?? '');

const fiveMinutes = 300;

/** Why a form is not accepted; undefined where it is. */
const rejectionOf = ({ sign, ...fields }: Fields, key: string): string | undefined => {
  if (fields['merchant'] !== account.merchant || sign !== signatureOf(fields, key)) return '30';
  const off = Math.abs(systemClock.now() / 1000 - Number(fields['time'] ?? Number.NaN));
  return off <= fiveMinutes ? undefined : '32';
};

export const startFakeOperator = async (): Promise<FakeOperator> => {
  const entries = new Map<string, Entry>();
  const deliveries: string[] = [];
  const forms: Fields[] = [];

  const takeOrder = (fields: Fields): Fields => {
    const { reference = '', number = '' } = fields;
    if (!isForm(fields)) return { result: '31' };
    if (entries.has(reference)) return { result: '40' };
    const digits = number.slice(-2);
    if (lost.has(digits)) return {};
    const receipt = `MR-${entries.size + 1}`;
    const status = digits === '99' ? { result: '3', changed: '1769851800' } : { result: '0' };
    const served = { order: { result: '0', receipt }, status: { ...status, receipt } };
    const entry = outcomes.get(digits) ?? served;
    entries.set(reference, entry);
    if (entry === served) deliveries.push(reference);
    return entry.order;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fields = Object.fromEntries(new URLSearchParams(await textOf(request)));
    forms.push(fields);
    const { reference = '', number = '' } = fields;
    const say = (said: Fields): void => {
      response.writeHead(200, { 'content-type': formType }).end(answerOf({ reference, ...said }));
    };
    const rejection = rejectionOf(fields, account.key);
    if (rejection !== undefined) return say({ result: rejection });
    if (request.url === '/status') {
      return say(entries.get(reference)?.status ?? { result: '4' });
    }
    const said = takeOrder(fields);
    const digits = number.slice(-2);
    if (silent.has(digits)) return undefined;
    if (digits === '96') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Down for repairs</p>');
      return undefined;
    }
    return say(said);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    forms,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
