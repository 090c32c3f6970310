/** Reverts a price change for the back office: previews it, or restores the prices that are as the change left them. */
import { planRevert, type RevertPlan } from '../../../catalogue/prices/moves.ts';
import { findPriceChange, readMoves } from '../../../catalogue/prices/store.ts';
import { loadCatalogue, type StoredCatalogue } from '../../../catalogue/read.ts';
import type { WriteDeps } from '../../../catalogue/write/write.ts';
import { runTransaction } from '../../../db/transaction.ts';
import { formatTime } from '../../../lib/time.ts';
import { noTurn } from '../../../lib/time-slices.ts';
import { runOnce } from '../../audit/idempotency.ts';
import { AdminError } from '../../errors.ts';
import { type Reverted, RevertedSchema } from './answers.ts';
import { retried } from './edit-job.ts';
import { changeOf, rowsAudited, rowsShown, writeWithin } from './jobs.ts';
import type { CheckStop, Done, RevertJob } from './messages.ts';

const movesOf = async ({ db }: WriteDeps, changeId: string) => {
  const change = await findPriceChange(db, changeId);
  if (change?.via !== 'bulk' && change?.via !== 'revert') {
    throw new AdminError('PRICE_CHANGE_NOT_FOUND');
  }
  return readMoves(db, changeId);
};

const effectOf = ({ moves, products, kept }: RevertPlan) => ({
  prices: moves.length,
  products: products.length,
  kept: kept
    .slice(0, rowsShown)
    .map(({ productId, ...move }) => ({ product_id: productId, ...move })),
  kept_count: kept.length,
});

/** Within the transaction of its key. */
const revert = async (
  deps: WriteDeps,
  loaded: StoredCatalogue,
  plan: RevertPlan,
  { changeId, actor, goOn }: Pick<RevertJob, 'changeId' | 'actor'> & { readonly goOn: CheckStop },
): Promise<Reverted> => {
  if (plan.moves.length === 0) throw new AdminError('NOTHING_TO_REVERT');
  const noted = plan.moves.slice(0, rowsAudited);
  const written = await writeWithin(deps, loaded, {
    change: changeOf(plan.products, formatTime(deps.clock.now())),
    actor,
    origin: { via: 'revert', reverts: changeId },
    audit: (version) => ({
      action: 'catalogue prices revert',
      before: {
        version: loaded.version,
        prices: noted.map(({ productId: id, field, after: value }) => ({ id, field, value })),
      },
      after: {
        version,
        change_id: changeId,
        changed: plan.products.length,
        kept: plan.kept.length,
        prices: noted.map(({ productId: id, field, before: value }) => ({ id, field, value })),
      },
    }),
    progress: goOn,
  });
  if (written === undefined || written.changeId === null) {
    throw new AdminError('CATALOGUE_CHANGED');
  }
  return { ...effectOf(plan), change_id: written.changeId, version: written.version };
};

export const revertPrices = (deps: WriteDeps, job: RevertJob, goOn: CheckStop): Promise<Done> =>
  retried(async (): Promise<Done> => {
    const { changeId, key, actor } = job;
    const moves = await movesOf(deps, changeId);
    const loaded = await loadCatalogue(deps.db, noTurn);
    const plan = planRevert(loaded.products, moves);
    if (key === undefined) return { kind: 'revert', preview: effectOf(plan) };
    const asked = { key, action: 'catalogue prices revert', input: { changeId } } as const;
    const { answer } = await runTransaction(deps, (db) =>
      runOnce({ ...deps, db }, actor, asked, {
        answers: RevertedSchema,
        work: () => revert({ ...deps, db }, loaded, plan, { changeId, actor, goOn }),
        answerOf: (reverted) => reverted,
      }),
    );
    return { kind: 'reverted', reverted: answer };
  });
