/** Pages through a cursor-based list: the URL names the page, the history holds the cursors of the pages before it. */
import { useLocation, useNavigate } from 'react-router';
import { addressOf, newerThan, olderThan, type Place, placeIn } from './cursors.ts';

export type Paging = {
  readonly page: number;
  /** Goes to the previous page; undefined on the first. */
  readonly newer: (() => void) | undefined;
  /** Goes to the next page; undefined on the last, and while it is unknown. */
  readonly older: (() => void) | undefined;
  /** Whether `newer` leads to the first page because the previous one is unknown. */
  readonly isLost: boolean;
};

type PageRead = {
  readonly data: { readonly next: string | null } | null | undefined;
  /** Whether another page is still shown: its `next` would be wrong. */
  readonly isPlaceholderData: boolean;
};

/** The query, and the navigation once it has loaded. Another filter is another address, without a page. */
export const usePaging = () => {
  const navigate = useNavigate();
  const { search, ...location } = useLocation();
  const state: unknown = location.state;
  const address = new URLSearchParams(search);
  const place = placeIn(address, state);
  const goTo = (wanted: Place): void => {
    const kept = typeof state === 'object' && state !== null ? state : {};
    void navigate(`?${addressOf(address, wanted)}`, { state: { ...kept, trail: wanted.trail } });
    window.scrollTo(0, 0);
  };
  return {
    query: place.before === '' ? {} : { before: place.before },
    pagingOf: ({ data, isPlaceholderData }: PageRead): Paging => {
      const next = isPlaceholderData ? null : (data?.next ?? null);
      return {
        page: place.page,
        newer: place.before === '' ? undefined : () => goTo(newerThan(place)),
        older: next === null ? undefined : () => goTo(olderThan(place, next)),
        isLost: place.before !== '' && place.trail.length === 0,
      };
    },
  };
};
