/** Tests on a real database that no hold passes a client's credit limit, however many buy at the same time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createWorld,
  purchaseRequestOf,
  termsOfWorld,
  type World,
} from '../../../test/support/purchase-world.ts';
import { setCreditLimit } from '../../ledger/credit.ts';
import { writePostings } from '../../ledger/store.ts';
import type { Listener } from '../../webhooks/event.ts';
import { type BeginItem, beginAll } from './begin.ts';
import { createTransact } from './transact.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(() => world.end());

let count = 0;
const newClient = async (balance: number, limit: number): Promise<string> => {
  count += 1;
  const id = await world.client(`client ${count}`, balance);
  await limitTo(id, limit);
  return id;
};

const limitTo = (id: string, limit: number) =>
  world.deps.db.transaction().execute((db) => setCreditLimit(db, id, limit, 0));

const itemOf = (clientId: string, price: number, more: Partial<BeginItem> = {}): BeginItem => {
  count += 1;
  return {
    requested: purchaseRequestOf({ clientId, id: `${clientId} ${count}`, price }),
    decision: { kind: 'order', terms: termsOfWorld },
    ...more,
  };
};

const statesOf = (results: readonly { readonly purchase: { readonly state: string } }[]) =>
  results.map(({ purchase }) => purchase.state);

const held = (states: readonly string[]): number =>
  states.filter((state) => state === 'submitted').length;

test('two buyers at the limit: one is sold, whichever comes first, in one process or in two', async () => {
  const other = createTransact(world.deps);
  for (let round = 0; round < 20; round += 1) {
    const clientId = await newClient(30, 70);
    const stranger = await newClient(0, 10);
    const states = statesOf(
      await Promise.all([
        world.deps.transact.begin(itemOf(clientId, 60)),
        world.deps.transact.begin(itemOf(stranger, 10)),
        other.begin(itemOf(clientId, 60)),
        other.begin(itemOf(stranger, 10)),
      ]),
    );
    assert.deepEqual(states.toSorted(), ['refused', 'refused', 'submitted', 'submitted']);
    assert.deepEqual(await world.accountOf(clientId), { available: -30, held: 60 });
    assert.deepEqual(await world.accountOf(stranger), { available: -10, held: 10 });
  }
  assert.deepEqual(await world.problems(), []);
});

test('a batch of several clients holds up to each limit, to the unit', async () => {
  const [one, two] = [await newClient(5, 20), await newClient(0, 0)];
  const items = [itemOf(one, 15), itemOf(two, 1), itemOf(one, 11), itemOf(one, 10), itemOf(one, 1)];
  const results = await beginAll(world.deps, items);
  const [taken, none] = ['submitted', 'refused'];
  assert.deepEqual(statesOf(results), [taken, none, none, taken, none]);
  assert.deepEqual(await world.accountOf(one), { available: -20, held: 25 });
});

test('a limit that is lowered while many buy binds every hold that comes after it', async () => {
  const clientId = await newClient(0, 100);
  const buys = Array.from({ length: 30 }, () => itemOf(clientId, 10));
  const working = buys.map((item) => world.deps.transact.begin(item));
  await limitTo(clientId, 30);
  const states = statesOf(await Promise.all(working));
  assert.ok(held(states) <= 10);
  const { available } = await world.accountOf(clientId);
  assert.equal(available, -10 * held(states));
  const [refused] = statesOf(await beginAll(world.deps, [itemOf(clientId, 100)]));
  assert.equal(refused, 'refused');
  assert.deepEqual(await world.problems(), [], 'each hold kept the limit of its time');
});

test('with a limit below what is used nothing is held until enough is paid', async () => {
  const clientId = await newClient(0, 100);
  const buy = async (price: number) =>
    statesOf(await beginAll(world.deps, [itemOf(clientId, price)]));
  assert.deepEqual(await buy(80), ['submitted']);
  await limitTo(clientId, 50);
  assert.deepEqual(await buy(1), ['refused']);
  await writePostings(world.deps.db, clientId, [{ kind: 'deposit', amount: 35 }], 0);
  assert.deepEqual([await buy(6), await buy(5)], [['refused'], ['submitted']]);
});

test('a low balance is what can be spent, with credit', async () => {
  const clientId = await newClient(0, 100);
  const listener: Listener = { id: 'e', clientId, events: ['balance.low'], balanceBelow: 50 };
  const audience = { listeners: [listener], messageId: 'm' };
  const messages = async () =>
    world.deps.db.selectFrom('webhook_messages').select('payload').execute();
  await world.deps.db
    .insertInto('webhook_endpoints')
    .values({
      id: 'e',
      client_id: clientId,
      url: 'https://shop.example/',
      description: '',
      events: '["balance.low"]',
      balance_below: 50,
      status: 'active',
      disabled_by: null,
      by_gateway: 0,
      secret: 'secret',
      old_secret: null,
      old_secret_until: null,
      created_at: 0,
      deleted_at: null,
    })
    .execute();
  await beginAll(world.deps, [itemOf(clientId, 50, { audience })]);
  assert.deepEqual(await messages(), []);
  await beginAll(world.deps, [itemOf(clientId, 10, { audience })]);
  assert.match((await messages())[0]?.payload ?? '', /"data":\{"available":40,"below":50\}/);
});
