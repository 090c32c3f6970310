/** Draws a progress bar on a terminal, and nothing elsewhere. */

const width = 30;

/** Draws how far `total` rows are; the last call ends the line. */
export const progressBar = (
  total: number,
  terminal: { readonly isTTY?: boolean; write(text: string): boolean },
): ((done: number) => void) => {
  if (terminal.isTTY !== true || total === 0) return () => {};
  return (done) => {
    const filled = Math.floor((done / total) * width);
    const bar = '#'.repeat(filled) + '-'.repeat(width - filled);
    terminal.write(`\r[${bar}] ${done} of ${total}${done >= total ? '\n' : ''}`);
  };
};
