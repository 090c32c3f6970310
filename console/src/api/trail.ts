/** Owns going forth and back in a list that only knows how to go on, as long as it is shown. */
import { useState } from 'react';
import type { Paged } from '../parts/pager.tsx';

/** Where the page that is shown begins, and how its pager is fed with where the next one does. */
export const useTrail = () => {
  const [trail, setTrail] = useState<readonly string[]>([]);
  const page = trail.length + 1;
  return {
    /** What goes into the query of the page that is shown. */
    query: trail.length === 0 ? {} : { before: trail.at(-1) ?? '' },
    pagedBy: (next: string | null | undefined): Paged => ({
      page,
      hasNextPage: typeof next === 'string',
      setPage: (wanted) => {
        if (wanted < page) setTrail(trail.slice(0, wanted - 1));
        else if (typeof next === 'string') setTrail([...trail, next]);
      },
    }),
  };
};
