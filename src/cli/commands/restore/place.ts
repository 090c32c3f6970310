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
    'Mark the database as restored: nothing new is sold until the operators were asked what it lacks. For a volume snapshot or a cold copy that was put back.',
  options: auditOptions,
  run: async (args) => {
    const word = { actor: actorOf(args), reason: reasonOf(args) };
    const { id } = await withDatabase((deps) => markRestored(markDeps(deps), word));
    // The mark stands for what it would say.
    if (readConfig().databaseUrl === undefined) removeWitness(databaseFile(readConfig().dataDir));
    return {
      data: { marked: id, selling: false },
      text: 'The database is marked as restored. Nothing new is sold from it, by servers that run as well; "simgate restore status" tells how far it is.',
    };
  },
};

export const restoreMoved: Command = {
  name: 'restore moved',
  summary:
    'Declare that a PostgreSQL database was moved with everything in it, while no server sold: its new place is recorded, and it sells.',
  options: auditOptions,
  run: async (args) => {
    const word = { actor: actorOf(args), reason: reasonOf(args) };
    const moved = await withDatabase((deps) =>
      declareMoved({ ...markDeps(deps), readPlace }, word),
    );
    const text = moved.changed
      ? 'The new place of the database is recorded. It sells as before.'
      : 'The database is where it was. It sells.';
    return { data: { ...moved, selling: true }, text };
  },
};
