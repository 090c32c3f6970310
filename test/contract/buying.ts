/** Provides what the tests of buying share: a catalogue, requests in every encoding, a controlled operator, and balances. */
import assert from 'node:assert/strict';
import { Type } from 'typebox';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import type { Config, OperatorConfig } from '../../src/config/config.ts';
import { readConfig } from '../../src/config/config.ts';
import {
  type Connection,
  type Connector,
  defineConnector,
  type Offer,
  type OffersOutcome,
  type Order,
} from '../../src/connector/connector.ts';
import { readAccount } from '../../src/ledger/store.ts';
import { at, keysOf } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import {
  type Answer,
  request,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';
import { sampleProduct } from './sample-product.ts';

export const packages = '/api/top-up/package/';
export const topUps = '/api/top-up/';

/** A prepaid and a postpaid number to which the simulator sells everything. */
export const prepaid = '989123456700';
export const postpaid = '989123456701';

export const sold = {
  credit: 100,
  permanent: 101,
  tdLte: 102,
  range: 103,
  switchedOff: 104,
  withProfile: 105,
  topUp: 200,
  topUpRange: 201,
  topUpPermanent: 202,
} as const;

const topUp = { type: 'cell_direct_charge', price: 5000 } as const;

/** Every kind of product, of operator 1 except those that only operator 2 has. */
export const catalogue: readonly ImportedProduct[] = [
  sampleProduct({ id: 510, price: 0, operator_id: 2 }),
  sampleProduct({ id: 511, price: 0, operator_id: 2, sim_card_type: 'permanent' }),
  sampleProduct({ id: sold.credit }),
  sampleProduct({ id: sold.permanent, sim_card_type: 'permanent' }),
  sampleProduct({ id: sold.tdLte, type: 'td_lte_internet', operator_id: 2 }),
  sampleProduct({ id: sold.range, second_price: 50_000 }),
  sampleProduct({ id: sold.switchedOff, status: 0 }),
  sampleProduct({ id: sold.withProfile, profile_id: '42' }),
  sampleProduct({ id: sold.topUp, ...topUp }),
  sampleProduct({ id: sold.topUpRange, ...topUp, price: 1000, second_price: 100_000 }),
  sampleProduct({ id: sold.topUpPermanent, ...topUp, sim_card_type: 'permanent' }),
];

export type Fields = Readonly<Record<string, unknown>>;

/** A package of 10,000 for the prepaid number. */
export const aPackage: Fields = {
  product_id: sold.credit,
  mobile: prepaid,
  price: 10_000,
  webservice_code: 'order 1',
};

/** A top-up of 5,000 for the prepaid number. */
export const aTopUp: Fields = { ...aPackage, product_id: sold.topUp, price: 5000 };

let keys = 0;

/** A new key. */
export const newKey = (): string => `key-${(keys += 1)}`;

const textsOf = (fields: Fields): [string, string][] =>
  Object.entries(fields).map(([name, value]) => [name, String(value)]);

export const queryOf = (fields: Fields): string => String(new URLSearchParams(textsOf(fields)));

export const multipartOf = (fields: Fields): FormData => {
  const form = new FormData();
  for (const [name, value] of textsOf(fields)) form.append(name, value);
  return form;
};

export type BuyOptions = {
  readonly path?: string;
  /** Null sends none. */
  readonly key?: string | null;
  readonly token?: string | null;
  /** More headers. */
  readonly headers?: Readonly<Record<string, string>>;
};

const keyHeader = (key: string | null): Readonly<Record<string, string>> =>
  key === null ? {} : { 'idempotency-key': key };

/** Buys by a form, the documented way; under a new key by default. */
export const buy = (
  server: TestServer,
  fields: Fields,
  options: BuyOptions = {},
): Promise<Answer> => {
  const { path = packages, key = newKey(), token = server.client.token } = options;
  const body = new URLSearchParams(textsOf(fields));
  const headers = { ...options.headers, ...keyHeader(key) };
  return request(server, path, { method: 'POST', headers, body, token });
};

export type Asked = {
  readonly offers: string[];
  readonly subscriber: string[];
  readonly buy: Order[];
  readonly status: string[];
};

export type TestOperator = {
  readonly connector: Connector;
  /** The calls that it received. */
  readonly asked: Asked;
};

export type Script = Partial<
  Pick<Connection, 'offers' | 'subscriber' | 'buy' | 'status' | 'callbacks' | 'deadlineMs'>
>;

/** An operator that follows the test and counts calls; by default it delivers everything. */
export const operatorThat = (
  script: Script = {},
  declared: Pick<Connector, 'settlesWithin' | 'inquiries'> = {},
): TestOperator => {
  const asked: Asked = { offers: [], subscriber: [], buy: [], status: [] };
  const counted =
    <T, Outcome>(calls: T[], answer: (given: T) => Outcome) =>
    (given: T): Outcome => {
      calls.push(given);
      return answer(given);
    };
  const { offers, subscriber, callbacks } = script;
  const { status = async () => ({ kind: 'unknown', detail: 'silent' }) as const } = script;
  const { buy = async ({ ref }: Order) => ({ kind: 'done', ref }) as const } = script;
  const connection: Connection = {
    ...(offers === undefined ? {} : { offers: counted(asked.offers, offers) }),
    ...(subscriber === undefined ? {} : { subscriber: counted(asked.subscriber, subscriber) }),
    buy: counted(asked.buy, buy),
    status: typeof status === 'function' ? counted(asked.status, status) : status,
    ...(callbacks === undefined ? {} : { callbacks }),
    deadlineMs: script.deadlineMs ?? 5000,
    close: async () => {},
  };
  const connector = defineConnector({
    name: 'test',
    settings: Type.Object({}),
    ...declared,
    connect: () => connection,
  });
  return { connector, asked };
};

const operatorConfig = (id: number): OperatorConfig => ({
  id,
  name: `operator_${id}`,
  connector: 'test',
  settings: {},
});

/** The options of a server with the test's own operators 1 and 2. */
export const served = (
  { connector }: TestOperator,
  config: Partial<Config> = {},
): Pick<TestOptions, 'connectors' | 'config'> => ({
  connectors: [connector],
  config: { operators: [operatorConfig(1), operatorConfig(2)], ...config },
});

/** Runs a test on a server that sells the catalogue above. */
export const withServer = async (
  options: TestOptions,
  work: (server: TestServer) => Promise<void>,
): Promise<void> => {
  const server = await startServer({ products: catalogue, ...options });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
};

export const purchaseDefaults = readConfig({}).purchases;

/** However slow the machine is, orders are in time and no statement takes too long. */
export const longTimeouts: Pick<Config, 'purchases' | 'database'> = {
  purchases: { ...purchaseDefaults, sendWithinMs: 60_000, pendingAfterMs: 100_000 },
  database: { ...readConfig({}).database, statementMs: 120_000 },
};

/** Waiting requests time out soon by the clock, and the operator is not asked before a minute has passed. */
export const quickly = { ...purchaseDefaults, pendingAfterMs: 200, firstInquiryMs: 60_000 };

export const offer = (fields: Partial<Offer> = {}): Offer => ({
  code: 'C1',
  type: 'T1',
  amount: '30000',
  name: 'One',
  description: 'An offer',
  descriptionLocal: 'یک بسته',
  validityDays: '',
  ...fields,
});

export const listed = (...offers: readonly Offer[]): OffersOutcome => ({
  kind: 'offers',
  offers,
  transactionId: 'tx',
  message: 'Here they are.',
});

/** A client's available and held balance. */
export const moneyOf = async (
  server: TestServer,
  clientId = server.client.id,
): Promise<{ readonly available: number; readonly held: number }> => {
  const account = await readAccount(server.deps.db, clientId);
  assert.ok(account !== undefined);
  return { available: account.available, held: account.held };
};

/** How many purchases of the test's client were recorded. */
export const recorded = async (server: TestServer): Promise<number> => {
  const rows = await server.deps.db
    .selectFrom('purchases')
    .select('id')
    .where('client_id', '=', server.client.id)
    .execute();
  return rows.length;
};

export const balanceShown = async (server: TestServer): Promise<unknown> =>
  at((await request(server, '/api/clients/products')).body, 'balance');

/** The purchase as its client sees it, by the id in an answer's header. */
export const purchaseOf = async (server: TestServer, answer: Answer): Promise<unknown> => {
  const found = await request(server, `/api/purchases/${answer.headers.get('purchase-id')}`);
  assert.equal(found.status, 200, found.text);
  return found.body;
};

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Fails unless an answer is a sale: 200, one field, and all else in headers. */
export const assertSold = (answer: Answer, replayed = false): void => {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.deepEqual(keysOf(answer.body), ['message']);
  assert.match(String(at(answer.body, 'message')), /success/);
  assert.match(answer.headers.get('purchase-id') ?? '', uuid);
  assert.match(answer.headers.get('request-id') ?? '', uuid);
  assert.equal(answer.headers.get('idempotent-replayed'), replayed ? 'true' : null);
};

/** Every error of buying: its status, and its retry advice. */
const decided = {
  IDEMPOTENCY_KEY_MISSING: [400, 'no'],
  IDEMPOTENCY_KEY_INVALID: [400, 'no'],
  MALFORMED_REQUEST: [400, 'no'],
  INSUFFICIENT_BALANCE: [402, 'new_key'],
  PRODUCT_NOT_FOUND: [404, 'no'],
  OFFER_EXPIRED: [409, 'new_key'],
  PRICE_CHANGED: [409, 'new_key'],
  PAYLOAD_TOO_LARGE: [413, 'no'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'no'],
  VALIDATION_FAILED: [422, 'no'],
  INVALID_MOBILE: [422, 'no'],
  IDEMPOTENCY_KEY_REUSED: [422, 'new_key'],
  PRICE_MISMATCH: [422, 'new_key'],
  AMOUNT_OUT_OF_RANGE: [422, 'new_key'],
  PRODUCT_INACTIVE: [422, 'new_key'],
  OPERATOR_MISMATCH: [422, 'no'],
  SIM_TYPE_MISMATCH: [422, 'no'],
  OFFER_NOT_FOUND: [422, 'new_key'],
  OPERATOR_DECLINED: [422, 'new_key'],
  ORDER_NOT_RECEIVED: [422, 'new_key'],
  NOT_DELIVERED: [422, 'new_key'],
  RATE_LIMITED: [429, 'same_key'],
  TRANSACTION_PENDING: [202, 'same_key'],
  OPERATOR_UNAVAILABLE: [503, 'same_key'],
  OVERLOADED: [503, 'same_key'],
  DRAINING: [503, 'same_key'],
  DATABASE_UNAVAILABLE: [503, 'same_key'],
  INTERNAL_ERROR: [500, 'same_key'],
} as const;

export type BuyingCode = keyof typeof decided;

/** Fails unless an answer is that error, with exactly the keys of the error body and those named. */
export const assertRefused = (
  answer: Answer,
  code: BuyingCode,
  ...more: readonly ('errors' | 'expected_price' | 'offers')[]
): void => {
  const [status, retry] = decided[code];
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const { body } = answer;
  assert.equal(at(body, 'code'), code);
  assert.deepEqual(keysOf(body), [
    'message',
    'code',
    'charged',
    'retry',
    'request_id',
    'docs',
    ...more,
  ]);
  assert.match(String(at(body, 'message')), /^[A-Z].*\.$/);
  assert.equal(at(body, 'charged'), code === 'TRANSACTION_PENDING' ? 'unknown' : 'no');
  assert.equal(at(body, 'retry'), retry);
  assert.match(String(at(body, 'request_id')), uuid);
  assert.equal(at(body, 'docs'), `/docs/errors#${code.toLowerCase()}`);
  if (status === 503 || status === 202)
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
};

/** Fails unless two answers have the same status and bytes, and the second is marked as a replay. */
export const assertRepeated = (repeat: Answer, first: Answer): void => {
  assert.equal(repeat.status, first.status);
  assert.equal(repeat.text, first.text);
  assert.equal(repeat.headers.get('content-type'), first.headers.get('content-type'));
  assert.equal(repeat.headers.get('purchase-id'), first.headers.get('purchase-id'));
  assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
  assert.notEqual(repeat.headers.get('request-id'), first.headers.get('request-id'));
};

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits until an operator's answer is recorded, possibly after the buyer got 202; returns the id. */
export const untilRecorded = async ({ deps }: TestServer, { headers }: Answer): Promise<string> => {
  const id = headers.get('purchase-id') ?? '';
  const found = deps.db.selectFrom('purchases').select('state').where('id', '=', id);
  while ((await found.executeTakeFirstOrThrow()).state === 'submitted') await turn();
  return id;
};

/** The purchases of all clients with an unknown outcome. */
const unknownOnes = async ({ deps }: TestServer): Promise<number> => {
  const rows = deps.db.selectFrom('purchases').select('id').where('state', '=', 'unknown');
  return (await rows.execute()).length;
};

/**
 * Buys what gets no answer from its operator. As soon as that is recorded, or an answer has come after all,
 * it lets the time to wait pass; nothing here depends on the machine's speed.
 */
export const buyUnanswered = async (
  server: TestServer,
  clock: ManualClock,
  fields: Fields,
  options: BuyOptions = {},
): Promise<Answer> => {
  const before = await unknownOnes(server);
  const seen = { answered: false };
  const answer = buy(server, fields, options).finally(() => {
    seen.answered = true;
  });
  while (!seen.answered && (await unknownOnes(server)) === before) await turn();
  if (!seen.answered) await clock.advance(quickly.pendingAfterMs);
  return answer;
};

/** Waits until an operator was asked that often to deliver. */
export const untilOrdered = async ({ asked }: TestOperator, count: number): Promise<void> => {
  while (asked.buy.length < count) await turn();
};

/** Buys under a key until it is sold: connections were cut, and failures by that are retried. */
export const untilSold = async (server: TestServer, key = newKey()): Promise<Answer> => {
  const answers: Answer[] = [];
  await eventually('it sells', async () => {
    const answer = await buy(server, aPackage, { key });
    if (answer.status === 200) answers.push(answer);
    return answer.status === 200;
  });
  return answers[0] ?? assert.fail('not sold');
};
