/** Owns the catalogue in memory: sorted once, each page rendered to bytes once, bounded. */
import { boundedCache } from '../lib/bounded-cache.ts';
import {
  compareById,
  compareByPosition,
  type Filter,
  matcher,
  type Order,
  type Searchable,
  searchable,
} from './filter.ts';
import type { Product } from './product.ts';

export type ListingQuery = {
  readonly filter: Filter;
  readonly order: Order;
  readonly withCategories: boolean;
};

export type Listing = {
  readonly total: number;
  /** The JSON array of the products from `start` to before `end`. */
  readonly data: (start: number, end: number) => Buffer;
};

export type Snapshot = {
  /** Another one whenever anything in it is. */
  readonly version: string;
  readonly size: number;
  readonly product: (id: number) => Product | undefined;
  readonly list: (query: ListingQuery) => Listing;
};

// Some 250 pages of 100 products; the whole process has to stay below 200 MB.
const renderedBytes = 32 * 1024 * 1024;
const selectedBytes = 8 * 1024 * 1024;
const referenceBytes = 8;

/** What keeping anything under a key costs: clients choose how long a key is, and how many there are. */
const keyBytes = (key: string): number => 2 * key.length + 256;

const comma = Buffer.from(',');

/** Bytes, product by product: as one text a whole catalogue would take several times its size. */
const render = (products: readonly Searchable[], withCategories: boolean): Buffer => {
  const parts = products.flatMap(({ product }, index) => {
    const shown = withCategories ? product : { ...product, categories: [] };
    const bytes = Buffer.from(JSON.stringify(shown));
    return index === 0 ? [bytes] : [comma, bytes];
  });
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
};

export const createSnapshot = (version: string, products: readonly Product[]): Snapshot => {
  const all = products.map(searchable);
  const sorted = {
    id: all.toSorted(compareById),
    position: all.toSorted(compareByPosition),
  };
  const byId = new Map(products.map((product) => [product.id, product]));
  const selections = boundedCache<readonly Searchable[]>(selectedBytes);
  const pages = boundedCache<Buffer>(renderedBytes);

  const select = (key: string, { filter, order }: ListingQuery): readonly Searchable[] => {
    const everything = sorted[order.by];
    if (Object.keys(filter).length === 0 && order.direction === 'asc') return everything;
    const found = selections.get(key);
    if (found !== undefined) return found;
    const selected = everything.filter(matcher(filter));
    if (order.direction === 'desc') selected.reverse();
    selections.set(key, selected, selected.length * referenceBytes + keyBytes(key));
    return selected;
  };

  const list = (query: ListingQuery): Listing => {
    const key = JSON.stringify(query);
    const { length: total } = select(key, query);
    // Selected anew where it has to be: whoever keeps a listing must not keep what was selected for it.
    const data = (start: number, end: number): Buffer => {
      const pageKey = `${start}-${end} ${key}`;
      const found = pages.get(pageKey);
      if (found !== undefined) return found;
      const rendered = render(select(key, query).slice(start, end), query.withCategories);
      pages.set(pageKey, rendered, rendered.length + keyBytes(pageKey));
      return rendered;
    };
    return { total, data };
  };

  return { version, size: products.length, product: (id) => byId.get(id), list };
};
