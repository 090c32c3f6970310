/** Defines the steps of a dispute: opened by what contradicts a purchase, closed by a person. Pure. */
import {
  type Failed,
  type Final,
  type Note,
  type Open,
  type Step,
  type Succeeded,
  withNote,
} from './purchase.ts';

/**
 * Something contradicts a recorded end, or a supplier that was left behind delivered. Nothing changes
 * automatically; it needs review.
 */
export const dispute = <Before extends Final | Open>(
  purchase: Before,
  note: Note,
): Step<Before> => ({
  after: { ...purchase, ...withNote(purchase, note), disputed: note.fact },
  posting: null,
  note,
});

/** A person has reviewed a contradiction. The recorded end and the money stay. */
export const closeDispute = <Ended extends Failed | Succeeded>(
  purchase: Ended,
  note: Note,
): Step<Ended> => ({
  after: { ...purchase, ...withNote(purchase, note), disputed: null },
  posting: null,
  note,
});

/** New facts about a settled order. They are kept for the person who closes its dispute, if there is one. */
export const learnOfDispute = <Ended extends Failed | Succeeded>(
  purchase: Ended,
  note: Note,
): Step<Ended> => ({
  after: { ...purchase, ...withNote(purchase, note) },
  posting: null,
  note,
});
