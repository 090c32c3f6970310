/** Owns the tests' processes: the command run as a user runs it, and a server as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../bin/simgate.js', import.meta.url));

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'simgate-test-'));

type Environment = Readonly<Record<string, string>>;

const start = (args: readonly string[], dataDir: string, env: Environment): ChildProcess =>
  spawn(process.execPath, [command, ...args], {
    cwd: dataDir,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

export type Finished = { readonly status: number; readonly out: string; readonly err: string };

const collect = (child: ChildProcess): { out: string; err: string } => {
  const text = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text.out += part));
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (text.err += part));
  return text;
};

/** Runs `simgate ...` to its end on a data folder. */
export const simgate = async (
  dataDir: string,
  args: readonly string[],
  env: Environment = {},
): Promise<Finished> => {
  const child = start(args, dataDir, env);
  const text = collect(child);
  const closed: unknown[] = await once(child, 'close');
  return { status: Number(closed[0]), ...text };
};

export type Served = {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly printed: () => string;
  /** Asks it to stop and waits for its end; gives the exit status. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number>;
};

/** Starts `simgate serve` on a free port and waits until it listens. */
export const serveProcess = (dataDir: string, env: Environment = {}): Promise<Served> =>
  untilItListens(start(['serve'], dataDir, { PORT: '0', ...env }));

/** Starts `simgate simulator` on a free port, with its book in that folder. */
export const simulatorProcess = (folder: string, ...args: readonly string[]): Promise<Served> => {
  const place = ['--port', '0', '--book', join(folder, 'book.jsonl')];
  return untilItListens(start(['simulator', '--json', ...place, ...args], folder, {}));
};

const untilItListens = async (child: ChildProcess): Promise<Served> => {
  const text = collect(child);
  const closed = new Promise<number>((resolve) => {
    child.once('close', (status) => resolve(status ?? -1));
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /"url":"(http:[^"]+)"/.exec(text.out)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(`The server ended: ${text.out}${text.err}`)));
  });
  return {
    url,
    child,
    printed: () => text.out + text.err,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return closed;
    },
  };
};
