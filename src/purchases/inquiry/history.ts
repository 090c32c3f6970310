/** Builds a purchase's history for people: what happened when, and what was decided. Pure. */
import type { Tables } from '../../db/tables/tables.ts';
import { type Fact, readFacts, textFact } from '../facts/facts.ts';
import { type NoteKind, noteKinds } from '../facts/note.ts';
import { isFinal, type Purchase } from '../purchase.ts';
import type { WrittenNote } from './store.ts';

/** The notes, with the beginning and the end from the purchase itself. */
export const historyKinds = [
  'held and submitted',
  ...noteKinds,
  'refused',
  'succeeded',
  'failed',
] as const;

export type HistoryEntry = {
  readonly at: number;
  readonly kind: (typeof historyKinds)[number];
  readonly fact: Fact | null;
};

const afterTheEnd: ReadonlySet<NoteKind> = new Set(['reversal', 'contradiction', 'dispute closed']);

/** What no note has comes from the purchase itself: its beginning and its end. */
export const historyOf = (purchase: Purchase, notes: readonly WrittenNote[]): HistoryEntry[] => {
  const submitted: HistoryEntry = {
    at: purchase.beganAt,
    kind: 'held and submitted',
    fact: { code: 'attempt', values: { attempt: 1 } },
  };
  const began = purchase.state === 'refused' ? [] : [submitted];
  const end = notes.findIndex(({ kind }) => afterTheEnd.has(kind));
  const before = notes.slice(0, end === -1 ? notes.length : end);
  const after = notes.slice(before.length);
  const ended: HistoryEntry[] = isFinal(purchase)
    ? [
        {
          at: purchase.settledAt,
          kind: purchase.state === 'reversed' ? 'succeeded' : purchase.state,
          fact: purchase.reason,
        },
      ]
    : [];
  return [...began, ...before, ...ended, ...after];
};

export type DecisionEntry = {
  readonly at: number;
  readonly by: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly evidence: readonly Fact[];
  readonly forced: boolean;
  readonly reason: string;
};

const recordIn = (json: string): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(json);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
};

/** People's decisions about it, with reasons. */
export const decisionsOf = (rows: readonly Tables['audit'][]): DecisionEntry[] =>
  rows.map(({ at, actor, before_it, after_it, evidence, facts, forced, reason }) => ({
    at,
    by: actor,
    before: recordIn(before_it),
    after: recordIn(after_it),
    // Earlier versions wrote a sentence.
    evidence: facts === null ? [textFact(evidence)] : readFacts(facts),
    forced: forced === 1,
    reason,
  }));
