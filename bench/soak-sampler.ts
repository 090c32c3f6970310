/** Samples a server's resources each second of a soak test, from outside. */
import { watchEventLoop } from './event-loop.ts';
import { residentMegabytes } from './process-figures.ts';
import type { SoakBooks } from './soak-books.ts';

export type Sample = {
  /** Of all the gateway's processes. */
  readonly memoryMb: number;
  readonly databaseMb: number;
  readonly logMb: number;
  readonly delayMs: number;
  /** Open purchases, and those in review. */
  readonly pending: number;
  readonly review: number;
};

export type ServerSampler = {
  readonly sample: () => Promise<Sample>;
  /** Where the event-loop delay is read. */
  readonly source: () => string;
  readonly close: () => void;
};

export const createServerSampler = (
  { pid, metrics }: { readonly pid: number; readonly metrics: string },
  books: SoakBooks,
): ServerSampler => {
  const eventLoop = watchEventLoop(metrics);
  return {
    sample: async () => ({
      memoryMb: residentMegabytes(pid),
      ...(await books.sizes()),
      delayMs: await eventLoop.delayMs(),
      // Both come from an index that holds nothing else.
      pending: await books.count('due_at is not null'),
      review: await books.count("state = 'review' or disputed is not null"),
    }),
    source: eventLoop.source,
    close: eventLoop.close,
  };
};
