/** Runs a command's change in one transaction, with an entry in the audit log. */
import { transact } from '../admin/audit/audit.ts';
import type { ActionContext } from '../admin/clients/act.ts';
import { createLockRetry } from '../db/lock-retry.ts';
import { systemClock } from '../lib/clock.ts';
import { auditOptions, commandActor } from './actor.ts';
import { type Arguments, withDatabase } from './definition.ts';

/** The option of every command that changes something. */
export const byOption = { by: auditOptions.by };

export const runAudited = <T>(
  args: Arguments,
  work: (acting: ActionContext) => Promise<T>,
): Promise<T> => {
  const actor = commandActor(args);
  return withDatabase((deps) =>
    transact({ ...deps, retryLocked: createLockRetry(systemClock) }, (db) =>
      work({ ...deps, db, actor }),
    ),
  );
};
