/** Builds a purchase's history for people: what happened when, and what was decided. Pure. */
import type { Tables } from '../../db/tables/tables.ts';
import { isFinal, type Purchase } from '../purchase.ts';

export type HistoryEntry = { readonly at: number; readonly kind: string; readonly detail: string };

type NoteRow = Tables['purchase_notes'];

const afterTheEnd = new Set(['reversal', 'contradiction', 'dispute closed']);

/** What is not in a note the purchase itself tells: its beginning and its end. */
export const historyOf = (purchase: Purchase, notes: readonly NoteRow[]): HistoryEntry[] => {
  const began =
    purchase.state === 'refused'
      ? []
      : [{ at: purchase.beganAt, kind: 'held and submitted', detail: 'attempt 1' }];
  const entriesOf = (list: readonly NoteRow[]): HistoryEntry[] =>
    list.map(({ at, kind, detail }) => ({ at, kind, detail }));
  const end = notes.findIndex(({ kind }) => afterTheEnd.has(kind));
  const before = notes.slice(0, end === -1 ? notes.length : end);
  const after = notes.slice(before.length);
  const ended = isFinal(purchase)
    ? [
        {
          at: purchase.settledAt,
          kind: purchase.state === 'reversed' ? 'succeeded' : purchase.state,
          detail: purchase.reason ?? '',
        },
      ]
    : [];
  return [...began, ...entriesOf(before), ...ended, ...entriesOf(after)];
};

export type DecisionEntry = {
  readonly at: number;
  readonly by: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly evidence: string;
  readonly forced: boolean;
  readonly reason: string;
};

const recordIn = (json: string): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(json);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
};

/** What people decided about it, and why. */
export const decisionsOf = (rows: readonly Tables['audit'][]): DecisionEntry[] =>
  rows.map(({ at, actor, before_it, after_it, evidence, forced, reason }) => ({
    at,
    by: actor,
    before: recordIn(before_it),
    after: recordIn(after_it),
    evidence,
    forced: forced === 1,
    reason,
  }));
