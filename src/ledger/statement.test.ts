/** Tests statements over any period of ten thousand random entries against a plain list. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase } from '../../test/support/database.ts';
import type { OpenDatabase } from '../db/types.ts';
import { emptyAccount, LedgerError, type Posting, post } from './posting.ts';
import { readStatement, type Span, streamEntries } from './statement.ts';
import { openAccount, readAccount, writePostings } from './store.ts';

const clientId = 'client';
const operations = 10_000;

type Written = { readonly at: number; readonly available: number; readonly held: number };

let database: OpenDatabase;
const model: Written[] = [];

/** Numbers from 0 to below 1, the same each time. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** A posting that may or may not be possible; each purchase begins before it ends. */
const randomPosting = (random: () => number, index: number): Posting => {
  const amount = 1 + Math.floor(random() * 1000);
  const kind = Math.floor(random() * 8);
  const purchaseId = `purchase ${Math.floor(index / 3)}`;
  if (kind === 0) return { kind: 'deposit', amount: amount * 10 };
  if (kind === 1)
    return { kind: 'correction', amount: random() < 0.5 ? -amount : amount, note: 'n' };
  const kinds = ['hold', 'capture', 'release', 'reverse'] as const;
  return { kind: kinds[kind % 4] ?? 'hold', amount, purchaseId: `${purchaseId} ${index}` };
};

before(async () => {
  database = await openTestDatabase();
  const { db } = database;
  const stranger = 'client 0';
  for (const id of [clientId, stranger]) {
    await db
      .insertInto('clients')
      .values({ id, name: id, status: 'active', created_at: 0, test: 0 })
      .execute();
    await openAccount(db, id);
  }
  const next = randomFrom(7);
  let account = emptyAccount;
  let at = 1000;
  for (let done = 0; done < operations; ) {
    const batch: Posting[] = [];
    // Several entries of one moment, and moments without any.
    at += Math.floor(next() * 3);
    for (let count = 0; count < 100 && done < operations; ) {
      const posting = randomPosting(next, done);
      try {
        account = post(account, posting);
      } catch (error) {
        assert.ok(error instanceof LedgerError);
        account = post(account, { kind: 'deposit', amount: 5000 });
        batch.push({ kind: 'deposit', amount: 5000 });
        model.push({ at, available: account.available, held: account.held });
        done += 1;
        count += 1;
        continue;
      }
      batch.push(posting);
      model.push({ at, available: account.available, held: account.held });
      done += 1;
      count += 1;
    }
    await db.transaction().execute((db) => writePostings(db, clientId, batch, at));
    await db
      .transaction()
      .execute((db) => writePostings(db, stranger, [{ kind: 'deposit', amount: 1 }], at));
  }
});

after(() => database.close());

/** The list's view of a span. */
const expected = ({ from = 0, to = Number.POSITIVE_INFINITY }: Span) => {
  const before = model.filter((one) => one.at < Math.min(from, to)).length;
  const last = Math.max(before, model.filter((one) => one.at < to).length);
  const stateAfter = (count: number) => model[count - 1] ?? { available: 0, held: 0 };
  return { before, last, opening: stateAfter(before), closing: stateAfter(last) };
};

test('the operations are of every kind, and of many moments', async () => {
  const statement = await readStatement(database.db, clientId, {});
  const entries = await statement.entries(0, operations);
  assert.equal(new Set(entries.map(({ kind }) => kind)).size, 6);
  assert.ok(new Set(entries.map(({ at }) => at)).size > 50);
});

test('the final closing balance equals the ledger’s after ten thousand operations', async () => {
  const statement = await readStatement(database.db, clientId, {});
  assert.equal(statement.count, operations);
  assert.deepEqual(statement.opening, emptyAccount);
  assert.deepEqual({ ...statement.closing }, { ...(await readAccount(database.db, clientId)) });
  let number = 0;
  for await (const entry of streamEntries(statement)) {
    const { available, held, at } = model[number] ?? assert.fail();
    number += 1;
    assert.deepEqual(
      [entry.seq, entry.at, entry.available_after, entry.held_after],
      [number, at, available, held],
    );
  }
  assert.equal(number, operations);
});

test('any span opens and closes with the balances of then, and its pages hold the entries between', async () => {
  const moment = fc.option(fc.integer({ min: 995, max: 1110 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(moment, moment, fc.nat(300), fc.nat(100), async (one, other, start, size) => {
      const [from, to] =
        one !== undefined && other !== undefined && one > other ? [other, one] : [one, other];
      const span = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const { before, last, opening, closing } = expected(span);
      const statement = await readStatement(database.db, clientId, span);
      assert.equal(statement.count, last - before);
      assert.deepEqual(
        [statement.opening.available, statement.opening.held],
        [opening.available, opening.held],
      );
      assert.deepEqual(
        [statement.closing.available, statement.closing.held],
        [closing.available, closing.held],
      );
      const entries = await statement.entries(start, start + size);
      const end = Math.min(before + start + size, last);
      const numbers = Array.from(
        { length: Math.max(0, end - before - start) },
        (_, index) => before + start + index + 1,
      );
      assert.deepEqual(
        entries.map(({ seq }) => seq),
        numbers,
      );
    }),
    { numRuns: 100 },
  );
});

test('a client without entries, or an unknown one, has an empty statement', async () => {
  const statement = await readStatement(database.db, 'unknown-client', { from: 1, to: 2 });
  assert.deepEqual(
    [statement.count, statement.opening, statement.closing],
    [0, emptyAccount, emptyAccount],
  );
  assert.deepEqual(await statement.entries(0, 10), []);
});
