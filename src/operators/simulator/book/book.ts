/** Keeps a simulated operator's book: what it accepted, delivered and reversed. */
import type { RefusalCode, StatusOutcome } from '../../../connector/connector.ts';
import { type Clock, steadyTime } from '../../../lib/clock.ts';
import { apply, createEntries, type Entry, replay, statusOfOrder } from './entries.ts';
import { type Events, type Goods, type Journal, type Line, memoryJournal } from './journal.ts';

/** What else happens to an order. */
export type OrderConditions = {
  /** Reversed this many milliseconds after the delivery. */
  readonly reverseAfter?: number;
  /** Hidden from inquiries for this many milliseconds. */
  readonly hiddenFor?: number;
  readonly copy?: boolean;
  /** Refused by the supplier's own fault. */
  readonly refusal?: RefusalCode;
};

export type Book = {
  /** Delivers an order; resolves when that is written, with all that was taken by then. */
  readonly deliver: (order: Goods, circumstances?: OrderConditions) => Promise<number>;
  /** Accepts an order as pending: until this many inquiries from now on, or forever. */
  readonly accept: (
    order: Goods,
    untilInquiry?: number,
    circumstances?: OrderConditions,
  ) => Promise<void>;
  /** The operator's answer about a reference. Asking counts. */
  readonly inquire: (ref: string) => Promise<StatusOutcome>;
  /** The truth about a reference, whatever was answered. */
  readonly standing: (ref: string) => Promise<StatusOutcome>;
  /** How often a reference was inquired about, as far as it is remembered. */
  readonly inquiries: (ref: string) => number;
  /** What the deliveries cost that it has not reversed. */
  readonly taken: () => number;
  /** Deliveries and reversals after a cursor, in order. */
  readonly eventsFrom: (cursor: string) => Promise<Events>;
};

export type KeptBook = Book & {
  /** Replays an existing line of the journal. */
  readonly load: (line: Line) => void;
};

export type BookDeps = {
  readonly clock: Clock;
  readonly journal: Journal;
  /** The most orders kept in memory; the journal knows the older ones. */
  readonly most: number;
};

/** What of an order is written down. */
const goodsOf = ({ ref, mobile, amount, cost }: Goods): Goods =>
  cost === undefined ? { ref, mobile, amount } : { ref, mobile, amount, cost };

type Desk = {
  readonly now: () => number;
  readonly journal: Journal;
  readonly toReverse: Map<string, Entry>;
  taken: number;
};

/** What a line adds to what the operator has taken. */
const takenBy = (line: Line): number => {
  if (line.kind === 'accepted') return 0;
  return line.kind === 'delivered' ? (line.cost ?? 0) : 0 - (line.cost ?? 0);
};

/** Resolves with all that was taken by then. */
const write = async (desk: Desk, entry: Entry, line: Line): Promise<number> => {
  const written = desk.journal.append(line);
  if (written !== undefined) {
    entry.writing += 1;
    try {
      await written;
    } finally {
      entry.writing -= 1;
    }
  }
  apply(entry, line);
  desk.taken += takenBy(line);
  if (entry.reversals.length > 0) desk.toReverse.set(line.ref, entry);
  return desk.taken;
};

const reverse = async (desk: Desk, ref: string, entry: Entry, at: number): Promise<void> => {
  entry.reversals = entry.reversals.slice(1);
  if (entry.reversals.length === 0) desk.toReverse.delete(ref);
  const { cost } = entry;
  const back = cost === undefined ? {} : { cost };
  await write(desk, entry, { kind: 'reversed', ref, at, ...back }).catch((error: unknown) => {
    entry.reversals = [at, ...entry.reversals];
    desk.toReverse.set(ref, entry);
    throw error;
  });
};

// Computed on demand instead of by a timer: the operator reverses even while no gateway is connected, and an
// idle book keeps no process alive.
const reverseWhatIsDue = async (desk: Desk): Promise<void> => {
  if (desk.toReverse.size === 0) return;
  const due = [...desk.toReverse]
    .flatMap(([ref, entry]) => entry.reversals.map((at) => ({ ref, entry, at })))
    .filter(({ at }) => at <= desk.now());
  for (const { ref, entry, at } of due.sort((one, other) => one.at - other.at)) {
    // Another call may have done it already.
    if (entry.reversals[0] === at) await reverse(desk, ref, entry, at);
  }
};

const deliverWhatWaitedLongEnough = async (desk: Desk, entry: Entry): Promise<void> => {
  for (const waiting of entry.waiting) {
    if (waiting.untilInquiry > entry.inquiries || !entry.waiting.includes(waiting)) continue;
    entry.waiting = entry.waiting.filter((other) => other !== waiting);
    const line = {
      kind: 'delivered',
      ...goodsOf(waiting.order),
      at: desk.now(),
      waited: true,
    } as const;
    await write(desk, entry, line).catch((error: unknown) => {
      entry.waiting = [waiting, ...entry.waiting];
      throw error;
    });
  }
};

/** A book over a journal. */
export const keepBook = ({ clock, journal, most }: BookDeps): KeptBook => {
  const entries = createEntries(journal, most);
  const now = steadyTime(clock);
  const desk: Desk = { now, journal, toReverse: new Map(), taken: 0 };
  const hide = (entry: Entry, { hiddenFor }: OrderConditions): void => {
    if (hiddenFor !== undefined) entry.hiddenUntil = now() + hiddenFor;
  };
  return {
    deliver: async (order, circumstances = {}) => {
      const found = entries.of(order.ref);
      const entry = found instanceof Promise ? await found : found;
      hide(entry, circumstances);
      const at = now();
      const { reverseAfter, copy } = circumstances;
      return write(desk, entry, {
        kind: 'delivered',
        ...goodsOf(order),
        at,
        ...(reverseAfter === undefined ? {} : { reverseAt: at + reverseAfter }),
        ...(copy === true ? { copy } : {}),
      });
    },
    accept: async (order, untilInquiry, circumstances = {}) => {
      const entry = await entries.of(order.ref);
      hide(entry, circumstances);
      const line = { kind: 'accepted', ...goodsOf(order), at: now() } as const;
      await write(desk, entry, untilInquiry === undefined ? line : { ...line, untilInquiry });
    },
    inquire: async (ref) => {
      await reverseWhatIsDue(desk);
      const entry = await entries.of(ref);
      entry.inquiries += 1;
      await deliverWhatWaitedLongEnough(desk, entry);
      return now() < entry.hiddenUntil ? { kind: 'not_found' } : statusOfOrder(ref, entry);
    },
    standing: async (ref) => statusOfOrder(ref, await entries.of(ref)),
    inquiries: (ref) => entries.known(ref)?.inquiries ?? 0,
    taken: () => desk.taken,
    eventsFrom: async (cursor) => {
      await reverseWhatIsDue(desk);
      return journal.eventsFrom(cursor);
    },
    load: (line) => {
      desk.taken += takenBy(line);
      const entry = entries.loading(line.ref);
      if (entry === undefined) return;
      replay(entry, line);
      if (entry.reversals.length > 0) desk.toReverse.set(line.ref, entry);
      else desk.toReverse.delete(line.ref);
    },
  };
};

/** A book in memory of recent orders, `most` or a tenth less. Older ones are forgotten. */
export const createRecentBook = (clock: Clock, id: string, most: number): Book => {
  const { load: _, ...book } = keepBook({ clock, journal: memoryJournal(id, most), most });
  return book;
};
