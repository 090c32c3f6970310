/** Tests what an operator's callback does to a purchase: what it ends, what it only hurries, and what it never does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, price, requestOf, type World } from '../../../test/support/purchase-world.ts';
import type {
  CallbackRequest,
  CallbackStatement,
  Connector,
  StatusOutcome,
} from '../../connector/connector.ts';
import { checkedConnection } from '../../connector/contain.ts';
import { readNotes } from '../inquiry/store.ts';
import { listUnmatched } from '../reports/store.ts';
import { resolve } from '../review/resolve.ts';
import { createCallbacks } from './receive.ts';
import { readCallbacks } from './store.ts';

const done: StatusOutcome = { kind: 'done', ref: 'receipt 7' };
const reversed: StatusOutcome = { kind: 'reversed', at: 5 };
const refused: StatusOutcome = {
  kind: 'refused',
  code: 'declined',
  blame: 'subscriber',
  reason: 'barred',
};
const silence = async () => ({ kind: 'unknown', detail: 'silence' }) as const;

type Options = {
  readonly final?: boolean;
  readonly declared?: Pick<Connector, 'settlesWithin' | 'deduplicates'>;
};

/** A message with these statements, signed by the operator by default. */
const messageOf = (statements: readonly unknown[], signature = 'genuine'): CallbackRequest => ({
  method: 'POST',
  query: '',
  headers: { 'x-signature': signature },
  body: Buffer.from(JSON.stringify(statements)),
  receivedAt: 0,
});

/** Trusts the sender, as a connector may do. */
const areStatements = (value: unknown): value is CallbackStatement[] => Array.isArray(value);

const statementsIn = ({ headers, body }: CallbackRequest) => {
  if (headers['x-signature'] !== 'genuine') {
    return { kind: 'rejected', detail: 'another signature' } as const;
  }
  const statements: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
  return { kind: 'statements', statements: areStatements(statements) ? statements : [] } as const;
};

/** A world whose operators call back, and the callback of one of them. */
const setUp = async ({ final = false, declared }: Options = {}) => {
  const world = await createWorld(declared);
  await world.client('a');
  const effects: string[] = [];
  const closed = { now: false };
  const receive = createCallbacks({
    ...world.deps,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    maskMessage: (_operator, text) => text,
    calledBack: (id, effect) => void effects.push(`${id} ${effect}`),
    gate: {
      pass: () => {},
      shut: () => assert.fail('nothing shuts it'),
      closed: () => (closed.now ? { en: 'restored', fa: 'بازیابی' } : undefined),
    },
  });
  const own = world.deps.registry.byId(1) ?? assert.fail('no operator');
  const callbacks = { read: statementsIn, final };
  const operator = { ...own, connection: checkedConnection({ ...own.connection, callbacks }) };
  /** The result of a message; `from` is the operator at whose address it came. */
  const call = async (message: CallbackRequest, from = 1) => {
    const before = effects.length;
    await receive({ ...operator, id: from }, message);
    return effects.slice(before);
  };
  return {
    world,
    closed,
    call,
    say: (ref: string, outcome: StatusOutcome, from = 1) =>
      call(messageOf([{ ref, outcome }]), from),
  };
};

const find = async (world: World) => (await world.find('a', 'key')) ?? assert.fail('no purchase');

/** A purchase whose order got no answer. */
const leftUnknown = async (world: World): Promise<string> => {
  world.say({ buy: silence });
  void world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(0);
  const { id, state } = await find(world);
  assert.equal(state, 'unknown');
  return id;
};

const callbackNotes = async (world: World): Promise<string[]> =>
  (await readNotes(world.deps.db, await find(world)))
    .filter(({ kind }) => kind === 'callback')
    .map(({ fact }) => fact.code);

/** Notes that the purchase has left another supplier. */
const moveOn = async (world: World): Promise<void> => {
  const { clientId, id, notes } = await find(world);
  await world.deps.db
    .insertInto('purchase_notes')
    .values({
      client_id: clientId,
      purchase_id: id,
      seq: notes + 1,
      kind: 'order',
      code: 'moved_on',
      fact_values: '{"supplier":101}',
      at: 0,
    })
    .execute();
  const counted = world.deps.db.updateTable('purchases').set({ notes: notes + 1 });
  await counted.where('id', '=', id).execute();
};

/** Ends a test: the money adds up, and nothing was ordered twice. */
const endWith = async (world: World, held: number, available: number): Promise<void> => {
  assert.deepEqual(await world.accountOf('a'), { available, held });
  assert.deepEqual(await world.problems(), []);
  assert.equal(world.orders.length, 1, 'orders');
  await world.clock.advance(30_000);
  await world.end();
};

test('a callback brings the next inquiry forward, and the inquiry settles', async () => {
  const { world, say } = await setUp();
  const id = await leftUnknown(world);
  const { dueAt } = await find(world);
  assert.ok((dueAt ?? 0) > world.clock.now());
  assert.deepEqual(await say(id, done), ['1 inquiry']);
  const hurried = await find(world);
  assert.deepEqual([hurried.state, hurried.dueAt], ['unknown', world.clock.now()]);
  world.say({ status: async () => done });
  await world.recovery.claim();
  await world.recovery.whenIdle();
  assert.equal((await find(world)).state, 'succeeded');
  await endWith(world, 0, 9 * price);
});

test('without proof it never settles, whatever it says', async () => {
  const { world, say } = await setUp();
  const id = await leftUnknown(world);
  for (const outcome of [done, reversed, refused, { kind: 'not_found' } as const]) {
    await say(id, outcome);
    assert.equal((await find(world)).state, 'unknown');
  }
  await endWith(world, price, 9 * price);
});

test('a repeated message triggers nothing, and others only a few inquiries', async () => {
  const { world, say } = await setUp();
  const id = await leftUnknown(world);
  assert.deepEqual(await say(id, done), ['1 inquiry']);
  assert.deepEqual(await say(id, done), ['1 no_effect']);
  const effects: string[] = [];
  for (let nth = 0; nth < 10; nth += 1) {
    effects.push(...(await say(id, { ...refused, reason: `reason ${nth}` })));
  }
  assert.equal(effects.filter((effect) => effect === '1 inquiry').length, 4);
  assert.equal((await callbackNotes(world)).length, 5);
  const kept = await readCallbacks(world.deps.db, { suppliers: [1], ref: id }, 100);
  assert.deepEqual(kept.find(({ says }) => says === 'delivered')?.times, 2);
  assert.equal(kept.length, 11);
  await endWith(world, price, 9 * price);
});

test('what a supplier that was left has said, the next one may say again', async () => {
  const { world, say } = await setUp();
  const id = await leftUnknown(world);
  assert.deepEqual(await say(id, done), ['1 inquiry']);
  await moveOn(world);
  assert.deepEqual(await say(id, done), ['1 inquiry']);
  assert.deepEqual(await say(id, done), ['1 no_effect']);
  await endWith(world, price, 9 * price);
});

test('a final delivery ends the purchase with its receipt, once', async () => {
  const { world, say } = await setUp({ final: true });
  const id = await leftUnknown(world);
  assert.deepEqual(await say(id, done), ['1 settled']);
  const { state, operatorRef } = await find(world);
  assert.deepEqual([state, operatorRef], ['succeeded', 'receipt 7']);
  assert.deepEqual(await say(id, done), ['1 no_effect']);
  assert.deepEqual(await say(id, refused), ['1 no_effect'], 'replayed or contradicting');
  assert.equal((await find(world)).state, 'succeeded');
  await endWith(world, 0, 9 * price);
});

test('one that comes before the order’s answer ends it, and the answer changes nothing', async () => {
  const { world, say } = await setUp({ final: true });
  const answer = Promise.withResolvers<{ kind: 'done'; ref: string }>();
  world.say({ buy: () => answer.promise });
  const bought = world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(0);
  const { id } = await find(world);
  assert.deepEqual(await say(id, done), ['1 settled']);
  answer.resolve({ kind: 'done', ref: 'receipt 7' });
  await world.clock.advance(0);
  assert.equal((await bought).kind, 'answer');
  assert.equal((await find(world)).answer?.status, 200);
  await endWith(world, 0, 9 * price);
});

test('one without proof leaves an order in flight to its sender', async () => {
  const { world, say } = await setUp();
  const answer = Promise.withResolvers<{ kind: 'done'; ref: string }>();
  world.say({ buy: () => answer.promise });
  const bought = world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(0);
  const { id, dueAt } = await find(world);
  assert.deepEqual(await say(id, refused), ['1 noted']);
  assert.equal((await find(world)).dueAt, dueAt);
  await world.recovery.claim();
  assert.deepEqual(world.asked, []);
  answer.resolve({ kind: 'done', ref: 'receipt 7' });
  await world.clock.advance(0);
  assert.equal((await bought).kind, 'answer');
  assert.equal((await find(world)).answer?.status, 200);
  assert.deepEqual(await callbackNotes(world), ['called_back_refused']);
  await endWith(world, 0, 9 * price);
});

test('a refusal that comes before the order’s answer ends nothing: the answer counts', async () => {
  const { world, say } = await setUp({ final: true });
  const answer = Promise.withResolvers<{ kind: 'done'; ref: string }>();
  world.say({ buy: () => answer.promise });
  void world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(0);
  const { id } = await find(world);
  assert.deepEqual(await say(id, refused), ['1 noted']);
  answer.resolve({ kind: 'done', ref: 'receipt 7' });
  await world.clock.advance(0);
  assert.equal((await find(world)).state, 'succeeded');
  await endWith(world, 0, 9 * price);
});

test('a reversal that overtakes its delivery reverses, and the delivery after it changes nothing', async () => {
  const { world, say } = await setUp({ final: true });
  const id = await leftUnknown(world);
  assert.deepEqual(await say(id, reversed), ['1 settled']);
  assert.equal((await find(world)).state, 'reversed');
  assert.deepEqual(await say(id, done), ['1 no_effect']);
  assert.equal((await find(world)).state, 'reversed');
  await endWith(world, 0, 10 * price);
});

test('a final reversal of what was sold returns the money once; one that is not final does not', async () => {
  for (const final of [true, false]) {
    const { world, say } = await setUp({ final });
    await world.buying.buy(requestOf('a', 'key'));
    const { id } = await find(world);
    assert.deepEqual(await say(id, reversed), [final ? '1 settled' : '1 no_effect']);
    await say(id, reversed);
    assert.equal((await find(world)).state, final ? 'reversed' : 'succeeded');
    await endWith(world, 0, final ? 10 * price : 9 * price);
  }
});

test('a final refusal ends what was ordered once, with the operator’s words', async () => {
  const { world, say } = await setUp({ final: true });
  const id = await leftUnknown(world);
  assert.deepEqual(await say(id, refused), ['1 settled']);
  const { state, reason } = await find(world);
  assert.equal(state, 'failed');
  assert.deepEqual(reason?.values, { name: 'OPERATOR_DECLINED', reason: 'barred' });
  await endWith(world, 0, 10 * price);
});

test('a refusal that needs fresh offers is left to an inquiry', async () => {
  const { world, say } = await setUp({ final: true });
  const id = await leftUnknown(world);
  assert.deepEqual(await say(id, { ...refused, code: 'offer_gone' }), ['1 inquiry']);
  assert.equal((await find(world)).state, 'unknown');
  await endWith(world, price, 9 * price);
});

test('a refusal of the first attempt does not end the second', async () => {
  const { world, say } = await setUp({
    final: true,
    declared: { settlesWithin: 0, deduplicates: true },
  });
  const id = await leftUnknown(world);
  // After the quiet time "no such order" is proof, and it is ordered again.
  await world.clock.advance(10_000);
  await world.recovery.claim();
  await world.recovery.whenIdle();
  assert.equal((await find(world)).attempts, 2);
  assert.notDeepEqual(await say(id, refused), ['1 settled']);
  assert.equal((await find(world)).answer, null);
  assert.equal(world.orders.length, 2);
  assert.deepEqual(await world.problems(), []);
  await world.clock.advance(30_000);
  await world.end();
});

test('a forged message is rejected and not kept', async () => {
  const { world, call } = await setUp({ final: true });
  const id = await leftUnknown(world);
  const forged = messageOf([{ ref: id, outcome: done }], 'guessed');
  assert.deepEqual(await call(forged), ['1 rejected']);
  assert.equal((await find(world)).state, 'unknown');
  assert.deepEqual(await readCallbacks(world.deps.db, { suppliers: [1], ref: id }, 10), []);
  await endWith(world, price, 9 * price);
});

test('a message that its connector cannot read is rejected', async () => {
  const { world, call } = await setUp({ final: true });
  await leftUnknown(world);
  for (const body of ['{', '[null]', '[{"ref":"x"}]']) {
    const message = { ...messageOf([]), body: Buffer.from(body) };
    assert.deepEqual(await call(message), ['1 rejected'], body);
  }
  await endWith(world, price, 9 * price);
});

test('an operator’s statement about another’s order changes nothing, and is kept as unknown', async () => {
  const { world, say } = await setUp({ final: true });
  const id = await leftUnknown(world);
  assert.deepEqual(await say(id, done, 2), ['2 unmatched']);
  const { state, notes } = await find(world);
  assert.deepEqual([state, notes], ['unknown', 1]);
  const [kept, ...more] = await listUnmatched(world.deps.db, { operatorId: 2, limit: 10 });
  assert.deepEqual([kept?.ref, kept?.kind, more], [id, 'delivered', []]);
  assert.deepEqual(await readCallbacks(world.deps.db, { suppliers: [1], ref: id }, 10), []);
  await endWith(world, price, 9 * price);
});

test('an unknown reference is kept for reconciliation, once', async () => {
  const { world, say } = await setUp({ final: true });
  await leftUnknown(world);
  for (const outcome of [done, done, refused]) {
    assert.deepEqual(await say('elsewhere', outcome), ['1 unmatched']);
  }
  const kept = await listUnmatched(world.deps.db, { operatorId: 1, limit: 10 });
  assert.deepEqual(
    kept.map(({ ref, kind }) => [ref, kind]),
    [['elsewhere', 'delivered']],
  );
  await endWith(world, price, 9 * price);
});

test('while a restored database sells nothing a callback is evidence only', async () => {
  const { world, say, closed } = await setUp({ final: true });
  const id = await leftUnknown(world);
  closed.now = true;
  assert.deepEqual(await say(id, done), ['1 inquiry']);
  assert.equal((await find(world)).state, 'unknown');
  closed.now = false;
  assert.deepEqual(await say(id, done), ['1 settled'], 'sent again, it counts');
  await endWith(world, 0, 9 * price);
});

test('a purchase in review notes it once, and stays in review', async () => {
  const { world, say } = await setUp({ final: true });
  const id = await leftUnknown(world);
  world.say({ status: async () => ({ kind: 'pending' }) });
  for (let round = 0; round < 12; round += 1) {
    await world.clock.advance(10_000);
    await world.recovery.claim();
    await world.recovery.whenIdle();
  }
  assert.equal((await find(world)).state, 'review');
  assert.deepEqual(await say(id, { kind: 'pending' }), ['1 no_effect']);
  assert.deepEqual(await say(id, done), ['1 noted']);
  assert.deepEqual(await say(id, done), ['1 no_effect']);
  const { state, reason } = await find(world);
  assert.deepEqual([state, reason?.code], ['review', 'called_back_delivered']);
  await endWith(world, price, 9 * price);
});

test('a delivery after a recorded failure disputes it, once', async () => {
  const { world, say } = await setUp();
  world.say({
    buy: async () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'no' }),
  });
  await world.buying.buy(requestOf('a', 'key'));
  const { id } = await find(world);
  assert.deepEqual(await say(id, done), ['1 noted']);
  assert.deepEqual(await say(id, done), ['1 no_effect']);
  const { state, disputed, notes } = await find(world);
  assert.deepEqual([state, disputed?.code, notes], ['failed', 'called_back_delivered', 1]);
  await endWith(world, 0, 10 * price);
});

test('whether a callback or a report opened a dispute, the other does not reopen it once a person closed it', async () => {
  for (const first of ['callback', 'report']) {
    const { world, say } = await setUp();
    world.say({
      buy: async () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'no' }),
    });
    await world.buying.buy(requestOf('a', 'key'));
    const { id } = await find(world);
    const report = { ref: id, at: 7, kind: 'delivered' } as const;
    world.say({
      reports: async (cursor) => ({
        kind: 'reports',
        reports: cursor === '' ? [report] : [],
        cursor: '1',
      }),
    });
    const receive = async (by: string): Promise<void> => {
      if (by === 'callback') await say(id, done);
      else await world.recovery.readReports();
    };
    await receive(first);
    assert.notEqual((await find(world)).disputed, null);
    const ask = async () => ({ kind: 'asked', outcome: done, quiet: true }) as const;
    const resolution = { actor: 'owner', reason: 'seen', force: false } as const;
    await resolve({ ...world.deps, ask }, id, { ...resolution, verdict: 'succeeded' });
    assert.equal((await find(world)).disputed, null);
    await receive('callback');
    await receive('report');
    assert.equal((await find(world)).disputed, null, `opened by a ${first}`);
    await endWith(world, 0, 10 * price);
  }
});

test('a statement that cannot be applied blocks no other, and the operator gets an error', async () => {
  const { world, call } = await setUp({ final: true });
  const id = await leftUnknown(world);
  const { advance } = world.deps.transact;
  const failing = createCallbacks({
    ...world.deps,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    maskMessage: (_operator, text) => text,
    calledBack: () => {},
    transact: {
      ...world.deps.transact,
      advance: (item) =>
        item.name.id === id ? Promise.reject(new Error('broken')) : advance(item),
    },
  });
  const own = world.deps.registry.byId(1) ?? assert.fail('no operator');
  const callbacks = { read: statementsIn, final: true };
  const operator = { ...own, connection: checkedConnection({ ...own.connection, callbacks }) };
  const message = messageOf([
    { ref: id, outcome: done },
    { ref: 'elsewhere', outcome: done },
  ]);
  await assert.rejects(failing(operator, message), /broken/);
  assert.equal((await listUnmatched(world.deps.db, { operatorId: 1, limit: 10 })).length, 1);
  assert.deepEqual(await call(message), ['1 settled', '1 unmatched'], 'sent again, all is applied');
  await endWith(world, 0, 9 * price);
});
