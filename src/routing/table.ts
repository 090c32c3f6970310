/** Prepares routes so that a choice reads only those whose scope fits. Pure. */
import type { Product } from '../catalogue/product.ts';
import { perKey } from '../lib/memo.ts';
import {
  implicitRoute,
  isOperatorWide,
  keptOf,
  type ProductType,
  type Route,
  weekdays,
} from './route.ts';

/** A route with what would otherwise be computed for each purchase. */
export type Entry = {
  readonly route: Route;
  /** Millionths of the price that it costs, where a percentage says so. */
  readonly kept: number | undefined;
  /** A bit for each weekday. */
  readonly days: number;
};

/** Routes by the narrowest part of their scope. */
type Scope = {
  readonly products: Map<number, Entry[]>;
  readonly categories: Map<number, Entry[]>;
  readonly types: Map<ProductType, Entry[]>;
  readonly rest: Entry[];
};

type OperatorRoutes = {
  readonly everyone: Scope;
  readonly clients: Map<string, Scope>;
  /** Those that replace the implicit route while they are valid. */
  readonly own: Entry[];
  readonly implicit: Entry;
};

/** Routes, prepared so that a choice reads only those that can fit. */
export type RouteTable = { readonly operators: ReadonlyMap<number, OperatorRoutes> };

const entryOf = (route: Route): Entry => ({
  route,
  kept: route.cost.kind === 'percent' ? keptOf(route.cost.percent) : undefined,
  days:
    route.days.length === 0
      ? 0b1111111
      : route.days.reduce((mask, day) => mask | (1 << weekdays.indexOf(day)), 0),
});

const emptyScope = (): Scope => ({
  products: new Map(),
  categories: new Map(),
  types: new Map(),
  rest: [],
});

const emptyOperator = (operatorId: number): OperatorRoutes => ({
  everyone: emptyScope(),
  clients: new Map(),
  own: [],
  implicit: entryOf(implicitRoute(operatorId)),
});

const under = <Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value => {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
};

const placeIn = (scope: Scope, { productId, categoryId, productType }: Route): Entry[] => {
  if (productId !== null) return under(scope.products, productId, () => []);
  if (categoryId !== null) return under(scope.categories, categoryId, () => []);
  return productType === null ? scope.rest : under(scope.types, productType, () => []);
};

export const compileRoutes = (routes: readonly Route[]): RouteTable => {
  const operators = new Map<number, OperatorRoutes>();
  for (const route of routes) {
    const { operatorId, clientId, supplierId } = route;
    const operator = under(operators, operatorId, () => emptyOperator(operatorId));
    const scope =
      clientId === null ? operator.everyone : under(operator.clients, clientId, emptyScope);
    const entry = entryOf(route);
    placeIn(scope, route).push(entry);
    if (supplierId === operatorId && isOperatorWide(route)) operator.own.push(entry);
  }
  return { operators };
};

/** What a route's scope is compared with. */
export type RoutedProduct = Pick<Product, 'id' | 'operator_id' | 'type'> & {
  readonly categories: readonly { readonly id: number }[];
};

// A loop: it runs for each route, and a callback would cost a tenth of a choice.
const hasCategory = ({ categories }: RoutedProduct, categoryId: number): boolean => {
  for (const { id } of categories) if (id === categoryId) return true;
  return false;
};

const fits = ({ productId, categoryId, productType }: Route, product: RoutedProduct): boolean =>
  (productId === null || productId === product.id) &&
  (productType === null || productType === product.type) &&
  (categoryId === null || hasCategory(product, categoryId));

export const isValidAt = ({ validFrom, validUntil }: Route, moment: number): boolean =>
  (validFrom === null || validFrom <= moment) && (validUntil === null || moment < validUntil);

const addFitting = (
  found: Entry[],
  entries: readonly Entry[] | undefined,
  product: RoutedProduct,
): void => {
  if (entries === undefined) return;
  for (const entry of entries) if (fits(entry.route, product)) found.push(entry);
};

// Mostly no route names a category: then a purchase allocates nothing for them.
const addFittingCategories = (
  found: Entry[],
  { categories }: Scope,
  product: RoutedProduct,
): void => {
  if (categories.size === 0) return;
  for (const id of new Set(product.categories.map((category) => category.id))) {
    addFitting(found, categories.get(id), product);
  }
};

const withoutRoutes = perKey(emptyOperator);

/** Whose purchase of what, and when, by the database's clock. */
export type Fitted = {
  readonly product: RoutedProduct;
  readonly clientId: string;
  readonly moment: number;
};

/** Every route whose scope fits, once. */
export const fittingRoutes = (
  table: RouteTable,
  { product, clientId, moment }: Fitted,
): readonly Entry[] => {
  const operator = table.operators.get(product.operator_id) ?? withoutRoutes(product.operator_id);
  const found: Entry[] = [];
  for (const scope of [operator.everyone, operator.clients.get(clientId)]) {
    if (scope === undefined) continue;
    addFitting(found, scope.products.get(product.id), product);
    addFittingCategories(found, scope, product);
    addFitting(found, scope.types.get(product.type), product);
    addFitting(found, scope.rest, product);
  }
  const isReplaced = operator.own.some(({ route }) => isValidAt(route, moment));
  if (!isReplaced) found.push(operator.implicit);
  return found;
};
