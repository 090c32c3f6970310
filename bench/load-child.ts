/** Runs a load generator in its own process, and parses its last line as JSON. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpuSeconds } from './process-figures.ts';
import { track } from './resources.ts';

export type Printed = {
  readonly text: string;
  /** The last line that is a JSON object. */
  readonly figures: unknown;
  /** The share of one processor that it used; NaN if it ended at once. */
  readonly busy: number;
};

// Often enough that the last reading comes shortly before the end.
const lookMs = 100;

/** Samples a process: after its exit there is nothing left to read. */
const watchBusy = (pid: number | undefined): { readonly end: () => number } => {
  const begin = performance.now();
  let busy = Number.NaN;
  const timer = setInterval(() => {
    const seconds = cpuSeconds(pid ?? 0);
    if (!Number.isNaN(seconds)) busy = (seconds * 1000) / (performance.now() - begin);
  }, lookMs);
  return {
    end: () => {
      clearInterval(timer);
      return busy;
    },
  };
};

/** Runs a load; throws its output if it fails. */
export const runLoad = async (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Printed> => {
  const child = track(
    spawn(command, args, {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const watched = watchBusy(child.pid);
  let [text, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  const closed: unknown[] = await once(child, 'close');
  const busy = watched.end();
  if (closed[0] !== 0)
    throw new Error(`${command} ended with ${String(closed[0])}: ${said}${text}`);
  const line = text.split('\n').findLast((one) => one.startsWith('{'));
  const figures: unknown = line === undefined ? undefined : JSON.parse(line);
  return { text, figures, busy };
};
