/** Caches values up to a total weight and evicts the least recently used. */

export type BoundedCache<Value> = {
  readonly get: (key: string) => Value | undefined;
  /**
   * Stores a value, or silently does not if it alone would take more than half of the capacity; a weight of 1
   * is always stored, so that a capacity of one entry works.
   */
  readonly set: (key: string, value: Value, weight: number) => void;
  readonly clear: () => void;
};

// A map skips all deleted entries to find its oldest: of many, some are evicted at once.
const many = 1000;
const roomMade = 1 / 16;

export const boundedCache = <Value>(mostWeight: number): BoundedCache<Value> => {
  const entries = new Map<string, { value: Value; weight: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value, weight) => {
      drop(key);
      if (weight > Math.max(mostWeight / 2, 1)) return;
      entries.set(key, { value, weight });
      total += weight;
      if (total <= mostWeight) return;
      const room = entries.size > many ? mostWeight * (1 - roomMade) : mostWeight;
      for (const oldest of entries.keys()) {
        if (total <= room) break;
        drop(oldest);
      }
    },
    clear: () => {
      entries.clear();
      total = 0;
    },
  };
};
