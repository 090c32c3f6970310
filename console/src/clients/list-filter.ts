/** Reads and writes the filter and the order of the list of clients in the URL. Pure. */

const statuses = ['active', 'suspended'] as const;
const tests = ['true', 'false'] as const;
const sorts = ['created', 'name', 'available', 'held'] as const;

export type Wanted = {
  readonly search: string;
  readonly status: '' | (typeof statuses)[number];
  readonly low: boolean;
  readonly test: '' | (typeof tests)[number];
  readonly sort: (typeof sorts)[number];
  readonly descending: boolean;
};

export const statusIn = (text: string | null): Wanted['status'] =>
  statuses.find((status) => status === text) ?? '';

export const testIn = (text: string | null): Wanted['test'] =>
  tests.find((test) => test === text) ?? '';

export const sortIn = (text: string | null): Wanted['sort'] =>
  sorts.find((sort) => sort === text) ?? 'created';

export const wantedIn = (address: URLSearchParams): Wanted => ({
  search: address.get('search') ?? '',
  status: statusIn(address.get('status')),
  low: address.get('low') === 'true',
  test: testIn(address.get('test')),
  sort: sortIn(address.get('sort')),
  descending: address.get('order') !== 'asc',
});

export const isFiltered = ({ search, status, low, test }: Wanted): boolean =>
  search !== '' || status !== '' || low || test !== '';

/** The query of the API; what is not set is left out. */
export const queryOf = ({ search, status, low, test, sort, descending }: Wanted) => ({
  ...(search === '' ? {} : { search }),
  ...(status === '' ? {} : { status }),
  ...(low ? { low: 'true' as const } : {}),
  ...(test === '' ? {} : { test }),
  ...(sort === 'created' && descending
    ? {}
    : { sort, order: descending ? ('desc' as const) : ('asc' as const) }),
});

/** The same for the address. */
export const paramsOf = (wanted: Wanted): Record<string, string> => ({ ...queryOf(wanted) });
