/** Writes catalogue changes, one at a time, with timestamps and notifications. */
import type { ClientDeps } from '../../clients/errors.ts';
import { bumpVersion, lockVersion } from '../../db/changes/versions.ts';
import type { Db } from '../../db/types.ts';
import { announce } from '../../webhooks/announce.ts';
import { firstTimestamp } from '../changes/timestamps.ts';
import type { Category, Product } from '../product.ts';
import { readCatalogue, type StoredCatalogue } from '../read.ts';
import {
  changeAll,
  deleteProducts,
  linkProducts,
  upsertCategories,
  upsertProducts,
} from '../store.ts';

export type WriteDeps = Omit<ClientDeps, 'random'>;

/** Locks the catalogue until the caller's transaction ends, and reads it. */
export const lockCatalogue = async (db: Db): Promise<StoredCatalogue> => {
  await lockVersion(db, 'catalogue');
  return readCatalogue(db);
};

export type Change = {
  readonly categories: readonly Category[];
  /** New ones, and those that differ from the stored ones. */
  readonly products: readonly Product[];
  /** Those of them that are new, or whose categories or positions changed. */
  readonly linked: readonly Product[];
  readonly removed: readonly number[];
};

// Small enough for a progress bar to move, large enough to be fast.
export const rowsAtATime = 200;

export const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** Notifies the servers and the listening clients. */
const tellChange = async (
  { db, clock, newId }: WriteDeps,
  data: { readonly changed: number; readonly removed: number },
): Promise<void> => {
  await bumpVersion(db, 'catalogue', newId);
  await announce(db, { type: 'catalogue.changed', data }, { newId, at: clock.now() });
};

/** Changes the locked catalogue; `progress` receives how many products are written. */
export const writeChange = async (
  { db, clock, newId }: WriteDeps,
  { history }: Pick<StoredCatalogue, 'history'>,
  { categories, products, linked, removed }: Change,
  progress: (written: number) => void = () => {},
): Promise<void> => {
  if (products.length + removed.length === 0) return;
  const first = firstTimestamp(clock.now(), history);
  for (const chunk of chunksOf(categories, rowsAtATime)) await upsertCategories(db, chunk);
  let written = 0;
  for (const chunk of chunksOf(products, rowsAtATime)) {
    await upsertProducts(db, chunk, first + written);
    written += chunk.length;
    progress(written);
  }
  for (const chunk of chunksOf(linked, rowsAtATime)) await linkProducts(db, chunk);
  const removedAt = first + products.length;
  for (const chunk of chunksOf(removed, rowsAtATime)) await deleteProducts(db, chunk, removedAt);
  await tellChange({ db, clock, newId }, { changed: products.length, removed: removed.length });
};

/** Counts every product as changed now: for a catalogue restored to an earlier state. */
export const touchCatalogue = async ({ db, clock, newId }: WriteDeps): Promise<void> => {
  const { history, products } = await lockCatalogue(db);
  await changeAll(db, firstTimestamp(clock.now(), history));
  await tellChange({ db, clock, newId }, { changed: products.length, removed: 0 });
};
