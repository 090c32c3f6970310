/** Chooses the routes that a purchase may take, best first, and says why others are passed over. Pure. */
import type { DayAt } from '../lib/business-day.ts';
import { hashOf, placeOf } from './draw.ts';
import { type PassedOverCode, type Route, type SupplierState, shareOf, weekdays } from './route.ts';
import { type Entry, type Fitted, fittingRoutes, isValidAt, type RouteTable } from './table.ts';

export type RouteRequest = Fitted & {
  readonly price: number;
  /** What the client pays. */
  readonly charged: number;
  readonly purchaseId: string;
  readonly dayAt: DayAt;
  /** For an order of this cost; undefined if that is not known. */
  readonly supplierState: (
    supplierId: number,
    routeId: number,
    cost: number | undefined,
  ) => SupplierState;
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

/** What an order of this price costs by a route; undefined if it is not known. */
const costIn = ({ route: { cost }, kept }: Entry, price: number): number | undefined => {
  if (cost.kind === 'fixed') return cost.amount;
  return kept === undefined ? undefined : shareOf(price, kept);
};

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
  const state = request.supplierState(supplierId, id, costIn(entry, request.price));
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

const nothing: RouteChoice = { taken: undefined, order: [], passedOver: [] };

/** Where no more than one route fits, as without stored routes, nothing is drawn and no list is sorted. */
const chooseOnly = ({ route }: Entry, code: PassedOverCode | undefined): RouteChoice =>
  code === undefined || code === 'route_closed'
    ? { taken: route, order: [route], passedOver: [] }
    : {
        ...nothing,
        passedOver: [{ routeId: route.id, supplierId: route.supplierId, code }],
      };

/**
 * The best priority comes first. Among routes of one priority a draw by weight decides, which depends on the
 * purchase's id alone. A narrow scope or a client's own route wins only by its priority.
 */
export const choose = (table: RouteTable, request: RouteRequest): RouteChoice => {
  const { left, groupOf, purchaseId } = request;
  const fitting = fittingRoutes(table, request);
  const [first] = fitting;
  if (first === undefined) return nothing;
  const leftGroups = left.flatMap((supplier) => groupOf(supplier) ?? []);
  const shared = { time: timeOf(request), leftGroups };
  if (fitting.length === 1) return chooseOnly(first, codeAgainst(first, request, shared));
  const purchaseHash = hashOf(purchaseId);
  const passedOver: PassedOver[] = [];
  const passOver = ({ id, supplierId }: Route, code: PassedOverCode): void =>
    void passedOver.push({ routeId: id, supplierId, code });
  const [open, closed]: [Placed[], Placed[]] = [[], []];
  for (const entry of fitting) {
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
