/** Tests webhooks with several servers on one database: one settles a purchase, the other's endpoint gets the event. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { aTopUp, buy, catalogue, topUps } from '../contract/buying.ts';
import { at } from '../support/answers.ts';
import {
  request,
  type StartedServer,
  startBeside,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { makeEndpoint, type Receiver, startReceiver } from '../support/webhooks.ts';

const config = { webhooks: { ...readConfig({}).webhooks, allowedNetworks: ['127.0.0.1'] } };

let first: StartedServer;
let second: TestServer;
let shop: Receiver;

before(async () => {
  shop = await startReceiver();
  first = await startServer({
    engine: 'postgres',
    products: catalogue,
    balance: 1_000_000_000,
    config,
  });
  second = await startBeside(first, { config });
});

after(async () => {
  await second.stop();
  await first.stop();
  shop.stop();
});

test('a purchase that one server settles is sent once to the endpoint that another created', async () => {
  const endpoint = await makeEndpoint(first, { url: shop.url, events: ['purchase.succeeded'] });
  const path = `/api/webhooks/${endpoint.id}/messages`;
  const told = async (): Promise<unknown> =>
    at((await request(second, path)).body, 'meta', 'total');
  // The second server learns of it within a second: some may be sold before.
  let sold = 0;
  while ((await told()) === 0) {
    const answer = await buy(second, aTopUp, { path: topUps });
    assert.equal(answer.status, 200, answer.text);
    sold += 1;
  }
  const count = Number(await told());
  await shop.has(count);
  assert.ok(count <= sold);
  const ids = shop.received.map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids).size, ids.length);
});

test('an endpoint deleted on one server is soon deleted for the other', {
  timeout: 240_000,
}, async () => {
  const endpoint = await makeEndpoint(first, { url: shop.url, events: ['purchase.succeeded'] });
  const path = `/api/webhooks/${endpoint.id}`;
  const told = async (): Promise<number> =>
    Number(at((await request(second, `${path}/messages`)).body, 'meta', 'total'));
  const sellsTold = async (): Promise<boolean> => {
    const before = await told();
    await buy(second, aTopUp, { path: topUps });
    return (await told()) > before;
  };
  while (!(await sellsTold()));
  shop.answerWith(410);
  while (at((await request(first, path)).body, 'disabled_by') !== 'gone') {
    await buy(first, aTopUp, { path: topUps });
  }
  while (await sellsTold());
});

test('an endpoint that is deleted and changed concurrently causes no deadlock', async () => {
  shop.answerWith(410);
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      makeEndpoint(first, { url: shop.url, events: ['purchase.succeeded'] }),
    ),
  );
  const change = (server: TestServer, id: string) =>
    request(server, `/api/webhooks/${id}`, {
      method: 'PATCH',
      json: { status: 'active', description: 'again' },
    });
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all([
      buy(first, aTopUp, { path: topUps }),
      buy(second, aTopUp, { path: topUps }),
      ...made.map(({ id }, index) => change(index % 2 === 0 ? first : second, id)),
    ]);
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  }
  for (const server of [first, second]) {
    assert.ok(!server.logged.join('\n').includes('deadlock'));
  }
});
