/** Holds the state of each order by reference: recent ones in memory, others from the journal. */
import type { StatusOutcome } from '../../../connector/connector.ts';
import { type BloomFilter, createBloomFilter } from './bloom-filter.ts';
import type { Goods, Journal, Line } from './journal.ts';

type Waiting = { readonly order: Goods; readonly untilInquiry: number };

export type Entry = {
  inquiries: number;
  delivered: number;
  reversed: number;
  reversedAt: number;
  /** What a delivery costs, if the operator says so. */
  cost: number | undefined;
  /** Lines about it that are being written. */
  writing: number;
  hiddenUntil: number;
  waiting: readonly Waiting[];
  /** When deliveries are reversed, the soonest first. */
  reversals: readonly number[];
};

// Shared by all without any: most orders are never pending and never reversed.
const none: readonly never[] = [];

const newEntry = (): Entry => ({
  inquiries: 0,
  delivered: 0,
  reversed: 0,
  reversedAt: 0,
  cost: undefined,
  writing: 0,
  hiddenUntil: 0,
  waiting: none,
  reversals: none,
});

/** Whether nothing more can happen to it on its own: then the journal knows everything. */
const isIdle = ({ waiting, writing, reversals }: Entry): boolean =>
  waiting.length + writing + reversals.length === 0;

export const apply = (entry: Entry, line: Line): void => {
  switch (line.kind) {
    case 'accepted': {
      const untilInquiry = entry.inquiries + (line.untilInquiry ?? Number.POSITIVE_INFINITY);
      entry.waiting = [...entry.waiting, { order: line, untilInquiry }];
      return;
    }
    case 'delivered':
      entry.delivered += 1;
      entry.cost = line.cost;
      if (line.reverseAt !== undefined) entry.reversals = [...entry.reversals, line.reverseAt];
      return;
    case 'reversed':
      entry.reversed += 1;
      entry.reversedAt = line.at;
      return;
  }
};

/** Applies a past line: an order that waited for it no longer waits. */
export const replay = (entry: Entry, line: Line): void => {
  if (line.kind === 'delivered' && line.waited === true) entry.waiting = entry.waiting.slice(1);
  if (line.kind === 'reversed') entry.reversals = entry.reversals.slice(1);
  apply(entry, line);
};

export const statusOfOrder = (ref: string, entry: Entry): StatusOutcome => {
  // Delivered twice and reversed once, the subscriber still has one.
  if (entry.reversed > 0 && entry.reversed === entry.delivered) {
    return { kind: 'reversed', at: entry.reversedAt };
  }
  if (entry.delivered > 0) {
    return entry.cost === undefined
      ? { kind: 'done', ref }
      : { kind: 'done', ref, cost: entry.cost };
  }
  return entry.waiting.length + entry.writing > 0 ? { kind: 'pending' } : { kind: 'not_found' };
};

// Room for some million forgotten ones beside the hundred thousand in memory.
const forgottenBytesEach = 160;
const keptShare = 0.9;

export type Entries = {
  readonly known: (ref: string) => Entry | undefined;
  /** Synchronous, unless it was forgotten and the journal has to be read. */
  readonly of: (ref: string) => Entry | Promise<Entry>;
  /** Undefined if it was forgotten: then the journal will know, including the current line. */
  readonly loading: (ref: string) => Entry | undefined;
};

// Without a journal, forgotten ones do not exist.
const noneForgotten: BloomFilter = { add: () => {}, mayHold: () => false };

/** The state of each reference: the latest in memory, the others from the journal. */
export const createEntries = ({ linesOf }: Pick<Journal, 'linesOf'>, most: number): Entries => {
  const entries = new Map<string, Entry>();
  const forgotten = linesOf ? createBloomFilter(most * forgottenBytesEach) : noneForgotten;

  let limit = most;

  // Many at a time: a map finds its oldest entry more slowly, the more were removed from its front.
  const forgetTheOldest = (): void => {
    let surplus = entries.size - Math.max(1, Math.floor(most * keptShare));
    for (const [ref, entry] of entries) {
      if (surplus <= 0) break;
      surplus -= 1;
      if (!isIdle(entry)) continue;
      entries.delete(ref);
      forgotten.add(ref);
    }
    // Above the limit if many are still needed: then it checks again only when there are more.
    limit = Math.max(most, Math.ceil(entries.size * (2 - keptShare)));
  };

  const remember = (ref: string, entry: Entry): Entry => {
    const known = entries.get(ref);
    if (known !== undefined) return known;
    entries.set(ref, entry);
    if (entries.size > limit) forgetTheOldest();
    return entry;
  };

  const recall = async (ref: string): Promise<Entry> => {
    const entry = newEntry();
    for (const line of (await linesOf?.(ref)) ?? []) replay(entry, line);
    return remember(ref, entry);
  };

  return {
    known: (ref) => entries.get(ref),
    of: (ref) =>
      entries.get(ref) ?? (forgotten.mayHold(ref) ? recall(ref) : remember(ref, newEntry())),
    loading: (ref) =>
      entries.get(ref) ?? (forgotten.mayHold(ref) ? undefined : remember(ref, newEntry())),
  };
};
