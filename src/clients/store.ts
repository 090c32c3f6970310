/** Runs the SQL of clients and their tokens. */
import { type RawBuilder, sql } from 'kysely';
import { sqlOf } from '../db/engine.ts';
import { type RowsText, readRows, runText, tableOf, writeRows } from '../db/statement.ts';
import { columnsOf, type Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import type { Account } from '../ledger/posting.ts';
import { keysOf } from '../lib/record.ts';
import type { RulesRow } from './rules/rules.ts';

export type ClientRow = Tables['clients'];
export type ClientStatus = ClientRow['status'];
export type TokenRow = Tables['tokens'];

const clientColumns = columnsOf('clients');

const tokenColumns = columnsOf('tokens');

export const insertClient = async (db: Db, client: ClientRow): Promise<void> => {
  await db.insertInto('clients').values(client).execute();
};

export const updateClientRow = async (
  db: Db,
  id: string,
  change: Pick<ClientRow, 'name' | 'status'>,
): Promise<void> => {
  await db.updateTable('clients').set(change).where('id', '=', id).execute();
};

/** Within a transaction: locks it against changes until that ends; purchases continue. */
export const lockClient = async (db: Db, id: string): Promise<ClientRow | undefined> =>
  db
    .selectFrom('clients')
    .select(clientColumns)
    .where('id', '=', id)
    .$if(sqlOf(db).name === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();

export const findClient = async (db: Db, id: string): Promise<ClientRow | undefined> =>
  db.selectFrom('clients').select(clientColumns).where('id', '=', id).executeTakeFirst();

const withMoney = (db: Db) =>
  db
    .selectFrom('clients')
    .innerJoin('accounts', 'accounts.client_id', 'clients.id')
    .select([
      'clients.id',
      'clients.name',
      'clients.status',
      'clients.created_at',
      'clients.test',
      'accounts.available',
      'accounts.held',
      'accounts.credit_limit as credit',
    ]);

/** A client with its money. */
export type ClientWithMoney = ClientRow & Omit<Account, 'seq'>;

export const listClients = async (db: Db, test?: boolean): Promise<ClientWithMoney[]> => {
  const all = withMoney(db).orderBy('clients.id');
  return (test === undefined ? all : all.where('clients.test', '=', Number(test))).execute();
};

export const findWithMoney = async (db: Db, id: string): Promise<ClientWithMoney | undefined> =>
  withMoney(db).where('clients.id', '=', id).executeTakeFirst();

export type ClientFilter = {
  /** Part of the name, in any case, or the ID. */
  readonly search?: string | undefined;
  readonly status?: ClientStatus | undefined;
  /** Only test clients, or only the others. */
  readonly test?: boolean | undefined;
  /** Only those that can spend less than this. */
  readonly spendableBelow?: number | undefined;
};

/** What an account can spend; below zero where the limit was lowered below what is used. */
const funds = sql<number>`(accounts.available + accounts.credit_limit)`;

const matching = ({ search, status, test, spendableBelow }: ClientFilter) => {
  const text = search?.trim().toLowerCase();
  const inName = `%${text?.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<boolean>`${sql.join(
    [
      sql`1 = 1`,
      ...(status === undefined ? [] : [sql`clients.status = ${status}`]),
      ...(test === undefined ? [] : [sql`clients.test = ${Number(test)}`]),
      ...(spendableBelow === undefined ? [] : [sql`${funds} < ${spendableBelow}`]),
      ...(text === undefined
        ? []
        : [sql`(clients.id = ${text} or lower(clients.name) like ${inName} escape '\\')`]),
    ],
    sql` and `,
  )}`;
};

const sortColumns = {
  created: sql`clients.id`,
  name: sql`lower(clients.name)`,
  available: funds,
  held: sql`accounts.held`,
} as const;

export type ClientSort = keyof typeof sortColumns;
export const clientSorts: readonly ClientSort[] = keysOf(sortColumns);

export type ClientPage = {
  readonly sort: ClientSort;
  readonly descending: boolean;
  /** Only those that follow this one in the list, by its current value. */
  readonly after?: string | undefined;
  readonly limit: number;
};

export const searchClients = async (
  db: Db,
  filter: ClientFilter,
  { sort, descending, after, limit }: ClientPage,
): Promise<ClientWithMoney[]> => {
  const by = sortColumns[sort];
  const order = descending ? 'desc' : 'asc';
  let query = withMoney(db).where(matching(filter));
  if (after !== undefined) {
    const follows = sql.raw(descending ? '<' : '>');
    query = query.where(
      sql<boolean>`(${by}, clients.id) ${follows} (select ${by}, clients.id from clients
        join accounts on accounts.client_id = clients.id where clients.id = ${after})`,
    );
  }
  return query.orderBy(by, order).orderBy('clients.id', order).limit(limit).execute();
};

const sumOf = (amount: RawBuilder<unknown>, { test = false }: ClientFilter) =>
  sql<number>`cast(coalesce(sum(case when clients.test = ${Number(test)} and ${amount} > 0
    then ${amount} else 0 end), 0) as bigint)`;

export type ClientSums = {
  readonly clients: number;
  readonly available: number;
  readonly held: number;
};

/** How many match, and what they can spend and hold together; play money only if test clients are asked for. */
export const sumClients = async (db: Db, filter: ClientFilter): Promise<ClientSums> =>
  db
    .selectFrom('clients')
    .innerJoin('accounts', 'accounts.client_id', 'clients.id')
    .select([
      sql<number>`count(*)`.as('clients'),
      sumOf(funds, filter).as('available'),
      sumOf(sql`accounts.held`, filter).as('held'),
    ])
    .where(matching(filter))
    .executeTakeFirstOrThrow();

export const hasClients = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('clients').select('id').limit(1).executeTakeFirst()) !== undefined;

export const insertToken = async (db: Db, token: TokenRow): Promise<void> => {
  await db.insertInto('tokens').values(token).execute();
};

export const listTokens = async (db: Db, clientId?: string): Promise<TokenRow[]> => {
  const all = db.selectFrom('tokens').select(tokenColumns).orderBy('id');
  return (clientId === undefined ? all : all.where('client_id', '=', clientId)).execute();
};

/** Within a transaction: locks it until that ends. */
export const lockToken = async (db: Db, id: string): Promise<TokenRow | undefined> =>
  db
    .selectFrom('tokens')
    .select(tokenColumns)
    .where('id', '=', id)
    .$if(sqlOf(db).name === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();

export const updateToken = async (
  db: Db,
  id: string,
  change: Partial<Pick<TokenRow, 'expires_at' | 'revoked_at'>>,
): Promise<void> => {
  await db.updateTable('tokens').set(change).where('id', '=', id).execute();
};

type FoundToken = Pick<
  TokenRow,
  'id' | 'client_id' | 'scopes' | 'networks' | 'expires_at' | 'revoked_at'
> &
  RulesRow & { readonly client_status: ClientStatus; readonly client_test: number };

// As text, because strangers who guess tokens can make it run often.
const tokenText = `select tokens.id, tokens.client_id, tokens.scopes, tokens.networks,
    tokens.expires_at, tokens.revoked_at, clients.status as client_status, clients.test as client_test,
    client_rules.products, client_rules.operators, client_rules.repeat_seconds,
    client_rules.daily_limit, client_rules.pending_status
  from tokens
  join clients on clients.id = tokens.client_id
  left join client_rules on client_rules.client_id = tokens.client_id
  where tokens.hash = ?`;

export const findTokenByHash = async (db: Db, hash: string): Promise<FoundToken | undefined> => {
  const [found] = await runText<FoundToken>(db, tokenText, [hash]);
  return found;
};

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
  // In one order, so that instances which write the same ones do not deadlock.
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
