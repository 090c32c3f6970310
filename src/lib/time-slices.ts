/** Maps, filters and sorts large lists in slices, yielding to the event loop in between. */

/** Yields to other work. */
export type Turn = () => Promise<void>;

export const noTurn: Turn = async () => {};

// A few milliseconds at most, for the work on one product.
const itemsAtATime = 500;

export const mapInSlices = async <Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
  turn: Turn,
): Promise<Made[]> => {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    if (index % itemsAtATime === 0) await turn();
    made.push(make(item, index));
  }
  return made;
};

// Examining an item costs a tenth of transforming it.
const looksAtATime = 5000;

export const filterInSlices = async <Item>(
  items: readonly Item[],
  fits: (item: Item) => boolean,
  turn: Turn,
): Promise<Item[]> => {
  const found: Item[] = [];
  for (let start = 0; start < items.length; start += looksAtATime) {
    if (start > 0) await turn();
    for (const item of items.slice(start, start + looksAtATime)) if (fits(item)) found.push(item);
  }
  return found;
};

type Compare<Item> = (one: Item, other: Item) => number;

/** Merges two sorted lists, stably. */
const merge = async <Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: Compare<Item>,
  turn: Turn,
): Promise<Item[]> => {
  const merged: Item[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [first, second] = [one[left], other[right]];
    if (first === undefined) return merged.concat(other.slice(right));
    if (second === undefined) return merged.concat(one.slice(left));
    if (merged.length % looksAtATime === looksAtATime - 1) await turn();
    const isFirst = compare(first, second) <= 0;
    merged.push(isFirst ? first : second);
    if (isFirst) left += 1;
    else right += 1;
  }
};

/** Sorts as `toSorted` does. */
export const sortInSlices = async <Item extends object>(
  items: readonly Item[],
  compare: Compare<Item>,
  turn: Turn,
): Promise<Item[]> => {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += looksAtATime) {
    if (start > 0) await turn();
    runs.push(items.slice(start, start + looksAtATime).sort(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, turn));
    }
    runs = merged;
  }
  return runs[0] ?? [];
};
