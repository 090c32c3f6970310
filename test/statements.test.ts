/** Tests that the statements of the hot path are those of docs/statements/, text for text, on each engine. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { findTokenByHash, updateLastUse } from '../src/clients/store.ts';
import { readVersions } from '../src/db/changes/versions.ts';
import type { Db } from '../src/db/types.ts';
import { readStatement } from '../src/ledger/statement.ts';
import { openAccount, readSpendable, writePostings } from '../src/ledger/store.ts';
import { systemClock } from '../src/lib/clock.ts';
import { claimDue } from '../src/purchases/claims.ts';
import { advanceAll } from '../src/purchases/commit/advance.ts';
import { type BeginItem, beginAll } from '../src/purchases/commit/begin.ts';
import { textFact } from '../src/purchases/facts/facts.ts';
import { fail, type Note, type Purchase, succeed } from '../src/purchases/purchase.ts';
import { findByKeys } from '../src/purchases/store.ts';
import { claimMessages, dueEndpoints, readActive, updateMessage } from '../src/webhooks/store.ts';
import { openTestDatabase, type TestDatabase, testEngine } from './support/database.ts';
import { price, purchaseRequestOf, termsOfWorld } from './support/purchase-world.ts';
import { hearStatements, readable } from './support/sent-sql.ts';

const now = 1_000_000;
/** With the gateway's lock timeout. */
const waitMs = 50;
const clientIds = ['client 0', 'client 1', 'client 2'] as const;
const clientId = clientIds[0];

const deps = (db: Db) => ({ db, databaseTime: async () => now, clock: systemClock });

const items = (count: number, kind: string, more: Partial<BeginItem> = {}): BeginItem[] =>
  clientIds.slice(0, count).map((clientId) => ({
    // A different number each, for the guard against repeats.
    requested: purchaseRequestOf({
      clientId,
      id: `${kind} of ${clientId}`,
      mobile: `9891212345${kind.length}`,
    }),
    decision: { kind: 'order', terms: termsOfWorld },
    ...more,
  }));

const guard = { guard: { repeatMs: 1000, dailyLimit: 100 * price } };

const begun = new Map<string, Purchase>();

const begin = (count: number, kind: string, more?: Partial<BeginItem>) => async (db: Db) => {
  for (const { purchase } of await beginAll(deps(db), items(count, kind, more), waitMs)) {
    assert.equal(purchase.state, 'submitted');
    begun.set(purchase.id, purchase);
  }
};

const note: Note = { kind: 'order', fact: textFact('detail') };

const charge = (purchase: Purchase, at: number) =>
  purchase.state === 'submitted'
    ? succeed(purchase, { at, answer: { status: 200, body: '' }, ref: 'ref', note })
    : undefined;

const release = (purchase: Purchase, at: number) =>
  purchase.state === 'submitted'
    ? fail(purchase, { at, answer: { status: 422, body: '' }, reason: 'no', note })
    : undefined;

type Settling = { readonly step: typeof charge | typeof release; readonly isSeen: boolean };

/** The request that began a purchase knows its row; recovery reads it. */
const settle =
  (count: number, kind: string, { step, isSeen }: Settling) =>
  async (db: Db) => {
    const moves = items(count, kind).map(({ requested }) => {
      const seen = isSeen ? begun.get(requested.id) : undefined;
      return { name: requested, fence: 1, step, ...(seen === undefined ? {} : { seen }) };
    });
    for (const { moved } of await advanceAll(deps(db), moves, waitMs)) assert.ok(moved);
  };

const message = { endpointId: 'endpoint', id: 'message', attempts: 1 };

const statementPage = async (db: Db): Promise<void> => {
  const statement = await readStatement(db, clientId, { from: now });
  await statement.entries(0, 100);
};

/** In the order of a purchase's life: each finds what earlier ones have written. */
const hot: Readonly<Record<string, (db: Db) => unknown>> = {
  'authenticate a token': (db) => findTokenByHash(db, 'hash'),
  'read the balance of a listing': (db) => readSpendable(db, clientId),
  'look up an idempotency key': (db) => findByKeys(db, [{ clientId, key: 'key' }]),
  'look up three keys': (db) =>
    findByKeys(
      db,
      clientIds.map((id) => ({ clientId: id, key: 'key' })),
    ),
  'begin a purchase': begin(1, 'one'),
  'begin three purchases together': begin(3, 'three'),
  'begin a purchase with a daily limit and a repeat guard': begin(1, 'guarded', guard),
  'settle a purchase: charge': settle(1, 'one', { step: charge, isSeen: true }),
  'settle a purchase: release': settle(1, 'guarded', { step: release, isSeen: true }),
  'settle three purchases together': settle(3, 'three', { step: charge, isSeen: true }),
  'recovery: claim what is due': (db) =>
    claimDue(db, { now, leaseUntil: now + 1, most: 16 }, [1, 2, 3, 4, 5]),
  'recovery: settle a purchase': settle(1, 'later', { step: charge, isSeen: false }),
  'webhooks: find endpoints with messages due': (db) => dueEndpoints(db, now),
  'webhooks: claim messages': (db) =>
    claimMessages(db, { endpointId: 'endpoint', now, leaseUntil: now + 1, most: 8 }),
  'webhooks: read the endpoint': (db) => readActive(db, 'endpoint'),
  'webhooks: record an attempt': (db) =>
    updateMessage(db, message, {
      state: 'delivered',
      step: 0,
      tried: '',
      due_at: null,
      ended_at: 1,
    }),
  'read a page of the statement': statementPage,
  'record the last use of a token': (db) => updateLastUse(db, new Map([['token', now]])),
  'look for changes of other processes': (db) => readVersions(db),
};

const head = `-- The statements of the hot path, as they are sent. Written by test/statements.test.ts; white space differs.
-- Timeouts on PostgreSQL are those of the tests.
`;

const block = (name: string, texts: readonly string[]): string =>
  [`-- ${name}`, ...texts.map((text) => `${readable(text)};\n`)].join('\n');

const kept = new URL(
  `../docs/statements/${testEngine === 'sqlite' ? 'sqlite' : 'postgresql'}.sql`,
  import.meta.url,
);

describe('The hot path', () => {
  let database: TestDatabase;
  const heard: string[] = [];
  let endHearing = async (): Promise<void> => {};
  before(async () => {
    // Before the first connection, which takes the driver as it is then.
    endHearing = await hearStatements((text) => heard.push(text));
    database = await openTestDatabase();
    const { db } = database;
    for (const id of clientIds) {
      await db
        .insertInto('clients')
        .values({ id, name: id, status: 'active', created_at: 0, test: 0 })
        .execute();
      await openAccount(db, id);
      await db
        .transaction()
        .execute((db) => writePostings(db, id, [{ kind: 'deposit', amount: 100 * price }], now));
    }
    await begin(1, 'later')(db);
  });
  after(async () => {
    await endHearing();
    await database.close();
  });

  test('runs the statements that docs/statements/ shows', async () => {
    const blocks: string[] = [];
    for (const [name, work] of Object.entries(hot)) {
      heard.length = 0;
      await work(database.db);
      assert.ok(heard.length > 0, name);
      // For many rows SQLite runs one text repeatedly.
      blocks.push(
        block(
          name,
          heard.filter((text, index) => text !== heard[index - 1]),
        ),
      );
    }
    const printed = [head, ...blocks].join('\n');
    if (process.env['SIMGATE_WRITE_STATEMENTS'] !== undefined) writeFileSync(kept, printed);
    const written = existsSync(kept) ? readFileSync(kept, 'utf8') : '';
    assert.equal(printed, written, 'SIMGATE_WRITE_STATEMENTS=1 writes the file again');
  });
});
