/** Owns the SQL of clients and their tokens. */
import type { Db } from '../lib/db.ts';
import { sqlOf } from '../lib/db-engine.ts';
import type { Tables } from '../lib/db-schema.ts';
import { type RowsText, readRows, tableOf, writeRows } from '../lib/db-statement.ts';

export type ClientStatus = Tables['clients']['status'];
export type TokenRow = Tables['tokens'];

export const insertClient = async (db: Db, client: Tables['clients']): Promise<void> => {
  await db.insertInto('clients').values(client).execute();
};

/** Sets a client's status and tells whether there is such a client. */
export const updateClientStatus = async (
  db: Db,
  id: string,
  status: ClientStatus,
): Promise<boolean> => {
  const row = await db
    .updateTable('clients')
    .set({ status })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const findClient = async (db: Db, id: string): Promise<Tables['clients'] | undefined> =>
  db.selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirst();

export const listClients = async (db: Db) =>
  db
    .selectFrom('clients')
    .innerJoin('accounts', 'accounts.client_id', 'clients.id')
    .select([
      'clients.id',
      'clients.name',
      'clients.status',
      'clients.created_at',
      'accounts.available',
      'accounts.held',
    ])
    .orderBy('clients.id')
    .execute();

export const anyClient = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('clients').select('id').limit(1).executeTakeFirst()) !== undefined;

export const insertToken = async (db: Db, token: TokenRow): Promise<void> => {
  await db.insertInto('tokens').values(token).execute();
};

export const listTokens = async (db: Db, clientId?: string): Promise<TokenRow[]> => {
  const all = db.selectFrom('tokens').selectAll().orderBy('id');
  return (clientId === undefined ? all : all.where('client_id', '=', clientId)).execute();
};

/** Revokes a token and tells whether there is such a token. The first revocation's time stays. */
export const updateTokenRevoked = async (db: Db, id: string, at: number): Promise<boolean> => {
  const row = await db
    .updateTable('tokens')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(at)) }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const findTokenByHash = async (db: Db, hash: string) =>
  db
    .selectFrom('tokens')
    .innerJoin('clients', 'clients.id', 'tokens.client_id')
    .leftJoin('client_rules', 'client_rules.client_id', 'tokens.client_id')
    .select([
      'tokens.id',
      'tokens.client_id',
      'tokens.scopes',
      'tokens.networks',
      'tokens.expires_at',
      'tokens.revoked_at',
      'clients.status as client_status',
      'client_rules.products',
      'client_rules.operators',
      'client_rules.repeat_seconds',
      'client_rules.daily_limit',
      'client_rules.pending_status',
    ])
    .where('tokens.hash', '=', hash)
    .executeTakeFirst();

const lockTokensText: RowsText = {
  one: 'select id from tokens where id = ? for update',
  many: 'select id from tokens where id = any(cast(? as text[])) order by id for update',
};

const lastUseText: RowsText = {
  one: 'update tokens set last_used_at = ? where id = ?',
  many: `update tokens set last_used_at = next.at from ${tableOf({ at: 'bigint', id: 'text' })}
    where tokens.id = next.id`,
};

/** Within a transaction. */
export const updateLastUse = async (db: Db, uses: ReadonlyMap<string, number>): Promise<void> => {
  const ids = [...uses.keys()].sort();
  // In one order, so that instances which write the same ones do not wait for each other in a circle.
  if (sqlOf(db).name === 'postgres')
    await readRows(
      db,
      lockTokensText,
      ids.map((id) => [id]),
    );
  await writeRows(
    db,
    lastUseText,
    ids.map((id) => [uses.get(id), id]),
  );
};
