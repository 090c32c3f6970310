/** Finds what a supplier delivered twice although it declares that it recognizes a repeated order. */
import type { Report } from '../../connector/connector.ts';
import { isUnavailable } from '../../db/errors.ts';
import type { PurchaseDeps } from '../deps.ts';
import type { Fact } from '../facts/facts.ts';
import { isDisputeClosed } from '../facts/note.ts';
import { readNotes } from '../inquiry/store.ts';
import { type Delivered, findDelivered } from './store.ts';

/** The times at which each order was delivered. The same time twice is the same delivery, told again. */
const timesOf = (reports: readonly Report[]): ReadonlyMap<string, ReadonlySet<number>> => {
  const times = new Map<string, Set<number>>();
  for (const { ref, kind, at } of reports) {
    if (kind !== 'delivered' || at === null) continue;
    times.set(ref, (times.get(ref) ?? new Set()).add(at));
  }
  return times;
};

const timeIn = (fact: Fact): number[] =>
  fact.code === 'reported_delivered' && fact.values.at !== null ? [fact.values.at] : [];

/** Notes each time of a delivery that is not noted yet. The second one is a dispute. */
const noteTimes = async (
  { db, transact }: PurchaseDeps,
  supplierId: number,
  delivered: Delivered,
  times: ReadonlySet<number>,
): Promise<void> => {
  let seen: Pick<Delivered, 'clientId' | 'id' | 'notes' | 'trace'> = delivered;
  for (;;) {
    const notes = await readNotes(db, seen);
    const noted = notes.flatMap(({ fact }) => timeIn(fact));
    const at = [...times].find((time) => !noted.includes(time));
    // The second one is evidence enough, and a person may have closed what it opened.
    if (at === undefined || noted.length > 1 || isDisputeClosed(notes)) return;
    const isSecond = noted.length > 0;
    const { purchase, moved } = await transact.advance({
      name: seen,
      fence: 'any',
      move: { kind: 'sold report', at, supplierId, seenNotes: seen.notes, isSecond },
    });
    if (!moved && purchase.notes === seen.notes) return;
    seen = purchase;
  }
};

/**
 * A purchase that was ordered once is looked at only where a page has two deliveries of it. One that was
 * ordered again has its deliveries noted, so that a later page tells a second one from the first.
 */
export const findTwice = async (
  deps: PurchaseDeps,
  supplierId: number,
  reports: readonly Report[],
): Promise<void> => {
  const times = timesOf(reports);
  const delivered = await findDelivered(deps.db, supplierId, [...times.keys()]);
  for (const one of delivered) {
    const of = times.get(one.id) ?? new Set();
    if (!one.isOrderedAgain && of.size < 2) continue;
    try {
      await noteTimes(deps, supplierId, one, of);
    } catch (err) {
      // One that fails must not keep the cursor from moving.
      if (isUnavailable(err)) throw err;
      deps.log.error({ err, purchase: one.id }, 'a report could not be noted');
    }
  }
};
