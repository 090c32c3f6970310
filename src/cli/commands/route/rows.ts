/** Shares what the commands for routes need: suppliers by name, a route as a row, changes with their audit. */
import type { RouteActing } from '../../../admin/routing/actions.ts';
import { type ConnectionConfig, readConfig } from '../../../config/config.ts';
import { createDatabaseTime } from '../../../db/engine.ts';
import type { Db } from '../../../db/types.ts';
import { systemClock } from '../../../lib/clock.ts';
import { readPositive } from '../../../lib/page.ts';
import { readConnections } from '../../../operators/defined/read.ts';
import { printTerms } from '../../../routing/csv.ts';
import type { Route } from '../../../routing/route.ts';
import { runAudited } from '../../audited.ts';
import { type Arguments, InvalidUsage, isoOrNull } from '../../definition.ts';

export const databaseTime = createDatabaseTime(systemClock);

/** All that products can be ordered from, by their ids: operators themselves, and suppliers. */
export const suppliersById = async (db: Db): Promise<ReadonlyMap<number, ConnectionConfig>> => {
  const known = await readConnections(db, readConfig());
  return new Map(known.map(({ config }) => [config.id, config]));
};

export const supplierNames = async (db: Db): Promise<ReadonlyMap<number, string>> =>
  new Map([...(await suppliersById(db))].map(([id, { name }]) => [id, name]));

export const runOnRoutes = <T>(
  args: Arguments,
  work: (acting: RouteActing) => Promise<T>,
): Promise<T> =>
  runAudited(args, async (acting) => {
    const suppliers = await suppliersById(acting.db);
    const knowsSupplier = (id: number): boolean => suppliers.has(id);
    return work({ ...acting, databaseTime, knowsSupplier });
  });

export const readId = (text: string, name: string): number => {
  const id = readPositive(text);
  if (id === undefined) throw new InvalidUsage(`${name} must be a positive ID, not "${text}".`);
  return id;
};

export const dataOf = (route: Route) => ({ id: route.id, ...printTerms(route) });

export const scopeOf = (route: Route): string => {
  const { product_id, category_id, product_type, client_id } = printTerms(route);
  const parts = Object.entries({
    product: product_id,
    category: category_id,
    type: product_type,
    client: client_id,
  }).flatMap(([name, value]) => (value === '' ? [] : [`${name} ${value}`]));
  return parts.join(', ') || 'everything';
};

export const rowOf = (route: Route, suppliers: ReadonlyMap<number, string>) => {
  const { supplierId, validFrom, validUntil } = route;
  const cells = printTerms(route);
  const dates = [isoOrNull(validFrom), isoOrNull(validUntil)];
  return {
    ...cells,
    id: route.id,
    scope: scopeOf(route),
    supplier: `${supplierId} ${suppliers.get(supplierId) ?? ''}`.trim(),
    when: `${cells.hours} ${cells.days}`.trim(),
    valid: dates.some((date) => date !== null) ? dates.map((date) => date ?? '').join('/') : '',
    state: route.enabled ? 'on' : 'off',
  };
};

export const columns = {
  ID: 'id',
  OPERATOR: 'operator_id',
  FOR: 'scope',
  SUPPLIER: 'supplier',
  CODE: 'product_code',
  COST: 'cost',
  PRIORITY: 'priority',
  WEIGHT: 'weight',
  HOURS: 'when',
  VALID: 'valid',
  STATE: 'state',
} as const;
