/** Finds the operator that first issued a number, by its prefix. Pure. */

/** How the numbers of one operator begin. */
export type PrefixRow = { readonly id: number; readonly prefixes?: readonly string[] };

/** Returns the operator with the longest prefix that matches a number; undefined for none. */
export const prefixTable = (
  rows: readonly PrefixRow[],
): ((mobile: string) => number | undefined) => {
  const idOf = new Map(
    rows.flatMap(({ id, prefixes = [] }) => prefixes.map((prefix) => [prefix, id] as const)),
  );
  const lengths = [...new Set([...idOf.keys()].map((prefix) => prefix.length))].sort(
    (one, other) => other - one,
  );
  return (mobile) => {
    const longest = lengths.find((length) => idOf.has(mobile.slice(0, length)));
    return longest === undefined ? undefined : idOf.get(mobile.slice(0, longest));
  };
};

/** The first prefix that two operators share. */
export const claimedTwice = (rows: readonly PrefixRow[]): string | undefined => {
  const all = rows.flatMap(({ prefixes = [] }) => [...new Set(prefixes)]);
  return all.find((prefix, index) => all.indexOf(prefix) !== index);
};
