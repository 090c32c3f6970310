/** Writes searches by mobile number to the audit log, once for repeats within ten minutes. */
import { boundedCache } from '../../lib/bounded-cache.ts';
import type { Clock } from '../../lib/clock.ts';
import { type MobileFormat, maskMobile } from '../../lib/mobile.ts';
import { type Actor, type AdminDeps, type Change, transact, writeAudit } from '../audit/audit.ts';

// Pages, back navigation and reloads belong to one search.
const oneLookMs = 10 * 60_000;
// As many numbers as a large office searches in that time; beyond it some get a second entry.
const mostKept = 10_000;

/** Records a search for a number, masked. */
export type RecordSearch = (actor: Actor, number: string) => Promise<void>;

export const createSearchRecorder = (
  deps: Pick<AdminDeps, 'db' | 'newId' | 'retryLocked'> & { readonly clock: Pick<Clock, 'now'> },
  mobile: MobileFormat,
): RecordSearch => {
  const noted = boundedCache<number>(mostKept);
  return async (actor, number) => {
    const key = `${actor.accountId ?? ''} ${number}`;
    const now = deps.clock.now();
    const last = noted.get(key);
    if (last !== undefined && now - last < oneLookMs) return;
    const after = { number: maskMobile(number, mobile) };
    const change: Change = { action: 'purchase search', subject: 'purchases', after };
    await transact(deps, (db) => writeAudit(db, deps, actor, change));
    noted.set(key, now, 1);
  };
};
