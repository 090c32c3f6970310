/** Owns a simulated operator's book: what it accepted, delivered and took back, whatever it answered. */
import type { Clock } from '../../lib/clock.ts';
import type { Order, Report, StatusOutcome } from '../connector.ts';

export type Delivery = {
  readonly ref: string;
  readonly mobile: string;
  readonly amount: number;
  readonly at: number;
};

export type Book = {
  /** Tells this book from the one that an earlier process kept, whose positions mean nothing here. */
  readonly id: string;
  /** Every delivery ever made, in order. Two under one reference are a double order, and stay visible. */
  readonly deliveries: readonly Delivery[];
  /** Delivers an order, and takes it back that many milliseconds later where told to. */
  readonly deliver: (order: Order, reverseAfter?: number) => void;
  /** Takes an order that waits: until that many inquiries have been made from now on, or for ever. */
  readonly accept: (order: Order, untilInquiry?: number) => void;
  /** What the operator says of a reference. Asking counts. */
  readonly inquire: (ref: string) => StatusOutcome;
  /** How often a reference was asked about. */
  readonly inquiries: (ref: string) => number;
  /** Deliveries and reversals from a position on, in the order in which they happened. */
  readonly eventsFrom: (position: number) => readonly Report[];
};

type Waiting = { readonly order: Order; readonly untilInquiry: number };

type Entry = {
  inquiries: number;
  delivered: number;
  readonly reversedAt: number[];
  waiting: readonly Waiting[];
};

type Reversal = { readonly ref: string; readonly at: number; readonly due: number };

/**
 * Nothing is ever dropped from a book: it is the independent judge of what was delivered, and a judge
 * that forgets can't convict. That costs some hundred bytes an order, fine for a sandbox and for tests.
 */
export const createBook = (clock: Pick<Clock, 'now' | 'monotonic'>, id: string): Book => {
  const deliveries: Delivery[] = [];
  const events: Report[] = [];
  const entries = new Map<string, Entry>();
  let reversals: readonly Reversal[] = [];

  const entryOf = (ref: string): Entry => {
    const known = entries.get(ref);
    if (known !== undefined) return known;
    const entry: Entry = { inquiries: 0, delivered: 0, reversedAt: [], waiting: [] };
    entries.set(ref, entry);
    return entry;
  };

  // Looked up when somebody asks instead of run by a timer: the operator takes its money back also
  // while no gateway is connected, and an idle book keeps no process alive.
  const reverseWhatIsDue = (): void => {
    const now = clock.monotonic();
    const due = reversals.filter((reversal) => reversal.due <= now);
    if (due.length === 0) return;
    reversals = reversals.filter((reversal) => reversal.due > now);
    for (const { ref, at } of due.sort((one, other) => one.due - other.due)) {
      entryOf(ref).reversedAt.push(at);
      events.push({ ref, at, kind: 'reversed' });
    }
  };

  const deliver = ({ ref, mobile, amount }: Order, reverseAfter?: number): void => {
    reverseWhatIsDue();
    const at = clock.now();
    deliveries.push({ ref, mobile, amount, at });
    events.push({ ref, at, kind: 'delivered' });
    entryOf(ref).delivered += 1;
    if (reverseAfter === undefined) return;
    const due = clock.monotonic() + reverseAfter;
    reversals = [...reversals, { ref, at: at + reverseAfter, due }];
  };

  const deliverWhatWaitedLongEnough = (entry: Entry): void => {
    const ripe = entry.waiting.filter(({ untilInquiry }) => untilInquiry <= entry.inquiries);
    entry.waiting = entry.waiting.filter(({ untilInquiry }) => untilInquiry > entry.inquiries);
    for (const { order } of ripe) deliver(order);
  };

  return {
    id,
    deliveries,
    deliver,
    accept: (order, untilInquiry = Number.POSITIVE_INFINITY) => {
      const entry = entryOf(order.ref);
      const waiting = { order, untilInquiry: entry.inquiries + untilInquiry };
      entry.waiting = [...entry.waiting, waiting];
    },
    inquire: (ref) => {
      reverseWhatIsDue();
      const entry = entryOf(ref);
      entry.inquiries += 1;
      deliverWhatWaitedLongEnough(entry);
      return standingOf(ref, entry);
    },
    inquiries: (ref) => entries.get(ref)?.inquiries ?? 0,
    eventsFrom: (position) => {
      reverseWhatIsDue();
      return events.slice(position);
    },
  };
};

const standingOf = (ref: string, entry: Entry): StatusOutcome => {
  const reversedAt = entry.reversedAt.at(-1);
  // Something delivered twice and taken back once is still in the subscriber's hands.
  if (reversedAt !== undefined && entry.reversedAt.length === entry.delivered) {
    return { kind: 'reversed', at: reversedAt };
  }
  if (entry.delivered > 0) return { kind: 'done', ref };
  return entry.waiting.length > 0 ? { kind: 'pending' } : { kind: 'not_found' };
};
