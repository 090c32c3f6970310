/** Monitors the database's place: purchases begin only in the one that was examined. */
import type { Db } from '../../../db/types.ts';
import type { Restore } from '../store.ts';
import { type ExamineDeps, examine, settleVouches } from './examine.ts';
import { createHeartbeat } from './heartbeat.ts';
import { deleteInstance, hasUnseen } from './store.ts';
import type { Witness } from './witness.ts';

export type PlaceMonitor = {
  /** Whether a transaction runs in the examined place. Where not, it is to be rolled back: see `suspected`. */
  readonly trusts: (signature: string | undefined) => boolean;
  /** The signature of the examined place; undefined until it is examined. */
  readonly signature: () => string | undefined;
  /** Runs a transaction in the examined place, and of that signature; undefined, and nothing done, in any other. */
  readonly within: <T>(
    work: (db: Db, now: number) => Promise<T>,
    signature?: string,
  ) => Promise<T | undefined>;
  /** Whether the place has to be examined before anything is sold. */
  readonly needsExamination: (restore: Restore | undefined) => boolean;
  readonly examine: () => Promise<void>;
  /** Opens a changed place, or declares a loss, where it is known by now. */
  readonly settle: (restore: Restore) => Promise<void>;
  /** Whether each other instance has examined the server since it was started, or is not waited for any longer. */
  readonly othersHaveExamined: () => Promise<boolean>;
  /** New purchases are sold from now on: this process can vouch for them. */
  readonly opened: () => void;
  /** Whether this instance is among those that would be asked to vouch. */
  readonly registered: () => boolean;
  /** Something is wrong with the place. It is examined before anything is sold. */
  readonly suspect: () => void;
  /** Begins to beat. */
  readonly start: () => void;
  /** Ends the beating, and takes this instance from those that sell, or says what it knows. */
  readonly stop: () => Promise<void>;
};

export type PlaceMonitorDeps = ExamineDeps & {
  readonly witness: Witness;
  /** Hears that the place is suspected: what sells has to stop, and to examine. */
  readonly suspected: () => void;
};

/** For instances that are slow to notice; the dead ones are waited for as long. */
const vouchWithinMs = 30_000;

// Longer than a beat, and a statement that hangs on a connection which is cut. The dead are waited for as long.
const examineWithinMs = 15_000;

// Stands for a suspicion that no signature has raised.
const somethingMissing = 'something is missing';

/** Trusts the place that was examined, until anything raises a doubt. */
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
    /** Begins an examination; its end trusts what was examined, unless another doubt came meanwhile. */
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
    // It is written down. What a person accepts is not held against the database again.
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
      // In a place that is not examined it says what it knows, and stays: others delete it in time.
      const hasLeft = await within(leave).catch(() => true);
      if (hasLeft !== true) await examineNow().catch(() => {});
    },
  };
};
