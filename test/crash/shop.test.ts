/** Tests that buyers detect two answers to one key, and excuse only what a restore forgot. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createDraw } from '../simulation/draw.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { eventually } from '../support/live.ts';
import { openShop } from './shop.ts';

const client = { id: 'c', token: 't', balance: 1 };
const ware = { id: 1, price: 1, path: '/' };

/** One buyer who sends one key repeatedly, to a gateway that answers as the test says. */
const openOne = async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => void waiting.push(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const over = new AbortController();
  cleanUpAfterTest(() => {
    over.abort();
    server.closeAllConnections();
    server.close();
  });
  const shop = openShop({
    url: () => `http://127.0.0.1:${port}`,
    clients: [client],
    wares: [ware],
    // Every final answer is repeated.
    draw: { ...createDraw(1), chance: () => true },
    life: () => 0,
    patienceMs: () => 600_000,
    over: over.signal,
  });
  void shop.serve(1);
  const isAsked = () => eventually('it is asked', async () => waiting.length > 0);
  const answerLast = async (status: number, purchase: string): Promise<void> => {
    await isAsked();
    const body = status === 200 ? '{}' : JSON.stringify({ code: 'OPERATOR_DECLINED' });
    waiting.shift()?.writeHead(status, { 'purchase-id': purchase }).end(body);
  };
  /** Answers the current request; resolves when the next one has been sent. */
  const answer = async (status: number, purchase: string): Promise<void> => {
    await answerLast(status, purchase);
    await isAsked();
  };
  return { shop, answer, answerLast };
};

test('two answers to one key are a contradiction, even if a restore loses the key later', async () => {
  const { shop, answer, answerLast } = await openOne();
  await answer(200, 'a');
  await answer(422, 'a');
  assert.equal(shop.contradictions().length, 1);
  shop.restore(() => false);
  shop.close();
  const settled = shop.settle(shop.all, () => false);
  await answerLast(200, 'a');
  await settled;
  assert.equal(shop.contradictions().length, 1);
});

test('a lost key that is sold again is another purchase, and its answer stays', async () => {
  const { shop, answer } = await openOne();
  await answer(200, 'a');
  shop.restore(() => false);
  await answer(200, 'a');
  await answer(200, 'b');
  assert.deepEqual(shop.contradictions(), []);
  await answer(422, 'b');
  assert.equal(shop.contradictions().length, 1);
});

test('the answer of a lost history may be repeated before the one of the new', async () => {
  const { shop, answer } = await openOne();
  await answer(200, 'a');
  shop.restore(() => false);
  await answer(200, 'a');
  await answer(200, 'a');
  await answer(422, 'b');
  assert.deepEqual(shop.contradictions(), []);
});
