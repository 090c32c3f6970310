/** Merges the output of many processes into one stream, in whole lines. */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Clock, sleep } from '../lib/clock.ts';

const newline = 0x0a;

// Single lines would cost more than all else that the primary does; and no reader is faster than this.
const gatherMs = 10;
// The most that one read takes: if it is that much, there is already more.
const fullRead = 65_536;

/**
 * An output shared by several sources, in whole lines. Processes that write to one pipe themselves mix their
 * lines if a write is long and the pipe is full.
 */
export const mergeLinesInto = (
  output: Writable,
  clock: Clock,
): ((source: Readable) => Promise<void>) => {
  let drained: Promise<unknown> | undefined;
  /** Resolves when the output takes more, or never will again. */
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
    // An aborted one has ended too.
    await finished(source, { writable: false }).catch(() => undefined);
    // Killed within a line: the next one must not continue it.
    if (rest.length > 0) output.write(Buffer.concat([rest, Buffer.from('\n')]));
  };
};
