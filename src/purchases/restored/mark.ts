/** Records what a person states about a database's place: that it was restored, or moved as a whole. */
import { lockSetUp, sqlOf } from '../../db/engine.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { UsageError } from '../../lib/errors.ts';
import { insertDecision } from '../review/store.ts';
import { type CloseDeps, closeFor, restartQuietTimesFrom } from './close.ts';
import { changedPart } from './place/place.ts';
import { findPlace, listVouches, type SeenPlace, savePlace } from './place/store.ts';
import { countForgotten, findRestore, openRestore, type Restore } from './store.ts';

export type PlaceStatement = { readonly actor: string; readonly reason: string };

export type MarkDeps = CloseDeps & { readonly db: Db; readonly databaseTime: DatabaseTime };

/** Closes a database by command: it was put back in a way that it cannot detect. */
export const markRestored = (deps: MarkDeps, { actor, reason }: PlaceStatement): Promise<Restore> =>
  deps.db.transaction().execute(async (db) => {
    await lockSetUp(db);
    const now = sqlOf(db).now === undefined ? undefined : await deps.databaseTime(db);
    const closing = {
      cause: 'marked',
      changed: null,
      now,
      evidence: 'none',
      actor,
      reason,
    } as const;
    return closeFor(db, deps, closing);
  });

const refusals = {
  backup: 'This database was restored from a backup',
  marked: 'This database was marked as restored',
  witness_contradicted: 'This database lacks something that was sold from it',
} as const;

/** Whether anything is known to be missing: an instance saw it, or an operator reports it. */
const isContradicted = async (db: Db, restore: Restore): Promise<boolean> => {
  const vouches = await listVouches(db, restore.id);
  if (vouches.some(({ result }) => result === 'contradicted')) return true;
  return (await countForgotten(db, restore)) > 0;
};

const assertComplete = async (db: Db, restore: Restore | undefined): Promise<void> => {
  if (restore === undefined || restore.opened_at !== null) return;
  const cause = (await isContradicted(db, restore)) ? 'witness_contradicted' : restore.cause;
  if (cause === 'place_changed' || cause === 'witness_missing') return;
  throw new UsageError(
    `${refusals[cause]}, so it is not complete. Nothing was changed. See "simgate restore status", then "simgate restore accept".`,
  );
};

export type MoveDeps = Pick<MarkDeps, 'db' | 'clock' | 'newId' | 'sendWithinMs'> & {
  /** Reads the database's place; undefined for a file. */
  readonly readPlace: (db: Db) => Promise<SeenPlace | undefined>;
};

export type Moved = {
  /** Whether it was closed for its change of place, and sells again. */
  readonly opened: boolean;
  /** Whether its place has changed. */
  readonly changed: boolean;
};

/** Records the database's new place, on the statement that it was moved there completely. */
export const declareMoved = (deps: MoveDeps, { actor, reason }: PlaceStatement): Promise<Moved> =>
  deps.db.transaction().execute(async (db) => {
    await lockSetUp(db);
    const [seen, before, restore] = [
      await deps.readPlace(db),
      await findPlace(db),
      await findRestore(db),
    ];
    if (seen === undefined) {
      throw new UsageError('A database file may be moved as it is. This is for PostgreSQL.');
    }
    await assertComplete(db, restore);
    const { now, ...after } = seen;
    const at = deps.clock.now();
    await savePlace(db, seen);
    // No gateway notices this change: orders sent by another clock get their quiet time again.
    await restartQuietTimesFrom(db, deps, now);
    const opened = restore !== undefined && (await openRestore(db, restore, { at, by: actor }));
    await insertDecision(db, {
      id: deps.newId(),
      at,
      actor,
      action: 'restore moved',
      subject: restore?.id ?? 'place',
      before: { place: before ?? null, selling: !opened },
      after: { place: after, selling: true },
      evidence: 'none',
      forced: false,
      reason,
    });
    const noticed = opened && restore.changed !== null;
    const changed = before === undefined || changedPart(before, seen) !== undefined;
    return { opened, changed: noticed || changed };
  });
