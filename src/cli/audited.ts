/** Runs a command's change in one transaction, with an entry in the audit log. */
import { transact } from '../admin/audit/audit.ts';
import type { Acting } from '../admin/clients/act.ts';
import { patientlyBy } from '../db/lock-retry.ts';
import { systemClock } from '../lib/clock.ts';
import { accountable, commandActor } from './actor.ts';
import { type Arguments, withDatabase } from './definition.ts';

/** The option of every command that changes something. */
export const recorded = { by: accountable.by };

export const onRecord = <T>(args: Arguments, work: (acting: Acting) => Promise<T>): Promise<T> => {
  const actor = commandActor(args);
  return withDatabase((deps) =>
    transact({ ...deps, patiently: patientlyBy(systemClock) }, (db) =>
      work({ ...deps, db, actor }),
    ),
  );
};
