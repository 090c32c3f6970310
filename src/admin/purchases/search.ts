/** Searches all purchases: chooses the leading index, and bounds how much of the table one page reads. */
import type { Db } from '../../db/types.ts';
import { nextTurn } from '../../lib/clock.ts';
import { type MobileFormat, readTypedMobile } from '../../lib/mobile.ts';
import { idLowerBound } from '../../lib/random.ts';
import type { Turn } from '../../lib/time-slices.ts';
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
  type OrderedWay,
  type Piece,
  pieces,
  readOrdered,
  readSorted,
  readWalked,
  type SortedWay,
} from './store.ts';

export type Found = {
  readonly rows: readonly FoundRow[];
  /** From where the next page goes on; null where there is none. */
  readonly next: string | null;
};

// Ids carry the time of the gateway that made them, and purchases began by the database's. As far apart as
// Kerberos lets clocks be, beyond which much else does not work either.
const clocksApartMs = 5 * 60_000;

// Sorts after every id until the year 10889.
const lastOfAll = 'ffffffff-ffff-';

const idsOf = ({ from, to }: Filter, before: string | undefined): Ids => {
  const end = to === undefined ? lastOfAll : idLowerBound(Math.max(to + clocksApartMs, 0));
  return {
    from: from === undefined ? '' : idLowerBound(Math.max(from - clocksApartMs, 0)),
    before: before !== undefined && before < end ? before : end,
  };
};

// A step takes some milliseconds, in which a server with a file does nothing else. All steps together are
// 10,000 purchases a page, however few of them match.
const usual: Bounds = { sorted: 5000, walked: 2000, steps: 5 };

type Way = { readonly sorted: SortedWay } | { readonly ordered: OrderedWay };

/** The index that leads: what is found by it is little, or in the order that is wanted. */
const wayOf = async (db: Db, filter: Filter, { sorted }: Bounds): Promise<Way> => {
  const isFew = async (way: SortedWay): Promise<boolean> =>
    (await countUpTo(db, way, filter, sorted + 1)) <= sorted;
  const { clientId, state, needsReview } = filter;
  if (filter.id !== undefined) return { sorted: 'id' };
  if (filter.key !== undefined) return { sorted: 'key' };
  for (const way of ['number', 'code'] as const) {
    if (filter[way] !== undefined && (await isFew(way))) return { sorted: way };
  }
  const ofAll = clientId === undefined;
  if (needsReview || state === 'review') return { ordered: ofAll ? 'person' : 'clientPerson' };
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

/** What each way does not pass by anyway. */
const answered: Readonly<Record<OrderedWay, readonly (keyof Filter)[]>> = {
  all: [],
  client: ['clientId'],
  state: ['state'],
  clientState: ['clientId', 'state'],
  person: ['needsReview'],
  clientPerson: ['clientId', 'needsReview'],
};

/** Whether it is to pass by what was not asked for. */
const isPicky = (filter: Filter, way: OrderedWay): boolean => {
  const asked = ['clientId', 'state', 'number', 'code', 'from', 'to', 'needsReview'] as const;
  return asked.some(
    (name) => filter[name] !== undefined && filter[name] !== false && !answered[way].includes(name),
  );
};

type Page = {
  readonly before?: string | undefined;
  readonly limit: number;
  readonly piece: Piece;
  /** What others get between two steps. */
  readonly turn?: Turn;
};

const pageOf = (rows: readonly FoundRow[], limit: number): Found => ({
  rows: rows.slice(0, limit),
  next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
});

/**
 * Walks from the newest on, so many purchases at a time. What matches seldom makes a short page, which says
 * where to go on, and not a long wait.
 */
const walk = async (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, page, bounds }: { ids: Ids; page: Page; bounds: Bounds },
): Promise<Found> => {
  const { limit, piece, turn = nextTurn } = page;
  const { walked } = bounds;
  const rows: FoundRow[] = [];
  let { before } = ids;
  for (let step = 0; step < bounds.steps; step += 1) {
    const left = { from: ids.from, before };
    // First, so that what is sold meanwhile moves nothing from one step into another.
    const mark = await markOfWalk(db, way, filter, { ids: left, walked });
    const range = { from: mark ?? ids.from, before };
    rows.push(...(await readWalked(db, way, filter, { ids: range, piece, walked })));
    if (mark === undefined || rows.length > limit) return pageOf(rows, limit);
    before = mark;
    await turn();
  }
  return { rows, next: before };
};

/** A page of what a filter asks for, the newest first; `before` is what the last page gave as next. */
export const search = async (
  db: Db,
  filter: Filter,
  page: Page,
  bounds: Bounds = usual,
): Promise<Found> => {
  const { before, limit, piece } = page;
  if (limit >= pieces[piece]) throw new RangeError(`A ${piece} has no ${limit} rows.`);
  const way = await wayOf(db, filter, bounds);
  const ids = idsOf(filter, before);
  if ('sorted' in way) {
    const { sorted } = bounds;
    return pageOf(await readSorted(db, way.sorted, filter, { ids, piece, sorted }), limit);
  }
  if (isPicky(filter, way.ordered)) return walk(db, way.ordered, filter, { ids, page, bounds });
  return pageOf(await readOrdered(db, way.ordered, filter, { ids, piece }), limit);
};

export type Seeing = {
  readonly mobile: MobileFormat;
  /** Whether numbers may be seen; who may not finds by nothing that a number can be guessed from. */
  readonly numbers: boolean;
};

/** Nothing where no number can stand in any of them. */
const unseenIn = (
  texts: readonly (string | undefined)[],
  { mobile, numbers }: Seeing,
): Filter['unseen'] => {
  // A letter in between: no number stands half in one text and half in the next.
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
 * The filter that a text of which nobody said what it is makes: the first of id, key, code and number under
 * which there is any purchase. Undefined where there is none. Whoever sees no numbers is told that none is looked for.
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

/** Both together; undefined where they say different things of the same. */
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
