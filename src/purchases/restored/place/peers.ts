/** Tracks the heartbeats of the other instances, and finds the dead ones. */
import type { Instance } from './place.ts';

// Longer than any pause of a living process: a stalled disk, a migrated machine.
const deadAfterMs = 60_000;

// While the database was unreadable, the others could not beat either: their time restarts.
const gapMs = 10_000;

type Observed = { readonly beat: number; readonly since: number };

export type Peers = {
  /** Takes all rows as just read; returns those whose heartbeat has not changed for too long. */
  readonly observe: (rows: readonly Instance[]) => readonly Instance[];
  /** The others at the last reading. */
  readonly ids: () => readonly string[];
};

/** By this process's own monotonic time alone: database clocks differ, and step. */
export const createPeers = (own: string, monotonic: () => number): Peers => {
  let observed = new Map<string, Observed>();
  let last = Number.NEGATIVE_INFINITY;
  return {
    observe: (rows) => {
      const now = monotonic();
      const gap = now - last > gapMs;
      last = now;
      const others = rows.filter(({ id }) => id !== own);
      observed = new Map(
        others.map(({ id, beat }) => {
          const before = observed.get(id);
          return [id, before?.beat === beat && !gap ? before : { beat, since: now }];
        }),
      );
      return others.filter(({ id }) => now - (observed.get(id)?.since ?? now) >= deadAfterMs);
    },
    ids: () => [...observed.keys()],
  };
};
