/** Chooses the entry of a price list that decides a commission. Pure. */
import type { Product } from '../catalogue/product.ts';
import {
  chargedOf,
  defaultListId,
  type Entry,
  type ListVersion,
  type PriceList,
  type Scope,
} from './price-list.ts';

export type PricedProduct = Pick<Product, 'id' | 'operator_id' | 'type'> & {
  readonly categories: readonly { readonly id: number }[];
};

export type PriceRequest = {
  readonly product: PricedProduct;
  readonly clientId: string;
  /** By the database's clock, in epoch milliseconds. */
  readonly moment: number;
};

/** Entries by the narrowest part of their scope, each group in the order in which they are tried. */
type CompiledVersion = {
  readonly version: ListVersion;
  readonly products: ReadonlyMap<number, readonly Entry[]>;
  readonly categories: ReadonlyMap<number, readonly Entry[]>;
  readonly rest: readonly Entry[];
};

type CompiledList = {
  readonly list: PriceList;
  /** The latest first. */
  readonly versions: readonly CompiledVersion[];
};

/** The price lists, prepared so that a choice reads only what can fit. */
export type PriceBook = {
  readonly lists: ReadonlyMap<number, CompiledList>;
  /** The lists of the clients that are not in the default one. */
  readonly listOf: ReadonlyMap<string, number>;
};

/** A product counts more than a category, that more than an operator, and that more than a type. */
const rankOf = ({ productId, categoryId, operatorId, productType }: Scope): number =>
  (productId === null ? 0 : 8) +
  (categoryId === null ? 0 : 4) +
  (operatorId === null ? 0 : 2) +
  (productType === null ? 0 : 1);

/** The most specific first; of two categories the one with the lower id. */
const bySpecificity = (one: Entry, other: Entry): number =>
  rankOf(other) - rankOf(one) ||
  (one.categoryId ?? 0) - (other.categoryId ?? 0) ||
  one.id - other.id;

const compileVersion = (version: ListVersion): CompiledVersion => {
  const entries = version.entries.toSorted(bySpecificity);
  const narrow = (key: (entry: Entry) => number | null) =>
    Map.groupBy(entries, (entry) => key(entry) ?? 0);
  return {
    version,
    products: narrow(({ productId }) => productId),
    categories: narrow(({ productId, categoryId }) => (productId === null ? categoryId : null)),
    rest: entries.filter(({ productId, categoryId }) => productId === null && categoryId === null),
  };
};

export const compilePrices = (
  lists: readonly PriceList[],
  listOf: ReadonlyMap<string, number>,
): PriceBook => ({
  lists: new Map(
    lists.map((list) => [
      list.id,
      {
        list,
        versions: list.versions.toSorted((one, other) => other.from - one.from).map(compileVersion),
      },
    ]),
  ),
  listOf,
});

const fits = ({ productId, categoryId, operatorId, productType }: Entry, product: PricedProduct) =>
  (productId === null || productId === product.id) &&
  (operatorId === null || operatorId === product.operator_id) &&
  (productType === null || productType === product.type) &&
  (categoryId === null || product.categories.some(({ id }) => id === categoryId));

const inForce = ({ versions }: CompiledList, moment: number): CompiledVersion | undefined =>
  versions.find(({ version }) => version.from <= moment);

/** The entries of a version that fit, the most specific first. */
const fittingEntries = (compiled: CompiledVersion, product: PricedProduct): readonly Entry[] => {
  const { products, categories, rest } = compiled;
  const ofCategories = new Set(product.categories.map(({ id }) => id));
  const inCategories = [...ofCategories].flatMap((id) => categories.get(id) ?? []);
  return [
    ...(products.get(product.id) ?? []),
    ...inCategories.toSorted(bySpecificity),
    ...rest,
  ].filter((entry) => fits(entry, product));
};

/** A list in the line from a client's own to the last parent, and what of it fits. */
export type ListStep = {
  readonly list: PriceList;
  /** Undefined before its first version. */
  readonly version: ListVersion | undefined;
  readonly entries: readonly Entry[];
};

/** The lists of a client, its own first. */
function* linesOf(book: PriceBook, clientId: string): Generator<CompiledList> {
  const seen = new Set<number>();
  let id: number | null = book.listOf.get(clientId) ?? defaultListId;
  while (id !== null && !seen.has(id)) {
    seen.add(id);
    const compiled = book.lists.get(id);
    if (compiled === undefined) return;
    yield compiled;
    id = compiled.list.parentId;
  }
}

/** Each list that is looked at, with the entries that fit: the first entry of all decides. */
export const explainEntries = (book: PriceBook, request: PriceRequest): readonly ListStep[] =>
  [...linesOf(book, request.clientId)].map((compiled) => {
    const at = inForce(compiled, request.moment);
    return {
      list: compiled.list,
      version: at?.version,
      entries: at === undefined ? [] : fittingEntries(at, request.product),
    };
  });

/** The entry that decides; undefined if there is none, and so no commission. */
export const chooseEntry = (book: PriceBook, request: PriceRequest): Entry | undefined => {
  for (const compiled of linesOf(book, request.clientId)) {
    const at = inForce(compiled, request.moment);
    const [first] =
      at === undefined || at.version.entries.length === 0
        ? []
        : fittingEntries(at, request.product);
    if (first !== undefined) return first;
  }
  return undefined;
};

/** Whether a client may pay less than a supplier costs. */
export const allowsBelowCost = (book: PriceBook, clientId: string): boolean =>
  book.lists.get(book.listOf.get(clientId) ?? defaultListId)?.list.allowBelowCost ?? false;

/** What a client pays, and the entry that decided its commission. */
export type Charge = { readonly charged: number; readonly priceEntryId: number | null };

export const chargeOf = (
  book: PriceBook,
  request: PriceRequest & {
    readonly price: number;
    /** Of the route that is taken; undefined if it is not known. */
    readonly cost: number | undefined;
  },
): Charge => {
  const entry = chooseEntry(book, request);
  const floor = allowsBelowCost(book, request.clientId) ? undefined : request.cost;
  return {
    charged: chargedOf(request.price, entry?.commission, floor),
    priceEntryId: entry?.id ?? null,
  };
};

/** The lists of a client: its own, then each parent. */
export const listsOf = (book: PriceBook, clientId: string): readonly number[] =>
  [...linesOf(book, clientId)].map(({ list }) => list.id);

/** All entries for a client in the order in which they are tried, without those that never are. */
export const entriesFor = (book: PriceBook, clientId: string, moment: number): readonly Entry[] => {
  const all: Entry[] = [];
  for (const compiled of linesOf(book, clientId)) {
    const entries = inForce(compiled, moment)?.version.entries ?? [];
    const isAnything = (entry: Entry): boolean => rankOf(entry) === 0;
    all.push(...entries.toSorted(bySpecificity));
    if (entries.some(isAnything)) break;
  }
  return all;
};
