/** Owns the ledger's SQL: accounts and their append-only postings. */
import type { Db } from '../lib/db.ts';
import {
  type Account,
  emptyAccount,
  LedgerError,
  movementOf,
  type Posting,
  post,
} from './posting.ts';

export const openAccount = async (db: Db, clientId: string): Promise<void> => {
  await db
    .insertInto('accounts')
    .values({ client_id: clientId, ...emptyAccount })
    .execute();
};

export const readAccount = async (db: Db, clientId: string): Promise<Account | undefined> =>
  db
    .selectFrom('accounts')
    .select(['available', 'held', 'seq'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();

/** Reads an account and keeps others from posting to it until the transaction ends, on every engine. */
const lockAccount = async (db: Db, clientId: string): Promise<Account> => {
  const account = await db
    .updateTable('accounts')
    .set((eb) => ({ seq: eb.ref('seq') }))
    .where('client_id', '=', clientId)
    .returning(['available', 'held', 'seq'])
    .executeTakeFirst();
  if (account === undefined) throw new LedgerError(`There is no account of client ${clientId}.`);
  return account;
};

/** Writes postings to one client's account, in order. Belongs in a transaction of the caller's. */
export const writePostings = async (
  db: Db,
  clientId: string,
  postings: readonly Posting[],
  at: number,
): Promise<Account> => {
  let account = await lockAccount(db, clientId);
  const rows = postings.map((posting) => {
    account = post(account, posting);
    const movement = movementOf(posting);
    return {
      client_id: clientId,
      seq: account.seq,
      kind: posting.kind,
      from_account: movement.from,
      to_account: movement.to,
      amount: movement.amount,
      available_after: account.available,
      held_after: account.held,
      purchase_id: 'purchaseId' in posting ? posting.purchaseId : null,
      note: 'note' in posting ? posting.note : null,
      at,
    };
  });
  if (rows.length > 0) await db.insertInto('postings').values(rows).execute();
  await db.updateTable('accounts').set(account).where('client_id', '=', clientId).execute();
  return account;
};

/** Every account with its postings in order, one row a posting and one for an account without any. */
export const streamLedger = (db: Db) =>
  db
    .selectFrom('accounts')
    .leftJoin('postings', 'postings.client_id', 'accounts.client_id')
    .select([
      'accounts.client_id',
      'accounts.available',
      'accounts.held',
      'accounts.seq as last_seq',
      'postings.seq',
      'postings.kind',
      'postings.from_account',
      'postings.to_account',
      'postings.amount',
      'postings.available_after',
      'postings.held_after',
    ])
    .orderBy('accounts.client_id')
    .orderBy('postings.seq')
    .stream();

/** Clients, and owners of postings, whose money has nowhere to be. */
export const clientsWithoutAccount = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('clients')
    .select('clients.id')
    .union(db.selectFrom('postings').select('postings.client_id as id'))
    .except(db.selectFrom('accounts').select('accounts.client_id as id'))
    .execute();
  return rows.map((row) => row.id);
};
