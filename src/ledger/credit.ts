/** Changes credit limits, under the account's lock, and keeps every change. */
import { runText } from '../db/statement.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import { assertShowable } from './posting.ts';
import { lockBooks, type Posted } from './store.ts';

export type CreditChange = Tables['credit_changes'];

const lastNumber = async (db: Db, clientId: string): Promise<number> => {
  const { number } = await db
    .selectFrom('credit_changes')
    .select((select) => select.fn.coalesce(select.fn.max('number'), select.lit(0)).as('number'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  return number;
};

/**
 * Sets the limit for all later holds, also below what is used. Throws if a sum would be too large. Belongs in
 * the caller's transaction.
 */
export const setCreditLimit = async (
  db: Db,
  clientId: string,
  credit: number,
  now: number,
): Promise<Posted> => {
  const books = await lockBooks(db, [clientId]);
  const at = books.now ?? now;
  const before = books.account(clientId);
  const after = { ...before, credit };
  if (credit === before.credit) return { before, after, at };
  assertShowable(after);
  await db
    .updateTable('accounts')
    .set({ credit_limit: credit })
    .where('client_id', '=', clientId)
    .execute();
  await db
    .insertInto('credit_changes')
    .values({
      client_id: clientId,
      number: (await lastNumber(db, clientId)) + 1,
      after_seq: before.seq,
      credit_limit: credit,
      at,
    })
    .execute();
  return { before, after, at };
};

/** By client, in order. People make them: there are few. */
export const readCreditChanges = (db: Db): Promise<CreditChange[]> =>
  runText<CreditChange>(
    db,
    `select client_id, number, after_seq, credit_limit, at from credit_changes
      order by client_id, number`,
    [],
  );
