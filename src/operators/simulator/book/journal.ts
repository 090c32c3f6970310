/** Defines the lines that a simulated operator writes, and keeps them in memory. */
import type { Order, Report } from '../../../connector/connector.ts';

export type Goods = Pick<Order, 'ref' | 'mobile' | 'amount'> & {
  /** What the operator takes for it, if it says so. */
  readonly cost?: number;
};
export type Delivery = Goods & { readonly at: number };

export type Line =
  | (Delivery & {
      readonly kind: 'delivered';
      /** When the operator reverses it, if it does. */
      readonly reverseAt?: number;
      /** It was pending before. */
      readonly waited?: true;
      /** The network delivered the order twice; it was sent once. */
      readonly copy?: true;
    })
  /** Pending until this many inquiries have been made, or forever. */
  | (Delivery & { readonly kind: 'accepted'; readonly untilInquiry?: number })
  | {
      readonly kind: 'reversed';
      readonly ref: string;
      readonly at: number;
      /** What the operator gives back for it, if it took something. */
      readonly cost?: number;
    };

export type Events = { readonly reports: readonly Report[]; readonly cursor: string };

export type Journal = {
  /** Resolves when the line is safe; undefined if it is so already. */
  readonly append: (line: Line) => Promise<void> | undefined;
  /** Deliveries and reversals after a cursor, in order. */
  readonly eventsFrom: (cursor: string) => Promise<Events>;
  /** All lines about a reference; missing if the journal keeps no more than the book. */
  readonly linesOf?: (ref: string) => Promise<readonly Line[]>;
};

export const isEvent = (line: Line): line is Line & Report => line.kind !== 'accepted';

export const reportOf = ({ ref, at, kind }: Line & Report): Report => ({ ref, at, kind });

/**
 * A cursor names its book. One of an earlier process, or nonsense, starts over: a repeated report is
 * harmless, a skipped one may be a reversal that is never refunded.
 */
export const positionIn = (id: string, cursor: string): number => {
  const position = cursor.startsWith(`${id}:`) ? cursor.slice(id.length + 1) : '';
  return /^\d{1,15}$/.test(position) ? Number(position) : 0;
};

// An eighth more than it has to keep, so that it seldom drops any.
const room = 1.125;

/** Keeps at least the `most` newest events, and up to an eighth more; one takes a few hundred bytes. */
export const memoryJournal = (id: string, most: number): Journal => {
  let events: Report[] = [];
  let dropped = 0;
  return {
    append: (line) => {
      if (!isEvent(line)) return undefined;
      events.push(reportOf(line));
      if (events.length < room * most) return undefined;
      dropped += events.length - most;
      events = events.slice(-most);
      return undefined;
    },
    eventsFrom: async (cursor) => {
      const from = Math.max(0, positionIn(id, cursor) - dropped);
      return { reports: events.slice(from), cursor: `${id}:${dropped + events.length}` };
    },
  };
};
