/** Samples a server's resources each second of a soak test, from outside. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { residentMegabytes } from '../test/support/memory.ts';
import { watchEventLoop } from './event-loop.ts';

export type Sample = {
  readonly memoryMb: number;
  readonly fileMb: number;
  readonly walMb: number;
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

const megabytes = (file: string): number =>
  (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1_000_000;

// Both come from an index that holds nothing else.
const pendingText = 'select count(*) as n from purchases where due_at is not null';
const reviewText =
  "select count(*) as n from purchases where state = 'review' or disputed is not null";

export const createServerSampler = (server: {
  readonly url: string;
  readonly pid: number;
  readonly data: string;
}): ServerSampler => {
  const file = join(server.data, 'simgate.db');
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  const [pending, review] = [database.prepare(pendingText), database.prepare(reviewText)];
  const eventLoop = watchEventLoop(server.url);
  return {
    sample: async () => ({
      memoryMb: residentMegabytes(server.pid),
      fileMb: megabytes(file),
      walMb: megabytes(`${file}-wal`),
      delayMs: await eventLoop.delayMs(),
      pending: Number(pending.get()?.['n']),
      review: Number(review.get()?.['n']),
    }),
    source: eventLoop.source,
    close: () => {
      eventLoop.close();
      database.close();
    },
  };
};
