/** Lists what changed in the catalogue since a time: products in order of change, and removals. */
import type { Listing, ListingQuery } from '../filter.ts';
import { type Filter, matcher, type Order, type Searchable } from '../filter.ts';
import { type History, latestOf, lowerBound, type Removal } from './timestamps.ts';

/** The end of a range of changes, and what left the list in it. */
export type ChangedSpan = {
  /** The time from which later changes are read. */
  readonly next: number;
  readonly removed: readonly Removal[];
};

/** The changes since a time, the oldest first. */
export type Changes = Listing & {
  readonly span: (start: number, end: number) => ChangedSpan;
};

type Catalogue = {
  readonly list: (query: ListingQuery) => Listing;
  readonly select: (query: ListingQuery) => readonly Searchable[];
  /** All products by the time of their change. */
  readonly changed: () => readonly Searchable[];
};

const byChange: Order = { by: 'change', direction: 'asc' };
const changeOf = ({ changedAt }: Searchable): number => changedAt;
const removalOf = ({ removedAt }: Removal): number => removedAt;

/** The items of a list by time from one time to before another. */
const between = <T>(
  items: readonly T[],
  timeOf: (item: T) => number,
  [from, to]: readonly [number, number],
): T[] => items.slice(lowerBound(items, timeOf, from), lowerBound(items, timeOf, to));

export const createChanges = (catalogue: Catalogue, history: History) => {
  const { removals } = history;
  const latest = latestOf(history);

  /** Removed products, and changed ones that no longer match the filter: a copy may still have them. */
  const left = (filter: Filter, span: readonly [number, number]): readonly Removal[] => {
    const removed = between(removals, removalOf, span);
    if (Object.keys(filter).length === 0) return removed;
    const fits = matcher(filter);
    const unfit = between(catalogue.changed(), changeOf, span).filter((one) => !fits(one));
    return [...removed, ...unfit.map((one) => ({ id: one.product.id, removedAt: one.changedAt }))];
  };

  return (wanted: Omit<ListingQuery, 'order'>, since: number): Changes => {
    const query = { ...wanted, order: byChange };
    const listing = catalogue.list(query);
    const first = lowerBound(catalogue.select(query), changeOf, since);
    return {
      total: listing.total - first,
      data: (start, end) => listing.data(first + start, first + end),
      span: (start, end) => {
        const items = catalogue.select(query);
        const after = (place: number): number => (items[place]?.changedAt ?? latest) + 1;
        const from = start === 0 ? since : after(first + start - 1);
        const next = first + end < items.length ? after(first + end - 1) : latest + 1;
        return { next, removed: left(query.filter, [from, next]) };
      },
    };
  };
};
