/** Defines the commands that declare a database restored by hand, or moved as a whole. */
import { invalidateCopies } from '../../../admin/after-loss.ts';
import type { ClientDeps } from '../../../clients/errors.ts';
import { readConfig } from '../../../config/config.ts';
import { createDatabaseTime } from '../../../db/engine.ts';
import { databaseFile } from '../../../db/sqlite/open.ts';
import { systemClock } from '../../../lib/clock.ts';
import { declareMoved, type MarkDeps, markRestored } from '../../../purchases/restored/mark.ts';
import { readPlace } from '../../../purchases/restored/place/store.ts';
import { removeWitness } from '../../../purchases/restored/place/witness-file.ts';
import { actorOf, auditOptions, reasonOf } from '../../actor.ts';
import { type Command, withDatabase } from '../../definition.ts';

export const markDeps = (deps: ClientDeps): MarkDeps => ({
  ...deps,
  databaseTime: createDatabaseTime(systemClock),
  sendWithinMs: readConfig().purchases.sendWithinMs,
  onLoss: (db) => invalidateCopies({ ...deps, db }),
});

export const restoreMark: Command = {
  name: 'restore mark',
  summary:
    'Mark the database as restored: new purchases are refused until the operators have reported what it lacks. For a restored volume snapshot or cold copy.',
  options: auditOptions,
  run: async (args) => {
    const word = { actor: actorOf(args), reason: reasonOf(args) };
    const { id } = await withDatabase((deps) => markRestored(markDeps(deps), word));
    // The mark replaces its testimony.
    if (readConfig().databaseUrl === undefined) removeWitness(databaseFile(readConfig().dataDir));
    return {
      data: { marked: id, selling: false },
      text: 'The database is marked as restored. New purchases are refused, also by running servers. "simgate restore status" shows the progress.',
    };
  },
};

export const restoreMoved: Command = {
  name: 'restore moved',
  summary:
    'Declare that a PostgreSQL database was moved completely while no server ran. Its new location is recorded, and purchases are accepted.',
  options: auditOptions,
  run: async (args) => {
    const word = { actor: actorOf(args), reason: reasonOf(args) };
    const moved = await withDatabase((deps) =>
      declareMoved({ ...markDeps(deps), readPlace }, word),
    );
    const text = moved.changed
      ? 'The new location of the database is recorded. Purchases are accepted as before.'
      : 'The database has not moved. Purchases are accepted.';
    return { data: { ...moved, selling: true }, text };
  },
};
