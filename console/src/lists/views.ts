/** Reads, compares and changes the saved views of a list: named filters with their columns. Pure. */

export type SavedView = {
  readonly id: string;
  readonly name: string;
  /** The filters, as they are in the address. */
  readonly query: string;
  /** The keys of the hidden columns. */
  readonly hidden: readonly string[];
};

/** A view that every person has. */
export type BuiltInView = { readonly key: string; readonly name: string; readonly query: string };

export const longestName = 40;
// More tabs than these do not help to find one.
const mostViews = 30;

// They say where the reader is in the list, and not what it shows.
const passing: ReadonlySet<string> = new Set(['view', 'before', 'page', 'new']);

/** What a view keeps of an address, always in the same order. */
export const viewQuery = (address: URLSearchParams): string => {
  const kept = [...address].filter(([name, value]) => value !== '' && !passing.has(name));
  const query = new URLSearchParams(kept);
  query.sort();
  return query.toString();
};

export const isSameQuery = (one: string, other: string): boolean =>
  viewQuery(new URLSearchParams(one)) === viewQuery(new URLSearchParams(other));

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'query' in value &&
  typeof value.query === 'string' &&
  'hidden' in value &&
  isTexts(value.hidden);

/** The stored views; those in an unknown form are left out. */
export const readViews = (stored: string | null): readonly SavedView[] => {
  try {
    const found: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(found) ? found.filter(isView).slice(0, mostViews) : [];
  } catch {
    return [];
  }
};

/** The views with this one: changed in its place, or added at the end. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  views.some(({ id }) => id === view.id)
    ? views.map((one) => (one.id === view.id ? view : one))
    : [...views, view];

export const hasRoom = (views: readonly SavedView[]): boolean => views.length < mostViews;

/** The parameters of another filter, which stays within the view of the current address. */
export const withinView = (params: URLSearchParams, current: URLSearchParams): URLSearchParams => {
  const next = new URLSearchParams(params);
  const view = current.get('view');
  if (view !== null) next.set('view', view);
  return next;
};

/** The address of a saved view, for a link. */
export const addressOfView = ({ id, query }: Pick<SavedView, 'id' | 'query'>): string => {
  const address = new URLSearchParams(query);
  address.set('view', id);
  return `?${address}`;
};
