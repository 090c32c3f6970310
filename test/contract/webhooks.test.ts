/** Tests webhooks: which events are sent, signed by the specification, retried until delivered, each endpoint independently. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { Value } from 'typebox/value';
import { readConfig } from '../../src/config/config.ts';
import type { OrderOutcome, StatusOutcome } from '../../src/connector/connector.ts';
import { describedEvents } from '../../src/http/openapi/webhooks.ts';
import { type EventType, isEventType } from '../../src/webhooks/event.ts';
import { assertError, at, listOf } from '../support/answers.ts';
import { deposit } from '../support/clients.ts';
import { importProducts } from '../support/import-products.ts';
import { addClient, request, startServer, type TestServer } from '../support/server.ts';
import {
  type Endpoint,
  makeEndpoint,
  makeMessage,
  type Received,
  type Receiver,
  startReceiver,
} from '../support/webhooks.ts';
import {
  aPackage,
  buy,
  catalogue,
  moneyOf,
  operatorThat,
  purchaseDefaults,
  purchaseOf,
  served,
  turn,
  untilRecorded,
} from './buying.ts';
import { sampleProduct } from './sample-product.ts';

const { webhooks: defaults } = readConfig({});

let [order, status]: [OrderOutcome, StatusOutcome] = [
  { kind: 'done', ref: 'receipt' },
  { kind: 'pending' },
];
const operator = operatorThat(
  { buy: async () => order, status: async () => status },
  {
    settlesWithin: 1,
    inquiries: { firstInquiryMs: 1, widestInquiryMs: 1, reviewAfterMs: 600_000 },
  },
);

let server: TestServer;
let client: TestServer['client'];
const receivers: Receiver[] = [];

const receiver = async (): Promise<Receiver> => {
  const one = await startReceiver();
  receivers.push(one);
  return one;
};

before(async () => {
  const settings = served(operator, {
    purchases: { ...purchaseDefaults, pendingAfterMs: 300, firstInquiryMs: 1, widestInquiryMs: 1 },
    webhooks: { ...defaults, pausesMs: [1, 1], allowedNetworks: ['127.0.0.1'], atOnce: 2 },
  });
  server = await startServer({ products: catalogue, ...settings });
});

after(async () => {
  await server.stop();
  for (const one of receivers) one.stop();
});

const ask = (path: string, options: Parameters<typeof request>[2] = {}) =>
  request(server, path, { token: client.token, ...options });

const endpointFor = (
  { url }: Pick<Receiver, 'url'>,
  events: readonly EventType[],
  balanceBelow?: number,
): Promise<Endpoint> =>
  makeEndpoint(server, {
    url,
    events,
    token: client.token,
    ...(balanceBelow === undefined ? {} : { balanceBelow }),
  });

/** The arrived messages, verified by the specification's package and by the OpenAPI document. */
const verified = ({ secret }: Pick<Endpoint, 'secret'>, { body, headers }: Received): unknown => {
  const message = new Webhook(secret).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  });
  const type = at(message, 'type');
  assert.ok(isEventType(type));
  const schema = { ...describedEvents[type].data, additionalProperties: false };
  assert.deepEqual(Value.Errors(schema, at(message, 'data')), []);
  return message;
};

const messagesOf = async ({ id }: Endpoint): Promise<readonly unknown[]> =>
  listOf(at((await ask(`/api/webhooks/${id}/messages`)).body, 'data'));

/** Waits until an endpoint's messages are in a state. */
const until = async (
  endpoint: Endpoint,
  holds: (messages: readonly unknown[]) => boolean,
): Promise<readonly unknown[]> => {
  for (;;) {
    const messages = await messagesOf(endpoint);
    if (holds(messages)) return messages;
    await turn();
  }
};

const allAre = (state: string) => (messages: readonly unknown[]) =>
  messages.length > 0 && messages.every((one) => at(one, 'state') === state);

const buyNow = (fields = aPackage) => buy(server, fields, { token: client.token });

const seenAs = (answer: Awaited<ReturnType<typeof buyNow>>): Promise<unknown> =>
  ask(`/api/purchases/${answer.headers.get('purchase-id')}`).then(({ body }) => body);

const purchases: readonly EventType[] = [
  'purchase.succeeded',
  'purchase.failed',
  'purchase.pending',
  'purchase.reversed',
];

describe('Webhooks', () => {
  beforeEach(async () => {
    order = { kind: 'done', ref: 'receipt' };
    status = { kind: 'pending' };
    client = await addClient(server, { balance: 1_000_000 });
  });

  describe('A client that listens', { timeout: 240_000 }, () => {
    test('receives a sale, signed by the specification, as the inquiry shows it', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, purchases);
      const sold = await buyNow();
      await shop.has(1);
      const [first] = shop.received;
      assert.ok(first !== undefined);
      const message = verified(endpoint, first);
      assert.equal(at(message, 'type'), 'purchase.succeeded');
      assert.deepEqual(at(message, 'data'), await seenAs(sold));
      assert.equal(at(message, 'data', 'charged'), 'yes');
      assert.equal(first.headers['content-type'], 'application/json');
      await until(endpoint, allAre('delivered'));
      assert.equal(shop.received.length, 1);
    });

    test('receives a refusal by the operator, with the money released', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, purchases);
      order = { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' };
      await buyNow();
      await shop.has(1);
      const [first] = shop.received;
      const message = first && verified(endpoint, first);
      assert.equal(at(message, 'type'), 'purchase.failed');
      assert.equal(at(message, 'data', 'charged'), 'no');
    });

    test('receives that a purchase is pending, that it was sold, and that it was reversed', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, purchases);
      order = { kind: 'unknown', detail: 'silent' };
      const pending = await buyNow();
      assert.equal(pending.status, 202);
      await shop.has(1);
      status = { kind: 'reversed', at: Date.now() };
      await shop.has(2);
      await until(endpoint, allAre('delivered'));
      const types = shop.received.map((one) => at(verified(endpoint, one), 'type'));
      assert.equal(types[0], 'purchase.pending');
      assert.ok(types.includes('purchase.reversed'), types.join());
      assert.equal(new Set(types).size, types.length, 'each is sent once');
    });

    test('receives nothing about refusals before a hold, nor about other events', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, ['purchase.failed']);
      await buyNow();
      await buyNow({ ...aPackage, price: 1 });
      order = { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' };
      await buyNow();
      await shop.has(1);
      const messages = await until(endpoint, allAre('delivered'));
      assert.deepEqual(
        messages.map((one) => at(one, 'type')),
        ['purchase.failed'],
      );
    });

    test('receives nothing about other clients', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, purchases);
      const stranger = await addClient(server, { balance: 1_000_000 });
      await buy(server, aPackage, { token: stranger.token });
      await buyNow();
      await until(endpoint, allAre('delivered'));
      assert.equal((await messagesOf(endpoint)).length, 1);
    });

    test('receives each fall of the balance below its threshold, and nothing else', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, ['balance.low'], 975_000);
      for (let count = 0; count < 5; count += 1) await buyNow();
      await shop.has(1);
      await deposit(server.deps, { clientId: client.id, amount: 100_000 });
      for (let count = 0; count < 8; count += 1) await buyNow();
      await shop.has(2);
      await until(endpoint, allAre('delivered'));
      const told = shop.received.map((one) => at(verified(endpoint, one), 'data'));
      assert.deepEqual(told, [
        { available: 970_000, below: 975_000 },
        { available: 970_000, below: 975_000 },
      ]);
    });

    test('receives a change of the catalogue, as all listeners do', async () => {
      const [shop, other] = [await receiver(), await receiver()];
      const stranger = await addClient(server);
      const endpoint = await endpointFor(shop, ['catalogue.changed']);
      await makeEndpoint(server, {
        url: other.url,
        events: ['catalogue.changed'],
        token: stranger.token,
      });
      await importProducts(server.deps, [sampleProduct({ id: 900 })]);
      await Promise.all([shop.has(1), other.has(1)]);
      const [first] = shop.received;
      const message = first && verified(endpoint, first);
      assert.deepEqual(at(message, 'data'), { changed: 1, removed: 0 });
      // One event has one id, for all endpoints.
      assert.equal(first?.headers['webhook-id'], other.received[0]?.headers['webhook-id']);
      await importProducts(server.deps, [sampleProduct({ id: 900 })]);
      assert.equal((await messagesOf(endpoint)).length, 1, 'nothing has changed');
    });
  });

  describe('A message', { timeout: 240_000 }, () => {
    test('is sent until it arrives: the same bytes under the same id', async () => {
      const shop = await receiver();
      shop.answerWith(500);
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      await buyNow();
      await shop.has(2);
      shop.answerWith(204);
      const [message] = await until(endpoint, allAre('delivered'));
      const [first, ...others] = shop.received;
      assert.ok(others.length > 0);
      for (const other of others) {
        assert.equal(other.body, first?.body);
        assert.equal(other.headers['webhook-id'], first?.headers['webhook-id']);
        verified(endpoint, other);
      }
      const statuses = listOf(at(message, 'attempts')).map((one) => at(one, 'status'));
      assert.deepEqual(statuses, [...Array.from({ length: others.length }, () => 500), 204]);
    });

    test('is given up at the end of the schedule, and sent again on its client’s request', async () => {
      const shop = await receiver();
      shop.answerWith(503);
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      await buyNow();
      await buyNow();
      const given = await until(
        endpoint,
        (messages) => messages.length === 2 && allAre('failed')(messages),
      );
      assert.equal(shop.received.length, 6, 'the first time, and after each of two pauses');
      shop.answerWith(200);
      const id = String(at(given[0], 'id'));
      const path = `/api/webhooks/${endpoint.id}/messages/${id}`;
      assert.equal((await ask(`${path}/replay`, { method: 'POST' })).status, 202);
      await until(endpoint, (all) => all.some((one) => at(one, 'state') === 'delivered'));
      const replayed = await ask(`/api/webhooks/${endpoint.id}/replay`, {
        json: { since: '2026-01-01' },
      });
      assert.equal(replayed.status, 202);
      assert.equal(at(replayed.body, 'messages'), 1, 'the one that has still failed');
      await until(endpoint, allAre('delivered'));
      assert.equal(shop.received.length, 8);
      assert.equal(new Set(shop.received.map(({ headers }) => headers['webhook-id'])).size, 2);
    });

    test('does not follow a redirect, and rejects an answer that is too long', async () => {
      const [shop, other] = [await receiver(), await receiver()];
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      shop.answerWith(307, { headers: { location: other.url } });
      await buyNow();
      await until(endpoint, allAre('failed'));
      shop.answerWith(200, { body: 'x'.repeat(defaults.answerBytes + 1) });
      await buyNow();
      const messages = await until(endpoint, (all) => all.length === 2 && allAre('failed')(all));
      assert.equal(other.connections(), 0);
      assert.match(String(at(messages[0], 'attempts', 0, 'error')), /too long/);
      assert.equal(at(messages[1], 'attempts', 0, 'status'), 307);
    });

    test('to one endpoint never waits for another that does not answer', async () => {
      const [slow, shop] = [await receiver(), await receiver()];
      slow.answerWith(undefined);
      await endpointFor(slow, ['purchase.succeeded']);
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      // More than may be in flight to one.
      for (let count = 0; count < 6; count += 1) await buyNow();
      await shop.has(6);
      await until(endpoint, allAre('delivered'));
      assert.equal(slow.received.length, 2, 'all at once, and none has ended');
    });
  });

  describe('An endpoint', { timeout: 240_000 }, () => {
    test('that answers 410 gets nothing more, until its client enables it', async () => {
      const shop = await receiver();
      shop.answerWith(410);
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      await buyNow();
      await until(endpoint, allAre('failed'));
      const path = `/api/webhooks/${endpoint.id}`;
      const { body } = await ask(path);
      assert.equal(at(body, 'status'), 'disabled');
      assert.equal(at(body, 'disabled_by'), 'gone');
      assert.equal(shop.received.length, 1);
      shop.answerWith(204);
      const changed = await ask(path, { method: 'PATCH', json: { status: 'active' } });
      assert.equal(at(changed.body, 'disabled_by'), null);
      await buyNow();
      await shop.has(2);
    });

    test('that its client disables gets nothing, and later events are never sent', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      const path = `/api/webhooks/${endpoint.id}`;
      await ask(path, { method: 'PATCH', json: { status: 'disabled' } });
      await buyNow();
      await ask(path, { method: 'PATCH', json: { status: 'active' } });
      await buyNow();
      await shop.has(1);
      assert.equal((await messagesOf(endpoint)).length, 1);
    });

    test('signs with both secrets during a rotation, and then with the new one', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      const path = `/api/webhooks/${endpoint.id}/secret`;
      const rotated = await ask(path, { json: { overlap_hours: 1 } });
      const second = { secret: String(at(rotated.body, 'secret')) };
      assert.notEqual(second.secret, endpoint.secret);
      await buyNow();
      await shop.has(1);
      const [first] = shop.received;
      assert.ok(first !== undefined);
      verified(endpoint, first);
      verified(second, first);
      const again = await ask(path, { json: { overlap_hours: 0 } });
      const third = { secret: String(at(again.body, 'secret')) };
      await buyNow();
      await shop.has(2);
      const [, last] = shop.received;
      assert.ok(last !== undefined);
      verified(third, last);
      assert.throws(() => verified(second, last));
    });

    test('is deleted with its waiting messages, and is never listed again', async () => {
      const shop = await receiver();
      shop.answerWith(undefined);
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      const path = `/api/webhooks/${endpoint.id}`;
      // Two are in flight, and one waits for them.
      for (let count = 0; count < 3; count += 1) await buyNow();
      await shop.has(2);
      const deleted = await ask(path, { method: 'DELETE' });
      assert.equal(deleted.status, 204);
      assert.equal(deleted.text, '');
      assertError(await ask(path), 404, 'WEBHOOK_NOT_FOUND');
      assertError(await ask(`${path}/messages`), 404, 'WEBHOOK_NOT_FOUND');
      assert.deepEqual(at((await ask('/api/webhooks')).body, 'data'), []);
      assertError(await ask(path, { method: 'DELETE' }), 404, 'WEBHOOK_NOT_FOUND');
    });

    test('shows its secret once, and no log line contains it', async () => {
      const shop = await receiver();
      const endpoint = await endpointFor(shop, ['purchase.succeeded']);
      await buyNow();
      await shop.has(1);
      for (const path of ['', `/${endpoint.id}`, `/${endpoint.id}/messages`]) {
        const { text } = await ask(`/api/webhooks${path}`);
        assert.ok(!text.includes('whsec_') && !text.includes(endpoint.secret), path);
      }
      assert.ok(!server.logged.join('\n').includes(endpoint.secret));
      assert.ok(!server.logged.join('\n').includes(String(aPackage['mobile'])));
    });

    test('is limited in number', async () => {
      const shop = await receiver();
      const made = await Promise.all(
        Array.from({ length: 14 }, () =>
          ask('/api/webhooks', { json: { url: shop.url, events: ['purchase.succeeded'] } }),
        ),
      );
      const statuses = Map.groupBy(made, (one) => one.status);
      assert.equal(statuses.get(201)?.length, defaults.endpointsPerClient);
      assert.equal(statuses.get(422)?.length, 4);
    });

    test('is refused if it is invalid, field by field', async () => {
      const url = 'https://shop.example/hooks';
      const events = ['purchase.succeeded'];
      for (const [json, field] of [
        [{ url }, 'events'],
        [{ events }, 'url'],
        [{ url: 'shop', events }, 'url'],
        [{ url: 'http://shop.example', events }, 'url'],
        [{ url: 'https://10.0.0.1/', events }, 'url'],
        [{ url: 'https://user:secret@shop.example/', events }, 'url'],
        [{ url: `https://shop.example/${'a'.repeat(2048)}`, events }, 'url'],
        [{ url, events: ['purchase.lost'] }, 'events.0'],
        [{ url, events: [] }, 'events'],
        [{ url, events: ['balance.low'] }, 'balance_below'],
        [{ url, events, balance_below: -1 }, 'balance_below'],
        [{ url, events, colour: 'red' }, 'colour'],
      ] as const) {
        const answer = await ask('/api/webhooks', { json });
        assertError(answer, 422, 'VALIDATION_FAILED');
        assert.notEqual(at(answer.body, 'errors', field), undefined, answer.text);
      }
      assert.deepEqual(at((await ask('/api/webhooks')).body, 'data'), []);
    });
  });

  test('The history is read page by page and by cursor, the newest first', {
    timeout: 240_000,
  }, async () => {
    const shop = await receiver();
    const endpoint = await endpointFor(shop, ['catalogue.changed']);
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.push(await makeMessage(server));
    // Within one millisecond they are ordered by id only.
    made.sort().reverse();
    const path = `/api/webhooks/${endpoint.id}/messages`;
    const idsIn = (answer: Awaited<ReturnType<typeof ask>>): unknown[] =>
      listOf(at(answer.body, 'data')).map((one) => at(one, 'id'));
    assert.deepEqual(idsIn(await ask(path)), made);
    assert.deepEqual(idsIn(await ask(`${path}?per_page=2&page=2`)), made.slice(2, 4));
    assert.deepEqual(idsIn(await ask(`${path}?before=${made[2]}`)), made.slice(3));
    assert.deepEqual(idsIn(await ask(`${path}?type=balance.low`)), []);
    await until(endpoint, allAre('delivered'));
    assert.deepEqual(idsIn(await ask(`${path}?state=failed`)), []);
  });

  test('A purchase and its message are written together, or neither is', {
    timeout: 240_000,
  }, async () => {
    const shop = await receiver();
    const endpoint = await endpointFor(shop, ['purchase.succeeded']);
    const { db } = server.deps;
    status = { kind: 'done', ref: 'receipt' };
    await sql`alter table webhook_messages rename to webhook_messages_away`.execute(db);
    const answer = await buyNow();
    assert.equal(answer.status, 202, 'it cannot be settled');
    assert.deepEqual(await moneyOf(server, client.id), { available: 990_000, held: 10_000 });
    await sql`alter table webhook_messages_away rename to webhook_messages`.execute(db);
    await shop.has(1);
    assert.deepEqual(await moneyOf(server, client.id), { available: 990_000, held: 0 });
    await until(endpoint, allAre('delivered'));
    assert.equal(at(await seenAs(answer), 'state'), 'succeeded');
  });

  test('The purchase of a client without listeners writes nothing more than before', async () => {
    const { db } = server.deps;
    const count = async (): Promise<number> =>
      (await db.selectFrom('webhook_messages').select('id').execute()).length;
    const before = await count();
    const silent = await addClient(server, { balance: 1_000_000 });
    const sold = await buy(server, aPackage, { token: silent.token });
    await untilRecorded(server, sold);
    assert.equal(await count(), before);
    assert.equal(at(await purchaseOf({ ...server, client: silent }, sold), 'state'), 'succeeded');
  });
});
