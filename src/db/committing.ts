/** Marks the last statement of a transaction: its commit is sent right behind it, to save a round trip. */
import type { CompiledQuery } from 'kysely';

/**
 * If the statement fails, the server answers the commit with a rollback. So it must fail by itself where nothing
 * may be committed, and nothing but the end of the transaction may follow it. It must also be the only write: where
 * it fails before it is sent, the commit ends what came before.
 */
export type Committing = { readonly commits: true };

export const isCommitting = (query: CompiledQuery): boolean =>
  'commits' in query && query.commits === true;
