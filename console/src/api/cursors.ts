/** Owns how numbered pages are found in a list that only knows how to go on. */

/**
 * Remembers where each page of a list begins. Page one begins at the beginning; each page that was
 * read tells where the next one does. A list with other filters is another list.
 */
export const createCursors = () => {
  const lists = new Map<string, Map<number, string>>();
  const begins = (list: string): Map<number, string> => {
    const known = lists.get(list) ?? new Map<number, string>();
    lists.set(list, known);
    return known;
  };
  return {
    /** Where a page begins; undefined: not known, unless it is the first. */
    beginOf: (list: string, page: number): string | undefined => begins(list).get(page),
    /** The last page at or before one whose beginning is known. */
    nearest: (list: string, page: number): number => {
      const known = [...begins(list).keys()].filter((one) => one <= page);
      return Math.max(1, ...known);
    },
    remember: (list: string, page: number, next: string | null): void => {
      if (next === null) begins(list).delete(page + 1);
      else begins(list).set(page + 1, next);
    },
  };
};

export type Cursors = ReturnType<typeof createCursors>;

type Found = { readonly next?: string | null };

/** Goes from the nearest page that is known to the one that is asked for, or to the last. */
export const findPage = async <Page extends Found>(
  cursors: Cursors,
  list: string,
  wanted: number,
  read: (before: string | undefined) => Promise<Page>,
): Promise<Page> => {
  for (let page = cursors.nearest(list, wanted); ; page += 1) {
    const found = await read(cursors.beginOf(list, page));
    const next = found.next ?? null;
    cursors.remember(list, page, next);
    if (page >= wanted || next === null) return found;
  }
};
