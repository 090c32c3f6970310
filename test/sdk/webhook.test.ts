/** Tests the library's webhook verification: what the gateway sends passes, and anything altered does not. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookError } from '../../sdk/src/index.ts';
import { readConfig } from '../../src/config/config.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { makeSecret, signedHeaders } from '../../src/webhooks/delivery/sign.ts';
import { at } from '../support/answers.ts';
import { request, startServer, type TestServer } from '../support/server.ts';
import { makeEndpoint, makeMessage, type Receiver, startReceiver } from '../support/webhooks.ts';

const { webhooks } = readConfig({});
const body = '{"type":"balance.low","timestamp":"2026-01-31","data":{"available":1,"below":2}}';
const now = Date.UTC(2026, 0, 31);
const [secret, other] = [makeSecret(systemRandom), makeSecret(systemRandom)];
const headers = signedHeaders({ id: 'msg_1', payload: body }, { secret, old: null }, now);
const good = { body, headers, secret, now };

let server: TestServer;
let shop: Receiver;
before(async () => {
  shop = await startReceiver();
  server = await startServer({
    config: { webhooks: { ...webhooks, allowedNetworks: ['127.0.0.1'] } },
  });
});
after(async () => {
  await server.stop();
  shop.stop();
});

test('a message of a real gateway passes, with headers of Node or fetch', async () => {
  const endpoint = await makeEndpoint(server, { url: shop.url });
  const id = await makeMessage(server);
  await shop.has(1);
  const [received] = shop.received;
  assert.ok(received !== undefined);
  for (const given of [
    received.headers,
    new Headers(Object.entries(headersOf(received.headers))),
  ]) {
    const message = await verifyWebhook({ ...received, headers: given, secret: endpoint.secret });
    assert.deepEqual(message.type === 'catalogue.changed' && message.data, {
      changed: 1,
      removed: 0,
    });
    assert.equal(message.id, id);
  }
  const rotated = await request(server, `/api/webhooks/${endpoint.id}/secret`, { method: 'POST' });
  const second = String(at(rotated.body, 'secret'));
  await makeMessage(server);
  await shop.has(2);
  const [, later] = shop.received;
  assert.ok(later !== undefined);
  for (const one of [endpoint.secret, second, [other, second]]) {
    await verifyWebhook({ ...later, secret: one });
  }
});

const headersOf = (given: Receiver['received'][number]['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );

test('messages signed by the specification’s package pass, and it verifies the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.uuid(), async (data, id) => {
      const payload = `{"type":"x","timestamp":"","data":${data}}`;
      const signature = new Webhook(secret).sign(id, new Date(now), payload);
      const message = await verifyWebhook({
        body: payload,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(now / 1000),
          'webhook-signature': `v2,ignored ${signature}`,
        },
        secret,
        now,
      });
      assert.deepEqual(message.data, JSON.parse(data));
    }),
    { numRuns: 50 },
  );
});

test('altered messages do not pass', async () => {
  await verifyWebhook(good);
  const refused = (change: object): Promise<void> =>
    assert.rejects(verifyWebhook({ ...good, ...change }), WebhookError);
  const signature = String(headers['webhook-signature']);
  await refused({ body: `${body} ` });
  await refused({ body: body.replace('1', '2') });
  await refused({ secret: other });
  await refused({ secret: [] });
  await refused({ headers: { ...headers, 'webhook-id': 'msg_2' } });
  await refused({ headers: { ...headers, 'webhook-timestamp': String(now / 1000 + 1) } });
  await refused({ headers: { ...headers, 'webhook-timestamp': '1e9' } });
  await refused({ headers: { ...headers, 'webhook-signature': signature.replace('v1', 'v2') } });
  await refused({ headers: { ...headers, 'webhook-signature': 'v1,' } });
  await refused({ headers: { ...headers, 'webhook-signature': 'v1,&' } });
  for (const name of Object.keys(headers).filter((one) => one.startsWith('webhook-'))) {
    await refused({ headers: { ...headers, [name]: undefined } });
  }
});

test('messages older or newer than the tolerance do not pass', async () => {
  for (const seconds of [-300, 0, 300]) {
    await verifyWebhook({ ...good, now: now + seconds * 1000 });
  }
  for (const seconds of [-301, 301]) {
    await assert.rejects(verifyWebhook({ ...good, now: now + seconds * 1000 }), WebhookError);
  }
  await verifyWebhook({ ...good, now: now + 900_000, toleranceSeconds: 900 });
});
