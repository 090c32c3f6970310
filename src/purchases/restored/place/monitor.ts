/** Monitors the database's place: purchases begin only in the one that was examined. */
import type { Db } from '../../../db/types.ts';
import type { Restore } from '../store.ts';
import { type ExamineDeps, examine, settleVouches } from './examine.ts';
import { createHeartbeat } from './heartbeat.ts';
import { deleteInstance, hasUnseen } from './store.ts';
import type { Witness } from './witness.ts';

export type PlaceMonitor = {
  /** Whether a transaction runs in the examined place. If not, roll it back: see `suspected`. */
  readonly trusts: (signature: string | undefined) => boolean;
  /** The signature of the examined place; undefined until it is examined. */
  readonly signature: () => string | undefined;
  /**
   * Runs a transaction in the examined place with that signature; undefined, and nothing done, in any other.
   */
  readonly within: <T>(
    work: (db: Db, now: number) => Promise<T>,
    signature?: string,
  ) => Promise<T | undefined>;
  /** Whether the place has to be examined before anything is sold. */
  readonly needsExamination: (restore: Restore | undefined) => boolean;
  readonly examine: () => Promise<void>;
  /** Opens a changed place, or declares a loss, if the result is known. */
  readonly settle: (restore: Restore) => Promise<void>;
  /** Whether each other instance has examined the restarted server, or has timed out. */
  readonly othersHaveExamined: () => Promise<boolean>;
  /** New purchases are sold from now on: this process can vouch for them. */
  readonly opened: () => void;
  /** Whether this instance is among those that would be asked to vouch. */
  readonly registered: () => boolean;
  /** Suspects the place. It is examined before anything is sold. */
  readonly suspect: () => void;
  /** Begins to beat. */
  readonly start: () => void;
  /** Ends the heartbeats, and unregisters this instance, or records what it knows. */
  readonly stop: () => Promise<void>;
};

export type PlaceMonitorDeps = ExamineDeps & {
  readonly witness: Witness;
  /** Called when the place is suspected: selling has to stop until it is examined. */
  readonly suspected: () => void;
};

/** For instances that are slow to notice; dead ones are waited for as long. */
const vouchWithinMs = 30_000;

// Longer than a heartbeat and a statement that hangs on a broken connection. Dead instances are waited for as
// long.
const examineWithinMs = 15_000;

// Stands for a suspicion without a signature.
const somethingMissing = 'something is missing';

/** Trusts the examined place, until a suspicion arises. */
const createTrust = (suspected: () => void) => {
  let trusted: string | undefined;
  let suspicious = true;
  /** What has raised suspicion since the last examination began. */
  let doubts = new Set<string>();

  const raise = (doubt: string | undefined): void => {
    suspicious = true;
    if (doubt !== undefined) doubts.add(doubt);
    suspected();
  };
  return {
    trusts: (signature: string | undefined): boolean => {
      if (!suspicious && (signature === undefined || signature === trusted)) return true;
      raise(signature);
      return false;
    },
    suspect: (): void => raise(somethingMissing),
    suspicious: () => suspicious,
    signature: () => (suspicious ? undefined : trusted),
    /** Begins an examination; its end trusts what was examined, unless another suspicion arose. */
    examining: () => {
      doubts = new Set();
      return (signature: string | undefined): void => {
        trusted = signature;
        if (signature !== undefined) doubts.delete(signature);
        suspicious = doubts.size > 0;
      };
    },
  };
};

export const createPlaceMonitor = (deps: PlaceMonitorDeps): PlaceMonitor => {
  const { clock, instanceId } = deps;
  const { trusts, suspect, suspicious, signature, examining } = createTrust(deps.suspected);
  let fresh = true;
  let testifiedFor: string | undefined;
  let [examinedFor, examinedAt]: [string | undefined, number] = [undefined, 0];
  let firstSeen: { readonly id: string; readonly at: number } | undefined;

  const within: PlaceMonitor['within'] = (work, examined = signature()) =>
    deps.db.transaction().execute(async (db) => {
      const seen = await deps.readPlace(db);
      if (seen === undefined || !trusts(seen.signature)) return undefined;
      return seen.signature === examined ? work(db, seen.now) : undefined;
    });
  const heart = createHeartbeat({ ...deps, within, suspect });

  const examineNow = async (): Promise<void> => {
    const began = clock.monotonic();
    const trust = examining();
    const known = deps.witness.known();
    const standing = { ...heart.own(), fresh, peers: heart.peers(), known };
    const examined = await examine(deps, standing);
    // It is recorded. What a person accepts is not held against the database again.
    if (examined?.contradicted === true) deps.witness.forget(known);
    testifiedFor = examined?.restore?.id;
    if (examined?.signature !== examinedFor)
      [examinedFor, examinedAt] = [examined?.signature, began];
    heart.beaten(examined?.beat ?? standing.beat, began);
    trust(examined?.signature);
  };

  return {
    trusts,
    signature,
    within,
    needsExamination: (restore) =>
      suspicious() || (restore?.opened_at === null && restore.id !== testifiedFor),
    examine: examineNow,
    settle: async (restore) => {
      if (firstSeen?.id !== restore.id) firstSeen = { id: restore.id, at: clock.monotonic() };
      await settleVouches(deps, restore, clock.monotonic() - firstSeen.at >= vouchWithinMs);
    },
    othersHaveExamined: async () =>
      clock.monotonic() - examinedAt >= examineWithinMs || !(await hasUnseen(deps.db)),
    opened: () => {
      fresh = false;
    },
    registered: () => heart.own().registered,
    suspect,
    start: heart.start,
    stop: async () => {
      await heart.stop();
      const leave = (db: Db): Promise<true> => deleteInstance(db, instanceId).then(() => true);
      // In an unexamined place it records what it knows, and stays: others delete it in time.
      const hasLeft = await within(leave).catch(() => true);
      if (hasLeft !== true) await examineNow().catch(() => {});
    },
  };
};
