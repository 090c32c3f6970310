/** Tests on PostgreSQL that two instances lose no update: each lock blocks what it must. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { lockSetUp } from '../../src/db/engine.ts';
import type { Db, OpenDatabase } from '../../src/db/types.ts';
import { lockBooks, openAccount, readAccount, writePostings } from '../../src/ledger/store.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { claimDue } from '../../src/purchases/claims.ts';
import { advanceIn } from '../../src/purchases/commit/advance.ts';
import { type BeginItem, beginAll } from '../../src/purchases/commit/begin.ts';
import { errorFact } from '../../src/purchases/facts/facts.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import { begin, type Purchase, succeed } from '../../src/purchases/purchase.ts';
import { acceptRestore } from '../../src/purchases/restored/accept.ts';
import { insertForgotten, insertRestore } from '../../src/purchases/restored/store.ts';
import { findByIds, insertPurchases } from '../../src/purchases/store.ts';
import { timingFrom } from '../../src/purchases/terms.ts';
import { openBesideTest, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/live.ts';
import { price, purchaseRequestOf, termsOfWorld } from '../support/purchase-world.ts';

let database: TestDatabase;
/** Another instance on the same database. */
let other: OpenDatabase;
before(async () => {
  database = await openTestDatabase();
  other = openBesideTest(database.env.DATABASE_URL ?? assert.fail('not on PostgreSQL'));
});
after(async () => {
  await other.close();
  await database.close();
});

const now = 1_000_000;
const databaseTime = async (): Promise<number> => now;
const answer = { status: 200, body: 'sold' };

let clients = 0;
const newClient = async (balance: number): Promise<string> => {
  clients += 1;
  const id = `client ${clients}`;
  const row = { id, name: id, status: 'active', created_at: 0, test: 0 } as const;
  await database.db.insertInto('clients').values(row).execute();
  await openAccount(database.db, id);
  await writePostings(database.db, id, [{ kind: 'deposit', amount: balance }], 0);
  return id;
};

const itemOf = (clientId: string, id: string): BeginItem => ({
  requested: purchaseRequestOf({ clientId, id: `${clientId} ${id}` }),
  decision: { kind: 'order', terms: termsOfWorld },
});

/** Like a begin, in a transaction that the test ends itself. */
const beginIn = async (db: Db, { requested }: BeginItem): Promise<void> => {
  const books = await lockBooks(db, [requested.clientId]);
  const { after: made, posting } = begin(requested, now, timingFrom(now, termsOfWorld));
  if (posting !== null) books.post(made.clientId, posting);
  await insertPurchases(db, [made], books.writes(now));
};

const begun = async (clientId: string, id: string): Promise<Purchase> => {
  const [result] = await beginAll({ db: database.db, databaseTime, clock: systemClock }, [
    itemOf(clientId, id),
  ]);
  return result?.purchase ?? assert.fail();
};

const sell = (purchase: Purchase, at: number) =>
  purchase.state === 'submitted'
    ? succeed(purchase, { at, answer, ref: 'receipt', note: null })
    : undefined;

const claim = async (db: Db, most = 100): Promise<readonly Purchase[]> =>
  (await claimDue(db, { now: now + 60_000, leaseUntil: now + 80_000, most }, [1])).purchases;

/** With a timeout: a wait for a lock that is never released fails alone, and not the whole run. */
const within = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (db) => {
    await sql`set local lock_timeout = 1000`.execute(db);
    return work(db);
  });

/** Waits until a session waits for a lock on this database. */
const untilSomebodyWaits = (): Promise<void> =>
  eventually('a session waits for a lock', async () => {
    const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
    return (rows[0]?.waiting ?? 0) > 0;
  });

/** Ends something whether the work succeeds or fails. */
const andThen = async <T>(work: Promise<T>, end: () => Promise<void>): Promise<T> => {
  try {
    return await work;
  } finally {
    await end();
  }
};

/** Runs `first` in a transaction that ends only when `second` waits for it. */
const behind = async <T>(
  first: (db: Db) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> => {
  const transaction = await database.db.startTransaction().execute();
  await first(transaction);
  const waiting = second();
  await andThen(untilSomebodyWaits(), () => transaction.commit().execute());
  return waiting;
};

const current = async (purchase: Purchase): Promise<Purchase> =>
  (await findByIds(database.db, [purchase]))[0] ?? assert.fail();

describe('Two instances', { concurrency: false, timeout: 240_000 }, () => {
  test('do not spend the same money: the second to begin sees what the first has left', async () => {
    const clientId = await newClient(price);
    const [second] = await behind(
      (db) => beginIn(db, itemOf(clientId, 'first')),
      () =>
        beginAll({ db: other.db, databaseTime, clock: systemClock }, [itemOf(clientId, 'second')]),
    );
    assert.deepEqual(second?.purchase.reason, errorFact('INSUFFICIENT_BALANCE'));
    const account = await readAccount(database.db, clientId);
    assert.deepEqual([account?.available, account?.held], [0, price]);
  });

  test('do not begin one key twice: the second finds what the first has begun', async () => {
    const clientId = await newClient(10 * price);
    const again = { ...itemOf(clientId, 'second') };
    const requested = { ...again.requested, key: itemOf(clientId, 'first').requested.key };
    const [second] = await behind(
      (db) => beginIn(db, itemOf(clientId, 'first')),
      () => beginAll({ db: other.db, databaseTime, clock: systemClock }, [{ ...again, requested }]),
    );
    assert.deepEqual([second?.ours, second?.purchase.id], [false, `${clientId} first`]);
    assert.equal((await readAccount(database.db, clientId))?.held, price);
  });

  test('do not settle what the other has claimed in between', async () => {
    const purchase = await begun(await newClient(price), 'claimed');
    const results = await behind(
      (db) => claim(db),
      () =>
        within(other.db, (db) =>
          advanceIn(db, databaseTime, [{ name: purchase, fence: purchase.fence, step: sell }]),
        ),
    );
    assert.deepEqual(
      results.map(({ moved }) => moved),
      [false],
    );
    const { state, fence, dueAt } = await current(purchase);
    assert.deepEqual([state, fence, dueAt], ['submitted', purchase.fence + 1, now + 80_000]);
  });

  test('do not claim what the other is settling: it is skipped without waiting', async () => {
    const purchase = await begun(await newClient(price), 'settled');
    const settling = await database.db.startTransaction().execute();
    await advanceIn(settling, databaseTime, [
      { name: purchase, fence: purchase.fence, step: sell },
    ]);
    const claimed = await andThen(
      within(other.db, (db) => claim(db)),
      () => settling.commit().execute(),
    );
    assert.ok(!claimed.some(({ id }) => id === purchase.id));
    assert.deepEqual(await claim(other.db), [], 'nor is it claimed when it is settled');
    assert.equal((await current(purchase)).state, 'succeeded');
  });

  test('share what is due: each claims what the other has not, without waiting', async () => {
    const clientId = await newClient(40 * price);
    const names: string[] = [];
    for (let index = 0; index < 40; index += 1) {
      names.push((await begun(clientId, `due ${index}`)).id);
    }
    const claiming = await database.db.startTransaction().execute();
    const mine = await claim(claiming, 16);
    const theirs = await andThen(
      within(other.db, (db) => claim(db, 16)),
      () => claiming.commit().execute(),
    );
    assert.deepEqual([mine.length, theirs.length], [16, 16]);
    const rest = await claim(database.db, 16);
    const all = [...mine, ...theirs, ...rest].map(({ id }) => id);
    assert.deepEqual(all.sort(), names.sort());
    assert.deepEqual(await claim(other.db), []);
  });

  test('leave a correct ledger, without deadlocks', async () => {
    assert.deepEqual((await verifyLedger(database.db)).problems, []);
    assert.deepEqual((await verifyPurchases(database.db)).problems, []);
    const { rows } = await sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
      where datname = current_database()`.execute(database.db);
    assert.deepEqual(rows, [{ deadlocks: 0 }]);
  });
});

test('a restore is not opened over an instance’s concurrent testimony', async () => {
  const deps = { ...database, clock: systemClock, newId: uuidV7(systemClock, systemRandom) };
  const cause = { cause: 'marked', changed: null } as const;
  const { id } = await insertRestore(database.db, { id: deps.newId(), at: now, ...cause });
  const waits = async (): Promise<boolean> => {
    const { rows } = await sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and locktype = 'advisory' and not granted`.execute(
      database.db,
    );
    return rows.length > 0;
  };
  let isOver = false;
  const accepted = other.db.transaction().execute(async (db) => {
    await lockSetUp(db);
    const word = { actor: 'operations', reason: 'asked manually', forgotten: 0, force: true };
    const accepting = acceptRestore(deps, word)
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true;
      });
    await eventually('it waits', async () => isOver || (await waits()));
    const sold = { operator_id: 1, ref: 'sold', kind: 'delivered', at: 1, found_at: now } as const;
    const unknown = { mobile: null, amount: null, client_id: null, idempotency_key: null };
    await insertForgotten(db, [{ restore_id: id, ...sold, ...unknown }]);
    return { accepting };
  });
  assert.match(String(await (await accepted).accepting), /^UsageError: It is known of 1 forgotten/);
});
