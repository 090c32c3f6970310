/** Proves what is told of a change whose end got lost on the way: that nobody knows whether it was done. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../lib/test-database.ts';
import { transact } from './audit.ts';
import { AdminError } from './errors.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const lost = new Error('the connection is gone');
const write = (db: TestDatabase['db'], name: string) =>
  db.insertInto('settings').values({ name, value: 'x' }).execute();
const written = async (name: string): Promise<boolean> =>
  (await database.db.selectFrom('settings').select('name').where('name', '=', name).execute())
    .length > 0;

test('a change of which only the word got lost is told as not known, and is done', async () => {
  const { db } = database;
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    await work();
    throw lost;
  };
  await assert.rejects(
    transact({ db, patiently }, (db) => write(db, 'one')),
    (error) => error instanceof AdminError && error.code === 'OUTCOME_UNKNOWN',
  );
  assert.ok(await written('one'));
});

test('a change that failed before its end is told as what it was, and leaves nothing', async () => {
  const { db } = database;
  const failing = transact({ db, patiently: (work) => work() }, async (db) => {
    await write(db, 'two');
    throw lost;
  });
  await assert.rejects(failing, lost);
  assert.equal(await written('two'), false);
});
