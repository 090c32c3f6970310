/** Tests that a request keeps its ID and trace in the log, at its operator and in its webhooks. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { http } from '../../src/operators/http/index.ts';
import { at } from '../support/answers.ts';
import { parsed } from '../support/live.ts';
import { type NotingOperator, startOperator } from '../support/noting-operator.ts';
import { addClient, request, startServer, type TestServer } from '../support/server.ts';
import { makeEndpoint, type Receiver, startReceiver } from '../support/webhooks.ts';
import {
  aPackage,
  buy,
  catalogue,
  newKey,
  packages,
  prepaid,
  purchaseDefaults,
  queryOf,
} from './buying.ts';

const { webhooks } = readConfig({});
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traced = { 'x-request-id': 'shop-1001', traceparent: `00-${traceId}-${parentId}-01` };
const ourSpan = new RegExp(`^00-${traceId}-(?!${parentId}|0{16})[0-9a-f]{16}-01$`);

let server: TestServer;
let operator: NotingOperator;
let receiver: Receiver;
const receivers: Receiver[] = [];
let client: TestServer['client'];

before(async () => {
  operator = await startOperator();
  const settings = { baseUrl: operator.baseUrl, offers: true, settlesWithin: 1 };
  server = await startServer({
    products: catalogue,
    connectors: [http],
    config: {
      operators: [1, 2].map((id) => ({ id, name: `operator_${id}`, connector: 'http', settings })),
      purchases: { ...purchaseDefaults, firstInquiryMs: 1, widestInquiryMs: 1 },
      webhooks: { ...webhooks, pausesMs: [1, 1], allowedNetworks: ['127.0.0.1'] },
    },
  });
});

after(async () => {
  await server.stop();
  operator.stop();
  for (const one of receivers) one.stop();
});

/** For each test of a suite: other files of the process have theirs. */
const beginEach = (): void => {
  beforeEach(async () => {
    client = await addClient(server, { balance: 1_000_000 });
    operator.calls.length = 0;
    // Retries for the previous test go to a receiver of their own.
    receiver = await startReceiver();
    receivers.push(receiver);
  });
};

const purchase = (options: Parameters<typeof buy>[2] = {}) =>
  buy(server, aPackage, { token: client.token, ...options });

/** The log line of a request, once it is there. */
const lineOf = async (requestId: string): Promise<unknown> => {
  for (;;) {
    const lines = server.logged.map(parsed);
    const found = lines.findLast(
      (line) => at(line, 'request') === requestId && at(line, 'msg') === 'request',
    );
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
};

describe('The log', () => {
  beginEach();

  /** The fast path, and the framework's. */
  const manners = {
    'a plain POST': () => purchase(),
    'a GET': () =>
      request(server, `${packages}?${queryOf(aPackage)}`, {
        token: client.token,
        headers: { 'idempotency-key': newKey() },
      }),
  };
  for (const [name, send] of Object.entries(manners)) {
    test(`names the purchase on the line of its request: ${name}`, async () => {
      const answer = await send();
      assert.equal(answer.status, 200, answer.text);
      const line = await lineOf(String(answer.headers.get('request-id')));
      assert.equal(at(line, 'purchase'), answer.headers.get('purchase-id'));
      assert.equal(at(line, 'client'), client.id);
      assert.equal(at(line, 'trace'), undefined);
    });
  }

  test('names no purchase on the line of any other request', async () => {
    const answer = await request(server, '/api/operators', { token: client.token });
    const line = await lineOf(String(answer.headers.get('request-id')));
    assert.equal(at(line, 'purchase'), undefined);
  });

  test('has the id and the trace that the caller sent, on every path', async () => {
    const sent = { ...traced, 'x-request-id': 'on-a-page' };
    const page = await request(server, '/api/clients/products', {
      token: client.token,
      headers: sent,
    });
    const wrong = await request(server, '/nowhere', {
      token: null,
      headers: { ...sent, 'x-request-id': 'on-an-error' },
    });
    const bought = await purchase({ headers: { ...sent, 'x-request-id': 'on-a-purchase' } });
    for (const [answer, id] of [
      [page, 'on-a-page'],
      [wrong, 'on-an-error'],
      [bought, 'on-a-purchase'],
    ] as const) {
      assert.equal(answer.headers.get('request-id'), id);
      assert.equal(answer.headers.get('x-request-id'), id);
      const line = await lineOf(id);
      assert.equal(at(line, 'trace'), traceId);
    }
    assert.equal(at(wrong.body, 'request_id'), 'on-an-error');
  });

  test('has a new id if the one that was sent cannot be used, and answers with it', async () => {
    const answer = await purchase({ headers: { 'x-request-id': prepaid, traceparent: 'mine' } });
    const id = String(answer.headers.get('x-request-id'));
    assert.match(id, /^[\da-f-]{36}$/);
    assert.equal(answer.headers.get('request-id'), id);
    assert.equal(at(await lineOf(id), 'trace'), undefined);
    assert.ok(server.logged.every((line) => !line.includes(prepaid)));
  });

  test('answers no X-Request-Id if none was sent', async () => {
    assert.equal((await purchase()).headers.get('x-request-id'), null);
  });
});

describe('An operator', () => {
  beginEach();

  test('gets the request and the trace, with a span of its own', async () => {
    const answer = await purchase({ headers: traced });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      operator.calls.map(({ call }) => call),
      ['POST orders'],
    );
    for (const { headers } of operator.calls) {
      assert.equal(headers['x-request-id'], 'shop-1001');
      assert.match(String(headers['traceparent']), ourSpan);
    }
  });

  test('gets the gateway’s id, and no trace, if none was sent', async () => {
    const answer = await purchase();
    for (const { headers } of operator.calls) {
      assert.equal(headers['x-request-id'], answer.headers.get('request-id'));
      assert.equal(headers['traceparent'], undefined);
    }
  });

  test('gets the request of the purchase with a later inquiry', async () => {
    operator.loseNextAnswer();
    await purchase({ headers: traced });
    const inquiry = operator.calls.find(({ call }) => call === 'orders') ?? assert.fail();
    assert.equal(inquiry.headers['x-request-id'], 'shop-1001');
    assert.match(String(inquiry.headers['traceparent']), ourSpan);
    const order = operator.calls.find(({ call }) => call === 'POST orders') ?? assert.fail();
    assert.match(String(order.headers['traceparent']), ourSpan);
    assert.notEqual(order.headers['traceparent'], inquiry.headers['traceparent']);
  });

  test('gets the request for which it lists offers', async () => {
    await request(server, '/api/operator_2/offers', {
      token: client.token,
      json: { mobile: prepaid },
      headers: traced,
    });
    const [asked] = operator.calls;
    assert.deepEqual([asked?.call, asked?.headers['x-request-id']], ['GET offers', 'shop-1001']);
    assert.match(String(asked?.headers['traceparent']), ourSpan);
  });
});

describe('A webhook', () => {
  beginEach();

  const listen = () =>
    makeEndpoint(server, {
      url: receiver.url,
      events: ['purchase.succeeded', 'balance.low'],
      balanceBelow: 1_000_000,
      token: client.token,
    });

  test('carries the request and the trace of its purchase', async () => {
    await listen();
    await purchase({ headers: traced });
    await receiver.has(2);
    for (const { headers } of receiver.received) {
      assert.equal(headers['x-request-id'], 'shop-1001');
      assert.match(String(headers['traceparent']), ourSpan);
    }
  });

  test('that is sent again carries them again, with another span', async () => {
    await listen();
    receiver.answerWith(500);
    await purchase({ headers: traced });
    await receiver.has(4);
    const spans = receiver.received.map(({ headers }) => String(headers['traceparent']));
    for (const span of spans) assert.match(span, ourSpan);
    assert.equal(new Set(spans).size, spans.length);
  });

  test('carries the id alone if the request had no trace', async () => {
    await listen();
    const answer = await purchase();
    await receiver.has(2);
    for (const { headers } of receiver.received) {
      assert.equal(headers['x-request-id'], answer.headers.get('request-id'));
      assert.equal(headers['traceparent'], undefined);
    }
  });
});
