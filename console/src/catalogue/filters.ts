/** Reads and writes the product filters in the page's URL. Pure. */
import type { Given } from '../api/client.ts';

type ListQuery = NonNullable<Given<'listProducts'>['query']>;
type PricesFilter = NonNullable<Given<'previewPrices'>['body']['which']['filter']>;

export const types = [
  'cell_internet',
  'cell_direct_charge',
  'td_lte_internet',
] as const satisfies readonly ListQuery['type'][];
export const sims = [
  'credit',
  'permanent',
] as const satisfies readonly ListQuery['sim_card_type'][];
export const switches = ['1', '0'] as const satisfies readonly ListQuery['on'][];

/** The columns that sort. */
const sortKeys = [
  'id',
  'name',
  'operator_id',
  'type',
  'price',
  'period',
  'updated_at',
] as const satisfies readonly ListQuery['sort'][];
export type SortKey = (typeof sortKeys)[number];

/** A column, with a minus for descending. */
export const sorts = sortKeys.flatMap((key) => [key, `-${key}`] as const);

const filterNames = [
  'search',
  'operator_id',
  'category_id',
  'type',
  'sim_card_type',
  'on',
  'price_from',
  'price_to',
] as const;
export type FilterName = (typeof filterNames)[number];

/** The query of the API; unset filters are left out. */
export type Filters = Pick<ListQuery, FilterName>;

const oneOf = <Value extends string>(
  values: readonly Value[],
  given: string | null,
): Value | undefined => values.find((value) => value === given);

const idIn = (given: string | null): string | undefined =>
  given !== null && /^[1-9]\d{0,14}$/.test(given) ? given : undefined;

const amountIn = (given: string | null): string | undefined =>
  given !== null && /^(?:0|[1-9]\d{0,14})$/.test(given) ? given : undefined;

/** Unknown values in a manually edited address are ignored. */
export const filtersIn = (address: URLSearchParams): Filters => {
  const search = address.get('search')?.trim() ?? '';
  const operator = idIn(address.get('operator_id'));
  const category = idIn(address.get('category_id'));
  const type = oneOf(types, address.get('type'));
  const sim = oneOf(sims, address.get('sim_card_type'));
  const on = oneOf(switches, address.get('on'));
  const lowest = amountIn(address.get('price_from'));
  const highest = amountIn(address.get('price_to'));
  return {
    ...(search === '' ? {} : { search }),
    ...(operator === undefined ? {} : { operator_id: operator }),
    ...(category === undefined ? {} : { category_id: category }),
    ...(type === undefined ? {} : { type }),
    ...(sim === undefined ? {} : { sim_card_type: sim }),
    ...(on === undefined ? {} : { on }),
    ...(lowest === undefined ? {} : { price_from: lowest }),
    ...(highest === undefined ? {} : { price_to: highest }),
  };
};

export const isFiltered = (filters: Filters): boolean => Object.keys(filters).length > 0;

export const sortIn = (address: URLSearchParams): (typeof sorts)[number] =>
  oneOf(sorts, address.get('sort')) ?? 'id';

export const pageIn = (address: URLSearchParams): number =>
  Number(idIn(address.get('page')) ?? '1');

export const sortOf = (
  address: URLSearchParams,
): { readonly key: SortKey; readonly descending: boolean } => {
  const sort = sortIn(address);
  const key = oneOf(sortKeys, sort.replace(/^-/, '')) ?? 'id';
  return { key, descending: sort.startsWith('-') };
};

type View = Omit<ListQuery, 'page' | 'limit'>;

/** The filters and the order. Names are sorted as the page's language shows them. */
export const viewQuery = (address: URLSearchParams, locale: 'en' | 'fa'): View => {
  const { key, descending } = sortOf(address);
  return {
    ...filtersIn(address),
    sort: key === 'name' && locale === 'en' ? 'name_en' : key,
    order: descending ? 'desc' : 'asc',
  };
};

export const listQuery = (address: URLSearchParams, locale: 'en' | 'fa'): ListQuery => ({
  ...viewQuery(address, locale),
  page: String(pageIn(address)),
});

/** The address with another value, from the first page on; an empty value removes the filter. */
export const withParam = (
  address: URLSearchParams,
  name: FilterName | 'sort' | 'page',
  value: string,
): URLSearchParams => {
  const next = new URLSearchParams(address);
  next.delete('page');
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
};

/** The address without any filter, in the same order. */
export const withoutFilters = (address: URLSearchParams): URLSearchParams => {
  const next = new URLSearchParams(address);
  for (const name of [...filterNames, 'page']) next.delete(name);
  return next;
};

/** The same filter, as a change of prices takes it. */
export const pricesFilter = ({
  operator_id,
  category_id,
  on,
  price_from,
  price_to,
  ...rest
}: Filters): PricesFilter => ({
  ...rest,
  ...(operator_id === undefined ? {} : { operator_id: Number(operator_id) }),
  ...(category_id === undefined ? {} : { category_id: Number(category_id) }),
  ...(on === undefined ? {} : { on: on === '1' }),
  ...(price_from === undefined ? {} : { price_from: Number(price_from) }),
  ...(price_to === undefined ? {} : { price_to: Number(price_to) }),
});

/** The manually selected products, from the page's address. */
export const idsIn = (address: URLSearchParams): readonly number[] =>
  (address.get('ids') ?? '')
    .split('-')
    .filter((id) => idIn(id) !== undefined)
    .map(Number);

/** The page that changes their prices. */
export const pricesAddress = (address: URLSearchParams, ids: readonly number[]): string => {
  const next = new URLSearchParams(address);
  for (const name of ['page', 'sort', 'ids']) next.delete(name);
  if (ids.length > 0) next.set('ids', ids.join('-'));
  const text = next.toString();
  return `/catalogue/prices${text === '' ? '' : `?${text}`}`;
};
