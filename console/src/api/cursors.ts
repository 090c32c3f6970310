/** Finds the pages before and after a page of a cursor-based list. Pure. */

/** The current page, and how to get back from it. */
export type Place = {
  readonly page: number;
  /** The cursor at which it begins; empty on the first page. */
  readonly before: string;
  /** The cursors of the previous pages, the nearest last. */
  readonly trail: readonly string[];
};

const isTrail = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const trailIn = (state: unknown): readonly string[] => {
  const trail =
    typeof state === 'object' && state !== null && 'trail' in state ? state.trail : undefined;
  return isTrail(trail) ? trail : [];
};

/** The position in an address. Its history entry knows the previous pages, unless it was opened directly. */
export const placeIn = (address: URLSearchParams, state: unknown): Place => {
  const before = address.get('before') ?? '';
  if (before === '') return { page: 1, before, trail: [] };
  const page = Number(address.get('page'));
  return { page: Number.isSafeInteger(page) && page > 1 ? page : 2, before, trail: trailIn(state) };
};

export const olderThan = ({ page, before, trail }: Place, next: string): Place => ({
  page: page + 1,
  before: next,
  trail: [...trail, before],
});

/** The previous page; the first if it is unknown. */
export const newerThan = ({ page, trail }: Place): Place => {
  const before = trail.at(-1) ?? '';
  return before === ''
    ? { page: 1, before, trail: [] }
    : { page: page - 1, before, trail: trail.slice(0, -1) };
};

/** The address of a position, keeping all other parameters. */
export const addressOf = (address: URLSearchParams, { page, before }: Place): URLSearchParams => {
  const next = new URLSearchParams(address);
  next.delete('before');
  next.delete('page');
  if (before === '') return next;
  next.set('before', before);
  next.set('page', String(page));
  return next;
};
