/** Keeps the book of a simulated operator in memory, with every delivery. */

import type { Clock } from '../../src/lib/clock.ts';
import { type Book, keepBook } from '../../src/operators/simulator/book/book.ts';
import {
  type Delivery,
  type Line,
  memoryJournal,
} from '../../src/operators/simulator/book/journal.ts';

/** Every delivery ever made, in order. Two under one reference are a double order, and stay visible. */
export type MemoryBook = Book & { readonly deliveries: readonly Delivery[] };

/** A book in memory. It forgets nothing, so that it can prove double orders. */
export const createBook = (clock: Clock, id: string): MemoryBook => {
  const most = Number.POSITIVE_INFINITY;
  const journal = memoryJournal(id, most);
  const deliveries: Delivery[] = [];
  const append = async (line: Line): Promise<void> => {
    await journal.append(line);
    if (line.kind !== 'delivered') return;
    const { ref, mobile, amount, at } = line;
    deliveries.push({ ref, mobile, amount, at });
  };
  const { load: _, ...book } = keepBook({ clock, journal: { ...journal, append }, most });
  return { ...book, deliveries };
};
