/** Watches the place of the database: sells only in the one that was examined, and beats the heart of this instance. */
import { repeat } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Restore } from '../restored/store.ts';
import { type ExamineDeps, examine, settleVouches } from './examine.ts';
import { createPeers, type Peers } from './peers.ts';
import { beatInstance, deleteInstance, listInstances, registerInstance } from './store.ts';

export type PlaceWatch = {
  /** Whether a transaction runs in the examined place. Where not, it is to be rolled back: see `suspected`. */
  readonly trusts: (signature: string | undefined) => boolean;
  /** The signature of the examined place; undefined until it is examined. */
  readonly signature: () => string | undefined;
  /** Runs a transaction in the examined place of that signature; undefined, and nothing done, in any other. */
  readonly within: <T>(
    signature: string,
    work: (db: Db, now: number) => Promise<T>,
  ) => Promise<T | undefined>;
  /** Whether the place has to be examined before anything is sold. */
  readonly needsExamination: (restore: Restore | undefined) => boolean;
  readonly examine: () => Promise<void>;
  /** Opens a changed place, or declares a loss, where it is known by now. */
  readonly settle: (restore: Restore) => Promise<void>;
  /** Whether this instance is among those that would be asked to vouch. */
  readonly registered: () => boolean;
  /** Something is wrong with the place. It is examined before anything is sold. */
  readonly suspect: () => void;
  /** Begins to beat. */
  readonly start: () => void;
  /** Ends the beating, and takes this instance from those that sell. */
  readonly stop: () => Promise<void>;
};

export type WatchDeps = ExamineDeps & {
  /** Hears that the place is suspected: what sells has to stop, and to examine. */
  readonly suspected: () => void;
};

const beatEveryMs = 2000;

// Half of the time after which another instance may take this one for dead.
const registeredMs = 30_000;

/** For instances that are slow to notice; the dead ones are waited for as long. */
const vouchWithinMs = 30_000;

/** Beats once, in the examined place only; gives the monotonic time from which on that counts. */
const beat = async (
  deps: WatchDeps,
  peers: Peers,
  { signature, within }: Pick<PlaceWatch, 'signature' | 'within'>,
): Promise<number | undefined> => {
  const { clock, instanceId } = deps;
  const began = clock.monotonic();
  const examined = signature();
  if (examined === undefined) return undefined;
  const rows = await within(examined, async (db, now) => {
    const alive = await beatInstance(db, instanceId, now);
    // It was taken for dead. Nothing was sold since: see `registered`.
    if (!alive) await registerInstance(db, instanceId, now);
    return listInstances(db);
  });
  if (rows === undefined) return undefined;
  // Whatever holds this deletion holds all that the dead one was ever told: it came after that.
  for (const { id, beat } of peers.observe(rows)) await deleteInstance(deps.db, id, beat);
  return began;
};

export const createPlaceWatch = (deps: WatchDeps): PlaceWatch => {
  const { clock, instanceId } = deps;
  const peers = createPeers(instanceId, clock.monotonic);
  let trusted: string | undefined;
  let suspicious = true;
  let fresh = true;
  let testifiedFor: string | undefined;
  let firstSeen: { readonly id: string; readonly at: number } | undefined;
  let lastBeat = Number.NEGATIVE_INFINITY;
  let stopBeating = async (): Promise<void> => {};

  const registered = (): boolean => clock.monotonic() - lastBeat < registeredMs;
  const suspect = (): void => {
    suspicious = true;
    deps.suspected();
  };
  const trusts = (signature: string | undefined): boolean => {
    if (!suspicious && (signature === undefined || signature === trusted)) return true;
    suspect();
    return false;
  };
  const signature = (): string | undefined => (suspicious ? undefined : trusted);
  const within: PlaceWatch['within'] = (examined, work) =>
    deps.db.transaction().execute(async (db) => {
      const seen = await deps.readPlace(db);
      if (seen === undefined || !trusts(seen.signature)) return undefined;
      return seen.signature === examined ? work(db, seen.now) : undefined;
    });

  return {
    trusts,
    signature,
    within,
    needsExamination: (restore) =>
      suspicious || (restore?.opened_at === null && restore.id !== testifiedFor),
    examine: async () => {
      const began = clock.monotonic();
      const standing = { fresh, registered: registered(), peers: peers.ids() };
      const examined = await examine(deps, standing);
      // It is written down. What a person accepts is not held against the database again.
      if (examined?.contradicted === true) deps.witness.forget();
      testifiedFor = examined?.restore?.id;
      trusted = examined?.signature;
      lastBeat = began;
      suspicious = false;
      fresh = false;
    },
    settle: async (restore) => {
      if (firstSeen?.id !== restore.id) firstSeen = { id: restore.id, at: clock.monotonic() };
      await settleVouches(deps, restore, clock.monotonic() - firstSeen.at >= vouchWithinMs);
    },
    registered,
    suspect,
    start: () => {
      const work = async (): Promise<void> => {
        lastBeat = (await beat(deps, peers, { signature, within })) ?? lastBeat;
      };
      stopBeating = repeat(clock, beatEveryMs, () =>
        work().catch((err: unknown) => deps.log.error({ err }, 'the heartbeat failed')),
      );
    },
    stop: async () => {
      await stopBeating();
      // Where that fails others delete it, or ask for its word; either is safe.
      await deleteInstance(deps.db, instanceId).catch(() => {});
    },
  };
};
