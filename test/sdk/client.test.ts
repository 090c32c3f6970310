/** Tests the client library against a real gateway: what it returns, what it retries, and what it never retries. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { printTypes, typesFile } from '../../sdk/generate.ts';
import {
  createClient,
  newKey,
  type Product,
  type SimgateClient,
  SimgateError,
  UnfinishedError,
} from '../../sdk/src/index.ts';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { at } from '../support/answers.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { importProducts } from '../support/import-products.ts';
import { removeProducts } from '../support/remove-products.ts';
import { addClient, startServer, type TestServer } from '../support/server.ts';

const mobile = '989123456700';
const topUp = { productId: 2201, mobile, price: 10_000 } as const;

let server: TestServer;
let simgate: SimgateClient;

before(async () => {
  server = await startServer({ products: demoCatalogue(), balance: 100_000_000 });
  simgate = createClient({ url: `${server.url}/`, token: server.client.token });
});

after(() => server.stop());

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const rejection = async (work: Promise<unknown>): Promise<SimgateError> => {
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof SimgateError, String(error));
  return error;
};

test('the types are those of the schemas by which the gateway describes itself', () => {
  // However it is laid out.
  const plain = (text: string): string => text.replace(/\s+/g, '').replaceAll(/([:=(])\|/g, '$1');
  const written = readFileSync(typesFile, 'utf8');
  assert.equal(plain(written), plain(printTypes()), 'npm run build:sdk writes them');
});

describe('Reading', () => {
  test('gives every product once, and those that a filter finds', async () => {
    const all = await collect(simgate.products());
    assert.deepEqual(
      all.map(({ id }) => id).sort((one, other) => one - other),
      demoCatalogue()
        .map(({ id }) => id)
        .sort((one, other) => one - other),
    );
    const found = await collect(simgate.filter({ operator: 'operator_2', type: 'cell_internet' }));
    assert.ok(found.length > 0 && found.length < all.length);
    assert.ok(found.every((one) => one.operator_id === 2 && one.type === 'cell_internet'));
  });

  test('gives what changed and what was removed, step by step, and where to go on', async () => {
    const copy = new Map<number, Product>();
    let since: string | undefined;
    const sync = async (): Promise<number> => {
      let steps = 0;
      for await (const { products, removed, next } of simgate.changes(since)) {
        for (const product of products) copy.set(product.id, product);
        for (const { id } of removed) copy.delete(id);
        since = next;
        steps += 1;
      }
      return steps;
    };
    const assertWhole = async (): Promise<void> => {
      const all = await collect(simgate.products());
      assert.deepEqual(copy, new Map(all.map((one) => [one.id, one])));
    };
    assert.ok((await sync()) > 1);
    await assertWhole();
    const [first, second] = demoCatalogue();
    assert.ok(first !== undefined && second !== undefined);
    await removeProducts(server.deps, [first.id]);
    await importProducts(server.deps, [{ ...second, score: 99 }]);
    await server.reloadCatalogue();
    assert.equal(await sync(), 1);
    assert.equal(copy.get(second.id)?.score, 99);
    await assertWhole();
    await importProducts(server.deps, [first, second]);
    await server.reloadCatalogue();
    const filter = { operator: 'operator_1' };
    const [step, ...more] = await collect(simgate.changes(since, { filter }));
    assert.deepEqual([step?.products, more], [[], []]);
    assert.deepEqual(
      step?.removed.map(({ id }) => id),
      [first.id, second.id],
    );
    await sync();
    await assertWhole();
  });

  test('tells where a gateway is too old to tell of changes', async () => {
    const old = await scripted([answer(200, { data: [], links: { next: null } })]);
    const client = createClient({ url: old.url, token: 't' });
    await assert.rejects(collect(client.changes()), /does not tell of changes/);
    old.stop();
  });

  test('gives operators, whose a number is, the account and the errors', async () => {
    assert.deepEqual(
      (await simgate.operators()).map(({ id, health }) => [id, health]),
      [1, 2, 3, 4, 5].map((id) => [id, 'up']),
    );
    const { said } = await simgate.number(mobile, { operatorId: 3 });
    assert.deepEqual(said, { operator_id: 3, subscriber: true, sim_card_type: 'credit' });
    const { available, held, balance } = await simgate.account();
    assert.equal(available + held, balance);
    assert.ok((await simgate.errors()).some(({ code }) => code === 'INSUFFICIENT_BALANCE'));
  });
});

describe('Buying', () => {
  test('makes a key, sells once, and the purchase and its entries are found', async () => {
    const bought = await simgate.topUp(topUp);
    assert.match(
      bought.key,
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.equal(bought.replayed, false);
    const found = await simgate.purchase(bought.purchaseId);
    assert.deepEqual([found.state, found.webservice_code], ['succeeded', bought.key]);
    const entries = await collect(simgate.statement());
    assert.deepEqual(
      entries.filter((one) => one.purchase_id === bought.purchaseId).map(({ kind }) => kind),
      ['hold', 'capture'],
    );
    const again = await simgate.topUp(topUp, { key: bought.key });
    assert.deepEqual([again.purchaseId, again.replayed], [bought.purchaseId, true]);
  });

  test('buys an offer of a subscriber at the price that the library computed', async () => {
    for (const number of ['989123456700', '989123456701']) {
      const [offer] = await simgate.offers(number);
      assert.ok(offer !== undefined);
      assert.equal(offer.price, Math.round(Number(offer.amount) * 1.1));
      const { purchaseId } = await simgate.buy(offer, { webserviceCode: 'an offer' });
      const found = await simgate.purchase(purchaseId);
      assert.deepEqual(
        [found.state, found.price, found.offerCode, found.webservice_code],
        ['succeeded', offer.price, offer.offerCode, 'an offer'],
      );
    }
  });

  test('tries without buying', async () => {
    const before = await simgate.account();
    assert.deepEqual((await simgate.check(topUp)).parts, { net: 10_000, vat: 0 });
    assert.equal(
      (await rejection(simgate.check({ ...topUp, price: 1 }))).code,
      'AMOUNT_OUT_OF_RANGE',
    );
    assert.deepEqual(await simgate.account(), before);
  });

  test('says that a repeat is meant, and that a number was ported', async () => {
    const bodies: unknown[] = [];
    const client = createClient({
      url: server.url,
      token: server.client.token,
      fetch: (url, init) => {
        bodies.push(typeof init?.body === 'string' ? JSON.parse(init.body) : undefined);
        return fetch(url, init);
      },
    });
    await client.topUp({ ...topUp, allowRepeat: true, ported: true });
    await client.topUp({ ...topUp, allowRepeat: false });
    assert.deepEqual(
      bodies.map((body) => [at(body, 'allow_repeat'), at(body, 'ported')]),
      [
        [1, 1],
        [undefined, undefined],
      ],
    );
  });

  test('rejects with what the gateway says, and sends nothing again', async () => {
    let sent = 0;
    const counting = createClient({
      url: server.url,
      token: server.client.token,
      fetch: (...given) => {
        sent += 1;
        return fetch(...given);
      },
    });
    const declined = await rejection(counting.topUp({ ...topUp, mobile: '989123456790' }));
    assert.deepEqual(
      [declined.status, declined.code, declined.charged, declined.retry],
      [422, 'OPERATOR_DECLINED', 'no', 'new_key'],
    );
    const invalid = await rejection(counting.topUp({ ...topUp, mobile: '0912' }));
    assert.deepEqual([invalid.code, Object.keys(invalid.errors)], ['INVALID_MOBILE', ['mobile']]);
    const { token } = await addClient(server, { balance: 0 });
    const poor = await rejection(createClient({ url: server.url, token }).topUp(topUp));
    assert.equal(poor.code, 'INSUFFICIENT_BALANCE');
    const nobody = createClient({ url: server.url, token: 'simgate_nobody' });
    assert.equal((await rejection(nobody.account())).code, 'TOKEN_INVALID');
    assert.equal(sent, 2);
  });

  test('walks through purchases while more are bought', async () => {
    const { token } = await addClient(server, { balance: 10_000_000 });
    const own = createClient({ url: server.url, token });
    const ids: string[] = [];
    for (let count = 0; count < 130; count += 1) ids.push((await own.topUp(topUp)).purchaseId);
    const seen: string[] = [];
    for await (const { id } of own.purchases({ state: 'succeeded' })) {
      if (seen.length === 50) await own.topUp(topUp);
      seen.push(id);
    }
    assert.deepEqual(seen, ids.toReversed());
  });
});

/** A server that answers by a script, one answer after another, and writes down what it was asked. */
const scripted = async (
  answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[],
) => {
  const keys: unknown[] = [];
  const http = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    request.resume();
    answers[Math.min(keys.length, answers.length) - 1]?.(request, response);
  });
  const stop = (): void => {
    http.closeAllConnections();
    http.close();
  };
  cleanUpAfterTest(stop);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { keys, url: `http://127.0.0.1:${port}`, stop };
};

const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const cut = (request: IncomingMessage): void => {
  request.socket.destroy();
};

const errorOf = (code: string, retry: string, charged = 'no') => ({
  message: `It is ${code}.`,
  code,
  charged,
  retry,
  request_id: 'r',
});

const sold = answer(200, { message: 'Sold.' }, { 'purchase-id': 'p' });

describe('What is not final', () => {
  test('is sent again with the same key, whatever came in between', {
    timeout: 240_000,
  }, async () => {
    const gateway = await scripted([
      cut,
      answer(202, errorOf('TRANSACTION_PENDING', 'same_key', 'unknown')),
      answer(409, errorOf('TRANSACTION_PENDING', 'same_key', 'unknown')),
      answer(503, errorOf('OVERLOADED', 'same_key')),
      answer(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
      answer(429, errorOf('RATE_LIMITED', 'same_key'), { 'retry-after': '0' }),
      sold,
    ]);
    const client = createClient({ url: gateway.url, token: 't' });
    const bought = await client.buy(topUp);
    gateway.stop();
    assert.equal(bought.purchaseId, 'p');
    assert.deepEqual(gateway.keys, Array(7).fill(bought.key));
  });

  test('is not what a day’s limit says: that is told at once, and sent no more', async () => {
    const limit = answer(403, errorOf('DAILY_LIMIT_REACHED', 'same_key'), { 'retry-after': '1' });
    const gateway = await scripted([limit, sold]);
    const error = await rejection(createClient({ url: gateway.url, token: 't' }).buy(topUp));
    gateway.stop();
    assert.deepEqual(
      [error.code, error.charged, gateway.keys.length],
      ['DAILY_LIMIT_REACHED', 'no', 1],
    );
  });

  test('is sent again no sooner than Retry-After says', { timeout: 240_000 }, async () => {
    const pending = answer(202, errorOf('TRANSACTION_PENDING', 'same_key', 'unknown'), {
      'retry-after': '1',
    });
    const gateway = await scripted([pending, sold]);
    const began = performance.now();
    await createClient({ url: gateway.url, token: 't' }).buy(topUp);
    gateway.stop();
    assert.ok(performance.now() - began >= 990);
  });

  test('is given up when there is no more patience, and its key finds it later', async () => {
    const pending = answer(202, errorOf('TRANSACTION_PENDING', 'same_key', 'unknown'));
    const gateway = await scripted([pending]);
    // The second one is sent a fifth of a second after the first, or sooner.
    const client = createClient({ url: gateway.url, token: 't', patienceMs: 2000 });
    const key = newKey();
    const error: unknown = await client.buy(topUp, { key }).catch((error: unknown) => error);
    gateway.stop();
    assert.ok(error instanceof UnfinishedError);
    assert.equal(error.key, key);
    assert.match(error.message, /not known whether this was bought/);
    assert.ok(gateway.keys.length > 1 && gateway.keys.every((sent) => sent === key));
  });

  test('ends when the caller says so', async () => {
    const stop = new AbortController();
    const draining = answer(503, errorOf('DRAINING', 'same_key'));
    const gateway = await scripted([
      (request, response) => {
        draining(request, response);
        setTimeout(() => stop.abort(), 50);
      },
    ]);
    const client = createClient({ url: gateway.url, token: 't' });
    const bought = client.buy(topUp, { signal: stop.signal });
    const error: unknown = await bought.catch((error: unknown) => error);
    gateway.stop();
    assert.ok(error instanceof UnfinishedError);
    assert.deepEqual(new Set(gateway.keys), new Set([error.key]));
  });

  test('is what a stranger answers with 200: nothing was sold that names no purchase', async () => {
    const welcome = answer(200, '<html>Welcome to our network</html>');
    const gateway = await scripted([welcome, answer(200, { message: 'Sold.' }), sold]);
    const bought = await createClient({ url: gateway.url, token: 't' }).buy(topUp);
    gateway.stop();
    assert.equal(bought.purchaseId, 'p');
    assert.deepEqual(gateway.keys, Array(3).fill(bought.key));
  });

  test('takes no longer than there is patience, however slowly a gateway is silent', async () => {
    const gateway = await scripted([() => {}]);
    const options = { url: gateway.url, token: 't', timeoutMs: 100, patienceMs: 2000 };
    const began = performance.now();
    await assert.rejects(createClient(options).account(), UnfinishedError);
    gateway.stop();
    assert.ok(performance.now() - began < 20_000);
    assert.ok(gateway.keys.length >= 2);
  });

  test('what is no answer of the gateway’s is not taken for one', async () => {
    const gateway = await scripted([answer(404, 'Nothing here')]);
    const client = createClient({ url: gateway.url, token: 't' });
    await assert.rejects(client.account(), /not the gateway's: HTTP 404/);
    assert.equal(gateway.keys.length, 1);
    gateway.stop();
  });
});
