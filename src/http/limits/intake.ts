/** Feeds Node's HTTP parser in small chunks, and pauses while the connection is held. */
import type { Socket } from 'node:net';
import { onlyListener } from '../fast/listeners.ts';

export type Intake = {
  /** Holds incoming data as bytes. */
  readonly hold: () => void;
  /** Continues where it was held. */
  readonly release: () => void;
  /** Whether more requests than that wait as bytes, by counting the ends of their heads. */
  readonly hasMoreThan: (requests: number) => boolean;
};

const headEnd = Buffer.from('\r\n\r\n');

/**
 * Call when Node's HTTP parser has the connection, and nothing else listens to it. Node handles all requests
 * of a chunk before other events, even after the connection was closed, and one read may contain thousands.
 */
export const readInChunks = (socket: Socket, pieceBytes: () => number): Intake => {
  const http = onlyListener(socket.listeners('data'));
  let isHeld = false;
  // Not empty only while the connection is paused, so nothing newer arrives before this.
  let rest = Buffer.alloc(0);
  const takesMore = (): boolean => !isHeld && !socket.isPaused() && !socket.destroyed;
  const give = (): void => {
    while (rest.length > 0 && takesMore()) {
      const piece = rest.subarray(0, pieceBytes());
      rest = rest.subarray(piece.length);
      http.call(socket, piece);
    }
    // Node resumes it at the end of each request that it has read.
    if (isHeld) socket.pause();
  };
  const read = (bytes: NonSharedBuffer): void => {
    rest = bytes;
    give();
  };
  socket.off('data', http).on('data', read).on('resume', give);
  return {
    hold: () => {
      isHeld = true;
      socket.pause();
    },
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      // If Node has paused it for unread answers, Node resumes it.
      if (Reflect.get(socket, '_paused') !== true) socket.resume();
    },
    hasMoreThan: (requests) => {
      let from = 0;
      for (let count = 0; count <= requests; count += 1) {
        const at = rest.indexOf(headEnd, from);
        if (at === -1) return false;
        from = at + headEnd.length;
      }
      return true;
    },
  };
};
