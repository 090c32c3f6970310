/** Accepts a restored database: a person confirms that it may sell again. */
import { lockSetUp } from '../../db/engine.ts';
import type { Db } from '../../db/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import type { NewId } from '../../lib/random.ts';
import { insertDecision } from '../review/store.ts';
import { askWords } from './asked.ts';
import type { CloseDeps } from './close.ts';
import type { Vouch } from './place/place.ts';
import { listVouches } from './place/store.ts';
import {
  type AskedOperator,
  countForgotten,
  type Forgotten,
  findRestore,
  listForgotten,
  openRestore,
  type Restore,
  readOperators,
  updateCause,
} from './store.ts';

export type RestoreStatus = {
  readonly restore: Restore;
  readonly operators: readonly AskedOperator[];
  /** How many purchases are missing, and the first of them. */
  readonly count: number;
  readonly forgotten: readonly Forgotten[];
  /** What the instances vouch for after a change of place. */
  readonly vouches: readonly Vouch[];
};

// Enough to act on; the table holds them all.
const mostListed = 1000;

/** The progress of a restore, or undefined if the database was never restored. */
export const restoreStatus = async (db: Db): Promise<RestoreStatus | undefined> => {
  const restore = await findRestore(db);
  if (restore === undefined) return undefined;
  return {
    restore,
    operators: await readOperators(db, restore.id),
    count: await countForgotten(db, restore),
    forgotten: await listForgotten(db, restore, mostListed),
    vouches: await listVouches(db, restore.id),
  };
};

export type Acceptance = {
  readonly actor: string;
  readonly reason: string;
  /** How many missing purchases the person has seen: accepting does not cover later ones. */
  readonly forgotten: number;
  /** Also before all operators have answered. */
  readonly force: boolean;
};

const numbers = (operators: readonly AskedOperator[]): string =>
  operators.map(({ operator_id }) => operator_id).join(', ');

const evidenceOf = ({ operators, count }: RestoreStatus): string =>
  [
    `${count} purchases were forgotten`,
    ...operators.map((one) => `operator ${one.operator_id}: ${askWords(one)}`),
  ].join('; ');

export type AcceptDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  /** What else a loss requires, in the same transaction. */
  readonly onLoss?: CloseDeps['onLoss'];
};

/** Opens a restored database although purchases are missing, or operators could not be asked. */
export const acceptRestore = (
  deps: AcceptDeps,
  { actor, reason, forgotten, force }: Acceptance,
): Promise<RestoreStatus> =>
  deps.db.transaction().execute(async (db) => {
    // An instance's testimony either precedes the decision, or closes the gate again after it.
    await lockSetUp(db);
    const status = await restoreStatus(db);
    if (status === undefined) throw new UsageError('This database was never closed for a restore.');
    const { restore } = status;
    const waiting = status.operators.filter(({ state }) => state === 'waiting');
    const unasked = waiting.length > 0 || status.operators.length === 0;
    const at = deps.clock.now();
    if (restore.opened_at !== null) {
      throw new UsageError('The restored database sells already. Nothing was changed.');
    }
    if (status.count !== forgotten) {
      throw new UsageError(
        `It is known of ${status.count} forgotten purchases, and not of ${forgotten}: look at "simgate restore status", settle each of them with its client, and run this with --forgotten ${status.count}. Nothing was changed.`,
      );
    }
    if (unasked && !force) {
      const who =
        waiting.length === 0 ? 'The operators have' : `Operators ${numbers(waiting)} have`;
      throw new UsageError(
        `${who} not told yet what was sold since the backup: run the server, and look at "simgate restore status". Nothing was changed. With --force it sells all the same, and what was sold then may be sold twice.`,
      );
    }
    // No instance has vouched for it: purchases that were open then are not ordered again.
    if (restore.cause === 'place_changed') {
      await deps.onLoss?.(db);
      await updateCause(db, restore, 'witness_missing');
    }
    await openRestore(db, restore, { at, by: actor });
    await insertDecision(db, {
      id: deps.newId(),
      at,
      actor,
      action: 'restore accept',
      subject: restore.id,
      before: { selling: false },
      after: { selling: true },
      evidence: evidenceOf(status),
      forced: unasked,
      reason,
    });
    return { ...status, restore: { ...restore, opened_at: at, opened_by: actor } };
  });
