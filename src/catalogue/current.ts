/** Holds the current catalogue, and reloads it one load at a time. */
import { readVersion } from '../db/changes/versions.ts';
import type { Db } from '../db/types.ts';
import type { Turn } from '../lib/time-slices.ts';
import { loadCatalogue } from './read.ts';
import { createSnapshot, createSnapshotInSlices, type Snapshot } from './snapshot.ts';

export type CurrentCatalogue = {
  readonly snapshot: () => Snapshot;
  /** Loads what is committed by now. Until then the previous catalogue is shown. */
  readonly reload: () => Promise<void>;
};

export const createCurrentCatalogue = (db: Db, turn: Turn): CurrentCatalogue => {
  let snapshot = createSnapshot('', []);
  let isLoaded = false;
  let loading: Promise<unknown> = Promise.resolve();
  const load = async (): Promise<void> => {
    // A change and the watch for changes request the same version.
    if (isLoaded && (await readVersion(db, 'catalogue')) === snapshot.version) return;
    snapshot = await createSnapshotInSlices(await loadCatalogue(db, turn), turn);
    isLoaded = true;
  };
  return {
    snapshot: () => snapshot,
    reload: () => {
      const next = loading.then(load);
      loading = next.catch(() => {});
      return next;
    },
  };
};
