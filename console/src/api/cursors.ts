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
