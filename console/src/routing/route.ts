/** Sorts and filters routes by the page's address. Pure. */
import type { Operations } from '../api/types.ts';

export type Route = Operations['listRoutes']['answer']['data'][number];
export type Terms = Omit<Route, 'id'>;
export type TermName = keyof Terms;
export type Weekday = Route['days'][number];

/** The terms in the order of the form. */
export const termNames = [
  'operator_id',
  'product_id',
  'category_id',
  'product_type',
  'client_id',
  'supplier_id',
  'product_code',
  'cost',
  'allow_dearer',
  'priority',
  'weight',
  'hours',
  'days',
  'valid_from',
  'valid_until',
  'enabled',
] as const satisfies readonly TermName[];

const fromMonday = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const fromSaturday = ['sat', 'sun', 'mon', 'tue', 'wed', 'thu', 'fri'] as const;

/** A Persian week begins on Saturday. */
export const weekOf = (locale: 'en' | 'fa'): readonly Weekday[] =>
  locale === 'fa' ? fromSaturday : fromMonday;

/** The ID of the route that every operator has without one of yours. */
export const implicitId = 0;

export const isOperatorWide = (route: Terms): boolean =>
  route.product_id === null &&
  route.category_id === null &&
  route.product_type === null &&
  route.client_id === null;

export const filterNames = ['operator_id', 'supplier_id'] as const;
export type FilterName = (typeof filterNames)[number];

/** The address with another value; an empty one removes the parameter. */
export const withParam = (
  address: URLSearchParams,
  name: FilterName | 'page' | 'explain',
  value: string,
): URLSearchParams => {
  const next = new URLSearchParams(address);
  if (name !== 'explain') next.delete('page');
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
};

/** Those that the address asks for, by operator and priority. */
export const routesIn = (routes: readonly Route[], address: URLSearchParams): readonly Route[] =>
  routes
    .filter((route) =>
      filterNames.every((name) => {
        const wanted = address.get(name);
        return wanted === null || String(route[name]) === wanted;
      }),
    )
    .toSorted(
      (one, other) =>
        one.operator_id - other.operator_id || one.priority - other.priority || one.id - other.id,
    );

/** As many as a page shows: each may need the name of a product and a client. */
const perPage = 50;

/** The rows of the address's page, and its number. */
export const pageOf = (routes: readonly Route[], address: URLSearchParams) => {
  const pages = Math.max(1, Math.ceil(routes.length / perPage));
  const wanted = Number(address.get('page') ?? '1');
  const page = Number.isInteger(wanted) ? Math.min(Math.max(1, wanted), pages) : 1;
  return { page, pages, rows: routes.slice((page - 1) * perPage, page * perPage) };
};
