/** Searches all purchases: chooses the leading index, and bounds how much of the table one page reads. */
import type { Db } from '../../db/types.ts';
import { nextTurn } from '../../lib/clock.ts';
import { type MobileFormat, readTypedMobile } from '../../lib/mobile.ts';
import { idLowerBound } from '../../lib/random.ts';
import type { Turn } from '../../lib/time-slices.ts';
import { isTestSupplier } from '../../operators/supplier.ts';
import { findPurchase } from '../../purchases/inquiry/store.ts';
import { AdminError } from '../errors.ts';
import { withoutSeparators } from '../mask.ts';
import type { Filter, SearchFilter } from './filter.ts';
import {
  type Bounds,
  countUpTo,
  type FoundRow,
  type Ids,
  markOfWalk,
  type Order,
  type OrderedWay,
  type Piece,
  pieces,
  readOrdered,
  readSorted,
  readWalked,
  type SortedWay,
  type Sum,
  sumSorted,
  sumWalked,
} from './store.ts';

export type Found = {
  readonly rows: readonly FoundRow[];
  /** The cursor of the next page; null if there is none. */
  readonly next: string | null;
};

// Ids carry the gateway's time, purchases the database's. Kerberos allows clocks to differ by as much.
const clocksApartMs = 5 * 60_000;

// Sorts after every id until the year 10889.
const lastOfAll = 'ffffffff-ffff-';

const idsOf = ({ from, to }: Filter, cursor: string | undefined, order: Order): Ids => {
  const start = from === undefined ? '' : idLowerBound(Math.max(from - clocksApartMs, 0));
  const end = to === undefined ? lastOfAll : idLowerBound(Math.max(to + clocksApartMs, 0));
  if (cursor === undefined) return { from: start, before: end };
  return order === 'newest'
    ? { from: start, before: cursor < end ? cursor : end }
    : { from: cursor > start ? cursor : start, before: end };
};

// A step takes some milliseconds, which block a server on SQLite. All steps together read 10,000 purchases a
// page, however few match.
const usual: Bounds = { sorted: 5000, walked: 2000, steps: 5 };

type Way = { readonly sorted: SortedWay } | { readonly ordered: OrderedWay };

/** The leading index: it finds few rows, or gives them in the right order. */
const wayOf = async (db: Db, filter: Filter, { sorted }: Bounds): Promise<Way> => {
  const isFew = async (way: SortedWay): Promise<boolean> =>
    (await countUpTo(db, way, filter, sorted + 1)) <= sorted;
  const { clientId, state } = filter;
  if (filter.id !== undefined) return { sorted: 'id' };
  if (filter.key !== undefined) return { sorted: 'key' };
  for (const way of ['number', 'code'] as const) {
    if (filter[way] !== undefined && (await isFew(way))) return { sorted: way };
  }
  const ofAll = clientId === undefined;
  const isForPerson = filter.needsReview || filter.disputed === true || state === 'review';
  if (isForPerson) return { ordered: ofAll ? 'person' : 'clientPerson' };
  const walk = { ordered: ofAll ? 'all' : 'client' } as const;
  switch (state) {
    case undefined:
    case 'succeeded':
      return walk;
    case 'submitted':
    case 'open':
      return (await isFew('open')) ? { sorted: 'open' } : walk;
    default:
      return { ordered: ofAll ? 'state' : 'clientState' };
  }
};

/** The conditions that each index does not already cover. */
const answered: Readonly<Record<OrderedWay, readonly (keyof Filter)[]>> = {
  all: [],
  client: ['clientId'],
  state: ['state'],
  clientState: ['clientId', 'state'],
  person: ['needsReview'],
  clientPerson: ['clientId', 'needsReview'],
};

/** Whether to skip rows outside the filter. */
const isPicky = (filter: Filter, way: OrderedWay): boolean => {
  const asked = [
    'clientId',
    'state',
    'number',
    'code',
    'from',
    'to',
    'needsReview',
    'disputed',
    'operatorId',
    'productId',
    'type',
    'reason',
    'minAmount',
    'maxAmount',
  ] as const;
  return asked.some(
    (name) => filter[name] !== undefined && filter[name] !== false && !answered[way].includes(name),
  );
};

type Page = {
  readonly before?: string | undefined;
  readonly limit: number;
  readonly piece: Piece;
  readonly order?: Order | undefined;
  /** Yields to other work between two steps. */
  readonly turn?: Turn;
};

const pageOf = (rows: readonly FoundRow[], limit: number): Found => ({
  rows: rows.slice(0, limit),
  next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
});

type Walk = {
  readonly ids: Ids;
  readonly order: Order;
  readonly bounds: Bounds;
  readonly turn: Turn;
};

/** Where a walk begins, and where it goes. */
const ends = {
  newest: { near: 'before', far: 'from' },
  oldest: { near: 'from', far: 'before' },
} as const;

/**
 * Walks through an ordered index, a bounded number of purchases at a time. Each part ends with its mark, and
 * the last one of all has none.
 */
async function* partsOf(
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, order, bounds: { walked, steps }, turn }: Walk,
): AsyncGenerator<{ readonly part: Ids; readonly mark: string | undefined }> {
  const { near, far } = ends[order];
  let { from, before } = ids;
  for (let step = 0; step < steps; step += 1) {
    const left = { from, before };
    // First, so that purchases sold during the search move nothing between steps.
    const mark = await markOfWalk(db, way, filter, { ids: left, order, walked });
    if (mark === undefined) {
      yield { part: left, mark };
      return;
    }
    yield { part: { ...left, [far]: mark }, mark };
    const rest: Ids = { ...left, [near]: mark };
    ({ from, before } = rest);
    await turn();
  }
}

/** A rare match gives a short page with a cursor instead of a long wait. */
const walk = async (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, page, bounds }: { ids: Ids; page: Page; bounds: Bounds },
): Promise<Found> => {
  const { limit, piece, order = 'newest', turn = nextTurn } = page;
  const { walked } = bounds;
  const rows: FoundRow[] = [];
  let next: string | null = null;
  for await (const { part, mark } of partsOf(db, way, filter, { ids, order, bounds, turn })) {
    rows.push(...(await readWalked(db, way, filter, { ids: part, order, piece, walked })));
    if (mark === undefined || rows.length > limit) return pageOf(rows, limit);
    next = mark;
  }
  return { rows, next };
};

/** A page of matches in order, by default the newest first; `before` is the previous page's cursor. */
export const search = async (
  db: Db,
  filter: Filter,
  page: Page,
  bounds: Bounds = usual,
): Promise<Found> => {
  const { before, limit, piece, order = 'newest' } = page;
  if (limit >= pieces[piece]) throw new RangeError(`A ${piece} has no ${limit} rows.`);
  const way = await wayOf(db, filter, bounds);
  const ids = idsOf(filter, before, order);
  if ('sorted' in way) {
    const { sorted } = bounds;
    return pageOf(await readSorted(db, way.sorted, filter, { ids, order, piece, sorted }), limit);
  }
  if (filter.test !== 'only' && !isPicky(filter, way.ordered)) {
    const rows = await readOrdered(db, way.ordered, filter, { ids, order, piece });
    const hasTests = rows.some(({ supplier_id: id }) => isTestSupplier(id));
    if (filter.test === undefined || !hasTests) return pageOf(rows, limit);
  }
  return walk(db, way.ordered, filter, { ids, page, bounds });
};

export type Totals = Sum & {
  /** Whether all matches are counted; otherwise only those among the newest purchases. */
  readonly complete: boolean;
};

/** Adds up the matches, with the bounds of a page: a large database is counted in part. */
export const totalsOf = async (db: Db, filter: Filter, bounds: Bounds = usual): Promise<Totals> => {
  const { walked, sorted } = bounds;
  const way = await wayOf(db, filter, bounds);
  const ids = idsOf(filter, undefined, 'newest');
  if ('sorted' in way) {
    return { ...(await sumSorted(db, way.sorted, filter, { ids, sorted })), complete: true };
  }
  const parts = { ids, order: 'newest', bounds, turn: nextTurn } as const;
  let [count, amount] = [0, 0];
  for await (const { part, mark } of partsOf(db, way.ordered, filter, parts)) {
    const sum = await sumWalked(db, way.ordered, filter, { ids: part, walked });
    [count, amount] = [count + sum.count, amount + sum.amount];
    if (mark === undefined) return { count, amount, complete: true };
  }
  return { count, amount, complete: false };
};

export type Seeing = {
  readonly mobile: MobileFormat;
  /** Whether numbers may be seen; otherwise nothing that reveals a number is searched. */
  readonly numbers: boolean;
};

/** Empty if none of them can contain a number. */
const unseenIn = (
  texts: readonly (string | undefined)[],
  { mobile, numbers }: Seeing,
): Filter['unseen'] => {
  // A letter between them, so that no number spans two texts.
  const text = withoutSeparators(texts.filter((one) => one !== undefined).join('x'));
  const digits = text.match(/\d/g)?.length ?? 0;
  return numbers || digits < mobile.digits ? undefined : { text, from: mobile.prefix.length + 1 };
};

const isThere = async (
  db: Db,
  source: 'key' | 'code' | 'number',
  filter: Filter,
): Promise<boolean> => {
  if (filter.unseen === undefined) return (await countUpTo(db, source, filter, 1)) > 0;
  return (await search(db, filter, { limit: 1, piece: 'page' })).rows.length > 0;
};

/**
 * The filter for a text of unknown kind: the first of id, key, code and number with a match. Undefined if
 * there is none. Roles without the right to numbers get an answer that says so.
 */
export const filterOf = async (
  db: Db,
  { text, ...given }: SearchFilter,
  seeing: Seeing,
): Promise<Filter | undefined> => {
  const unseen = unseenIn([given.key, given.code, text], seeing);
  const filter: Filter = unseen === undefined ? given : { ...given, unseen };
  if (text === undefined) return filter;
  const id = text.toLowerCase();
  if ((await findPurchase(db, id, null)) !== undefined) return merged(filter, { id });
  const number = readTypedMobile(text, seeing.mobile);
  for (const [source, value] of [
    ['key', text],
    ['code', text],
    ['number', seeing.numbers ? number : undefined],
  ] as const) {
    if (value === undefined) continue;
    const alone: Filter = { needsReview: false, unseen, [source]: value };
    if (await isThere(db, source, alone)) return merged(filter, { [source]: value });
  }
  if (number !== undefined && !seeing.numbers) throw new AdminError('NUMBER_SEARCH_REFUSED');
  return undefined;
};

/** Both together; undefined if they contradict each other. */
const merged = (
  filter: Filter,
  more: Readonly<Partial<Record<'id' | 'key' | 'code' | 'number', string>>>,
): Filter | undefined => {
  for (const name of ['id', 'key', 'code', 'number'] as const) {
    const [asked, found] = [filter[name], more[name]];
    if (asked !== undefined && found !== undefined && asked !== found) return undefined;
  }
  return { ...filter, ...more };
};
