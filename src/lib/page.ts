/** Builds the pagination envelope: page numbers, `links` and `meta`, in Laravel's format. */

/** The most items on a page, and the default. */
export const pageSize = 100;

/** A positive integer as PHP reads one from text (leading zeros, decimals and exponents are none). */
export const readPositive = (value: unknown): number | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const parts = /^\+?([1-9]\d*)$/.exec(String(value).trim());
  const number = Number(parts?.[1]);
  return Number.isSafeInteger(number) ? number : undefined;
};

export type PageRequest = { readonly page: number; readonly perPage: number };

export const readPage = (page: unknown, perPage: unknown): PageRequest => ({
  page: readPositive(page) ?? 1,
  perPage: Math.min(readPositive(perPage) ?? pageSize, pageSize),
});

/** The address of a list without its query, and the request's own query. */
export type PageAddress = {
  readonly path: string;
  readonly query: string;
  /** The address of the next page, if not at the next number. */
  readonly next?: string;
};

/**
 * The path of a request. Its request line may be an absolute URL (RFC 9112, 3.2.2), whose scheme and host are
 * not part of the path.
 */
export const pageAddress = (base: string, requestUrl: string): PageAddress => {
  const mark = requestUrl.indexOf('?');
  const whole = mark === -1 ? requestUrl : requestUrl.slice(0, mark);
  const path = whole.replace(/^https?:\/\/[^/]*/i, '').replace(/\/+$/, '');
  return { path: base + path, query: mark === -1 ? '' : requestUrl.slice(mark + 1) };
};

const percentEncode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const parameter = (name: string, value: string): string =>
  `${percentEncode(name)}=${percentEncode(value)}`;

/** Every parameter of the query in its order, except `page` and one more. */
const parametersOf = ({ query }: PageAddress, but?: string): string =>
  [...new URLSearchParams(query)]
    .filter(([name]) => name !== 'page' && name !== but)
    .map(([name, value]) => `${parameter(name, value)}&`)
    .join('');

/** Addresses of pages: every parameter of the query in its order, and `page` last. */
const urlOfPage = (address: PageAddress): ((page: number) => string) => {
  const kept = parametersOf(address);
  return (page) => `${address.path}?${kept}page=${page}`;
};

/** The address of the first page under another value of a parameter. */
export const urlWith = (address: PageAddress, name: string, value: string): string =>
  `${address.path}?${parametersOf(address, name)}${parameter(name, value)}`;

type Link = { readonly url: string | null; readonly label: string; readonly active: boolean };

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Up to this many all pages are shown, and this many around the current one. */
const shownWhole = 14;
const nearAnEnd = 7;

const pageGroups = (current: number, last: number): number[][] => {
  if (last < shownWhole) return [range(1, last)];
  if (current <= nearAnEnd) return [range(1, 10), [last - 1, last]];
  if (current > last - nearAnEnd) return [[1, 2], range(last - 9, last)];
  return [[1, 2], range(current - 3, current + 3), [last - 1, last]];
};

export type Paging = {
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
};

export const lastPage = (paging: Paging): number =>
  Math.max(Math.ceil(paging.total / paging.perPage), 1);

/** The positions of the page's first and last item in the whole list, counted from zero, end excluded. */
export const pageBounds = (paging: Paging): { readonly start: number; readonly end: number } => {
  if (paging.page > lastPage(paging)) return { start: paging.total, end: paging.total };
  const start = (paging.page - 1) * paging.perPage;
  return { start, end: Math.min(start + paging.perPage, paging.total) };
};

export const pageLinks = (paging: Paging, address: PageAddress) => {
  const url = urlOfPage(address);
  const last = lastPage(paging);
  return {
    first: url(1),
    last: url(last),
    prev: paging.page > 1 ? url(paging.page - 1) : null,
    next: paging.page < last ? (address.next ?? url(paging.page + 1)) : null,
  };
};

export const pageMeta = (paging: Paging, address: PageAddress) => {
  const url = urlOfPage(address);
  const last = lastPage(paging);
  const { prev, next } = pageLinks(paging, address);
  const { start, end } = pageBounds(paging);
  const groups = pageGroups(paging.page, last).map((pages) =>
    pages.map(
      (page): Link => ({ url: url(page), label: String(page), active: page === paging.page }),
    ),
  );
  const dots: Link = { url: null, label: '...', active: false };
  const links: Link[] = [
    { url: prev, label: '&laquo; Previous', active: false },
    ...groups.flatMap((group, index) => (index === 0 ? group : [dots, ...group])),
    { url: next, label: 'Next &raquo;', active: false },
  ];
  return {
    current_page: paging.page,
    from: end > start ? start + 1 : null,
    last_page: last,
    links,
    path: address.path,
    per_page: paging.perPage,
    to: end > start ? end : null,
    total: paging.total,
  };
};

/** The parts beside the items of a page. */
export const pageEnvelope = (paging: Paging, address: PageAddress) => ({
  links: pageLinks(paging, address),
  meta: pageMeta(paging, address),
});
