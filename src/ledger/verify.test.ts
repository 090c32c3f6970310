/** Tests that verification passes on correct books, and finds every kind of tampering. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { liftConstraints, openTestDatabase } from '../../test/support/database.ts';
import type { Db, OpenDatabase } from '../db/types.ts';
import { setCreditLimit } from './credit.ts';
import type { Posting } from './posting.ts';
import { openAccount, writePostings } from './store.ts';
import { type LedgerReport, verifyLedger } from './verify.ts';

const purchase = (
  purchaseId: string,
  ...kinds: readonly ('hold' | 'capture' | 'release' | 'reverse')[]
): Posting[] => kinds.map((kind) => ({ kind, amount: 100, purchaseId }));

/** Postings of every kind, a deposit, credit with a limit that was lowered later, and nothing yet. */
const fill = async (db: Db): Promise<void> => {
  const histories: Readonly<Record<string, readonly Posting[]>> = {
    busy: [
      { kind: 'deposit', amount: 1000 },
      ...purchase('sold', 'hold', 'capture'),
      ...purchase('failed', 'hold', 'release'),
      ...purchase('reversed', 'hold', 'capture', 'reverse'),
      { kind: 'correction', amount: 50, note: 'found' },
      { kind: 'correction', amount: -20, note: 'counted twice' },
      ...purchase('in flight', 'hold'),
    ],
    calm: [{ kind: 'deposit', amount: 1000 }],
    credited: [],
    fresh: [],
  };
  for (const [id, postings] of Object.entries(histories)) {
    await db
      .insertInto('clients')
      .values({ id, name: id, status: 'active', created_at: 0, test: 0 })
      .execute();
    await openAccount(db, id);
    await writePostings(db, id, postings, 0);
  }
  await setCreditLimit(db, 'credited', 150, 0);
  await writePostings(db, 'credited', purchase('on credit', 'hold', 'capture'), 0);
  await setCreditLimit(db, 'credited', 20, 0);
  await writePostings(db, 'credited', [{ kind: 'deposit', amount: 10 }], 0);
};

let database: OpenDatabase;
before(async () => {
  database = await openTestDatabase();
  await database.db.transaction().execute(fill);
  await liftConstraints(database.db);
});
after(() => database.close());

/** The report on correct books after SQL that bypassed every constraint. */
const reportAfter = async (...tampering: readonly string[]): Promise<LedgerReport> => {
  const db = await database.db.startTransaction().execute();
  try {
    for (const text of tampering) {
      const { numAffectedRows } = await sql.raw(text).execute(db);
      assert.ok((numAffectedRows ?? 0n) > 0n, `it changes something: ${text}`);
    }
    return await verifyLedger(db);
  } finally {
    await db.rollback().execute();
  }
};

test('correct books with postings of every kind have no problems, and all are counted', async () => {
  assert.deepEqual(await reportAfter(), { accounts: 4, postings: 15, problems: [] });
});

const tampered: Readonly<Record<string, readonly [client: string, ...sql: string[]]>> = {
  'a larger amount': [
    'busy',
    `update postings set amount = 101 where client_id = 'busy' and seq = 2`,
  ],
  'a smaller amount': ['calm', `update postings set amount = 999 where client_id = 'calm'`],
  'an amount of zero': [
    'busy',
    `update postings set amount = 0 where client_id = 'busy' and seq = 3`,
  ],
  'a negative amount': [
    'busy',
    `update postings set amount = -100 where client_id = 'busy' and seq = 4`,
  ],
  'an amount changed with the balance after it': [
    'busy',
    `update postings set amount = 150, available_after = available_after - 50 where client_id = 'busy' and seq = 2`,
  ],
  'a deleted first posting': ['busy', `delete from postings where client_id = 'busy' and seq = 1`],
  'a deleted posting in the middle': [
    'busy',
    `delete from postings where client_id = 'busy' and seq = 5`,
  ],
  'a deleted last posting': ['busy', `delete from postings where client_id = 'busy' and seq = 11`],
  'an only posting deleted': ['calm', `delete from postings where client_id = 'calm'`],
  'two deleted postings that cancel each other': [
    'busy',
    `delete from postings where client_id = 'busy' and seq in (4, 5)`,
  ],
  'two deleted postings, and the account counted down': [
    'busy',
    `delete from postings where client_id = 'busy' and seq in (4, 5)`,
    `update accounts set seq = seq - 2 where client_id = 'busy'`,
  ],
  'a larger available balance': [
    'busy',
    `update accounts set available = available + 1 where client_id = 'busy'`,
  ],
  'a smaller available balance': [
    'calm',
    `update accounts set available = available - 1 where client_id = 'calm'`,
  ],
  'a changed held balance': ['busy', `update accounts set held = 0 where client_id = 'busy'`],
  'a balance from nowhere': [
    'fresh',
    `update accounts set available = 5 where client_id = 'fresh'`,
  ],
  'money moved from held to available in the account': [
    'busy',
    `update accounts set available = available + held, held = 0 where client_id = 'busy'`,
  ],
  'a changed count of postings': [
    'calm',
    `update accounts set seq = seq + 1 where client_id = 'calm'`,
  ],
  'a changed available balance in a posting': [
    'busy',
    `update postings set available_after = available_after + 1 where client_id = 'busy' and seq = 6`,
  ],
  'a changed held balance in a posting': [
    'busy',
    `update postings set held_after = held_after + 1 where client_id = 'busy' and seq = 6`,
  ],
  'swapped accounts of a deposit': [
    'calm',
    `update postings set from_account = 'available', to_account = 'funding' where client_id = 'calm'`,
  ],
  'swapped accounts of a hold': [
    'busy',
    `update postings set from_account = to_account, to_account = from_account where client_id = 'busy' and seq = 2`,
  ],
  'swapped accounts of a correction': [
    'busy',
    `update postings set from_account = to_account, to_account = from_account where client_id = 'busy' and kind = 'correction' and amount = 50`,
  ],
  'a capture that went to another account of the gateway': [
    'busy',
    `update postings set to_account = 'funding' where client_id = 'busy' and seq = 3`,
  ],
  'a deposit labelled as a hold': [
    'calm',
    `update postings set kind = 'hold' where client_id = 'calm'`,
  ],
  'a deposit with a cost': ['calm', `update postings set cost = 5 where client_id = 'calm'`],
  'a hold at a supplier': [
    'busy',
    `update postings set supplier_id = 1 where client_id = 'busy' and seq = 2`,
  ],
  'an unknown kind': ['calm', `update postings set kind = 'gift' where client_id = 'calm'`],
  'a posting moved to another client': [
    'fresh',
    `update postings set client_id = 'fresh' where client_id = 'calm'`,
  ],
  'a posting copied to another client': [
    'fresh',
    `insert into postings select 'fresh', seq, kind, from_account, to_account, amount, available_after, held_after, purchase_id, note, at, cost, supplier_id, supplier_balance from postings where client_id = 'calm'`,
  ],
  'two swapped postings': [
    'busy',
    `update postings set seq = 100 where client_id = 'busy' and seq = 2`,
    `update postings set seq = 2 where client_id = 'busy' and seq = 3`,
    `update postings set seq = 3 where client_id = 'busy' and seq = 100`,
  ],
  'a hold beyond the limit': [
    'credited',
    `update credit_changes set credit_limit = 99 where number = 1`,
  ],
  'a limit from a time after the hold': [
    'credited',
    `update credit_changes set after_seq = 1 where number = 1`,
  ],
  'a larger limit than the last change set': [
    'credited',
    `update accounts set credit_limit = 21 where client_id = 'credited'`,
  ],
  'a deleted change of the limit': ['credited', `delete from credit_changes where number = 1`],
  'a limit that was never changed': [
    'fresh',
    `update accounts set credit_limit = 1 where client_id = 'fresh'`,
  ],
  'a correction that takes credit': [
    'busy',
    `update postings set amount = 2000, available_after = available_after - 1980, held_after = held_after where client_id = 'busy' and kind = 'correction' and amount = 20`,
  ],
  'a missing account of a client with postings': [
    'busy',
    `delete from accounts where client_id = 'busy'`,
  ],
  'a missing account of a client without postings': [
    'fresh',
    `delete from accounts where client_id = 'fresh'`,
  ],
  'a missing client and account, with postings left behind': [
    'calm',
    `delete from accounts where client_id = 'calm'`,
    `delete from clients where id = 'calm'`,
  ],
};

for (const [what, [client, ...statements]] of Object.entries(tampered)) {
  test(`${what} is found, and attributed to the right client`, async () => {
    const { problems } = await reportAfter(...statements);
    assert.ok(
      problems.some((problem) => problem.client === client && problem.problem !== ''),
      JSON.stringify(problems),
    );
  });
}

test('a problem names the client, the posting, and both numbers', async () => {
  const { problems } = await reportAfter(
    `update postings set available_after = 7 where client_id = 'calm'`,
  );
  assert.deepEqual(problems, [
    { client: 'calm', seq: 1, problem: 'available is written as 7 and adds up to 1000' },
  ]);
});

test('a missing posting is named by its number', async () => {
  const { problems } = await reportAfter(
    `delete from postings where client_id = 'busy' and seq = 5`,
  );
  assert.ok(problems.some(({ problem }) => problem === 'posting 5 is missing'));
});

test('one client’s problems are not attributed to another', async () => {
  const { problems } = await reportAfter(
    `update postings set amount = amount + 1 where client_id = 'busy'`,
  );
  assert.ok(problems.length > 3);
  assert.deepEqual(new Set(problems.map(({ client }) => client)), new Set(['busy']));
});

test('a thoroughly broken table yields at most a thousand problems', async () => {
  const { problems } = await reportAfter(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into postings select 'fresh', i, 'deposit', 'funding', 'available', 1, 0, 0, null, null, 0, null, null, null from n`,
  );
  assert.equal(problems.length, 1000);
});
