/** Tests the client library against a real gateway: what it returns, what it retries, and what it never retries. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { printTypes, typesFile } from '../../sdk/generate.ts';
import {
  createClient,
  type KnownErrorCode,
  newKey,
  OffersRefusedError,
  type Product,
  type Retry,
  type SimgateClient,
  SimgateError,
  UnfinishedError,
  UnreachableError,
} from '../../sdk/src/index.ts';
import { version } from '../../sdk/src/version.ts';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { errorTable } from '../../src/lib/errors.ts';
import { at, keysOf } from '../support/answers.ts';
import { certificateFor } from '../support/certificate.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { importProducts } from '../support/import-products.ts';
import { removeProducts } from '../support/remove-products.ts';
import { addClient, request, startServer, type TestServer } from '../support/server.ts';
import { makeMessage } from '../support/webhooks.ts';

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

const json = async (response: Response): Promise<object> => {
  const body: unknown = await response.json();
  assert.ok(typeof body === 'object' && body !== null);
  return body;
};

const rejection = async (work: Promise<unknown>): Promise<SimgateError> => {
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof SimgateError, String(error));
  return error;
};

test('the types are those of the gateway’s own schemas', () => {
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
    const filter = {
      operator: 'operator_2',
      type: 'cell_internet',
      simCardType: 'credit',
    } as const;
    const found = await collect(simgate.products(filter));
    const fits = (one: Product): boolean =>
      one.operator_id === 2 && one.type === 'cell_internet' && one.sim_card_type === 'credit';
    assert.ok(found.length > 0);
    // With their categories, as in the whole list.
    assert.deepEqual(new Set(found), new Set(all.filter(fits)));
  });

  test('gives changes and removals, step by step, and the next cursor', async () => {
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

  test('reports a gateway that is too old to list changes', async () => {
    const old = await scripted([answer(200, { data: [], links: { next: null } })]);
    const client = createClient({ url: old.url, token: 't' });
    await assert.rejects(collect(client.changes()), /does not tell of changes/);
    old.stop();
  });

  test('gives operators, number lookups, the account and the errors', async () => {
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
  test('creates a key, sells once, and finds the purchase and its entries', async () => {
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

  test('buys an offer at the price that the library computed', async () => {
    for (const number of ['989123456700', '989123456701']) {
      const [offer] = await simgate.offers(number);
      assert.ok(offer !== undefined);
      assert.equal(offer.price, Math.round(Number(offer.amount) * 1.1));
      const { purchaseId } = await simgate.buy({ ...offer, webserviceCode: 'an offer' });
      const found = await simgate.purchase(purchaseId);
      assert.deepEqual(
        [found.state, found.price, found.offerCode, found.webservice_code],
        ['succeeded', offer.price, offer.offerCode, 'an offer'],
      );
    }
  });

  test('tells a number that the operator refuses from one that has no offers', async () => {
    const refused: unknown = await simgate.offers('989123456791').catch((error: unknown) => error);
    assert.ok(refused instanceof OffersRefusedError, String(refused));
    assert.equal(refused.operator, 'operator_2');
    assert.ok(refused.resultCode !== 0 && refused.transactionId !== '' && refused.message !== '');
    const without = createClient({
      url: server.url,
      token: server.client.token,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (!response.url.endsWith('/offers')) return response;
        return Response.json({ ...(await json(response)), offersList: [] });
      },
    });
    assert.deepEqual(await without.offers(mobile), []);
    await assert.rejects(
      simgate.offers(mobile, { operator: 'operator_9' }),
      /no operator "operator_9"/,
    );
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

  test('confirms a repeat, and a ported number', async () => {
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

  test('rejects with the gateway’s error, and sends nothing again', async () => {
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
    const stranger = createClient({ url: server.url, token: 'simgate_unknown' });
    assert.equal((await rejection(stranger.account())).code, 'TOKEN_INVALID');
    assert.equal(sent, 2);
  });

  test('iterates through purchases while more are bought', async () => {
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

/** A server with scripted answers, which records its requests. */
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

describe('An answer that is not final', () => {
  test('is retried with the same key, whatever came in between', {
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

  test('is not a daily limit: that fails at once, without a retry', async () => {
    const limit = answer(403, errorOf('DAILY_LIMIT_REACHED', 'same_key'), { 'retry-after': '1' });
    const gateway = await scripted([limit, sold]);
    const error = await rejection(createClient({ url: gateway.url, token: 't' }).buy(topUp));
    gateway.stop();
    assert.deepEqual(
      [error.code, error.charged, gateway.keys.length],
      ['DAILY_LIMIT_REACHED', 'no', 1],
    );
  });

  test('is retried no sooner than Retry-After says', { timeout: 240_000 }, async () => {
    const pending = answer(202, errorOf('TRANSACTION_PENDING', 'same_key', 'unknown'), {
      'retry-after': '1',
    });
    const gateway = await scripted([pending, sold]);
    const began = performance.now();
    await createClient({ url: gateway.url, token: 't' }).buy(topUp);
    gateway.stop();
    assert.ok(performance.now() - began >= 990);
  });

  test('is given up when the time is over, and its key finds the purchase later', async () => {
    const pending = answer(202, errorOf('TRANSACTION_PENDING', 'same_key', 'unknown'));
    const gateway = await scripted([pending]);
    // The second one is sent a fifth of a second after the first, or sooner.
    const client = createClient({ url: gateway.url, token: 't', retryPurchasesForMs: 2000 });
    const key = newKey();
    const error: unknown = await client.buy(topUp, { key }).catch((error: unknown) => error);
    gateway.stop();
    assert.ok(error instanceof UnfinishedError);
    assert.equal(error.key, key);
    assert.match(error.message, /not known whether this was bought/);
    assert.ok(gateway.keys.length > 1 && gateway.keys.every((sent) => sent === key));
  });

  test('ends when the caller aborts', async () => {
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

  test('includes a 200 without a purchase: nothing was sold', async () => {
    const welcome = answer(200, '<html>Welcome to our network</html>');
    const gateway = await scripted([welcome, answer(200, { message: 'Sold.' }), sold]);
    const bought = await createClient({ url: gateway.url, token: 't' }).buy(topUp);
    gateway.stop();
    assert.equal(bought.purchaseId, 'p');
    assert.deepEqual(gateway.keys, Array(3).fill(bought.key));
  });

  test('takes no longer than reads may, however long a gateway is silent', async () => {
    const gateway = await scripted([() => {}]);
    const began = performance.now();
    const once = { url: gateway.url, token: 't', retryReadsForMs: 200 };
    await assert.rejects(createClient(once).account(), UnfinishedError);
    assert.equal(gateway.keys.length, 1, 'one attempt takes all the time that there is');
    const options = { url: gateway.url, token: 't', timeoutMs: 100, retryReadsForMs: 2000 };
    await assert.rejects(createClient(options).account(), UnfinishedError);
    gateway.stop();
    assert.ok(performance.now() - began < 20_000);
    assert.ok(gateway.keys.length >= 3);
  });

  test('answers of other servers are not taken for the gateway’s', async () => {
    const gateway = await scripted([answer(404, 'Nothing here')]);
    const client = createClient({ url: gateway.url, token: 't' });
    await assert.rejects(client.account(), /not the gateway's: HTTP 404/);
    assert.equal(gateway.keys.length, 1);
    gateway.stop();
  });
});

describe('A retry', () => {
  test('is reported with its attempt, cause, pause and key, and a report that fails ends nothing', async () => {
    const overloaded = answer(503, errorOf('OVERLOADED', 'same_key'));
    const gateway = await scripted([cut, overloaded, sold]);
    const retries: Retry[] = [];
    const client = createClient({
      url: gateway.url,
      token: 't',
      onRetry: (retry) => {
        retries.push(retry);
        throw new Error('The log is full.');
      },
    });
    const { key } = await client.buy(topUp);
    gateway.stop();
    assert.deepEqual(
      retries.map((one) => [one.attempt, one.key, one.waitMs > 0]),
      [
        [1, key, true],
        [2, key, true],
      ],
    );
    const [lost, refused] = retries.map(({ cause }) => cause);
    assert.ok(lost instanceof TypeError, String(lost));
    assert.ok(refused instanceof SimgateError && refused.code === 'OVERLOADED', String(refused));
  });

  test('of a read ends with what the gateway answered last', async () => {
    const gateway = await scripted([answer(503, errorOf('OPERATOR_UNAVAILABLE', 'same_key'))]);
    const client = createClient({ url: gateway.url, token: 't', retryReadsForMs: 1000 });
    assert.equal((await rejection(client.account())).code, 'OPERATOR_UNAVAILABLE');
    gateway.stop();
    assert.ok(gateway.keys.length > 1);
  });

  test('of a change that has no key follows only if the change was certainly not made', async () => {
    const endpoint = { url: 'https://shop.example/hooks', events: ['balance.low'] } as const;
    const made = answer(201, { id: 'w', secret: 's' });
    const limited = await scripted([answer(429, errorOf('RATE_LIMITED', 'same_key')), made]);
    const created = await createClient({ url: limited.url, token: 't' }).webhooks.create(endpoint);
    limited.stop();
    assert.equal(created.secret, 's');
    for (const unclear of [cut, answer(500, errorOf('INTERNAL_ERROR', 'same_key'))]) {
      const gateway = await scripted([unclear, made]);
      const client = createClient({ url: gateway.url, token: 't' });
      await assert.rejects(client.webhooks.create(endpoint));
      gateway.stop();
      assert.equal(gateway.keys.length, 1);
    }
  });
});

/** As `fetch` reports that a name does not exist. */
const unresolved = (): Promise<never> => {
  const cause = new Error('getaddrinfo ENOTFOUND gateway.invalid');
  Object.assign(cause, { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
  return Promise.reject(new TypeError('fetch failed', { cause }));
};

describe('A gateway that cannot be reached', () => {
  test('is refused before any request if its URL or the token cannot work', () => {
    for (const url of ['', 'gateway.example', 'ftp://gateway.example', '/api']) {
      assert.throws(() => createClient({ url, token: 't' }), {
        name: 'TypeError',
        message: /^url must be the address of the gateway/,
      });
    }
    for (const url of ['https://a:secret@gateway.example', 'https://gateway.example/?page=1']) {
      assert.throws(() => createClient({ url, token: 't' }), /^TypeError: url must have no/);
    }
    for (const token of ['', 'two words', 'a\nb', 'ü']) {
      assert.throws(() => createClient({ url: 'https://gateway.example', token }), {
        name: 'TypeError',
        message: /^token must be your access token/,
      });
    }
  });

  test('fails at once if its name does not exist, and is retried if it has answered before', async () => {
    const retries: Retry[] = [];
    const never = createClient({
      url: 'http://gateway.invalid',
      token: 't',
      retryPurchasesForMs: 1000,
      onRetry: (retry) => retries.push(retry),
      fetch: unresolved,
    });
    const error: unknown = await never.buy(topUp).catch((error: unknown) => error);
    assert.deepEqual(retries, []);
    assert.ok(error instanceof UnreachableError && error instanceof UnfinishedError, String(error));
    assert.match(error.message, /nothing was sent. getaddrinfo ENOTFOUND gateway.invalid$/);
    assert.ok(error.key !== undefined);

    let asked = 0;
    const later = createClient({
      url: server.url,
      token: server.client.token,
      fetch: (...given) => {
        asked += 1;
        return asked === 2 ? unresolved() : fetch(...given);
      },
    });
    await later.account();
    await later.topUp(topUp);
    assert.equal(asked, 3);
  });

  test('fails at once if its certificate is not valid, or if it speaks no TLS', async () => {
    const secure = createSecureServer(certificateFor('gateway.invalid'));
    cleanUpAfterTest(() => void secure.close());
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const address = secure.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const plain = server.url.replace('http:', 'https:');
    const retries: Retry[] = [];
    const options = { token: 't', retryPurchasesForMs: 1000, retryReadsForMs: 1000 };
    for (const url of [`https://127.0.0.1:${port}`, plain]) {
      const client = createClient({ url, ...options, onRetry: (retry) => retries.push(retry) });
      await assert.rejects(client.buy(topUp), UnreachableError);
      await assert.rejects(client.account(), UnreachableError);
    }
    assert.deepEqual(retries, []);
  });

  test('fails at once if it redirects, and the token does not follow', async () => {
    const target = await scripted([sold]);
    const gateway = await scripted([answer(301, '', { location: `${target.url}/api/top-up` })]);
    const bought = createClient({ url: gateway.url, token: 't' }).buy(topUp);
    await assert.rejects(bought, /HTTP 301. It redirects to http:.* is that the URL to use\?$/);
    assert.deepEqual([gateway.keys.length, target.keys.length], [1, 0]);
  });

  test('is retried while it refuses connections, and nothing was sent then', async () => {
    const gateway = await scripted([sold]);
    gateway.stop();
    const retries: Retry[] = [];
    const client = createClient({
      url: gateway.url,
      token: 't',
      retryPurchasesForMs: 1000,
      onRetry: (retry) => retries.push(retry),
    });
    await assert.rejects(client.buy(topUp), UnreachableError);
    assert.ok(retries.length > 0);
  });

  test('leaves a purchase unknown if an earlier attempt may have arrived', async () => {
    const gateway = await scripted([cut]);
    let asked = 0;
    const client = createClient({
      url: gateway.url,
      token: 't',
      fetch: (...given) => {
        asked += 1;
        return asked === 1 ? fetch(...given) : unresolved();
      },
    });
    const error: unknown = await client.buy(topUp).catch((error: unknown) => error);
    assert.ok(error instanceof UnfinishedError, String(error));
    assert.ok(!(error instanceof UnreachableError));
    assert.match(error.message, /not known whether this was bought/);
  });
});

describe('The library', () => {
  const webhook = { url: 'https://shop.example/hooks', events: ['catalogue.changed'] } as const;

  test('manages webhooks, their secrets and their messages', async () => {
    const { webhooks } = simgate;
    const { id, secret, balance_below } = await webhooks.create({ ...webhook, balanceBelow: 5000 });
    assert.equal(balance_below, 5000);
    assert.deepEqual(
      (await webhooks.list()).map((one) => one.id),
      [id],
    );
    const updated = await webhooks.update(id, { description: 'the shop', balanceBelow: null });
    assert.deepEqual([updated.description, updated.balance_below], ['the shop', null]);
    assert.deepEqual(await webhooks.get(id), updated);
    const rotated = await webhooks.rotateSecret(id, { overlapHours: 1 });
    assert.ok(rotated.secret !== secret && rotated.old_secret_until !== null);
    const messageId = await makeMessage(server);
    const [message] = await collect(webhooks.messages(id, { type: 'catalogue.changed' }));
    assert.equal(message?.id, messageId);
    assert.equal((await webhooks.message(id, messageId)).payload, message.payload);
    assert.equal((await webhooks.resend(id, messageId)).state, 'waiting');
    assert.equal((await webhooks.resendFailed(id, '2026-01-31')).messages, 0);
    await webhooks.delete(id);
    assert.equal((await rejection(webhooks.get(id))).code, 'WEBHOOK_NOT_FOUND');
  });

  /** For probes, which send no token; and the ways to buy that the documentation deprecates. */
  const leftOut = ['getLiveness', 'getReadiness', 'buyPackageByGet', 'buyTopUpByGet'];

  test('reaches every operation of the API, and names itself', async () => {
    const asked: string[] = [];
    const agents = new Set<string | null>();
    const client = createClient({
      url: server.url,
      token: server.client.token,
      fetch: (url, init) => {
        const request = new Request(url, init);
        asked.push(`${request.method} ${new URL(request.url).pathname}`);
        agents.add(request.headers.get('user-agent'));
        return fetch(request);
      },
    });
    const { id } = await client.webhooks.create(webhook);
    const messageId = await makeMessage(server);
    const { purchaseId } = await client.topUp(topUp);
    const [offer] = await client.offers(mobile);
    assert.ok(offer !== undefined);
    await Promise.all([
      client.buy(offer),
      client.check(topUp),
      client.purchase(purchaseId),
      client.account(),
      client.commissions().next(),
      client.errors(),
      client.products().next(),
      client.products({ operator: 'operator_1' }).next(),
      client.purchases().next(),
      client.statement().next(),
      client.webhooks.list(),
      client.webhooks.get(id),
      client.webhooks.messages(id).next(),
      client.webhooks.message(id, messageId),
      client.webhooks.resend(id, messageId),
      client.webhooks.resendFailed(id, '2026-01-31'),
    ]);
    await client.webhooks.update(id, { status: 'disabled' });
    await client.webhooks.rotateSecret(id);
    await client.webhooks.delete(id);

    const { body } = await request(server, '/openapi.json', { token: null });
    const paths = at(body, 'paths');
    const operations = keysOf(paths).flatMap((path) => {
      const pattern = path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+');
      return keysOf(at(paths, path)).map((method) => {
        const sent = new RegExp(`^${method.toUpperCase()} ${pattern}$`);
        const name = at(paths, path, method, 'operationId');
        return { name, isReached: asked.some((one) => sent.test(one)) };
      });
    });
    assert.ok(operations.length > 20);
    assert.deepEqual(
      operations.filter(({ isReached }) => !isReached).map(({ name }) => name),
      leftOut,
    );
    assert.deepEqual([...agents], [`simgate-client/${version} node/${process.versions.node}`]);
  });

  test('knows the error codes, and lets a program compare with newer ones', async () => {
    const known: KnownErrorCode = 'TOKEN_INVALID';
    const { code } = await rejection(createClient({ url: server.url, token: 'x' }).account());
    assert.ok(code === known && code !== 'A_CODE_OF_TOMORROW');
    const listed = (await simgate.errors()).map((row) => row.code);
    assert.deepEqual(new Set(listed), new Set(Object.keys(errorTable)));
  });
});
