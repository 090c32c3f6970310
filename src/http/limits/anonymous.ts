/** Limits connections without a valid token, and chooses which ones to close. */
import { atEndOfTurn, type Clock } from '../../lib/clock.ts';

type Member = {
  readonly address: string;
  inFlight: number;
  /** Since when requests have been under way without a pause, or since when none has. */
  changedAt: number;
};

export type AnonymousDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Connections in all, and from one address. */
  readonly anonymous: number;
  readonly anonymousPerAddress: number;
};

/** Connections from the oldest to the newest, and those without a request under way from the longest idle. */
type Group<M> = { readonly most: number; readonly all: Set<M>; readonly idle: Set<M> };

const createGroup = <M>(most: number): Group<M> => ({ most, all: new Set(), idle: new Set() });

// A caller sends its first request within that time, also over a slow network.
const idleMs = 2000;

/** Who has to go: one that has been idle for a while, else the oldest. */
const leastNeeded = <M extends Member>({ all, idle }: Group<M>, now: number): M | undefined => {
  const longest = idle.values().next().value;
  const isIdle = longest !== undefined && now - longest.changedAt >= idleMs;
  return isIdle ? longest : all.values().next().value;
};

/** Calls once what has arrived was read: the first bytes of a connection are read in the turn after it was accepted. */
const afterReading = (call: () => void): void => {
  atEndOfTurn(() => atEndOfTurn(call));
};

/** The anonymous connections, in all and by address; gives those to `close` that are too many. */
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
        // At once: its connection closes later.
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
      // An address that has too many makes room for itself first.
      for (const group of [own, every]) {
        group.all.add(one);
        group.idle.add(one);
        if (group.all.size > group.most) crowded.add(group);
      }
      // Not before their first requests, which show the tokens of clients: a worker that was busy gets many at once.
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
