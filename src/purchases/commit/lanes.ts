/** Gives a client whose rows are locked a lane of its own, so that no other client waits for them. */
import { createBatch } from '../../lib/batch.ts';
import type { Clock } from '../../lib/clock.ts';

/** Runs a limited number of tasks at a time; the rest wait in order. */
type Slots = {
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Whether others wait for a slot. */
  readonly wanted: () => boolean;
};

export const createSlots = (most: number): Slots => {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    run: async (work) => {
      if (taken < most) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        // The slot passes directly to the next one in the queue, so that a newcomer cannot take it.
        const next = waiting.shift();
        if (next === undefined) taken -= 1;
        else next();
      }
    },
    wanted: () => waiting.length > 0,
  };
};

export type LaneOptions<Item, Result> = {
  readonly clientOf: (item: Item) => string;
  /** Runs items of one client in one transaction; undefined for those whose rows stay locked. */
  readonly run: (
    items: readonly Item[],
    wait: 'long' | 'brief',
  ) => Promise<readonly (Result | undefined)[]>;
  readonly slots: Slots;
  /** How many items one transaction takes. */
  readonly most: number;
  /** Whether an error concerns all items of a run. */
  readonly meetsAll: (error: unknown) => boolean;
  /**
   * How many items may be in one lane, in one whose last transaction met a locked row, and in all lanes
   * together; the rest are refused.
   */
  readonly bounds?: { readonly one: number; readonly locked: number; readonly all: number };
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long an item whose rows stay locked is retried. */
  readonly longestMs: number;
  readonly mayWait: (item: Item) => boolean;
  /** Whether its transaction locks rows; other runs say nothing about them. */
  readonly needsRows: (item: Item) => boolean;
  /** The result for an item that is refused, or whose rows stay locked. */
  readonly refuse: (item: Item) => Result;
  /** Called when the rows of a client stay locked; again only after they were unlocked. */
  readonly onLocked: (clientId: string) => void;
};

type Lanes<Item, Result> = {
  /** Whether a client has a lane: its next items belong there. */
  readonly has: (clientId: string) => boolean;
  readonly open: (clientId: string) => void;
  readonly enter: (item: Item) => Promise<Result>;
};

type Lane<Item, Result> = {
  readonly batch: (item: Item) => Promise<Result | undefined>;
  /** Items that wait or run. */
  items: number;
  /** Whether the last transaction met a locked row. */
  locked: boolean;
};

/** Calls `close` when a transaction has met no locked row. */
const createLane = <Item, Result>(
  { run, slots, most, meetsAll, needsRows, onLocked }: LaneOptions<Item, Result>,
  clientId: string,
  close: (lane: Lane<Item, Result>) => void,
): Lane<Item, Result> => {
  const runLane = async (items: readonly Item[]): Promise<readonly (Result | undefined)[]> => {
    const tellsOfRows = items.some(needsRows);
    // A locked lane must not hold a slot that others could use.
    const results = await run(items, slots.wanted() ? 'brief' : 'long');
    if (!tellsOfRows) return results;
    const locked = results.includes(undefined);
    if (locked && !lane.locked) onLocked(clientId);
    lane.locked = locked;
    if (!locked) close(lane);
    return results;
  };
  const lane: Lane<Item, Result> = {
    batch: createBatch({
      most,
      meetsAll,
      run: (items: readonly Item[]) => slots.run(() => runLane(items)),
    }),
    items: 0,
    locked: false,
  };
  return lane;
};

export const createLanes = <Item, Result>(
  options: LaneOptions<Item, Result>,
): Lanes<Item, Result> => {
  const { clientOf, bounds, clock, longestMs, mayWait, refuse } = options;
  const lanes = new Map<string, Lane<Item, Result>>();
  let items = 0;

  /** Items in the lane still run there; later ones do not. */
  const close = (clientId: string, lane: Lane<Item, Result>): void => {
    if (lanes.get(clientId) === lane) lanes.delete(clientId);
  };

  const open = (clientId: string): Lane<Item, Result> => {
    const lane =
      lanes.get(clientId) ?? createLane(options, clientId, (closed) => close(clientId, closed));
    lanes.set(clientId, lane);
    return lane;
  };

  const isFull = (lane: Lane<Item, Result>): boolean =>
    bounds !== undefined &&
    (lane.items >= (lane.locked ? bounds.locked : bounds.one) || items >= bounds.all);

  const enter = async (lane: Lane<Item, Result>, item: Item): Promise<Result> => {
    if (isFull(lane)) return refuse(item);
    lane.items += 1;
    items += 1;
    try {
      const until = clock.monotonic() + longestMs;
      let result = await lane.batch(item);
      while (result === undefined && mayWait(item) && clock.monotonic() < until) {
        result = await lane.batch(item);
      }
      return result ?? refuse(item);
    } finally {
      lane.items -= 1;
      items -= 1;
    }
  };

  return {
    has: (clientId) => lanes.has(clientId),
    open,
    enter: async (item) => {
      const clientId = clientOf(item);
      const lane = open(clientId);
      try {
        return await enter(lane, item);
      } finally {
        if (lane.items === 0 && !lane.locked) close(clientId, lane);
      }
    },
  };
};
