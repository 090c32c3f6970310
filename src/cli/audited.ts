/** Runs a command's change in one transaction, with an entry in the audit log. */
import { transact } from '../admin/audit/audit.ts';
import type { ActionContext } from '../admin/clients/act.ts';
import type { ClientDeps } from '../clients/errors.ts';
import { createLockRetry } from '../db/lock-retry.ts';
import { systemClock } from '../lib/clock.ts';
import { auditOptions, commandActor } from './actor.ts';
import { type Arguments, withDatabase } from './definition.ts';

/** The option of every command that changes something. */
export const byOption = { by: auditOptions.by };

type Run = <T>(work: (acting: ActionContext) => Promise<T>) => Promise<T>;

/** Runs changes on a database that is open, each in a transaction of its own. */
export const auditedOn = (deps: ClientDeps, args: Arguments): Run => {
  const actor = commandActor(args);
  return (work) =>
    transact({ ...deps, retryLocked: createLockRetry(systemClock) }, (db) =>
      work({ ...deps, db, actor }),
    );
};

export const runAudited = <T>(
  args: Arguments,
  work: (acting: ActionContext) => Promise<T>,
): Promise<T> => withDatabase((deps) => auditedOn(deps, args)(work));
