/** Decides whether a database may move to the other engine, and records what that means for sales. */
import { bumpVersion } from '../../db/changes/versions.ts';
import { lockSetUp, sqlOf } from '../../db/engine.ts';
import { deleteMark, findMark } from '../../db/move/mark.ts';
import type { Moved } from '../../db/move/move.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { insertDecision } from '../review/store.ts';
import { type CloseDeps, closeFor, restartQuietTimesFrom } from './close.ts';
import type { PlaceStatement } from './mark.ts';
import { isElsewhere, listInstances, readPlace, savePlace } from './place/store.ts';
import { contradictsWitness } from './place/witness-file.ts';
import { findRestore } from './store.ts';

// Three heartbeats and a little: a busy machine is late with one.
const aliveWithinMs = 7000;
const lookEveryMs = 500;

/** Refuses while a server sells: a dead one is known by an unchanged heartbeat. */
const assertNoServer = async (db: Db, clock: Clock): Promise<void> => {
  const before = new Map((await listInstances(db)).map(({ id, beat }) => [id, beat]));
  const until = clock.monotonic() + aliveWithinMs;
  while (before.size > 0 && clock.monotonic() < until) {
    await sleep(clock, lookEveryMs);
    const alive = (await listInstances(db)).filter(({ id, beat }) => before.get(id) !== beat);
    if (alive.length === 0) continue;
    throw new UsageError(
      `${alive.length} servers run on the database. Stop them first. Nothing was changed.`,
    );
  }
};

const notComplete =
  'Start a server on it once, and see "simgate restore status". Nothing was changed.';

/** Refuses a database that may be incomplete: a move would declare it complete. */
const assertExamined = async (db: Db, file: string | undefined): Promise<void> => {
  if (await isElsewhere(db)) {
    throw new UsageError(`The database is in another place than it was. ${notComplete}`);
  }
  const restore = await findRestore(db);
  if (restore?.opened_at === null && restore.cause === 'place_changed') {
    throw new UsageError(`The instances have not confirmed the database. ${notComplete}`);
  }
  if (file !== undefined && (await contradictsWitness(db, file))) {
    throw new UsageError(
      `The database lacks purchases: an older file was put back. ${notComplete}`,
    );
  }
};

/** Refuses a source that is in use, or may lack something. `file` is undefined for PostgreSQL. */
export const assertMovable = async (
  db: Db,
  { clock, file }: { readonly clock: Clock; readonly file: string | undefined },
): Promise<void> => {
  await assertExamined(db, file);
  await assertNoServer(db, clock);
};

export type LeaveDeps = CloseDeps & { readonly databaseTime: DatabaseTime };

/**
 * Closes the source for new purchases, as a restore does: used again, it may lack later sales. A server that
 * was suspended during the move must stop.
 */
export const leaveFor = async (
  db: Db,
  deps: LeaveDeps,
  to: string,
  { actor, reason }: PlaceStatement,
): Promise<void> => {
  const now = sqlOf(db).now === undefined ? undefined : await deps.databaseTime(db);
  const evidence = `moved to ${to}`;
  await closeFor(db, deps, { cause: 'marked', changed: null, now, evidence, actor, reason });
  await bumpVersion(db, 'schema', deps.newId);
};

export type ArriveDeps = Pick<CloseDeps, 'clock' | 'newId' | 'sendWithinMs'>;

/** Records the place of a complete target, and who moved it. Its gate is in the source's state. */
export const arriveFrom = async (
  db: Db,
  deps: ArriveDeps,
  moved: Moved,
  { actor, reason }: PlaceStatement,
): Promise<void> => {
  await lockSetUp(db);
  const seen = await readPlace(db);
  if (seen !== undefined) await savePlace(db, seen);
  const at = deps.clock.now();
  // By this database's clock, which differs from the source's.
  await restartQuietTimesFrom(db, deps, seen?.now ?? at);
  const { from, to, rows, digest } = moved;
  await insertDecision(db, {
    id: deps.newId(),
    at,
    actor,
    action: 'move',
    subject: 'place',
    before: { place: from },
    after: { place: to, rows, digest },
    evidence: 'digests of both sides',
    forced: false,
    reason,
  });
};

export type UndoDeps = Pick<CloseDeps, 'clock' | 'newId'> & { readonly db: Db };

/** Makes a moved database usable again; returns where it had moved. Its gate stays closed. */
export const undoMove = (deps: UndoDeps, { actor, reason }: PlaceStatement): Promise<string> =>
  deps.db.transaction().execute(async (db) => {
    const mark = await findMark(db);
    if (mark?.state !== 'moved') {
      throw new UsageError('This database was not moved away. Nothing was changed.');
    }
    await deleteMark(db);
    await insertDecision(db, {
      id: deps.newId(),
      at: deps.clock.now(),
      actor,
      action: 'move undo',
      subject: 'place',
      before: { moved_to: mark.other },
      after: { selling: false },
      evidence: 'none',
      forced: false,
      reason,
    });
    return mark.other;
  });
