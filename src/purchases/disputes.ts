/** Defines the steps of a dispute: opened by what contradicts a purchase, closed by a person. Pure. */
import type { Fact } from './facts/facts.ts';
import { type Ended, type Note, type Open, type Step, withNote } from './purchase.ts';

/**
 * Something contradicts a recorded end, or a supplier that was left behind delivered. Nothing changes
 * automatically; it needs review.
 */
export const dispute = <Before extends Ended | Open>(
  purchase: Before,
  note: Note,
  fact: Fact = note.fact,
): Step<Before> => ({
  after: { ...purchase, ...withNote(purchase, note), disputed: fact },
  posting: null,
  note,
});

/** A person has reviewed a contradiction. The recorded end and the money stay. */
export const closeDispute = <Before extends Ended>(purchase: Before, note: Note): Step<Before> => ({
  after: { ...purchase, ...withNote(purchase, note), disputed: null },
  posting: null,
  note,
});

/** New facts about a settled order. They are kept for the person who closes its dispute, if there is one. */
export const learnOfDispute = <Before extends Ended>(
  purchase: Before,
  note: Note,
): Step<Before> => ({
  after: { ...purchase, ...withNote(purchase, note) },
  posting: null,
  note,
});
