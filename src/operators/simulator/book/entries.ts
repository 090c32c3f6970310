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
  /** Lines about it that are being written down. */
  writing: number;
  hiddenUntil: number;
  waiting: readonly Waiting[];
  /** When what was delivered is taken back, the soonest first. */
  reversals: readonly number[];
};

// Shared by all that have none: most orders never wait and are never taken back.
const none: readonly never[] = [];

const newEntry = (): Entry => ({
  inquiries: 0,
  delivered: 0,
  reversed: 0,
  reversedAt: 0,
  writing: 0,
  hiddenUntil: 0,
  waiting: none,
  reversals: none,
});

/** Whether nothing more can become of it by itself: then the journal knows all that there is to know. */
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
      if (line.reverseAt !== undefined) entry.reversals = [...entry.reversals, line.reverseAt];
      return;
    case 'reversed':
      entry.reversed += 1;
      entry.reversedAt = line.at;
      return;
  }
};

/** Applies a line of the past: what waited for it waits no more. */
export const replay = (entry: Entry, line: Line): void => {
  if (line.kind === 'delivered' && line.waited === true) entry.waiting = entry.waiting.slice(1);
  if (line.kind === 'reversed') entry.reversals = entry.reversals.slice(1);
  apply(entry, line);
};

export const statusOfOrder = (ref: string, entry: Entry): StatusOutcome => {
  // Something delivered twice and taken back once is still in the subscriber's hands.
  if (entry.reversed > 0 && entry.reversed === entry.delivered) {
    return { kind: 'reversed', at: entry.reversedAt };
  }
  if (entry.delivered > 0) return { kind: 'done', ref };
  return entry.waiting.length + entry.writing > 0 ? { kind: 'pending' } : { kind: 'not_found' };
};

// Room for some million forgotten ones beside the hundred thousand that the server remembers.
const forgottenBytesEach = 160;
const keptShare = 0.9;

export type Entries = {
  readonly known: (ref: string) => Entry | undefined;
  /** At once, unless it was forgotten and the journal has to be asked. */
  readonly of: (ref: string) => Entry | Promise<Entry>;
  /** Undefined where it was forgotten: then the journal will tell, the line at hand included. */
  readonly loading: (ref: string) => Entry | undefined;
};

// Where no journal knows of them, those that are forgotten are as if they had never been.
const noneForgotten: BloomFilter = { add: () => {}, mayHold: () => false };

/** What is known of each reference: the latest in memory, the others by the journal. */
export const createEntries = ({ linesOf }: Pick<Journal, 'linesOf'>, most: number): Entries => {
  const entries = new Map<string, Entry>();
  const forgotten = linesOf ? createBloomFilter(most * forgottenBytesEach) : noneForgotten;

  let limit = most;

  // Many at a time: a map finds its oldest entry the more slowly, the more were taken from its front.
  const forgetTheOldest = (): void => {
    let surplus = entries.size - Math.max(1, Math.floor(most * keptShare));
    for (const [ref, entry] of entries) {
      if (surplus <= 0) break;
      surplus -= 1;
      if (!isIdle(entry)) continue;
      entries.delete(ref);
      forgotten.add(ref);
    }
    // Above the most where many are still needed: then it looks again only when there are more.
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
