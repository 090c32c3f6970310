/** Tests both transactions on a real database: a batch equals its items one after another, all or nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  createWorld,
  price,
  purchaseRequestOf,
  termsOfWorld,
  type World,
} from '../../../test/support/purchase-world.ts';
import { setCreditLimit } from '../../ledger/credit.ts';
import { createBatch } from '../../lib/batch.ts';
import { textFact } from '../facts/facts.ts';
import type { Move } from '../move.ts';
import type { Purchase } from '../purchase.ts';
import { fail, succeed } from '../purchase.ts';
import { refusalAnswer } from '../replay/answers.ts';
import { restartQuietTimes } from '../restored/place/store.ts';
import { advanceAll, type StepItem, stepsOf } from './advance.ts';
import { type BeginItem, beginAll } from './begin.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(() => world.end());

const refused = { status: 422, body: 'refused' };
const answer = { status: 200, body: 'sold' };

const itemOf = (
  clientId: string,
  id: string,
  more: { key?: string; price?: number } = {},
): BeginItem => ({
  requested: purchaseRequestOf({ clientId, id, ...more }),
  decision: { kind: 'order', terms: termsOfWorld },
});

const begun = async (clientId: string, id: string): Promise<Purchase> =>
  (await world.deps.transact.begin(itemOf(clientId, id))).purchase;

const sell = (purchase: Purchase, now: number) =>
  purchase.state === 'submitted'
    ? succeed(purchase, { at: now, answer, ref: 'receipt', note: null })
    : undefined;

const delivered: Move = {
  kind: 'report',
  supplierId: 1,
  report: { ref: 'receipt', kind: 'delivered', at: 7 },
  seenNotes: 0,
};

const release = (purchase: Purchase, now: number) =>
  purchase.state === 'submitted'
    ? fail(purchase, {
        at: now,
        answer: refused,
        reason: 'no',
        note: { kind: 'order', fact: textFact('b') },
      })
    : undefined;

let count = 0;
const newClient = (balance?: number): Promise<string> => {
  count += 1;
  return world.client(`client ${count}`, balance);
};

test('a batch sells exactly what each balance and credit covers, in the order of its items', async () => {
  const amounts = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: 1, max: 40 })), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(amounts, async (wanted) => {
      const clients = [await newClient(100), await newClient(30), await newClient(0)];
      await world.deps.db
        .transaction()
        .execute((db) => setCreditLimit(db, clients[1] ?? '', 25, 0));
      const left = [100, 55, 0];
      const credit = [0, 25, 0];
      const items = wanted.map(([owner, amount], index) => {
        const clientId = clients[owner] ?? '';
        return itemOf(clientId, `${clientId} ${index}`, { price: amount });
      });
      const results = await beginAll(world.deps, items);
      for (const [index, [owner, amount]] of wanted.entries()) {
        const reaches = (left[owner] ?? 0) >= amount;
        if (reaches) left[owner] = (left[owner] ?? 0) - amount;
        const { purchase, ours } = results[index] ?? assert.fail();
        assert.equal(purchase.state, reaches ? 'submitted' : 'refused');
        const tooLittle = refusalAnswer({ code: 'INSUFFICIENT_BALANCE' }, purchase.requestId);
        assert.deepEqual(purchase.answer, reaches ? null : tooLittle);
        assert.ok(ours);
        assert.deepEqual(await world.find(purchase.clientId, purchase.key), purchase);
      }
      for (const [owner, clientId] of clients.entries()) {
        const own = (left[owner] ?? 0) - (credit[owner] ?? 0);
        assert.equal((await world.accountOf(clientId)).available, own);
      }
    }),
    { numRuns: 30 },
  );
  assert.deepEqual(await world.problems(), []);
});

for (const count of [1, 2]) {
  test(`an answer to ${count} whose quiet times were restarted since leaves them unchanged`, async () => {
    const clientId = await newClient();
    const ids = Array.from({ length: count }, (_, index) => `${clientId} ${index}`);
    const seen = await Promise.all(ids.map((id) => begun(clientId, id)));
    await restartQuietTimes(world.deps.db, { sendBefore: 7_200_000, dueAt: 7_300_000 });
    const quietAt = async (key: string) => (await world.find(clientId, key))?.quietAt;
    const restarted = await Promise.all(seen.map(({ key }) => quietAt(key)));
    const silence: Move = {
      kind: 'order',
      outcome: { kind: 'unknown', detail: 'silence' },
      context: { terms: termsOfWorld, chance: 0, refusal: { code: 'OPERATOR_DECLINED' } },
    };
    const advanced = await advanceAll(
      world.deps,
      seen.map((purchase) => stepsOf({ name: purchase, fence: 1, seen: purchase, move: silence })),
    );
    assert.ok(advanced.every(({ moved }) => moved));
    assert.deepEqual(await Promise.all(seen.map(({ key }) => quietAt(key))), restarted);
    assert.notEqual(restarted[0], seen[0]?.quietAt);
  });
}

test('of many under one key, in one batch or in several, one begins and the others find it', async () => {
  const clientId = await newClient();
  const items = ['a', 'b', 'c'].map((id) => itemOf(clientId, `${clientId} ${id}`, { key: 'one' }));
  const first = await beginAll(world.deps, items);
  assert.deepEqual(
    first.map(({ ours }) => ours),
    [true, false, false],
  );
  const again = await beginAll(world.deps, [...items].reverse());
  assert.deepEqual(
    again.map(({ ours }) => ours),
    [false, false, true],
    'it finds its own id',
  );
  const ids = [...first, ...again].map(({ purchase }) => purchase.id);
  assert.deepEqual(new Set(ids), new Set([`${clientId} a`]));
  assert.equal((await world.accountOf(clientId)).held, price);
});

test('the same key of two clients is two purchases', async () => {
  const [one, other] = [await newClient(), await newClient()];
  const results = await beginAll(world.deps, [
    itemOf(one, `${one} p`, { key: 'same' }),
    itemOf(other, `${other} p`, { key: 'same' }),
  ]);
  assert.deepEqual(
    results.map(({ ours }) => ours),
    [true, true],
  );
});

test('an item that cannot begin fails alone: its neighbours in the batch begin', async () => {
  const clientId = await newClient();
  const { begin } = world.deps.transact;
  const results = await Promise.allSettled([
    begin(itemOf(clientId, `${clientId} 1`)),
    begin(itemOf(clientId, `${clientId} 2`)),
    begin(itemOf('a stranger', 'of an unknown client')),
    begin(itemOf(clientId, `${clientId} 3`, { price: -5 })),
    begin(itemOf(clientId, `${clientId} 4`)),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  assert.equal((await world.accountOf(clientId)).held, 3 * price);
  assert.deepEqual(await world.problems(), []);
});

test('only the holder of the fencing number may settle, and settling twice changes nothing', async () => {
  const clientId = await newClient();
  const name = await begun(clientId, `${clientId} p`);
  const advance = (fence: number | 'any') =>
    world.deps.transact.advance({ name, fence, move: delivered });
  assert.equal((await advance(0)).moved, false);
  assert.equal((await advance(2)).moved, false);
  assert.deepEqual(await world.accountOf(clientId), { available: 9 * price, held: price });
  const settled = await advance(1);
  assert.deepEqual([settled.moved, settled.purchase.state], [true, 'succeeded']);
  for (const fence of [1, 'any'] as const) {
    const again = await advance(fence);
    assert.deepEqual([again.moved, again.purchase], [false, settled.purchase]);
  }
  assert.deepEqual(await world.accountOf(clientId), { available: 9 * price, held: 0 });
});

test('of two in one batch that settle the same purchase, the first does', async () => {
  const clientId = await newClient();
  const name = await begun(clientId, `${clientId} p`);
  const results = await advanceAll(world.deps, [
    { name, fence: 1, step: release },
    { name, fence: 1, step: sell },
  ]);
  assert.deepEqual(
    results.map(({ moved }) => moved),
    [true, false],
  );
  assert.deepEqual(
    results.map(({ purchase }) => purchase.state),
    ['failed', 'failed'],
  );
  assert.deepEqual(await world.accountOf(clientId), { available: 10 * price, held: 0 });
});

test('a known row is not read again unless it has changed', async () => {
  const clientId = await newClient();
  const [one, two] = [
    await begun(clientId, `${clientId} 1`),
    await begun(clientId, `${clientId} 2`),
  ];
  const [seen, other] = await Promise.all(
    [one, two].map(async ({ key }) => (await world.find(clientId, key)) ?? assert.fail()),
  );
  assert.ok(seen !== undefined && other !== undefined);
  const [released] = await advanceAll(world.deps, [{ name: one, fence: 1, seen, step: release }]);
  assert.deepEqual([released?.moved, released?.purchase.state], [true, 'failed']);
  // The first has changed since it was read; its neighbour has not, and moves.
  const results = await advanceAll(world.deps, [
    { name: one, fence: 1, seen, step: sell },
    { name: two, fence: 1, seen: other, step: sell },
  ]);
  assert.deepEqual(
    results.map(({ moved, purchase }) => [moved, purchase.state]),
    [
      [false, 'failed'],
      [true, 'succeeded'],
    ],
  );
  assert.deepEqual(await world.accountOf(clientId), { available: 9 * price, held: 0 });
  assert.deepEqual(await world.problems(), []);
});

test('a step that a claim overtook fails, whatever row it knew', async () => {
  const clientId = await newClient();
  const name = await begun(clientId, `${clientId} p`);
  const seen = (await world.find(clientId, name.key)) ?? assert.fail();
  await sql`update purchases set fence = 2 where id = ${name.id}`.execute(world.deps.db);
  const [result] = await advanceAll(world.deps, [{ name, fence: 1, seen, step: sell }]);
  assert.deepEqual([result?.moved, result?.purchase.fence], [false, 2]);
  assert.deepEqual(await world.accountOf(clientId), { available: 9 * price, held: price });
});

test('the statement that writes several detects a claim on one of them', async () => {
  const clientId = await newClient();
  const names = [await begun(clientId, `${clientId} 1`), await begun(clientId, `${clientId} 2`)];
  const items = await Promise.all(
    names.map(async (name): Promise<StepItem> => {
      const seen = (await world.find(clientId, name.key)) ?? assert.fail();
      return { name, fence: 1, seen, step: sell };
    }),
  );
  const [claimed] = names;
  await sql`update purchases set fence = 2 where id = ${claimed?.id}`.execute(world.deps.db);
  const results = await advanceAll(world.deps, items);
  assert.deepEqual(
    results.map(({ moved, purchase }) => [moved, purchase.state, purchase.fence]),
    [
      [false, 'submitted', 2],
      [true, 'succeeded', 1],
    ],
  );
  assert.deepEqual(await world.accountOf(clientId), { available: 8 * price, held: price });
});

test('if one step of a batch throws, none is written, and the others succeed alone', async () => {
  const clientId = await newClient();
  const names = [await begun(clientId, `${clientId} 1`), await begun(clientId, `${clientId} 2`)];
  const items = names.map((name, index) => ({
    name,
    fence: 1,
    step: (purchase: Purchase, now: number) => {
      if (index === 1) throw new Error('a step that fails');
      return sell(purchase, now);
    },
  }));
  await assert.rejects(advanceAll(world.deps, items), /a step that fails/);
  assert.deepEqual(await world.accountOf(clientId), { available: 8 * price, held: 2 * price });
  assert.equal((await world.find(clientId, names[0]?.key ?? ''))?.state, 'submitted');
  const run = (some: readonly StepItem[]) => advanceAll(world.deps, some);
  const results = await Promise.allSettled(items.map(createBatch({ run, most: items.length })));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.deepEqual(await world.accountOf(clientId), { available: 8 * price, held: price });
  assert.deepEqual(await world.problems(), []);
});

test('a purchase that does not exist is an error', async () => {
  const clientId = await newClient();
  const name = { clientId, id: 'nothing' };
  await assert.rejects(
    world.deps.transact.advance({ name, fence: 'any', move: delivered }),
    /There is no purchase nothing\./,
  );
});
