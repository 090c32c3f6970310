/** Holds the SQL of the price history: changes, and the prices that each of them changed. */
import { insertRows, writeRows } from '../../db/statement.ts';
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import type { StoredMove } from './moves.ts';

export type PriceChangeRow = Tables['price_changes'];
type MoveRow = Tables['price_moves'];

const changeColumns = columnsOf('price_changes');
const moveColumns = columnsOf('price_moves');
const insertMovesText = insertRows('price_moves');

export const insertPriceChange = async (db: Db, row: PriceChangeRow): Promise<void> => {
  await db.insertInto('price_changes').values(row).execute();
};

export const insertMoves = async (
  db: Db,
  change_id: string,
  moves: readonly StoredMove[],
): Promise<void> => {
  const rows = moves.map(({ productId, field, before, after }) => {
    const row: MoveRow = {
      change_id,
      product_id: productId,
      field,
      price_before: before,
      price_after: after,
    };
    return moveColumns.map((column) => row[column]);
  });
  await writeRows(db, insertMovesText, rows);
};

const moveOf = (row: MoveRow): StoredMove => ({
  productId: row.product_id,
  field: row.field,
  before: row.price_before,
  after: row.price_after,
});

export type Found = PriceChangeRow & {
  /** The latest change that reverted it; null if there is none. */
  readonly reverted_by: string | null;
};

const revertsOf = async (
  db: Db,
  rows: readonly PriceChangeRow[],
): Promise<ReadonlyMap<string | null, string>> => {
  if (rows.length === 0) return new Map();
  const found = await db
    .selectFrom('price_changes')
    .select(['id', 'reverts'])
    .where(
      'reverts',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  return new Map(found.map(({ id, reverts }) => [reverts, id]));
};

const withReverts = async (db: Db, rows: readonly PriceChangeRow[]): Promise<Found[]> => {
  const reverts = await revertsOf(db, rows);
  return rows.map((row) => ({ ...row, reverted_by: reverts.get(row.id) ?? null }));
};

export const findPriceChange = async (db: Db, id: string): Promise<Found | undefined> => {
  const row = await db
    .selectFrom('price_changes')
    .select(changeColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : (await withReverts(db, [row]))[0];
};

type Page = { readonly before: string | undefined; readonly most: number };

/** Bulk changes and reverts, newest first, before one. */
export const listPriceChanges = async (db: Db, { before, most }: Page): Promise<Found[]> => {
  const all = db
    .selectFrom('price_changes')
    .select(changeColumns)
    .where('via', 'in', ['bulk', 'revert'])
    .orderBy('id', 'desc')
    .limit(most);
  const rows = await (before === undefined ? all : all.where('id', '<', before)).execute();
  return withReverts(db, rows);
};

/** The prices that a change changed, by product: up to a limit, if there is one. */
export const readMoves = async (db: Db, changeId: string, most?: number): Promise<StoredMove[]> => {
  const all = db
    .selectFrom('price_moves')
    .select(moveColumns)
    .where('change_id', '=', changeId)
    .orderBy('product_id')
    .orderBy('field');
  const rows = await (most === undefined ? all : all.limit(most)).execute();
  return rows.map(moveOf);
};

export type ProductChange = PriceChangeRow & { readonly moves: readonly StoredMove[] };

/** The changes of one product's prices, newest first, before one. */
export const listProductChanges = async (
  db: Db,
  productId: number,
  { before, most }: Page,
): Promise<ProductChange[]> => {
  const all = db
    .selectFrom('price_moves')
    .select('change_id')
    .distinct()
    .where('product_id', '=', productId)
    .orderBy('change_id', 'desc')
    .limit(most);
  const page = await (before === undefined ? all : all.where('change_id', '<', before)).execute();
  if (page.length === 0) return [];
  const ids = page.map(({ change_id: id }) => id);
  const rows = await db
    .selectFrom('price_changes')
    .select(changeColumns)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
  const moves = await db
    .selectFrom('price_moves')
    .select(moveColumns)
    .where('product_id', '=', productId)
    .where('change_id', 'in', ids)
    .orderBy('field')
    .execute();
  const byChange = Map.groupBy(moves, ({ change_id: id }) => id);
  return rows.map((row) => ({ ...row, moves: (byChange.get(row.id) ?? []).map(moveOf) }));
};
