/** Buffers log lines, and writes them together or at once. */
import type { DestinationStream } from 'pino';
import { type Clock, systemClock } from '../clock.ts';

export type LogLines = DestinationStream & {
  /** Writes a line with the next ones, in order. */
  readonly later: (line: string) => void;
  /** Writes the buffered lines; the logger's own `flush` calls it. */
  readonly flush: () => void;
};

// A write to the system costs as much as a small request. Buffered lines are lost when the process is killed.
const longestWaitMs = 50;
const mostWaiting = 16_384;

const waitingAnywhere = new Set<() => void>();
process.on('exit', () => {
  for (const flush of waitingAnywhere) flush();
});

export const bufferLines = (
  destination: DestinationStream,
  clock: Pick<Clock, 'after'> = systemClock,
): LogLines => {
  let waiting = '';
  let cancel = (): void => {};
  const flush = (): void => {
    if (waiting === '') return;
    cancel();
    waitingAnywhere.delete(flush);
    const lines = waiting;
    waiting = '';
    destination.write(lines);
  };
  return {
    write: (line) => {
      flush();
      destination.write(line);
    },
    later: (line) => {
      if (waiting === '') {
        waitingAnywhere.add(flush);
        cancel = clock.after(longestWaitMs, flush);
      }
      waiting += line;
      if (waiting.length >= mostWaiting) flush();
    },
    flush,
  };
};
