/** Runs a subset of a list, and returns the results at their original positions. */
export const runSubset = async <Item, Result>(
  items: readonly Item[],
  isOne: (item: Item) => boolean,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<(Result | undefined)[]> => {
  // Called once for each: it may depend on the time.
  const wanted = items.map(isOne);
  const some = items.filter((_, index) => wanted[index]);
  const results = some.length === 0 ? [] : await run(some);
  let next = 0;
  return wanted.map((isWanted) => {
    if (!isWanted) return undefined;
    next += 1;
    return results[next - 1];
  });
};
