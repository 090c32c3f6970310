/** Dates catalogue changes with unique timestamps in epoch microseconds. Pure. */

/** A product that was removed from the catalogue, and when. */
export type Removal = { readonly id: number; readonly removedAt: number };

export type History = {
  /** When each product was last changed, in the given order. */
  readonly changedAt: readonly number[];
  /** In the order of their times. */
  readonly removals: readonly Removal[];
};

export const noHistory: History = { changedAt: [], removals: [] };

/** The time of the last change; 0 if there was none. */
export const latestOf = ({ changedAt, removals }: History): number =>
  changedAt.reduce((latest, at) => Math.max(latest, at), removals.at(-1)?.removedAt ?? 0);

/**
 * The first timestamp of new changes. Those of one transaction follow one another by a microsecond, and after
 * a clock step back they continue from the last one: a client that has seen all up to a time asks from the
 * next one on, and misses nothing.
 */
export const firstTimestamp = (nowMs: number, history: History): number =>
  Math.max(nowMs * 1000, latestOf(history) + 1);

/** The position of the first item that is not before a time, in a list by time. */
export const lowerBound = <T>(
  items: readonly T[],
  timeOf: (item: T) => number,
  moment: number,
): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && timeOf(item) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
};
