/** Tests that the stored ledger matches an independent model, and rejects invalid rows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Db, OpenDatabase } from '../db/types.ts';
import { setCreditLimit } from './credit.ts';
import { LedgerError, type Posting } from './posting.ts';
import { openAccount, readAccount, writePostings } from './store.ts';
import { verifyLedger } from './verify.ts';
import { streamLedger } from './verify-rows.ts';

let database: OpenDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

let clients = 0;

/** A new client for each case, with an empty account. */
const newClient = async (db: Db): Promise<string> => {
  clients += 1;
  const id = `client-${clients}`;
  await db
    .insertInto('clients')
    .values({ id, name: id, status: 'active', created_at: 0, test: 0 })
    .execute();
  await openAccount(db, id);
  return id;
};

const write = (clientId: string, postings: readonly Posting[], at = 1) =>
  database.db.transaction().execute((db) => writePostings(db, clientId, postings, at));

const rowsOf = async (clientId: string) => {
  const rows = await database.db
    .selectFrom('postings')
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row }));
};

const accountOf = async (clientId: string) => ({ ...(await readAccount(database.db, clientId)) });

const everything = async (clientId: string): Promise<string> =>
  JSON.stringify([await accountOf(clientId), await rowsOf(clientId)]);

const purchases = ['p1', 'p2', 'p3', 'p4'];
const amount = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, 0, -5, 1.5) },
);
const posting: fc.Arbitrary<Posting> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(amount, fc.boolean())
      .map(
        ([amount, noted]): Posting =>
          noted ? { kind: 'deposit', amount, note: 'paid' } : { kind: 'deposit', amount },
      ),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.constantFrom('hold', 'capture', 'release', 'reverse'),
        amount,
        fc.constantFrom(...purchases),
      )
      .map(([kind, amount, purchaseId]): Posting => ({ kind, amount, purchaseId })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(amount, fc.boolean()).map(
      ([amount, taken]): Posting => ({
        kind: 'correction',
        amount: taken ? -amount : amount,
        note: 'counted again',
      }),
    ),
  },
);
/** Postings, after another limit or none. */
const batch = fc.record({
  limit: fc.option(fc.integer({ min: 0, max: 500 }), { freq: 4 }),
  postings: fc.array(posting, { maxLength: 4 }),
});
const batches = fc.array(batch, { minLength: 1, maxLength: 25 });

/** All five accounts, without the code under test. */
type Model = {
  readonly available: number;
  readonly held: number;
  readonly seq: number;
  readonly credit: number;
  readonly done: readonly string[];
};

const start: Model = { available: 0, held: 0, seq: 0, credit: 0, done: [] };

const limitedTo = (model: Model, credit: number): Model => ({ ...model, credit });

const change: Readonly<Record<Posting['kind'], readonly [number, number]>> = {
  deposit: [1, 0],
  hold: [-1, 1],
  capture: [0, -1],
  release: [1, -1],
  reverse: [1, 0],
  correction: [1, 0],
};

/** The model after one posting, or undefined if the posting must be refused. */
const modelAfter = (model: Model, posting: Posting): Model | undefined => {
  const { kind, amount } = posting;
  const size = kind === 'correction' ? Math.abs(amount) : amount;
  if (!Number.isSafeInteger(size) || size <= 0) return undefined;
  const [toAvailable, toHeld] = change[kind];
  const available = model.available + toAvailable * amount;
  const held = model.held + toHeld * amount;
  const { credit } = model;
  const least = kind === 'hold' ? -credit : kind === 'correction' && amount < 0 ? 0 : -Infinity;
  if (available < least || held < 0) return undefined;
  if (available + held + credit > Number.MAX_SAFE_INTEGER) return undefined;
  const name = 'purchaseId' in posting ? [`${posting.purchaseId} ${kind}`] : [];
  if (name.some((one) => model.done.includes(one))) return undefined;
  return { available, held, seq: model.seq + 1, credit, done: [...model.done, ...name] };
};

const modelAfterAll = (model: Model, postings: readonly Posting[]): Model | undefined =>
  postings.reduce<Model | undefined>(
    (so, posting) => (so === undefined ? undefined : modelAfter(so, posting)),
    model,
  );

/** A client's money by the rows alone. */
const addedUp = (rows: Awaited<ReturnType<typeof rowsOf>>) => {
  const sum = (account: string): number =>
    rows.reduce(
      (total, { from_account, to_account, amount }) =>
        total + (to_account === account ? amount : 0) - (from_account === account ? amount : 0),
      0,
    );
  return { available: sum('available'), held: sum('held'), seq: rows.length };
};

test('after every batch the account, the rows and the model agree; a refused batch changes nothing', async () => {
  const seen = { taken: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(batches, async (batches) => {
      const client = await newClient(database.db);
      let model = start;
      for (const { limit, postings } of batches) {
        if (limit !== null && model.available + model.held + limit <= Number.MAX_SAFE_INTEGER) {
          await database.db.transaction().execute((db) => setCreditLimit(db, client, limit, 0));
          model = limitedTo(model, limit);
        }
        const next = modelAfterAll(model, postings);
        if (next === undefined) {
          const before = await everything(client);
          await assert.rejects(write(client, postings));
          assert.equal(await everything(client), before);
          seen.refused += 1;
        } else {
          const { done: _, ...account } = next;
          assert.deepEqual({ ...(await write(client, postings)) }, account);
          model = next;
          seen.taken += 1;
        }
        const { available, held, seq, credit } = model;
        assert.deepEqual(await accountOf(client), { available, held, seq, credit });
        assert.deepEqual(addedUp(await rowsOf(client)), { available, held, seq });
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(seen.taken > 100 && seen.refused > 100, JSON.stringify(seen));
  const report = await database.db.transaction().execute(verifyLedger);
  assert.deepEqual(report.problems, []);
});

const withoutCost = { cost: null, supplier_id: null, supplier_balance: null };

test('each row carries its sequence number, its movement, and what is left, and a capture its cost and balance', async () => {
  const client = await newClient(database.db);
  await write(client, [{ kind: 'deposit', amount: 500, note: 'by bank' }], 10);
  await write(
    client,
    [
      { kind: 'hold', amount: 200, purchaseId: 'p1' },
      {
        kind: 'capture',
        amount: 200,
        purchaseId: 'p1',
        supplierId: 3,
        cost: 150,
        supplierBalance: -7,
      },
    ],
    20,
  );
  const shared = { client_id: client, purchase_id: 'p1', note: null, at: 20, amount: 200 };
  assert.deepEqual(await rowsOf(client), [
    {
      client_id: client,
      seq: 1,
      kind: 'deposit',
      from_account: 'funding',
      to_account: 'available',
      amount: 500,
      available_after: 500,
      held_after: 0,
      purchase_id: null,
      note: 'by bank',
      at: 10,
      ...withoutCost,
    },
    {
      ...shared,
      seq: 2,
      kind: 'hold',
      from_account: 'available',
      to_account: 'held',
      available_after: 300,
      held_after: 200,
      ...withoutCost,
    },
    {
      ...shared,
      seq: 3,
      kind: 'capture',
      from_account: 'held',
      to_account: 'sales',
      available_after: 300,
      held_after: 0,
      cost: 150,
      supplier_id: 3,
      supplier_balance: -7,
    },
  ]);
});

test('a second posting of one kind for one purchase is refused, for another client it is not', async () => {
  const [one, other] = [await newClient(database.db), await newClient(database.db)];
  for (const client of [one, other]) {
    await write(client, [
      { kind: 'deposit', amount: 1000 },
      { kind: 'hold', amount: 500, purchaseId: 'large enough for a second capture' },
    ]);
  }
  for (const kind of ['hold', 'capture', 'reverse'] as const) {
    const posting = { kind, amount: 100, purchaseId: 'same' };
    await write(one, [posting]);
    await assert.rejects(write(one, [posting]), /unique/i, kind);
    await write(other, [posting]);
  }
  assert.deepEqual(await accountOf(one), { available: 500, held: 500, seq: 5, credit: 0 });
});

test('writing to a client without an account is refused', async () => {
  await assert.rejects(write('unknown-client', [{ kind: 'deposit', amount: 1 }]), LedgerError);
  assert.equal(await readAccount(database.db, 'unknown-client'), undefined);
});

test('one client’s postings leave another’s account alone', async () => {
  const [one, other] = [await newClient(database.db), await newClient(database.db)];
  await write(other, [{ kind: 'deposit', amount: 7 }]);
  const before = await everything(other);
  await write(one, [{ kind: 'deposit', amount: 100 }]);
  assert.equal(await everything(other), before);
});

test('concurrent deposits are all counted', async () => {
  const client = await newClient(database.db);
  await Promise.all(
    Array.from({ length: 50 }, () => write(client, [{ kind: 'deposit', amount: 3 }])),
  );
  assert.deepEqual(await accountOf(client), { available: 150, held: 0, seq: 50, credit: 0 });
});

test('the whole ledger is read client by client, in the order of the postings', async () => {
  const seen: string[] = [];
  for await (const row of streamLedger(database.db)) {
    seen.push(`${row.client_id} ${String(row.seq ?? 0).padStart(6, '0')}`);
  }
  assert.ok(seen.length > 50);
  assert.deepEqual(seen, seen.toSorted());
});

const good = {
  seq: 1,
  kind: 'deposit',
  from_account: 'funding',
  to_account: 'available',
  amount: 5,
  available_after: 5,
  held_after: 0,
  purchase_id: null,
  note: null,
  at: 0,
};
const wrongRows: Readonly<Record<string, object>> = {
  'an amount of zero': { amount: 0 },
  'a negative amount': { amount: -5 },
  'an amount beyond the safe integers': { amount: 9_007_199_254_740_992n },
  'a held balance below zero': { held_after: -1 },
  'a sequence number of zero': { seq: 0 },
  'an unknown kind': { kind: 'gift' },
  'a deposit from an unknown account': { from_account: 'thin air' },
  'a deposit in the wrong direction': { from_account: 'available', to_account: 'funding' },
  'a deposit that names a purchase': { purchase_id: 'p' },
  'a hold without a purchase': { kind: 'hold', from_account: 'available', to_account: 'held' },
  'a capture to the client': {
    kind: 'capture',
    from_account: 'held',
    to_account: 'available',
    purchase_id: 'p',
  },
  'a release to the sales': {
    kind: 'release',
    from_account: 'held',
    to_account: 'sales',
    purchase_id: 'p',
  },
  'a reversal out of funding': { kind: 'reverse', from_account: 'funding', purchase_id: 'p' },
  'a correction of the held balance': {
    kind: 'correction',
    from_account: 'corrections',
    to_account: 'held',
  },
  'a client that does not exist': { client_id: 'unknown-client' },
  'no time': { at: null },
};

const insertRaw = (row: object): Promise<unknown> => {
  const entries = Object.entries(row);
  const names = sql.join(entries.map(([name]) => sql.ref(name)));
  const values = sql.join(entries.map(([, value]: [string, unknown]) => sql.val(value)));
  return sql`insert into postings (${names}) values (${values})`.execute(database.db);
};

test('a valid row that bypasses the program is accepted, so the refusals below mean something', async () => {
  const client = await newClient(database.db);
  await insertRaw({ client_id: client, ...good });
  await insertRaw({
    client_id: client,
    ...good,
    seq: 2,
    kind: 'correction',
    from_account: 'available',
    to_account: 'corrections',
    available_after: 0,
  });
  await sql`delete from postings where client_id = ${client}`.execute(database.db);
});

for (const [what, wrong] of Object.entries(wrongRows)) {
  test(`the database itself refuses a posting with ${what}`, async () => {
    const client = await newClient(database.db);
    await assert.rejects(
      insertRaw({ client_id: client, ...good, ...wrong }),
      /check constraint|foreign key|not[- ]null/i,
    );
    assert.deepEqual(await rowsOf(client), []);
  });
}

test('the database itself refuses a second row with one sequence number', async () => {
  const client = await newClient(database.db);
  await insertRaw({ client_id: client, ...good });
  await assert.rejects(insertRaw({ client_id: client, ...good }), /unique/i);
  await sql`delete from postings where client_id = ${client}`.execute(database.db);
});

test('the database itself refuses an account that holds less than nothing, or is not exact', async () => {
  const client = await newClient(database.db);
  const tooLarge = 9_007_199_254_740_992n;
  const wrong = {
    available: [-tooLarge, tooLarge],
    held: [-1n, tooLarge],
    credit_limit: [-1n, tooLarge],
  };
  for (const [column, values] of Object.entries(wrong)) {
    for (const value of values) {
      const update = sql`update accounts set ${sql.ref(column)} = ${value} where client_id = ${client}`;
      await assert.rejects(update.execute(database.db), /check constraint/i);
    }
  }
  const backwards = sql`update accounts set seq = -1 where client_id = ${client}`;
  await assert.rejects(backwards.execute(database.db), /check constraint/i);
  await assert.rejects(
    openAccount(database.db, client),
    /unique/i,
    'a second account of one client',
  );
});
