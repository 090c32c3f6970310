/** Chooses the routes that a purchase may take, best first, and says why others are passed over. Pure. */
import type { Product } from '../catalogue/product.ts';
import type { DayAt } from '../lib/business-day.ts';
import { perKey } from '../lib/memo.ts';
import { hashOf, placeOf } from './draw.ts';
import {
  implicitRoute,
  isOperatorWide,
  keptOf,
  type PassedOverCode,
  type ProductType,
  type Route,
  type SupplierState,
  shareOf,
  weekdays,
} from './route.ts';

export type RouteRequest = {
  readonly product: Pick<Product, 'id' | 'operator_id' | 'type'> & {
    readonly categories: readonly { readonly id: number }[];
  };
  readonly clientId: string;
  readonly price: number;
  /** What the client pays. */
  readonly charged: number;
  readonly purchaseId: string;
  /** By the database's clock, in epoch milliseconds. */
  readonly moment: number;
  readonly dayAt: DayAt;
  readonly supplierState: (supplierId: number, routeId: number) => SupplierState;
  /** The suppliers that were tried before. */
  readonly left: readonly number[];
  /** Suppliers with the same group share an account upstream; undefined is no group. */
  readonly groupOf: (supplierId: number) => string | undefined;
};

export type PassedOver = {
  readonly routeId: number;
  readonly supplierId: number;
  readonly code: PassedOverCode;
};

export type RouteChoice = {
  /** The first of the order. */
  readonly taken: Route | undefined;
  /** All that may be tried, best first; each supplier and each group once. */
  readonly order: readonly Route[];
  /** All others whose scope fits. */
  readonly passedOver: readonly PassedOver[];
};

/** A route with what would otherwise be computed for each purchase. */
type Entry = {
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

type Wanted = RouteRequest['product'];

// A loop: it runs for each route, and a callback would cost a tenth of a choice.
const hasCategory = ({ categories }: Wanted, categoryId: number): boolean => {
  for (const { id } of categories) if (id === categoryId) return true;
  return false;
};

const fits = ({ productId, categoryId, productType }: Route, product: Wanted): boolean =>
  (productId === null || productId === product.id) &&
  (productType === null || productType === product.type) &&
  (categoryId === null || hasCategory(product, categoryId));

export const isValidAt = ({ validFrom, validUntil }: Route, moment: number): boolean =>
  (validFrom === null || validFrom <= moment) && (validUntil === null || moment < validUntil);

const addFitting = (
  found: Entry[],
  entries: readonly Entry[] | undefined,
  product: Wanted,
): void => {
  if (entries === undefined) return;
  for (const entry of entries) if (fits(entry.route, product)) found.push(entry);
};

// Mostly no route names a category: then a purchase allocates nothing for them.
const addFittingCategories = (found: Entry[], { categories }: Scope, product: Wanted): void => {
  if (categories.size === 0) return;
  for (const id of new Set(product.categories.map((category) => category.id))) {
    addFitting(found, categories.get(id), product);
  }
};

const withoutRoutes = perKey(emptyOperator);

/** Every route whose scope fits, once. */
const fittingRoutes = (table: RouteTable, request: RouteRequest): Entry[] => {
  const { product, clientId, moment } = request;
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

const minuteMs = 60_000;
const minutesADay = 1440;
// 1970-01-01 was a Thursday.
const firstWeekday = weekdays.indexOf('thu');

/** When a choice is made, by the clocks of the business. */
type BusinessTime = {
  readonly minute: number;
  /** The bits of this weekday and of the one before. */
  readonly today: number;
  readonly yesterday: number;
};

const weekdayBit = (date: number): number => 1 << ((((date + firstWeekday) % 7) + 7) % 7);

const timeOf = ({ moment, dayAt }: RouteRequest): BusinessTime => {
  const { date, begins } = dayAt(moment);
  return {
    // A day on which clocks are put back is longer: its last minutes count as the last one.
    minute: Math.min(Math.floor((moment - begins) / minuteMs), minutesADay - 1),
    today: weekdayBit(date),
    yesterday: weekdayBit(date - 1),
  };
};

const isWithinHours = (
  { route: { hours }, days }: Entry,
  { minute, today, yesterday }: BusinessTime,
): boolean => {
  const isOnToday = (days & today) !== 0;
  if (hours === null) return isOnToday;
  const { from, to } = hours;
  if (from < to) return from <= minute && minute < to && isOnToday;
  return minute >= from ? isOnToday : minute < to && (days & yesterday) !== 0;
};

const isDearer = ({ route, kept }: Entry, { price, charged }: RouteRequest): boolean => {
  if (route.allowDearer) return false;
  if (route.cost.kind === 'fixed') return route.cost.amount > charged;
  return kept !== undefined && price > charged && shareOf(price, kept) > charged;
};

/** What is the same for every route of a choice. */
type Moment = { readonly time: BusinessTime; readonly leftGroups: readonly string[] };

/** The first reason against a route; undefined if it may be tried. */
const codeAgainst = (
  entry: Entry,
  request: RouteRequest,
  { time, leftGroups }: Moment,
): PassedOverCode | undefined => {
  const { id, supplierId, enabled } = entry.route;
  if (!enabled) return 'off';
  if (!isValidAt(entry.route, request.moment)) return 'not_valid_now';
  if (!isWithinHours(entry, time)) return 'out_of_hours';
  if (request.left.includes(supplierId)) return 'tried_before';
  const group = leftGroups.length === 0 ? undefined : request.groupOf(supplierId);
  if (group !== undefined && leftGroups.includes(group)) return 'same_group';
  const state = request.supplierState(supplierId, id);
  if (state !== 'ready' && state !== 'route_closed') return state;
  if (isDearer(entry, request)) return 'dearer';
  return state === 'ready' ? undefined : state;
};

type Placed = { readonly route: Route; readonly place: number };

const byPlace = (one: Placed, other: Placed): number =>
  one.place - other.place || one.route.id - other.route.id;

/** The first route of each supplier and each group. */
const distinctOf = (
  placed: readonly Placed[],
  groupOf: RouteRequest['groupOf'],
  passOver: (route: Route, code: PassedOverCode) => void,
): readonly Route[] => {
  // The usual case.
  if (placed.length < 2) return placed.map(({ route }) => route);
  const [order, seen, groups]: [Route[], Set<number>, Set<string>] = [[], new Set(), new Set()];
  for (const { route } of placed) {
    const group = groupOf(route.supplierId);
    if (seen.has(route.supplierId)) passOver(route, 'same_supplier');
    else if (group !== undefined && groups.has(group)) passOver(route, 'same_group');
    else {
      order.push(route);
      seen.add(route.supplierId);
      if (group !== undefined) groups.add(group);
    }
  }
  return order;
};

/**
 * The best priority comes first. Among routes of one priority a draw by weight decides, which depends on the
 * purchase's id alone. A narrow scope or a client's own route wins only by its priority.
 */
export const choose = (table: RouteTable, request: RouteRequest): RouteChoice => {
  const { left, groupOf, purchaseId } = request;
  const leftGroups = left.flatMap((supplier) => groupOf(supplier) ?? []);
  const shared = { time: timeOf(request), leftGroups };
  const purchaseHash = hashOf(purchaseId);
  const passedOver: PassedOver[] = [];
  const passOver = ({ id, supplierId }: Route, code: PassedOverCode): void =>
    void passedOver.push({ routeId: id, supplierId, code });
  const [open, closed]: [Placed[], Placed[]] = [[], []];
  for (const entry of fittingRoutes(table, request)) {
    const { route } = entry;
    const code = codeAgainst(entry, request, shared);
    const placed = { route, place: placeOf(purchaseHash, route) };
    if (code === undefined) open.push(placed);
    else if (code === 'route_closed') closed.push(placed);
    else passOver(route, code);
  }
  // Without any other route, a closed one is better than none.
  const usable = open.length > 0 ? open : closed;
  if (open.length > 0) for (const { route } of closed) passOver(route, 'route_closed');
  const order = distinctOf(usable.sort(byPlace), groupOf, passOver);
  return { taken: order[0], order, passedOver };
};
