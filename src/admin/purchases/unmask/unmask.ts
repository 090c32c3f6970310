/** Shows a purchase's number within each account's limit, and writes who asked and why to the audit log. */
import type { Db } from '../../../db/types.ts';
import { maskMobile } from '../../../lib/mobile.ts';
import { type Change, type Person, transact, writeAudit } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { type PurchaseActionDeps, reasonOf } from '../actions.ts';
import { findOne } from '../detail.ts';
import { dayMs, mayReportAgain, type Reached, reachedLimit, type UnmaskLimits } from './limit.ts';
import {
  deleteUnmaskings,
  insertUnmasking,
  listUnmaskings,
  lockAccount,
  type UnmaskingRow,
} from './store.ts';

export type Unmasking = UnmaskLimits & {
  /** Called for each request for a number. */
  readonly counted: (outcome: UnmaskingRow['outcome']) => void;
  /** Called when an account has reached a limit, at most once an hour. */
  readonly limitReached: (accountId: string, limit: Reached['limit']) => void;
};

export type UnmaskDeps = PurchaseActionDeps & { readonly unmasking: Unmasking };

type Counted = { readonly reached: Reached | undefined; readonly isNews: boolean };

const count = async (
  db: Db,
  { clock, newId, unmasking }: UnmaskDeps,
  accountId: string,
): Promise<Counted> => {
  const now = clock.now();
  await lockAccount(db, accountId);
  await deleteUnmaskings(db, accountId, now - dayMs);
  const rows = await listUnmaskings(db, accountId, now - dayMs);
  const timesOf = (outcome: UnmaskingRow['outcome']): number[] =>
    rows.filter((row) => row.outcome === outcome).map(({ at }) => at);
  const reached = reachedLimit(timesOf('shown'), now, unmasking);
  const isNews = reached !== undefined && mayReportAgain(timesOf('refused').at(-1), now);
  const outcome = reached === undefined ? 'shown' : 'refused';
  if (reached === undefined || isNews) {
    await insertUnmasking(db, { id: newId(), account_id: accountId, outcome, at: now });
  }
  return { reached, isNews };
};

const refusal = ({ until }: Reached, now: number): AdminError =>
  new AdminError('UNMASK_LIMIT_REACHED', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil((until - now) / 1000))) },
  });

/** The request and its reason are recorded before the number is shown. */
export const unmask = async (
  deps: UnmaskDeps,
  actor: Person,
  id: string,
  reason: string,
): Promise<string> => {
  const { unmasking } = deps;
  const purchase = await findOne(deps.db, id);
  const shown = {
    reason: reasonOf(deps, purchase, reason),
    mobile: maskMobile(purchase.mobile, deps.purchases.mobile),
  };
  const { reached, isNews } = await transact(deps, async (db) => {
    const counted = await count(db, deps, actor.accountId);
    const { reached } = counted;
    const change: Change =
      reached === undefined
        ? { action: 'purchase unmask', subject: id, after: shown }
        : {
            action: 'purchase unmask limit',
            subject: id,
            after: { [`per_${reached.limit}`]: reached.most },
          };
    if (reached === undefined || counted.isNews) await writeAudit(db, deps, actor, change);
    return counted;
  });
  unmasking.counted(reached === undefined ? 'shown' : 'refused');
  if (reached === undefined) return purchase.mobile;
  if (isNews) unmasking.limitReached(actor.accountId, reached.limit);
  throw refusal(reached, deps.clock.now());
};
