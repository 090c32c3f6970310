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
