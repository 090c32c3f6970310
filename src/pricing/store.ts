/** Runs the SQL of price lists: the lists with their versions and entries, and the clients of each. */
import { insertRows, runText, writeRows } from '../db/statement.ts';
import { columnsOf, type Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import {
  defaultListId,
  type Entry,
  type EntryTerms,
  type ListTerms,
  type ListVersion,
  type PriceList,
} from './price-list.ts';

type EntryRow = Tables['price_entries'];

const entryColumns = columnsOf('price_entries');

const toEntry = (row: EntryRow): Entry => ({
  id: row.id,
  productId: row.product_id,
  categoryId: row.category_id,
  operatorId: row.operator_id,
  productType: row.product_type,
  commission:
    row.commission_percent === null
      ? { kind: 'fixed', amount: row.commission_amount ?? 0 }
      : { kind: 'percent', percent: row.commission_percent },
});

/** A version with the time at which it was written. */
export type StoredVersion = ListVersion & { readonly createdAt: number };
export type StoredList = Omit<PriceList, 'versions'> & {
  readonly createdAt: number;
  /** In the order of their numbers. */
  readonly versions: readonly StoredVersion[];
};

const placeOf = ({ list_id, number }: { list_id: number; number: number }): string =>
  `${list_id} ${number}`;

/** The default list before anything was said of it. */
const untouchedDefault = {
  id: defaultListId,
  name: 'default',
  parent_id: null,
  allow_below_cost: 0,
  created_at: 0,
} as const;

/** Within a transaction that changes lists: rows may refer to the default one from now on. */
export const writeDefaultList = async (db: Db): Promise<void> => {
  await db
    .insertInto('price_lists')
    .values({ ...untouchedDefault, removed_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
};

type ListRow = Pick<
  Tables['price_lists'],
  'id' | 'name' | 'parent_id' | 'allow_below_cost' | 'created_at'
>;
type VersionRow = Pick<
  Tables['price_versions'],
  'list_id' | 'number' | 'valid_from' | 'created_at'
>;

const listsText =
  'select id, name, parent_id, allow_below_cost, created_at from price_lists where removed_at is null order by id';
const versionsText =
  'select list_id, number, valid_from, created_at from price_versions where withdrawn_at is null order by number';
const entriesText = `select ${entryColumns.join(', ')} from price_entries order by id`;

/** All lists that exist, by their ids, with every version that was not withdrawn. */
export const readLists = async (db: Db): Promise<StoredList[]> => {
  const stored = await runText<ListRow>(db, listsText, []);
  const versions = await runText<VersionRow>(db, versionsText, []);
  const entries = await runText<EntryRow>(db, entriesText, []);
  const isStored = stored.some(({ id }) => id === defaultListId);
  const lists = isStored ? stored : [untouchedDefault, ...stored];
  const entriesOf = Map.groupBy(entries, placeOf);
  const versionsOf = Map.groupBy(versions, ({ list_id }) => list_id);
  return lists.map((list) => ({
    id: list.id,
    name: list.name,
    parentId: list.parent_id,
    allowBelowCost: list.allow_below_cost === 1,
    createdAt: list.created_at,
    versions: (versionsOf.get(list.id) ?? []).map((version) => ({
      number: version.number,
      from: version.valid_from,
      createdAt: version.created_at,
      entries: (entriesOf.get(placeOf(version)) ?? []).map(toEntry),
    })),
  }));
};

/** The list of each client that is not in the default one. */
export const readAssignments = async (db: Db): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.selectFrom('client_price_lists').select(['client_id', 'list_id']).execute();
  return new Map(rows.map(({ client_id, list_id }) => [client_id, list_id]));
};

export const readListId = async (db: Db, clientId: string): Promise<number> => {
  const row = await db
    .selectFrom('client_price_lists')
    .select('list_id')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row?.list_id ?? defaultListId;
};

/** Puts a client into a list. */
export const writeAssignment = async (db: Db, clientId: string, listId: number): Promise<void> => {
  if (listId === defaultListId) {
    await db.deleteFrom('client_price_lists').where('client_id', '=', clientId).execute();
    return;
  }
  await db
    .insertInto('client_price_lists')
    .values({ client_id: clientId, list_id: listId })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet({ list_id: listId }))
    .execute();
};

const lastOf = async (db: Db, table: 'price_lists' | 'price_entries'): Promise<number> => {
  const row = await db.selectFrom(table).select('id').orderBy('id', 'desc').executeTakeFirst();
  return row?.id ?? 0;
};

const columnsOfTerms = ({ name, parentId, allowBelowCost }: ListTerms) => ({
  name,
  parent_id: parentId,
  allow_below_cost: allowBelowCost ? 1 : 0,
});

/** Creates a list; returns its id. */
export const insertList = async (db: Db, terms: ListTerms, now: number): Promise<number> => {
  const id = (await lastOf(db, 'price_lists')) + 1;
  await db
    .insertInto('price_lists')
    .values({ id, ...columnsOfTerms(terms), created_at: now, removed_at: null })
    .execute();
  return id;
};

export const updateList = async (db: Db, id: number, terms: ListTerms): Promise<void> => {
  await db.updateTable('price_lists').set(columnsOfTerms(terms)).where('id', '=', id).execute();
};

export const markListRemoved = async (db: Db, id: number, now: number): Promise<void> => {
  await db.updateTable('price_lists').set({ removed_at: now }).where('id', '=', id).execute();
};

export const withdrawVersion = async (
  db: Db,
  { listId, number }: { readonly listId: number; readonly number: number },
  now: number,
): Promise<void> => {
  await db
    .updateTable('price_versions')
    .set({ withdrawn_at: now })
    .where('list_id', '=', listId)
    .where('number', '=', number)
    .execute();
};

const insertEntriesText = insertRows('price_entries');

/** Writes a version with its entries; returns its number. */
export const insertVersion = async (
  db: Db,
  listId: number,
  version: { readonly from: number; readonly entries: readonly EntryTerms[] },
  now: number,
): Promise<number> => {
  const last = await db
    .selectFrom('price_versions')
    .select('number')
    .where('list_id', '=', listId)
    .orderBy('number', 'desc')
    .executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  await db
    .insertInto('price_versions')
    .values({
      list_id: listId,
      number,
      valid_from: version.from,
      created_at: now,
      withdrawn_at: null,
    })
    .execute();
  const lastId = await lastOf(db, 'price_entries');
  const rows = version.entries.map(
    ({ commission, ...scope }, index): EntryRow => ({
      id: lastId + index + 1,
      list_id: listId,
      number,
      product_id: scope.productId,
      category_id: scope.categoryId,
      operator_id: scope.operatorId,
      product_type: scope.productType,
      commission_amount: commission.kind === 'fixed' ? commission.amount : null,
      commission_percent: commission.kind === 'percent' ? commission.percent : null,
    }),
  );
  if (rows.length > 0) {
    await writeRows(
      db,
      insertEntriesText,
      rows.map((row) => entryColumns.map((column) => row[column])),
    );
  }
  return number;
};
