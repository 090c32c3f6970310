/** Records that a supplier that was left behind delivered after all, and what it has reversed. */

import type { PurchaseDeps } from '../deps.ts';
import { isSameFact } from '../facts/facts.ts';
import { readNotes, type WrittenNote } from '../inquiry/store.ts';
import type { Purchase } from '../purchase.ts';
import { leftDelivered, leftReversed } from './step.ts';

/** Whether it is known that a supplier that was left behind delivered, or what it reversed. */
export const isDeliveryKnown = (
  notes: readonly Pick<WrittenNote, 'fact'>[],
  supplierId: number,
): boolean =>
  notes.some(
    ({ fact }) =>
      isSameFact(fact, leftDelivered(supplierId)) || isSameFact(fact, leftReversed(supplierId)),
  );

/** Returns whether it was news: further word of the same delivery must not reopen a case that was closed. */
export const recordLeftDelivery = async (
  deps: Pick<PurchaseDeps, 'db' | 'transact'>,
  found: Pick<Purchase, 'clientId' | 'id' | 'notes'>,
  supplierId: number,
): Promise<boolean> => {
  let seen = found;
  for (;;) {
    const notes = await readNotes(deps.db, seen);
    if (isDeliveryKnown(notes, supplierId)) return false;
    const { purchase, moved } = await deps.transact.advance({
      name: seen,
      fence: 'any',
      move: { kind: 'left delivery', supplierId, seenNotes: seen.notes },
    });
    // If there are more notes than were read, this may be among them.
    if (moved || purchase.notes === seen.notes) return moved;
    seen = purchase;
  }
};

/** Returns whether it was news: without a recorded delivery there is nothing to reverse. */
export const recordLeftReversal = async (
  { transact }: Pick<PurchaseDeps, 'transact'>,
  name: Pick<Purchase, 'clientId' | 'id'>,
  supplierId: number,
): Promise<boolean> => {
  const move = { kind: 'left reversal', supplierId } as const;
  return (await transact.advance({ name, fence: 'any', move })).moved;
};
