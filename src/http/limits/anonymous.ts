/** Limits connections without a valid token, and chooses which ones to close. */
import { atEndOfTurn, type Clock } from '../../lib/clock.ts';

type Member = {
  readonly address: string;
  inFlight: number;
  /** Since when requests have been continuously in flight, or since when none has. */
  changedAt: number;
};

export type AnonymousDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Connections in total, and from one address. */
  readonly anonymous: number;
  readonly anonymousPerAddress: number;
};

/** Connections from the oldest to the newest, and idle ones from the longest idle. */
type Group<M> = { readonly most: number; readonly all: Set<M>; readonly idle: Set<M> };

const createGroup = <M>(most: number): Group<M> => ({ most, all: new Set(), idle: new Set() });

// A caller sends its first request within that time, even over a slow network.
const idleMs = 2000;

/** The connection to close: one that has been idle for a while, else the oldest. */
const leastNeeded = <M extends Member>({ all, idle }: Group<M>, now: number): M | undefined => {
  const longest = idle.values().next().value;
  const isIdle = longest !== undefined && now - longest.changedAt >= idleMs;
  return isIdle ? longest : all.values().next().value;
};

/**
 * Calls back after pending data was read: a connection's first bytes are read in the turn after it was
 * accepted.
 */
const afterReading = (call: () => void): void => {
  atEndOfTurn(() => atEndOfTurn(call));
};

/** The anonymous connections, in total and by address; passes the excess ones to `close`. */
export const createAnonymous = <M extends Member>(deps: AnonymousDeps, close: (one: M) => void) => {
  const { clock } = deps;
  const every = createGroup<M>(deps.anonymous);
  const byAddress = new Map<string, Group<M>>();
  const crowded = new Set<Group<M>>();
  const groupsOf = (one: M): readonly Group<M>[] => {
    const own = byAddress.get(one.address);
    return own === undefined ? [every] : [every, own];
  };
  const remove = (one: M): void => {
    for (const { all, idle } of groupsOf(one)) {
      all.delete(one);
      idle.delete(one);
    }
    if (byAddress.get(one.address)?.all.size === 0) byAddress.delete(one.address);
  };
  const closeExtra = (): void => {
    const now = clock.monotonic();
    for (const group of crowded) {
      while (group.all.size > group.most) {
        const extra = leastNeeded(group, now);
        if (extra === undefined) break;
        // Immediately: its connection closes later.
        remove(extra);
        close(extra);
      }
    }
    crowded.clear();
  };
  return {
    remove,
    has: (one: M): boolean => every.all.has(one),
    add: (one: M): void => {
      const own = byAddress.get(one.address) ?? createGroup<M>(deps.anonymousPerAddress);
      byAddress.set(one.address, own);
      const isFirst = crowded.size === 0;
      // An address with too many makes room for itself first.
      for (const group of [own, every]) {
        group.all.add(one);
        group.idle.add(one);
        if (group.all.size > group.most) crowded.add(group);
      }
      // Not before their first requests, which show clients' tokens: a busy worker gets many connections at
      // once.
      if (isFirst && crowded.size > 0) afterReading(closeExtra);
    },
    /** Counts a request that begins or ends. */
    count: (one: M, more: 1 | -1): void => {
      const wasIdle = one.inFlight === 0;
      one.inFlight += more;
      if (wasIdle === (one.inFlight === 0)) return;
      one.changedAt = clock.monotonic();
      if (!every.all.has(one)) return;
      for (const { idle } of groupsOf(one)) {
        if (one.inFlight === 0) idle.add(one);
        else idle.delete(one);
      }
    },
  };
};
