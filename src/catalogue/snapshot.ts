/** Holds the catalogue in memory: sorted once, each page rendered once, within a memory limit. */
import { boundedCache } from '../lib/bounded-cache.ts';
import { mapInSlices, sortInSlices, type Turn } from '../lib/time-slices.ts';
import { type Changes, createChanges } from './changes/changes.ts';
import { type History, noHistory } from './changes/timestamps.ts';
import {
  compareByChange,
  compareById,
  compareByPosition,
  createSearchables,
  type Listing,
  type ListingQuery,
  matcher,
  type Searchable,
} from './filter.ts';
import type { Product } from './product.ts';
import type { StoredCatalogue } from './read.ts';

export type Snapshot = {
  /** Changes with any change of the catalogue. */
  readonly version: string;
  readonly size: number;
  /** In the order of their ids. */
  readonly all: readonly Searchable[];
  readonly product: (id: number) => Product | undefined;
  readonly list: (query: ListingQuery) => Listing;
  readonly changes: (query: Omit<ListingQuery, 'order'>, since: number) => Changes;
};

// Some 250 pages of 100 products; the whole process has to stay below 200 MB.
const renderedBytes = 32 * 1024 * 1024;
const selectedBytes = 8 * 1024 * 1024;
const referenceBytes = 8;

/** The cost of any cache entry: clients choose the length and number of keys. */
const keyBytes = (key: string): number => 2 * key.length + 256;

const opening = '{"data":[';
const sampleSize = 8;

/** Yields each text once; some are created earlier, to estimate the total size. */
const textsOf = (products: readonly Searchable[], withCategories: boolean) => {
  const textOf = ({ product }: Searchable): string =>
    JSON.stringify(withCategories ? product : { ...product, categories: [] });
  const step = Math.max(1, Math.ceil(products.length / sampleSize));
  const sample = new Map(
    products.flatMap((one, index) => (index % step === 0 ? [[one, textOf(one)] as const] : [])),
  );
  const bytes = [...sample.values()].reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  return {
    likelyBytes: Math.ceil((1.1 * products.length * bytes) / Math.max(1, sample.size)),
    textOf: (one: Searchable): string => sample.get(one) ?? textOf(one),
  };
};

/**
 * The bytes of all products in one buffer of the estimated size: as one string, or as a piece for each, a
 * whole catalogue would take several times its size while it is built.
 */
const render = (products: readonly Searchable[], withCategories: boolean): Buffer => {
  const { likelyBytes, textOf } = textsOf(products, withCategories);
  let bytes = Buffer.allocUnsafe(likelyBytes + opening.length + 1);
  let length = bytes.write(opening);
  for (const [index, one] of products.entries()) {
    const text = textOf(one);
    const needed = length + Buffer.byteLength(text) + 2;
    if (needed > bytes.length) {
      const wider = Buffer.allocUnsafe(Math.ceil(1.1 * needed));
      bytes.copy(wider, 0, 0, length);
      bytes = wider;
    }
    if (index > 0) length += bytes.write(',', length);
    length += bytes.write(text, length);
  }
  length += bytes.write(']', length);
  return bytes.subarray(0, length);
};

/** Products prepared for search, in each listing order. */
type Sorted = { readonly id: readonly Searchable[]; readonly position: readonly Searchable[] };

const snapshotOf = (
  version: string,
  { all, id, position }: Sorted & { readonly all: readonly Searchable[] },
  history: History,
): Snapshot => {
  let changed: readonly Searchable[] | undefined;
  const sorted = {
    id,
    position,
    // Sorted when changes are first requested.
    get change() {
      changed ??= all.toSorted(compareByChange);
      return changed;
    },
  };
  const byId = new Map(all.map(({ product }) => [product.id, product]));
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
    // Selected again if necessary: a cached listing must not keep its selection in memory.
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

  const changes = createChanges(
    {
      list,
      select: (query) => select(JSON.stringify(query), query),
      changed: () => sorted.change,
    },
    history,
  );

  return { version, size: all.length, all: id, product: (id) => byId.get(id), list, changes };
};

export const createSnapshot = (
  version: string,
  products: readonly Product[],
  history: History = noHistory,
): Snapshot => {
  const all = products.map(createSearchables(history.changedAt));
  const [id, position] = [all.toSorted(compareById), all.toSorted(compareByPosition)];
  return snapshotOf(version, { all, id, position }, history);
};

/** The same, yielding in between. */
export const createSnapshotInSlices = async (
  { version, products, history }: StoredCatalogue,
  turn: Turn,
): Promise<Snapshot> => {
  const all = await mapInSlices(products, createSearchables(history.changedAt), turn);
  const id = await sortInSlices(all, compareById, turn);
  const position = await sortInSlices(all, compareByPosition, turn);
  await turn();
  return snapshotOf(version, { all, id, position }, history);
};
