/** Grants a limited number of slots, with a bounded queue. */
import type { Clock } from '../lib/clock.ts';

export type Slot =
  /** A slot, counted from 0; `leave` releases it, once however often it is called. */
  | { readonly kind: 'slot'; readonly place: number; readonly leave: () => void }
  | { readonly kind: 'none'; readonly detail: string };

export type Slots = {
  /** Waits for a slot at most `patience` milliseconds, first come first served. */
  readonly enter: (patience: number) => Promise<Slot>;
  /** Refuses all waiting and later requests. */
  readonly close: () => void;
};

export const createSlots = (count: number, waiting: number, clock: Clock): Slots => {
  // The slot released last is taken first: its connection is still warm.
  const free = Array.from({ length: count }, (_, index) => count - 1 - index);
  let closed = false;
  const line = new Set<(slot: Slot) => void>();

  const take = (place: number): Slot => {
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      const [next] = line;
      if (next === undefined) free.push(place);
      else next(take(place));
    };
    return { kind: 'slot', place, leave };
  };

  const queue = (patience: number): Promise<Slot> =>
    new Promise((resolve) => {
      const cancel = clock.after(patience, () =>
        end({ kind: 'none', detail: `no connection was free within ${Math.round(patience)} ms` }),
      );
      const end = (slot: Slot): void => {
        line.delete(end);
        cancel();
        resolve(slot);
      };
      line.add(end);
    });

  return {
    enter: async (patience) => {
      if (closed) return { kind: 'none', detail: 'the connection is closed' };
      const place = free.pop();
      if (place !== undefined) return take(place);
      if (line.size >= waiting) return { kind: 'none', detail: 'too many requests wait already' };
      return queue(patience);
    },
    close: () => {
      closed = true;
      for (const end of line) end({ kind: 'none', detail: 'the connection is closed' });
    },
  };
};
