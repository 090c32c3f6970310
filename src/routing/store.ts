/** Runs the SQL of routes: those in force, their history, and changes. */
import { insertRows, writeRows } from '../db/statement.ts';
import { columnsOf, type Tables } from '../db/tables/tables.ts';
import type { Db } from '../db/types.ts';
import { listSuppliers } from '../operators/defined/store.ts';
import { type CostRule, type Route, type RouteTerms, weekdays } from './route.ts';

export type RouteRow = Tables['routes'];

/** A route as it was from one time until another. */
export type RouteVersion = Route & {
  readonly version: number;
  readonly createdAt: number;
  /** Null while it is in force. */
  readonly closedAt: number | null;
};

const columns = columnsOf('routes');

const costOfRow = ({ cost_amount: amount, cost_percent: percent }: RouteRow): CostRule => {
  if (amount !== null) return { kind: 'fixed', amount };
  return percent === null ? { kind: 'none' } : { kind: 'percent', percent };
};

const toVersion = (row: RouteRow): RouteVersion => {
  const named = row.days?.split(',');
  return {
    id: row.id,
    version: row.version,
    operatorId: row.operator_id,
    productId: row.product_id,
    categoryId: row.category_id,
    productType: row.product_type,
    clientId: row.client_id,
    supplierId: row.supplier_id,
    productCode: row.product_code,
    cost: costOfRow(row),
    allowDearer: row.allow_dearer === 1,
    priority: row.priority,
    weight: row.weight,
    hours:
      row.hours_from === null || row.hours_to === null
        ? null
        : { from: row.hours_from, to: row.hours_to },
    days: weekdays.filter((day) => named?.includes(day)),
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
    closedAt: row.closed_at,
  };
};

type Key = Pick<RouteRow, 'id' | 'version' | 'created_at'>;

const toRow = (terms: RouteTerms, { id, version, created_at }: Key): RouteRow => ({
  id,
  version,
  operator_id: terms.operatorId,
  product_id: terms.productId,
  category_id: terms.categoryId,
  product_type: terms.productType,
  client_id: terms.clientId,
  supplier_id: terms.supplierId,
  product_code: terms.productCode,
  cost_amount: terms.cost.kind === 'fixed' ? terms.cost.amount : null,
  cost_percent: terms.cost.kind === 'percent' ? terms.cost.percent : null,
  allow_dearer: terms.allowDearer ? 1 : 0,
  priority: terms.priority,
  weight: terms.weight,
  hours_from: terms.hours?.from ?? null,
  hours_to: terms.hours?.to ?? null,
  days: terms.days.length === 0 ? null : terms.days.join(','),
  valid_from: terms.validFrom,
  valid_until: terms.validUntil,
  enabled: terms.enabled ? 1 : 0,
  created_at,
  closed_at: null,
});

/** The routes in force, by their ids; those included whose dates are past or to come. */
export const listRoutes = async (db: Db): Promise<RouteVersion[]> => {
  const rows = await db
    .selectFrom('routes')
    .select(columns)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(toVersion);
};

/** Every version of a route, the latest first. */
export const listRouteVersions = async (db: Db, id: number): Promise<RouteVersion[]> => {
  const rows = await db
    .selectFrom('routes')
    .select(columns)
    .where('id', '=', id)
    .orderBy('version', 'desc')
    .execute();
  return rows.map(toVersion);
};

/** The highest id that was ever given; 0 before the first. */
export const lastRouteId = async (db: Db): Promise<number> => {
  const row = await db.selectFrom('routes').select('id').orderBy('id', 'desc').executeTakeFirst();
  return row?.id ?? 0;
};

const closeText = {
  one: 'update routes set closed_at = ? where id = ? and closed_at is null',
  many: `update routes set closed_at = next.closed_at
    from unnest(cast(? as bigint[]), cast(? as bigint[])) as next (closed_at, id)
    where routes.id = next.id and routes.closed_at is null`,
};

export const closeRoutes = async (
  db: Db,
  ids: readonly number[],
  closedAt: number,
): Promise<void> => {
  if (ids.length === 0) return;
  const rows = ids.map((id) => [closedAt, id]);
  await writeRows(db, closeText, rows);
};

const insertText = insertRows('routes');

export const insertRoutes = async (
  db: Db,
  routes: readonly { readonly terms: RouteTerms; readonly key: Key }[],
): Promise<void> => {
  if (routes.length === 0) return;
  const rows = routes.map(({ terms, key }) => {
    const row = toRow(terms, key);
    return columns.map((column) => row[column]);
  });
  await writeRows(db, insertText, rows);
};

// Far below the number of parameters that a statement may have.
const idsAtATime = 500;

const inChunks = async <Id, Found>(
  ids: Iterable<Id>,
  read: (some: Id[]) => Promise<Found[]>,
): Promise<Found[]> => {
  const all = [...new Set(ids)];
  const found: Found[] = [];
  for (let start = 0; start < all.length; start += idsAtATime) {
    found.push(...(await read(all.slice(start, start + idsAtATime))));
  }
  return found;
};

/** Whether any route names this supplier, or ever did. */
export const everNamesSupplier = async (db: Db, supplierId: number): Promise<boolean> => {
  const found = await db
    .selectFrom('routes')
    .select('id')
    .where('supplier_id', '=', supplierId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/** What exists of what routes name. */
export type KnownParts = {
  /** The operator of each product. */
  readonly products: ReadonlyMap<number, number>;
  readonly categories: ReadonlySet<number>;
  readonly clients: ReadonlySet<string>;
  /** Those that the console defines. */
  readonly suppliers: ReadonlySet<number>;
};

const given = <Id>(ids: readonly (Id | null)[]): Id[] => ids.filter((id) => id !== null);

export const readKnownParts = async (db: Db, terms: readonly RouteTerms[]): Promise<KnownParts> => {
  const products = await inChunks(given(terms.map(({ productId }) => productId)), (ids) =>
    db.selectFrom('products').select(['id', 'operator_id']).where('id', 'in', ids).execute(),
  );
  const categories = await inChunks(given(terms.map(({ categoryId }) => categoryId)), (ids) =>
    db.selectFrom('categories').select('id').where('id', 'in', ids).execute(),
  );
  const clients = await inChunks(given(terms.map(({ clientId }) => clientId)), (ids) =>
    db.selectFrom('clients').select('id').where('id', 'in', ids).execute(),
  );
  const suppliers = await listSuppliers(db);
  return {
    products: new Map(products.map(({ id, operator_id }) => [id, operator_id])),
    categories: new Set(categories.map(({ id }) => id)),
    clients: new Set(clients.map(({ id }) => id)),
    suppliers: new Set(suppliers.map(({ id }) => id)),
  };
};
