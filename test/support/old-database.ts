/** Makes databases of earlier schemas for the tests of upgrades. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Db } from '../../src/db/types.ts';
import {
  type Balance,
  emptyAccount,
  movementOf,
  type Posting,
  post,
} from '../../src/ledger/posting.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import { freshPostgres, openBesideTest, testEngine } from './database.ts';

/** A database without any table, removed after the test. */
export const emptyDatabase = async (): Promise<Db> => {
  if (testEngine === 'postgres') {
    const { url, remove } = await freshPostgres('empty');
    const { db, close } = openBesideTest(url);
    cleanUpAfterTest(async () => {
      await close();
      await remove();
    });
    return db;
  }
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  const db = new Kysely<Tables>({ dialect: openSqlite(join(folder, 'old.db')).dialect });
  cleanUpAfterTest(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  return db;
};

/** Writes postings, which the ledger's own statements no longer fit. Opens the account with the first. */
export const postInOld = async (
  db: Db,
  clientId: string,
  postings: readonly Posting[],
  at: number,
): Promise<void> => {
  const { rows } =
    await sql<Balance>`select available, held, seq from accounts where client_id = ${clientId}`.execute(
      db,
    );
  const [found] = rows;
  if (found === undefined) {
    await sql`insert into accounts (client_id, available, held, seq) values (${clientId}, 0, 0, 0)`.execute(
      db,
    );
  }
  let account = { ...emptyAccount, ...found };
  for (const posting of postings) {
    account = post(account, posting);
    const { from, to, amount } = movementOf(posting);
    await db
      .insertInto('postings')
      .values({
        client_id: clientId,
        seq: account.seq,
        kind: posting.kind,
        from_account: from,
        to_account: to,
        amount,
        available_after: account.available,
        held_after: account.held,
        purchase_id: 'purchaseId' in posting ? posting.purchaseId : null,
        note: null,
        at,
      })
      .execute();
  }
  const { available, held, seq } = account;
  await db
    .updateTable('accounts')
    .set({ available, held, seq })
    .where('client_id', '=', clientId)
    .execute();
};
