/** Merges the output of many processes into one stream, in whole lines. */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Clock, sleep } from '../lib/clock.ts';

const newline = 0x0a;

// A line at a time would cost more than all else that the primary does; and no reader is faster than this.
const gatherMs = 10;
// What one reading takes at most: where it is that much, there is more already.
const fullRead = 65_536;

/**
 * An output that several sources are passed on to, in whole lines. Processes that write to one pipe
 * themselves get into each other's lines where a write is long and the pipe full.
 */
export const mergeLinesInto = (
  output: Writable,
  clock: Clock,
): ((source: Readable) => Promise<void>) => {
  let drained: Promise<unknown> | undefined;
  /** Resolves when the output takes more, or will never do so again. */
  const untilDrained = (): Promise<unknown> => {
    drained ??= once(output, 'drain')
      .catch(() => undefined)
      .finally(() => {
        drained = undefined;
      });
    return drained;
  };
  const untilNext = async (read: number): Promise<void> => {
    if (output.writableNeedDrain) await untilDrained();
    else if (read < fullRead) await sleep(clock, gatherMs);
  };
  return async (source) => {
    let rest: Buffer = Buffer.alloc(0);
    source.on('data', (chunk: Buffer) => {
      const read = Buffer.concat([rest, chunk]);
      const end = read.lastIndexOf(newline) + 1;
      rest = read.subarray(end);
      if (end > 0) output.write(read.subarray(0, end));
      source.pause();
      void untilNext(chunk.length).finally(() => source.resume());
    });
    // One that is broken off has ended too.
    await finished(source, { writable: false }).catch(() => undefined);
    // Killed within a line: the next one is not to begin in it.
    if (rest.length > 0) output.write(Buffer.concat([rest, Buffer.from('\n')]));
  };
};
