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

/** A file that has its slot. */
export type Outgoing = {
  /** Await this between two pieces of work, so that purchases proceed. */
  readonly rest: Turn;
  /** Whether the reader has gone. */
  readonly gone: () => boolean;
  /** The content, requested piece by piece as it is fetched. */
  readonly body: (pieces: AsyncIterable<string | Uint8Array>) => Readable;
};

export type Exports = {
  /** Takes a slot, which is free again when the response ends, or refuses. */
  readonly open: (accountId: string, response: Response) => Outgoing;
  /** Ends all exports and refuses new ones. */
  readonly end: () => void;
};

/** Per process. One would let one person block another; more would only slow each down. */
export const mostExports = 2;

// A quarter of the time for each: together they leave half of it to purchases, even if the selling thread
// reads the file's database.
const restShare = 3;
// After a piece that happened to take long.
const longestRestMs = 100;

/** A reader that fetches nothing for this long has left, or will never finish. */
export const unfetchedMs = 60_000;

const retryAfterSeconds = '5';

/** Calls `done` when reading has ended. */
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
  async function* fetched<Piece extends string | Uint8Array>(
    pieces: AsyncIterable<Piece>,
  ): AsyncGenerator<Piece> {
    try {
      for await (const piece of pieces) {
        // The answer to a HEAD ends at once, but its body is still read.
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
      // It may have closed before the listener was added.
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
