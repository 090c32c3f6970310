/** Tests that many concurrent requests, and keys from long ago, still buy exactly once. */
import assert from 'node:assert/strict';
import { Agent, request as sendHttp } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../src/config/config.ts';
import type { Db } from '../../src/db/types.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { readAccount } from '../../src/ledger/store.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { createSimulator } from '../../src/operators/simulator/index.ts';
import { catalogue, sold } from '../contract/buying.ts';
import { createClient } from '../support/clients.ts';
import { openTestDatabase } from '../support/database.ts';
import { importProducts } from '../support/import-products.ts';
import { manualClock } from '../support/manual-clock.ts';
import { createBook, type MemoryBook } from '../support/simulator-book.ts';

const price = 10_000;

type Shop = {
  readonly db: Db;
  /** The operators' actual deliveries, by their own count. */
  readonly book: MemoryBook;
  readonly client: { readonly id: string; readonly token: string };
  /** Runs the gateway during the work, always on the same data. */
  readonly open: (clock: Clock, work: (url: string) => Promise<void>) => Promise<void>;
};

const newId = uuidV7(systemClock, systemRandom);

const withShop = async (balance: number, work: (shop: Shop) => Promise<void>): Promise<void> => {
  const { db, env, close } = await openTestDatabase();
  const deps = { db, clock: systemClock, newId, random: systemRandom };
  const book = createBook(systemClock, 'book');
  const read = readConfig({ PORT: '0', ...env });
  // However busy the machine is, nothing comes too late to be sent.
  const config = {
    ...read,
    purchases: { ...read.purchases, sendWithinMs: 15_000, pendingAfterMs: 120_000 },
  };
  const log = createLog({ level: 'silent', mobile: config.mobile });
  const connectors = [createSimulator(book)];
  const open: Shop['open'] = async (clock, inside) => {
    const gateway = await createGateway({ config, db, log, clock, connectors });
    try {
      await inside(await gateway.app.listen({ host: '127.0.0.1', port: 0 }));
    } finally {
      gateway.drain();
      await gateway.close();
    }
  };
  try {
    await importProducts(deps, catalogue);
    const { id, token } = await createClient(deps, { name: 'Busy', balance });
    await work({ db, book, client: { id, token: token.token }, open });
  } finally {
    await close();
  }
};

type Answer = {
  readonly status: number;
  readonly text: string;
  readonly purchase: unknown;
  readonly replayed: boolean;
};

const fieldsOf = (key: string): string =>
  JSON.stringify({
    product_id: sold.credit,
    mobile: '989123456700',
    price,
    webservice_code: `order of ${key}`,
  });

const send = (url: string, { client }: Shop, agent: Agent, key: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const body = fieldsOf(key);
    const headers = {
      authorization: `Bearer ${client.token}`,
      'idempotency-key': key,
      'content-type': 'application/json',
      'content-length': String(body.length),
    };
    const sent = sendHttp(
      `${url}/api/top-up/package`,
      { method: 'POST', agent, headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            purchase: response.headers['purchase-id'],
            replayed: response.headers['idempotent-replayed'] === 'true',
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

const mostRetries = 30;

/** Retries while the gateway is overloaded, as a client does: a busy machine may lock one account for long. */
const buyAt = async (url: string, shop: Shop, agent: Agent, key: string): Promise<Answer> => {
  let answer = await send(url, shop, agent, key);
  for (let retry = 0; retry < mostRetries && answer.status === 503; retry += 1) {
    await setTimeout(1000);
    answer = await send(url, shop, agent, key);
  }
  return answer;
};

/** Sends a purchase for each key, this many at a time, and returns the answers in the order of the keys. */
const buyAll = async (
  url: string,
  shop: Shop,
  keys: readonly string[],
  atATime: number,
): Promise<Answer[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: atATime });
  try {
    return await Promise.all(keys.map((key) => buyAt(url, shop, agent, key)));
  } finally {
    agent.destroy();
  }
};

const postingsOf = async ({ db, client }: Shop) =>
  db
    .selectFrom('postings')
    .select(['kind', 'amount', 'available_after', 'held_after'])
    .where('client_id', '=', client.id)
    .orderBy('seq')
    .execute();

const countKinds = async (shop: Shop): Promise<Readonly<Record<string, number>>> => {
  const kinds = Map.groupBy(await postingsOf(shop), ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length]));
};

const assertMoney = async ({ db, client }: Shop, available: number): Promise<void> => {
  const account = await readAccount(db, client.id);
  assert.deepEqual([account?.available, account?.held], [available, 0]);
};

/** Fails unless each purchase was delivered exactly once, at its price. */
const assertDeliveredOnce = ({ book }: Shop, purchases: Iterable<unknown>): void => {
  const bought = new Set(purchases);
  assert.equal(book.deliveries.length, bought.size);
  assert.deepEqual(new Set<unknown>(book.deliveries.map(({ ref }) => ref)), bought);
  assert.ok(book.deliveries.every(({ amount }) => amount === price));
};

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('Many at once', () => {
  test('500 requests over 10 keys are 10 deliveries, 10 holds and the same bytes for each key', () =>
    withShop(1_000_000, (shop) =>
      shop.open(systemClock, async (url) => {
        const keys = range(500).map((index) => `key-${index % 10}`);
        const answers = await buyAll(url, shop, keys, 500);
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
        const byKey = Map.groupBy(answers.entries(), ([index]) => keys[index] ?? '');
        assert.equal(byKey.size, 10);
        for (const [key, group] of byKey) {
          const same = (field: 'text' | 'purchase'): number =>
            new Set(group.map(([, answer]) => answer[field])).size;
          assert.equal(group.length, 50);
          assert.deepEqual([same('text'), same('purchase')], [1, 1], key);
          const first = group.filter(([, { replayed }]) => !replayed);
          assert.equal(first.length, 1, 'all but one know that they are repeats');
        }
        assertDeliveredOnce(
          shop,
          answers.map(({ purchase }) => purchase),
        );
        assert.equal(shop.book.deliveries.length, 10);
        assert.deepEqual(await countKinds(shop), { deposit: 1, hold: 10, capture: 10 });
        await assertMoney(shop, 1_000_000 - 10 * price);
      }),
    ));

  test('a client with funds for exactly 100 that sends 400 buys exactly 100, and is never negative', () =>
    withShop(100 * price, (shop) =>
      shop.open(systemClock, async (url) => {
        const keys = range(400).map((index) => `key-${index}`);
        const answers = await buyAll(url, shop, keys, 400);
        const statuses = Map.groupBy(answers, ({ status }) => status);
        const counts = [...statuses].map(([status, all]) => [status, all.length]);
        assert.deepEqual(Object.fromEntries(counts), { 200: 100, 402: 300 });
        const bought = answers.filter(({ status }) => status === 200);
        assertDeliveredOnce(
          shop,
          bought.map(({ purchase }) => purchase),
        );
        assert.deepEqual(await countKinds(shop), { deposit: 1, hold: 100, capture: 100 });
        for (const { available_after, held_after } of await postingsOf(shop)) {
          assert.ok(available_after >= 0 && held_after >= 0);
        }
        await assertMoney(shop, 0);
        // Each keeps its answer: a refused key is not sold by asking again.
        const again = await buyAll(url, shop, keys, 400);
        assert.deepEqual(
          again.map(({ status, text }) => [status, text]),
          answers.map(({ status, text }) => [status, text]),
        );
        assert.ok(again.every(({ replayed }) => replayed));
        assert.equal(shop.book.deliveries.length, 100);
      }),
    ));
});

const tenYearsMs = 10 * 365.25 * 24 * 3600 * 1000;

// More than are read or written at a time; each is found separately, however many there are.
const manyKeys = 1000;

test('Of 1,000 keys none buys again when the clock has advanced ten years', () => {
  const keys = range(manyKeys).map((index) => `key-${index}`);
  return withShop(manyKeys * price, async (shop) => {
    let answers: Answer[] = [];
    await shop.open(systemClock, async (url) => {
      answers = await buyAll(url, shop, keys, 256);
    });
    assert.deepEqual(
      answers.filter(({ status, replayed }) => status !== 200 || replayed),
      [],
    );
    assert.equal(new Set(answers.map(({ purchase }) => purchase)).size, keys.length);
    const delivered = shop.book.deliveries.length;
    assert.equal(delivered, keys.length);
    await assertMoney(shop, 0);

    const later = manualClock(Date.now() + tenYearsMs);
    await shop.open(later, async (url) => {
      // Every periodic cleanup has run.
      await later.advance(120_000);
      const again = await buyAll(url, shop, keys, 256);
      assert.ok(again.every(({ replayed }) => replayed));
      assert.deepEqual(
        again.map(({ status, text, purchase }) => [status, text, purchase]),
        answers.map(({ status, text, purchase }) => [status, text, purchase]),
      );
    });
    assert.equal(shop.book.deliveries.length, delivered);
    assert.deepEqual(await countKinds(shop), { deposit: 1, hold: manyKeys, capture: manyKeys });
    await assertMoney(shop, 0);
  });
});
