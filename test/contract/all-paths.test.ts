/** Tests that the raw socket, the fast path and the framework answer alike, and lose nothing between them. */
import assert from 'node:assert/strict';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { importProducts } from '../support/import-products.ts';
import { eventually } from '../support/live.ts';
import type { TestServer } from '../support/server.ts';
import {
  aPackage,
  aTopUp,
  catalogue,
  moneyOf,
  newKey,
  packages,
  queryOf,
  recorded,
  sold,
  topUps,
  withServer,
} from './buying.ts';
import { sampleProduct } from './sample-product.ts';

const form = 'application/x-www-form-urlencoded';

type Sent = {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly key?: string;
};

/**
 * How a request is written: in one piece, for the raw socket; in one piece on a connection that Node has read
 * before, for the fast path; without its length; or in two pieces.
 */
const manners = ['whole', 'second', 'chunked', 'pieces'] as const;
type Manner = (typeof manners)[number];

const answerTo = (message: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    message.once('response', resolve).once('error', reject);
  });

const send = async (server: TestServer, sent: Sent, manner: Manner) => {
  const { path, type, body, key } = sent;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  if (manner === 'second') {
    const first = httpRequest(`${server.url}/health/live`, { agent });
    const answer = answerTo(first);
    first.end();
    await textOf(await answer);
  }
  const message = httpRequest(server.url + path, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${server.client.token}`,
      'content-type': type,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(manner === 'chunked' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
  });
  const answered = answerTo(message);
  if (manner === 'pieces') {
    const bytes = Buffer.from(body);
    message.write(bytes.subarray(0, 5));
    // Mostly enough for the first piece to arrive alone; otherwise the body comes whole.
    await rest(20);
    message.end(bytes.subarray(5));
  } else if (manner === 'chunked') {
    message.write(body);
    message.end();
  } else message.end(body);
  const response = await answered;
  const { date: _date, 'request-id': id, 'purchase-id': _purchase, ...headers } = response.headers;
  assert.equal(typeof id, 'string');
  const text = (await textOf(response)).replaceAll(String(id), 'an id');
  agent.destroy();
  return { status: response.statusCode, headers, text };
};

/** Sends it in every manner, each time under its own key, and compares the answers. */
const assertAlike = async (server: TestServer, sent: Sent): Promise<string> => {
  const answers = [];
  for (const manner of manners) {
    answers.push(await send(server, { ...sent, key: newKey() }, manner));
  }
  const [first, ...others] = answers;
  for (const other of others) assert.deepEqual(other, first);
  return `${first?.status} ${first?.text}`;
};

describe('On all paths', () => {
  test('purchases by form and by JSON are answered alike, and sold', () =>
    withServer({}, async (server) => {
      const count = await recorded(server);
      for (const [path, fields] of [
        [packages, aPackage],
        [topUps, aTopUp],
      ] as const) {
        const json = JSON.stringify(fields);
        for (const sent of [
          { path, type: form, body: queryOf(fields) },
          { path: path.slice(0, -1), type: form, body: queryOf(fields) },
          {
            path,
            type: `${form}; charset=utf-8`,
            body: `${queryOf(fields)}&webservice_code=%DB%B1`,
          },
          { path, type: 'application/json', body: json },
          { path, type: 'Application/JSON; charset=utf-8', body: json },
        ]) {
          assert.match(await assertAlike(server, sent), /^200 /);
        }
      }
      assert.equal((await recorded(server)) - count, 2 * 5 * manners.length);
    }));

  test('errors are the same, and nothing is held', () =>
    withServer({}, async (server) => {
      const money = await moneyOf(server);
      const wrong = [
        { type: form, body: '' },
        { type: form, body: 'product_id' },
        { type: form, body: `${queryOf(aPackage)}&price=1e3` },
        { type: form, body: queryOf({ ...aPackage, price: 1 }) },
        { type: form, body: queryOf({ ...aPackage, product_id: sold.switchedOff }) },
        { type: form, body: `${queryOf(aPackage)}&__proto__=x&mobile=%FF` },
        { type: 'application/json', body: '{"product_id":' },
        { type: 'application/json', body: '[1]' },
        { type: 'text/plain', body: queryOf(aPackage) },
      ];
      for (const sent of wrong) {
        assert.match(await assertAlike(server, { path: packages, ...sent }), /^4\d\d /, sent.body);
      }
      assert.deepEqual(await moneyOf(server), money);
    }));

  test('a key is one key: bought on one path, it is replayed on the other', () =>
    withServer({}, async (server) => {
      const sent = { path: packages, type: form, body: queryOf(aPackage) };
      for (const [first, second] of [
        ['whole', 'chunked'],
        ['chunked', 'second'],
        ['second', 'whole'],
      ] as const) {
        const key = newKey();
        const one = await send(server, { ...sent, key }, first);
        const count = await recorded(server);
        const other = await send(server, { ...sent, key }, second);
        assert.equal(other.text, one.text);
        assert.equal(other.headers['idempotent-replayed'], 'true');
        assert.equal(await recorded(server), count);
      }
    }));

  test('a filter is answered alike the first time and later, and shows changes', () =>
    withServer({ products: catalogue }, async (server) => {
      const items = { type: 'cell_direct_charge' };
      const body = JSON.stringify({ table: 'product', items, page: 1, per_page: 2 });
      const sent = { path: '/api/filter', type: 'application/json', body };
      const first = await assertAlike(server, sent);
      assert.match(first, /"total":3/);
      assert.equal(await assertAlike(server, sent), first);
      const added = sampleProduct({ id: 900, type: 'cell_direct_charge' });
      await importProducts(server.deps, [added]);
      await eventually('it is shown', async () =>
        (await send(server, sent, 'whole')).text.includes('"total":4'),
      );
      assert.match(await assertAlike(server, sent), /"total":4/);
    }));
});
