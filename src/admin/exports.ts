/** Limits exports from the back office: how many run at once, how fast they are read, and when stalled ones end. */
import { Readable } from 'node:stream';
import { type Clock, nextTurn, sleep } from '../lib/clock.ts';
import type { Turn } from '../lib/time-slices.ts';
import { AdminError } from './errors.ts';

/** As much of an answer as is needed here. */
type Response = {
  readonly destroyed: boolean;
  readonly destroy: () => unknown;
  readonly once: (event: 'close', listener: () => void) => unknown;
};

/** A file that has its place. */
export type Outgoing = {
  /** To be waited for between two pieces of work: purchases go on meanwhile. */
  readonly rest: Turn;
  /** Whether the reader has gone. */
  readonly gone: () => boolean;
  /** What is sent, asked for piece by piece as it is fetched. */
  readonly body: (pieces: AsyncIterable<string>) => Readable;
};

export type Exports = {
  /** Takes a place, which is free again when the response is over, or refuses. */
  readonly open: (accountId: string, response: Response) => Outgoing;
  /** Cuts all off, and lets no more begin. */
  readonly end: () => void;
};

/** In one process. One would let a person block another; more would only make each of them slower. */
export const mostExports = 2;

// A quarter of the time for each: all of them together leave half of it to purchases, also where a database in
// a file is read by the thread that sells.
const restShare = 3;
// After a piece that took long for once.
const longestRestMs = 100;

/** A reader that fetches nothing for so long is gone, or will never have it all. */
export const unfetchedMs = 60_000;

const retryAfterSeconds = '5';

/** `done` hears that nothing more of it is read. */
const createOutgoing = (clock: Clock, response: Response, done: () => void): Outgoing => {
  let since = clock.monotonic();
  let cancel = (): void => {};
  let over = response.destroyed;
  const goesOn = (): void => {
    cancel();
    since = clock.monotonic();
    if (!over) cancel = clock.after(unfetchedMs, () => response.destroy());
  };
  response.once('close', () => {
    over = true;
    cancel();
  });
  goesOn();
  async function* fetched(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    try {
      for await (const piece of pieces) {
        // The answer to a HEAD is over at once, and what would be its body is read all the same.
        if (over) return;
        yield piece;
        goesOn();
      }
    } finally {
      done();
    }
  }
  return {
    rest: async () => {
      const worked = clock.monotonic() - since;
      goesOn();
      await sleep(clock, Math.min(worked * restShare, longestRestMs));
      await nextTurn();
      since = clock.monotonic();
    },
    gone: () => over,
    body: (pieces) => Readable.from(fetched(pieces), { highWaterMark: 1 }),
  };
};

export const createExports = (clock: Clock): Exports => {
  const places = new Map<string, Response>();
  const open = new Set<Response>();
  let ended = false;
  return {
    open: (accountId, response) => {
      if (ended || places.has(accountId) || places.size >= mostExports) {
        throw new AdminError('EXPORT_BUSY', { headers: { 'retry-after': retryAfterSeconds } });
      }
      const leave = (): void => {
        if (places.get(accountId) === response) places.delete(accountId);
      };
      // It may have gone before anybody listened for that.
      if (!response.destroyed) {
        places.set(accountId, response);
        open.add(response);
        response.once('close', () => {
          open.delete(response);
          leave();
        });
      }
      return createOutgoing(clock, response, leave);
    },
    end: () => {
      ended = true;
      for (const response of open) response.destroy();
    },
  };
};
