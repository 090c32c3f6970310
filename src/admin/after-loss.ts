/** Invalidates copies of the database after a possible loss: dates the whole catalogue again and ends all sessions. */
import { touchCatalogue, type WriteDeps } from '../catalogue/write/write.ts';
import { revokeAllAccess } from './access/store.ts';

/**
 * Dates the whole catalogue again, because copies of it may hold changes that were lost, and ends all
 * sessions, because one that was ended may be back. Belongs in a transaction of the caller's.
 */
export const invalidateCopies = async (deps: WriteDeps): Promise<void> => {
  await touchCatalogue(deps);
  await revokeAllAccess(deps.db);
};
