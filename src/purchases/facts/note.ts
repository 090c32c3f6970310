/** Defines a note: what happened to a purchase on its way, where that is worth recording. */
import type { Fact } from './facts.ts';

export const noteKinds = [
  'order',
  'inquiry',
  'report',
  'callback',
  'late answer',
  'testimony',
  'decision',
  'reversal',
  'contradiction',
  'dispute closed',
] as const;

export type NoteKind = (typeof noteKinds)[number];

export type Note = { readonly kind: NoteKind; readonly fact: Fact };

/** Whether a person has closed a dispute. Further word of the same delivery opens none. */
export const isDisputeClosed = (notes: readonly Pick<Note, 'kind'>[]): boolean =>
  notes.some(({ kind }) => kind === 'dispute closed');

/** Where the facts about the current supplier begin: after the purchase moved on to it. */
export const currentFrom = (facts: readonly Fact[]): number =>
  facts.findLastIndex(({ code }) => code === 'moved_on') + 1;
