/** Accepts a restore as a person does: on what was seen, and after a second check if more was found. */
import { UsageError } from '../../src/lib/errors.ts';
import {
  type AcceptDeps,
  acceptRestore,
  restoreStatus,
} from '../../src/purchases/restored/accept.ts';
import { eventually } from './live.ts';

export const acceptSeen = (deps: AcceptDeps): Promise<void> =>
  eventually('the restore is accepted', async () => {
    const forgotten = (await restoreStatus(deps.db))?.count ?? 0;
    const word = { actor: 'operations', reason: 'settled', forgotten, force: true };
    return acceptRestore(deps, word).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UsageError && error.message.startsWith('It is known of')) return false;
        throw error;
      },
    );
  });
