/** Measures a process's memory from outside. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** How much memory a process holds, in megabytes of 1,000,000 bytes. */
export const residentMegabytes = (pid: number | undefined): number => {
  const status = `/proc/${pid}/status`;
  const text = existsSync(status)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(text) * 1024) / 1_000_000;
};

const lookEveryMs = 20;

/** Runs something, and returns the process's peak memory during it. */
export const peakMegabytesWhile = async (
  pid: number | undefined,
  work: () => Promise<void>,
): Promise<number> => {
  let most = residentMegabytes(pid);
  const look = (): void => {
    most = Math.max(most, residentMegabytes(pid));
  };
  const looking = setInterval(look, lookEveryMs);
  try {
    await work();
  } finally {
    clearInterval(looking);
  }
  look();
  return most;
};
