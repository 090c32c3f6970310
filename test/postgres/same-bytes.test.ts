/** Tests that both engines answer with the same bytes, IDs and times aside: every route, every error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { ClientRules } from '../../src/clients/rules/rules.ts';
import { readConfig } from '../../src/config/config.ts';
import { errorTable } from '../../src/lib/errors.ts';
import {
  aPackage,
  aTopUp,
  buy,
  catalogue,
  type Fields,
  listed,
  multipartOf,
  offer,
  operatorThat,
  packages,
  purchaseDefaults,
  queryOf,
  served,
  sold,
  topUps,
} from '../contract/buying.ts';
import { sampleCategory, sampleProduct } from '../contract/sample-product.ts';
import { at } from '../support/answers.ts';
import { createToken, updateClient, updateRules } from '../support/clients.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestOptions,
  type TestServer,
} from '../support/server.ts';

type Ask = (server: TestServer) => Promise<Answer>;

const endsWith = (mobile: string, ending: number): boolean => mobile.endsWith(String(ending));

/** By the number's last digits it refuses in each possible way, or does not answer. */
const operator = () =>
  operatorThat({
    subscriber: async (mobile) => {
      if (endsWith(mobile, 91)) return { kind: 'not_subscriber' };
      if (endsWith(mobile, 96)) return { kind: 'unknown', detail: 'silent' };
      return { kind: 'subscriber', simType: endsWith(mobile, 92) ? 'permanent' : 'credit' };
    },
    offers: async (mobile) =>
      endsWith(mobile, 96)
        ? { kind: 'unknown', detail: 'silent' }
        : listed(offer(), offer({ code: 'C2', amount: '12345.5' })),
    buy: async ({ mobile, ref }) => {
      if (endsWith(mobile, 90))
        return { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' };
      if (endsWith(mobile, 93))
        return { kind: 'refused', code: 'offer_gone', blame: 'request', reason: 'gone' };
      if (endsWith(mobile, 94))
        return { kind: 'refused', code: 'price_changed', blame: 'request', reason: 'dearer' };
      if (endsWith(mobile, 95)) return { kind: 'unknown', detail: 'lost' };
      return { kind: 'done', ref };
    },
  });

const products = [
  ...catalogue,
  // Names that collation and byte order sort differently, and that a filter has to find.
  ...['ärger', 'Zebra', 'zebra', 'ك یک', 'ی ۱۲', '_under', 'Äpfel', 'a b', 'A-b'].map(
    (name, index) =>
      sampleProduct({
        id: 1000 + index,
        name,
        order: index % 3,
        created_at: '2026-01-31T09:30:00.000000Z',
        dimension: { b: 1, a: [1.5, null] },
        categories: [sampleCategory(1000 + index, 7), sampleCategory(1000 + index, 3)],
      }),
  ),
];

const list = '/api/clients/products';
const filter = (items: unknown, more: object = {}): Ask => {
  const json = { table: 'product', items, ...more };
  return (server) => request(server, '/api/filter', { json });
};
const get =
  (path: string, options: Parameters<typeof request>[2] = {}): Ask =>
  (server) =>
    request(server, path, options);
const sell =
  (fields: Fields, key: string | null, path?: string): Ask =>
  (server) =>
    buy(server, fields, { key, ...(path === undefined ? {} : { path }) });
const numbered = (ending: number): Fields => ({ ...aPackage, mobile: `9891234567${ending}` });
const withOffer: Fields = {
  ...aPackage,
  product_id: 510,
  price: 33_000,
  offerCode: 'C1',
  offerType: 'T1',
};

const reading: Readonly<Record<string, Ask>> = {
  'the list': get(list),
  'its second page': get(`${list}?per_page=7&page=2`),
  'a page past its end': get(`${list}?page=99`),
  'the list by id, backwards': get(`${list}?order=id&type_order=desc`),
  'the list in its order, backwards': get(`${list}?type_order=DESC&per_page=5`),
  'an order that is none': get(`${list}?order=name`),
  'the list, asked by HEAD': get(list, { method: 'HEAD' }),
  'a filter by name': filter({ name: 'ZEBRA', categories: 'categories' }),
  'a filter by Persian letters': filter({ name: 'ك' }),
  'a filter by digits': filter({ name: '12' }),
  'a filter by all': filter({
    sim_card_type: 'credit',
    type: 'cell_internet',
    operator: 'operator_1',
  }),
  'a filter without pages': filter({ pagination: 'false' }),
  'a filter with nothing in it': filter([], { per_page: 3, page: 2 }),
  'a filter that is none': filter({ colour: 'red', type: 'none' }),
  'another table': (server) => request(server, '/api/filter', { json: { table: 'client' } }),
  offers: get('/api/operator_2/offers/', { json: { mobile: '989123456700' } }),
  'offers of an invalid number': get('/api/operator_2/offers', { json: { mobile: '0912' } }),
  'offers of a silent operator': get('/api/operator_2/offers', {
    json: { mobile: '989123456796' },
  }),
  'the operators': get('/api/operators'),
  'a number': get('/api/numbers/989123456700'),
  'a number that is none': get('/api/numbers/0912'),
  'the errors': get('/api/errors'),
  'a body that is no JSON': get('/api/filter', {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json' },
  }),
  'a body of another kind': get('/api/filter', {
    method: 'POST',
    body: '<a/>',
    headers: { 'content-type': 'text/xml' },
  }),
  'a body that is too large': get('/api/filter', {
    method: 'POST',
    body: JSON.stringify({ table: 'x'.repeat(2_000_000) }),
    headers: { 'content-type': 'application/json' },
  }),
  'no such route': get('/api/nowhere'),
  'no such method': get(list, { method: 'DELETE' }),
  'no token': get(list, { token: null }),
  'a wrong token': get(list, { token: 'simgate_wrong' }),
  life: get('/health/live'),
  readiness: get('/health/ready'),
  'the text of the API': get('/openapi.json'),
  'the page of the API': get('/docs/'),
};

const check =
  (fields: Fields): Ask =>
  (server) =>
    request(server, '/api/top-up/check', { json: fields });

const buying: Readonly<Record<string, Ask>> = {
  'a check': check(aPackage),
  'a check of more than there is': check({
    ...aTopUp,
    product_id: sold.topUpRange,
    price: 99_999_999,
  }),
  'a check of another price': check({ ...aPackage, price: 9_999 }),
  'a sale': sell(aPackage, 'sale'),
  'its repeat': sell(aPackage, 'sale'),
  'its repeat as JSON': (server) =>
    request(server, packages, { json: aPackage, headers: { 'idempotency-key': 'sale' } }),
  'its repeat as multipart': (server) =>
    request(server, packages, {
      method: 'POST',
      body: multipartOf(aPackage),
      headers: { 'idempotency-key': '"sale"' },
    }),
  'its repeat by GET': get(`${packages}?${queryOf(aPackage)}`, {
    headers: { 'idempotency-key': 'sale' },
  }),
  'its key with other fields': sell({ ...aPackage, webservice_code: 'other' }, 'sale'),
  'a top-up': sell(aTopUp, 'top-up', topUps),
  'a price in a range': sell({ ...aPackage, product_id: sold.range, price: 30_000 }, 'range'),
  'a price beyond it': sell({ ...aPackage, product_id: sold.range, price: 60_000 }, 'beyond'),
  'another price': sell({ ...aPackage, price: 9_999 }, 'price'),
  'a package on the path of top-ups': sell(aPackage, 'path', topUps),
  'what is switched off': sell({ ...aPackage, product_id: sold.switchedOff }, 'off'),
  'what is not there': sell({ ...aPackage, product_id: 99_999 }, 'not there'.replace(' ', '-')),
  'more than there is': sell(
    { ...aPackage, product_id: sold.topUpRange, price: 99_999 },
    'more',
    topUps,
  ),
  'an offer': sell(withOffer, 'offer'),
  'an offer that is none': sell({ ...withOffer, offerCode: 'C9' }, 'no-offer'),
  'an offer at another price': sell({ ...withOffer, price: 30_000 }, 'offer-price'),
  'an offer that is gone': sell({ ...withOffer, mobile: '989123456793' }, 'gone'),
  'an offer that costs more now': sell({ ...withOffer, mobile: '989123456794' }, 'dearer'),
  'no key': sell(aPackage, null),
  'a key that is none': sell(aPackage, 'k y'),
  'no mobile': sell({ ...aPackage, mobile: '12' }, 'mobile'),
  'nothing right': sell({ product_id: 'x', price: -1, webservice_code: 'a\0b' }, 'nothing'),
  'a subscriber who is barred': sell(numbered(90), 'barred'),
  'its repeat, declined': sell(numbered(90), 'barred'),
  'subscriber of another operator': sell(numbered(91), 'stranger'),
  'another SIM': sell(numbered(92), 'sim'),
  'an outcome that stays unknown': sell(numbered(95), 'unknown'),
  'its repeat, pending': sell(numbered(95), 'unknown'),
  'a silent operator': sell(numbered(96), 'silent'),
  'purchases, the newest first': get('/api/purchases'),
  'their second page': get('/api/purchases?per_page=5&page=2'),
  'those with a code': get(`/api/purchases?webservice_code=${encodeURIComponent('order 1')}`),
  'those with a code that cannot be': get('/api/purchases?webservice_code=a%00b'),
  'the one with a key': get('/api/purchases?idempotency_key=sale'),
  'those in a state': get('/api/purchases?state=refused'),
  'a state that is none': get('/api/purchases?state=sold'),
  'no such purchase': get('/api/purchases/nothing'),
  'no such purchase, with a NUL': get('/api/purchases/%00'),
  'one purchase': async (server) => {
    const first = await buy(server, aPackage, { key: 'sale' });
    return request(server, `/api/purchases/${first.headers.get('purchase-id')}`);
  },
  'the account': get('/api/account'),
  'the statement': get('/api/statement'),
};

const asJson =
  (path: string, json: unknown, method = 'POST'): Ask =>
  (server) =>
    request(server, path, { method, json });

const hook = { url: 'https://shop.example/hooks', events: ['purchase.succeeded'] };

const webhooks: Readonly<Record<string, Ask>> = {
  'no webhooks': get('/api/webhooks'),
  'no such webhook': get('/api/webhooks/nothing'),
  'no such webhook, with a NUL': get('/api/webhooks/%00'),
  'messages of no webhook': get('/api/webhooks/%00/messages?before=%00'),
  'no such message': get('/api/webhooks/nothing/messages/%00'),
  'a message of no webhook, again': asJson('/api/webhooks/a/messages/%00/replay', undefined),
  'what failed of no webhook, again': asJson('/api/webhooks/a/replay', { since: '2026-01-31' }),
  'what failed since no time': asJson('/api/webhooks/a/replay', { since: 'never' }),
  'a change of no webhook': asJson('/api/webhooks/%00', { description: 'a' }, 'PATCH'),
  'a secret of no webhook': asJson('/api/webhooks/%00/secret', {}),
  'a webhook whose description holds a NUL': asJson('/api/webhooks', {
    ...hook,
    description: 'a\0b',
  }),
  'a webhook whose address holds a NUL': asJson('/api/webhooks', {
    ...hook,
    url: 'https://shop.example/\0',
  }),
  'a webhook of too large a balance': asJson('/api/webhooks', { ...hook, balance_below: 1e300 }),
};

/** Buys the same under each key for a client with such rules; the last answer counts. */
const ruled =
  (rules: Partial<ClientRules>, ...keys: readonly string[]): Ask =>
  async (server) => {
    const { id, token } = await addClient(server, { balance: 100_000 });
    await updateRules(server.deps, id, rules);
    const answers: Answer[] = [];
    for (const key of keys) answers.push(await buy(server, aPackage, { key, token }));
    return answers.at(-1) ?? assert.fail();
  };

/** Refused tokens, each for its own reason. */
const letIn: Readonly<Record<string, Ask>> = {
  'a token without the scope': async (server) => {
    const { token } = await createToken(server.deps, server.client.id, { scopes: ['catalogue'] });
    return request(server, '/api/purchases', { token });
  },
  'a token of another network': async (server) => {
    const networks = ['192.0.2.0/24'];
    const { token } = await createToken(server.deps, server.client.id, { networks });
    return request(server, list, { token });
  },
  'a token that has expired': async (server) => {
    const { token } = await createToken(server.deps, server.client.id, { expiresAt: 1 });
    return request(server, list, { token });
  },
  'a client who is suspended': async (server) => {
    const { id, token } = await addClient(server);
    await updateClient(server.deps, id, { status: 'suspended' });
    return request(server, list, { token });
  },
  'a product that a client may not buy': ruled({ operators: [2] }, 'not-allowed'),
  'more than a client’s day': ruled({ dailyLimit: 1 }, 'a-day'),
  'a likely repeat': ruled({ repeatSeconds: 60 }, 'first', 'second'),
  'what a client with rules has': async (server) => {
    const { id, token } = await addClient(server);
    await updateRules(server.deps, id, { products: [7, 8], dailyLimit: 5, repeatSeconds: 9 });
    return request(server, '/api/account', { token });
  },
  'what is broken': async (server) => {
    await sql`alter table purchases rename to gone`.execute(server.deps.db);
    const answer = await request(server, '/api/purchases');
    await sql`alter table gone rename to purchases`.execute(server.deps.db);
    return answer;
  },
  draining: async (server) => {
    server.drain();
    return buy(server, aPackage, { key: 'drained' });
  },
  'readiness while it drains': get('/health/ready'),
};

const masked = (text: string): string =>
  text
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<time>')
    .replace(/whsec_[\w+/]+=*/g, '<secret>')
    .replace(/"timestamp":\d+/g, '"timestamp":<time>');

type Seen = { readonly status: number; readonly headers: string[]; readonly text: string };

const seenOf = ({ status, headers, text }: Answer): Seen => ({
  status,
  // A tag covers the version of the catalogue, which is an id; the rest of a day depends on the clock.
  headers: [...headers].map(([name, value]) =>
    ['date', 'etag'].includes(name) || (name === 'retry-after' && status === 403)
      ? name
      : `${name}: ${masked(value)}`,
  ),
  text: masked(text),
});

/** Sends every request to a gateway, one after another, and returns the answers. */
const answersOf = async (
  asks: Readonly<Record<string, Ask>>,
  options: TestOptions,
): Promise<{ readonly seen: Readonly<Record<string, Seen>>; readonly codes: Set<unknown> }> => {
  const server = await startServer({ products, balance: 120_000, ...options });
  const seen: Record<string, Seen> = {};
  const codes = new Set<unknown>();
  try {
    for (const [name, ask] of Object.entries(asks)) {
      const answer = await ask(server);
      codes.add(at(answer.body, 'code'));
      seen[name] = seenOf(answer);
    }
  } finally {
    await server.stop();
  }
  return { seen, codes };
};

/**
 * Sends the same to one gateway on each engine, and fails unless the answers are equal; returns the codes.
 */
const compare = async (
  asks: Readonly<Record<string, Ask>>,
  options: () => TestOptions,
): Promise<Set<unknown>> => {
  const [file, postgres] = await Promise.all([
    answersOf(asks, { ...options(), engine: 'sqlite' }),
    answersOf(asks, { ...options(), engine: 'postgres' }),
  ]);
  for (const name of Object.keys(asks)) {
    assert.deepEqual(postgres.seen[name], file.seen[name], name);
  }
  return postgres.codes;
};

const met = new Set<unknown>();
const remember = (codes: Set<unknown>): void => {
  for (const code of codes) met.add(code);
};

const publicUrl = 'https://gateway.example/shop';
const { limits } = readConfig({});

test('Both engines answer every route with the same bytes', async () => {
  const purchases = { ...purchaseDefaults, pendingAfterMs: 4000, firstInquiryMs: 60_000 };
  remember(
    await compare({ ...reading, ...buying, ...webhooks, ...letIn }, () =>
      served(operator(), { publicUrl, purchases }),
    ),
  );
});

test('Both engines answer with the same bytes beyond what is allowed', async () => {
  const client = { perSecond: 0.1, burst: 1 };
  const asks = { first: get(list), 'too many': get(list) };
  remember(await compare(asks, () => served(operator(), { publicUrl, rateLimits: { client } })));
  const none = { ...limits, purchases: 0 };
  remember(
    await compare({ one: sell(aPackage, 'one') }, () =>
      served(operator(), { publicUrl, limits: none }),
    ),
  );
});

// Recorded by recovery and by people; and an unavailable database cannot be asked.
const notAsked = ['ORDER_NOT_RECEIVED', 'NOT_DELIVERED', 'DATABASE_UNAVAILABLE'];

test('Every error of the table occurred, except those that no single request causes', () => {
  const missing = Object.keys(errorTable).filter((code) => !met.has(code));
  assert.deepEqual(missing, notAsked);
});
