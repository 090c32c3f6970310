/** Owns how the lines of many processes get into one output, none of them within another. */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

const newline = 0x0a;

/**
 * An output that several sources are passed on to, in whole lines. Processes that write to one pipe
 * themselves get into each other's lines where a write is long and the pipe full.
 */
export const wholeLinesTo = (output: Writable): ((source: Readable) => Promise<void>) => {
  let drained: Promise<unknown> | undefined;
  const write = async (lines: Buffer): Promise<void> => {
    while (output.writableNeedDrain) {
      drained ??= once(output, 'drain').finally(() => {
        drained = undefined;
      });
      await drained;
    }
    output.write(lines);
  };
  return async (source) => {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of source) {
      const read: Buffer = Buffer.concat([rest, Buffer.from(chunk)]);
      const end = read.lastIndexOf(newline) + 1;
      rest = read.subarray(end);
      if (end > 0) await write(read.subarray(0, end));
    }
    // Killed within a line: the next one is not to begin in it.
    if (rest.length > 0) await write(Buffer.concat([rest, Buffer.from('\n')]));
  };
};
