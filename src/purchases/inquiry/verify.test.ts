/** Tests that verification accepts correct purchases and finds every kind of tampering. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { liftConstraints } from '../../../test/support/database.ts';
import { createWorld, price, requestOf, type World } from '../../../test/support/purchase-world.ts';
import type { OrderOutcome } from '../../connector/connector.ts';
import { type PurchaseReport, verifyPurchases } from './verify.ts';

const outcomes: Readonly<Record<string, OrderOutcome>> = {
  sold: { kind: 'done', ref: 'receipt' },
  'sold too': { kind: 'done', ref: 'receipt' },
  reversed: { kind: 'done', ref: 'receipt', cost: 9000 },
  failed: { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' },
  unknown: { kind: 'unknown', detail: 'silence' },
  'unknown too': { kind: 'unknown', detail: 'silence' },
  review: { kind: 'unknown', detail: 'silence' },
};

const idOf = async (world: World, key: string): Promise<string> =>
  ((await world.find('a', key)) ?? assert.fail(key)).id;

/** A purchase of every kind, bought normally, and one of another client. */
const fill = async (world: World): Promise<void> => {
  await world.client('a', 100 * price);
  await world.client('b', 100 * price);
  for (const [key, outcome] of Object.entries(outcomes)) {
    world.say({ buy: async () => outcome });
    // No time to wait for what stays unknown.
    const bought = world.buying.buy(requestOf('a', key));
    await world.clock.advance(outcome.kind === 'unknown' ? 25_000 : 0);
    await bought;
  }
  world.say({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
  await world.buying.buy(requestOf('b', 'of another'));
  await world.buying.buy(requestOf('a', 'refused', { price: 1 }));
  const [ref, given] = [await idOf(world, 'reversed'), await idOf(world, 'review')];
  world.say({
    status: async (asked) =>
      asked === given ? { kind: 'pending' } : { kind: 'unknown', detail: '' },
    reports: async () => ({
      kind: 'reports',
      reports: [{ ref, at: 1, kind: 'reversed' }],
      cursor: '1',
    }),
  });
  await world.recovery.readReports();
  // One began long ago and was inquired about often, so that it needs review; the others are left alone.
  await sql`update purchases set began_at = 0, inquiries = 2 where id = ${given}`.execute(
    world.deps.db,
  );
  await sql`update purchases set due_at = due_at + 1e12 where id <> ${given} and due_at is not null`.execute(
    world.deps.db,
  );
  await world.clock.advance(10_000);
  await world.recovery.claim();
  await world.recovery.whenIdle();
};

let world: World;
let names: ReadonlyMap<string, string>;
before(async () => {
  world = await createWorld();
  const { db } = world.deps;
  await fill(world);
  const rows = await db.selectFrom('purchases').select(['id', 'idempotency_key']).execute();
  names = new Map(rows.map((row) => [row.id, row.idempotency_key]));
  await liftConstraints(db);
});
after(() => world.end());

/** Purchases are named by their keys, because their ids are random. */
const withIds = (text: string): string =>
  text.replaceAll(
    /<([^>]+)>/g,
    (_, key) => `(select id from purchases where idempotency_key = '${key}')`,
  );

/** The report on correct purchases after SQL that bypassed every constraint. */
const reportAfter = async (...tampering: readonly string[]): Promise<PurchaseReport> => {
  const db = await world.deps.db.startTransaction().execute();
  try {
    for (const text of tampering) {
      const { numAffectedRows } = await sql.raw(withIds(text)).execute(db);
      assert.ok((numAffectedRows ?? 0n) > 0n, `it changes something: ${text}`);
    }
    return await verifyPurchases(db);
  } finally {
    await db.rollback().execute();
  }
};

test('correct purchases in every state have no problems, and all are counted', async () => {
  const { purchases, states, problems } = await reportAfter();
  assert.deepEqual(problems, []);
  assert.equal(purchases, 9);
  assert.deepEqual(states, {
    succeeded: 3,
    failed: 1,
    refused: 1,
    reversed: 1,
    review: 1,
    unknown: 2,
  });
});

const state = (key: string, change: string): string =>
  `update purchases set ${change} where id = <${key}>`;
const posting = (key: string, kind: string, change: string): string =>
  `update postings set ${change} where purchase_id = <${key}> and kind = '${kind}'`;
const without = (key: string, kind: string): string =>
  `delete from postings where purchase_id = <${key}> and kind = '${kind}'`;
/** A version of the default list with the entry 7, from a time on, and the version after it if there is one. */
const priceLists = (
  percent: string,
  { from, withdrawn, next }: { from: number; withdrawn?: number; next?: number },
): string[] => [
  `insert into price_lists values (1, 'default', null, 0, 0, null)`,
  `insert into price_versions values (1, 1, ${from}, 0, ${withdrawn ?? 'null'})`,
  ...(next === undefined ? [] : [`insert into price_versions values (1, 2, ${next}, 0, null)`]),
  `insert into price_entries values (7, 1, 1, null, null, null, null, null, '${percent}')`,
];
const settled = `settled_at = 5, due_at = null, answer_body = '{}'`;

/** The tampering, the purchases that must be named, and part of the text about the first. */
const tampered: Readonly<
  Record<string, readonly [keys: string[], said: RegExp, ...sql: string[]]>
> = {
  'a missing capture': [['sold'], /has the postings "hold"$/, without('sold', 'capture')],
  'a missing hold': [['sold'], /has the postings "capture"$/, without('sold', 'hold')],
  'a missing release': [['failed'], /has the postings "hold"$/, without('failed', 'release')],
  'a missing reversal': [
    ['reversed'],
    /has the postings "hold capture"$/,
    without('reversed', 'reverse'),
  ],
  'a hold that was never taken': [['unknown'], /has the postings ""$/, without('unknown', 'hold')],
  'a state that does not exist for it': [
    ['unknown'],
    /is held and has the postings "hold"$/,
    state('unknown', `state = 'held'`),
  ],
  'a hold of one captured for another': [
    ['sold', 'unknown'],
    /has the postings "hold"$/,
    posting('sold', 'capture', 'purchase_id = <unknown>'),
  ],
  'captures of two exchanged for one with two holds': [
    ['sold', 'unknown'],
    /has the postings "capture"$/,
    posting('sold', 'hold', `purchase_id = <unknown>, kind = 'release'`),
  ],
  'a capture before its hold': [
    ['sold'],
    /has the postings "capture hold"$/,
    posting('sold', 'capture', 'seq = seq - 1000'),
  ],
  'a larger capture': [
    ['sold'],
    /its capture is of 10001, not of 10000/,
    posting('sold', 'capture', 'amount = amount + 1'),
  ],
  'a smaller release': [
    ['failed'],
    /its release is of 9999/,
    posting('failed', 'release', 'amount = amount - 1'),
  ],
  'a hold of another amount': [
    ['unknown'],
    /its hold is of 1,?/,
    posting('unknown', 'hold', 'amount = 1'),
  ],
  'a price changed afterwards': [
    ['sold'],
    /it charges 10000 of 1 without a commission/,
    state('sold', 'amount = 1'),
  ],
  'a charge changed afterwards': [
    ['sold'],
    /its hold is of 10000, not of 9999/,
    state('sold', 'charged_amount = 9999'),
  ],
  'a charge without a commission': [
    ['failed'],
    /it charges 9999 of 10000 without a commission/,
    state('failed', 'charged_amount = 9999'),
  ],
  'a commission that was never given': [
    ['sold'],
    /it is priced by the entry 7, which was never in force/,
    state('sold', 'price_entry_id = 7'),
  ],
  'a commission that was withdrawn': [
    ['sold'],
    /it is priced by the entry 7, which was never in force/,
    ...priceLists('4', { from: 0, withdrawn: 1 }),
    state('sold', 'price_entry_id = 7'),
  ],
  'a commission from the time before its version': [
    ['sold'],
    /it is priced by the entry 7, which was not in force when it began/,
    ...priceLists('0', { from: 1e13 }),
    state('sold', 'price_entry_id = 7'),
  ],
  'a commission from the time after its version': [
    ['sold'],
    /it is priced by the entry 7, which was not in force when it began/,
    ...priceLists('0', { from: 0, next: 1 }),
    state('sold', 'price_entry_id = 7'),
  ],
  'a commission that was not taken off': [
    ['sold'],
    /it charges 10000 of 10000, and its commission leaves 9975/,
    ...priceLists('0.259', { from: 0 }),
    state('sold', 'price_entry_id = 7'),
  ],
  'a commission that its entry does not give': [
    ['sold'],
    /it charges 9974 of 10000, and its commission leaves 9975/,
    ...priceLists('0.259', { from: 0 }),
    state('sold', 'price_entry_id = 7, charged_amount = 9974, route_id = 3'),
  ],
  'a cost changed afterwards': [
    ['sold'],
    /its capture costs null, not 9000/,
    state('sold', 'cost = 9000'),
  ],
  'a capture that costs less than the supplier said': [
    ['reversed'],
    /its capture costs 8999, not 9000/,
    posting('reversed', 'capture', 'cost = 8999'),
  ],
  'a cost that the reversal does not take back': [
    ['reversed'],
    /its reverse takes back null, not -9000/,
    posting('reversed', 'reverse', 'cost = null'),
  ],
  'a cost that the reversal adds': [
    ['reversed'],
    /its reverse takes back 9000, not -9000/,
    posting('reversed', 'reverse', 'cost = 9000'),
  ],
  'a delivery of another supplier': [
    ['sold'],
    /its capture is of supplier 2, not of 1/,
    posting('sold', 'capture', 'supplier_id = 2'),
  ],
  'a reversal by another supplier': [
    ['reversed'],
    /its reverse is of supplier 2, not of 1/,
    posting('reversed', 'reverse', 'supplier_id = 2'),
  ],
  'a cost learnt later that no delivery explains': [
    ['sold'],
    /supplier 1 takes 5 for 1 deliveries that cost 0/,
    `insert into supplier_ledger select client_id, id, 1, 'told', 5, 0 from purchases where id = <sold>`,
  ],
  'a refusal that charges': [
    ['refused'],
    /it is refused and charges 1/,
    state('refused', 'charged_amount = 1'),
  ],
  'a failure turned into a sale': [
    ['failed'],
    /it is succeeded and has the postings "hold release"/,
    state('failed', `state = 'succeeded'`),
  ],
  'a sale turned into a failure': [
    ['sold'],
    /it is failed and has the postings "hold capture"/,
    state('sold', `state = 'failed'`),
  ],
  'a reversal without its money': [
    ['sold'],
    /it is reversed and has the postings "hold capture"/,
    state('sold', `state = 'reversed'`),
  ],
  'a refund for what is sold': [
    ['reversed'],
    /it is succeeded and has the postings "hold capture reverse"/,
    state('reversed', `state = 'succeeded'`),
  ],
  'a refusal that holds money': [
    ['sold'],
    /it is refused and has the postings/,
    state('sold', `state = 'refused'`),
  ],
  'a sale without an answer': [
    ['sold'],
    /answers nothing/,
    state('sold', 'answer_status = null, answer_body = null'),
  ],
  'a failure that answers 200': [
    ['failed'],
    /it is failed and answers 200/,
    state('failed', 'answer_status = 200'),
  ],
  'a sale that answers 422': [
    ['sold'],
    /it is succeeded and answers 422/,
    state('sold', 'answer_status = 422'),
  ],
  'a sale that answers 202': [
    ['sold'],
    /it is succeeded and answers 202/,
    state('sold', 'answer_status = 202'),
  ],
  'a refusal that answers 200': [
    ['refused'],
    /it is refused and answers 200/,
    state('refused', 'answer_status = 200'),
  ],
  'an answer before the end': [
    ['unknown'],
    /it is unknown and has an answer/,
    state('unknown', `answer_status = 200, answer_body = ''`),
  ],
  'an end that is still due': [
    ['sold'],
    /it is final and not settled/,
    state('sold', 'due_at = 5'),
  ],
  'an end without its time': [
    ['failed'],
    /it is final and not settled/,
    state('failed', 'settled_at = null'),
  ],
  'a time of the end before the end': [
    ['unknown'],
    /it is unknown and settled/,
    state('unknown', 'settled_at = 5'),
  ],
  'an open purchase that is never due': [
    ['unknown'],
    /it is unknown and never due/,
    state('unknown', 'due_at = null'),
  ],
  'a purchase in review that is still due': [
    ['review'],
    /it is review and still due/,
    state('review', 'due_at = 5'),
  ],
  'an end without a beginning': [
    ['unknown'],
    /it is succeeded and has the postings "hold"$/,
    state('unknown', `state = 'succeeded', answer_status = 200, ${settled}`),
  ],
  'an unknown state': [
    ['unknown'],
    /it is lost and has the postings/,
    state('unknown', `state = 'lost'`),
  ],
};

test('a purchase that began before the clock was set back may go by a version that is over since', async () => {
  const { problems } = await reportAfter(
    ...priceLists('0', { from: 0, next: 1 }),
    state('sold', 'price_entry_id = 7'),
    posting('sold', 'hold', 'at = at + 7200000'),
  );
  assert.deepEqual(problems, []);
});

for (const [what, [keys, said, ...statements]] of Object.entries(tampered)) {
  test(`finds ${what}, and names the purchase`, async () => {
    const { problems } = await reportAfter(...statements);
    const found = problems.map(({ purchase }) => names.get(purchase));
    assert.deepEqual(new Set(found), new Set(keys), JSON.stringify(problems));
    assert.ok(problems.every(({ client }) => client === 'a'));
    const texts = problems
      .filter(({ purchase }) => names.get(purchase) === keys[0])
      .map(({ problem }) => problem);
    assert.ok(
      texts.some((text) => said.test(text)),
      texts.join('; '),
    );
  });
}

test('finds postings of a missing purchase, and of one that was moved to another client', async () => {
  const { problems } = await reportAfter(`delete from purchases where id = <sold>`);
  assert.deepEqual(
    problems.map(({ purchase }) => names.get(purchase)),
    ['sold', 'sold'],
  );
  assert.ok(problems.every(({ problem }) => /^posting \d+ names it, and it is not/.test(problem)));
  const moved = await reportAfter(state('sold', `client_id = 'b'`));
  assert.deepEqual(
    new Set(moved.problems.map(({ client, purchase }) => `${client} ${names.get(purchase)}`)),
    new Set(['a sold', 'b sold']),
  );
});

test('the database refuses a second posting of one kind for one purchase', async () => {
  const again = `insert into postings select client_id, seq + 1000, kind, from_account, to_account,
    amount, available_after, held_after, purchase_id, note, at, cost, supplier_id, supplier_balance
    from postings where purchase_id = <sold> and kind = 'capture'`;
  await assert.rejects(reportAfter(again), /unique/i);
});

test('lists at most a thousand problems, and still counts every purchase', async () => {
  const { client, buying, deps, end } = await createWorld();
  await client('a', 2000 * price);
  const keys = Array.from({ length: 1200 }, (_, index) => `key ${index}`);
  await Promise.all(keys.map((key) => buying.buy(requestOf('a', key))));
  await sql`delete from postings where kind = 'capture'`.execute(deps.db);
  const { purchases, problems } = await verifyPurchases(deps.db);
  assert.deepEqual([purchases, problems.length], [1200, 1000]);
  await end();
});
