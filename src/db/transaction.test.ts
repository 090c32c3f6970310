/** Tests that a lost commit acknowledgement is reported as an unknown outcome. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { OutcomeUnknown, runTransaction } from './transaction.ts';
import type { Db } from './types.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const lost = new Error('the connection has closed');
const write = (db: Db, name: string) =>
  db.insertInto('settings').values({ name, value: 'x' }).execute();
const written = async (name: string): Promise<boolean> =>
  (await database.db.selectFrom('settings').select('name').where('name', '=', name).execute())
    .length > 0;

test('a change with only its acknowledgement lost is reported as unknown, and is done', async () => {
  const { db } = database;
  const retryLocked = async <T>(work: () => Promise<T>): Promise<T> => {
    await work();
    throw lost;
  };
  await assert.rejects(
    runTransaction({ db, retryLocked }, (db) => write(db, 'one')),
    (error) => error instanceof OutcomeUnknown && error.cause === lost,
  );
  assert.ok(await written('one'));
});

test('a change that fails before its commit is reported as that failure, and leaves nothing', async () => {
  const failing = runTransaction(database, async (db) => {
    await write(db, 'two');
    throw lost;
  });
  await assert.rejects(failing, lost);
  assert.equal(await written('two'), false);
});

test('a change that fails on its retry is reported as that failure', async () => {
  const { db } = database;
  const retryLocked = <T>(work: () => Promise<T>): Promise<T> => work().catch(work);
  let tries = 0;
  const failing = runTransaction({ db, retryLocked }, async () => {
    tries += 1;
    throw lost;
  });
  await assert.rejects(failing, lost);
  assert.equal(tries, 2);
});
