/** Holds the SQL that reads the whole ledger, to verify it. */
import type { Db } from '../db/types.ts';

/** Every account with its postings in order: a row per posting, and one for an account without any. */
export const streamLedger = (db: Db) =>
  db
    .selectFrom('accounts')
    .leftJoin('postings', 'postings.client_id', 'accounts.client_id')
    .select([
      'accounts.client_id',
      'accounts.available',
      'accounts.held',
      'accounts.seq as last_seq',
      'accounts.credit_limit',
      'postings.seq',
      'postings.kind',
      'postings.from_account',
      'postings.to_account',
      'postings.amount',
      'postings.available_after',
      'postings.held_after',
      'postings.cost',
      'postings.supplier_id',
      'postings.supplier_balance',
    ])
    .orderBy('accounts.client_id')
    .orderBy('postings.seq')
    .stream();

/** Clients, and owners of postings, without an account. */
export const clientsWithoutAccount = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('clients')
    .select('clients.id')
    .union(db.selectFrom('postings').select('postings.client_id as id'))
    .except(db.selectFrom('accounts').select('accounts.client_id as id'))
    .execute();
  return rows.map((row) => row.id);
};
