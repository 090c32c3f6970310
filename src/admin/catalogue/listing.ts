/** Lists products for the back office: filters, sorts and counts them in memory, a slice at a time. */
import type { Searchable } from '../../catalogue/filter.ts';
import type { Product } from '../../catalogue/product.ts';
import type { Snapshot } from '../../catalogue/snapshot.ts';
import { filterInSlices, sortInSlices, type Turn } from '../../lib/time-slices.ts';
import { type ProductFilter, productMatcher } from './filter.ts';

export const sorts = [
  'id',
  'name',
  'name_en',
  'operator_id',
  'type',
  'price',
  'period',
  'updated_at',
] as const;
export type Sort = (typeof sorts)[number];

type Keys = Readonly<Record<Sort, (one: Searchable) => string | number>>;

const keys: Keys = {
  id: ({ product }) => product.id,
  name: ({ names }) => names[0]?.letters ?? '',
  // The name that an English page shows.
  name_en: ({ product, names }) => names[product.name_en === null ? 0 : 1]?.letters ?? '',
  operator_id: ({ product }) => product.operator_id,
  type: ({ product }) => product.type,
  price: ({ product }) => product.price,
  period: ({ product }) => product.period ?? 0,
  updated_at: ({ product }) => product.updated_at ?? '',
};

const compareBy =
  (sort: Sort) =>
  (one: Searchable, other: Searchable): number => {
    const [first, second] = [keys[sort](one), keys[sort](other)];
    return first === second ? 0 : first < second ? -1 : 1;
  };

export type ViewOptions = {
  readonly filter: ProductFilter;
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
};

export type ListOptions = ViewOptions & { readonly page: number; readonly limit: number };

export type ProductList = {
  readonly products: readonly Product[];
  readonly total: number;
  readonly version: string;
};

export type CategoryCount = {
  readonly id: number;
  readonly name: string;
  readonly products: number;
};

const countCategories = (products: readonly Searchable[]): CategoryCount[] => {
  const counted = new Map<number, CategoryCount>();
  for (const { product } of products) {
    for (const { id, name } of product.categories) {
      counted.set(id, { id, name, products: (counted.get(id)?.products ?? 0) + 1 });
    }
  }
  return [...counted.values()].sort((one, other) => one.id - other.id);
};

type Kept = {
  readonly sorted: Map<Sort, Promise<readonly Searchable[]>>;
  categories: readonly CategoryCount[] | undefined;
};

/** Lists of the current catalogue; sorted lists are cached as long as the catalogue stays the same. */
export const createListing = (snapshot: () => Snapshot, turn: Turn) => {
  const bySnapshot = new WeakMap<Snapshot, Kept>();
  const keptOf = (one: Snapshot): Kept => {
    const kept = bySnapshot.get(one) ?? { sorted: new Map(), categories: undefined };
    bySnapshot.set(one, kept);
    return kept;
  };
  const sortedBy = (one: Snapshot, sort: Sort): Promise<readonly Searchable[]> => {
    const { sorted } = keptOf(one);
    const found = sorted.get(sort) ?? sortInSlices(one.all, compareBy(sort), turn);
    sorted.set(sort, found);
    return found;
  };
  const select = async (
    now: Snapshot,
    { filter, sort }: ViewOptions,
  ): Promise<readonly Searchable[]> => {
    const sorted = sort === 'id' ? now.all : await sortedBy(now, sort);
    return filterInSlices(sorted, productMatcher(filter), turn);
  };
  return {
    /** All products of a view, in its order. */
    view: async (options: ViewOptions): Promise<readonly Searchable[]> => {
      const found = await select(snapshot(), options);
      return options.order === 'asc' ? found : found.toReversed();
    },
    products: async ({ order, page, limit, ...view }: ListOptions): Promise<ProductList> => {
      const now = snapshot();
      const found = await select(now, { ...view, order });
      const start = (page - 1) * limit;
      const shown =
        order === 'asc'
          ? found.slice(start, start + limit)
          : found.slice(Math.max(0, found.length - start - limit), found.length - start).reverse();
      return {
        products: start < found.length ? shown.map(({ product }) => product) : [],
        total: found.length,
        version: now.version,
      };
    },
    categories: (): readonly CategoryCount[] => {
      const now = snapshot();
      const kept = keptOf(now);
      kept.categories ??= countCategories(now.all);
      return kept.categories;
    },
  };
};
