/** Owns the tests' processes: the command run as a user runs it, and a server as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshPostgres, testEngine } from '../../src/lib/test-database.ts';

const command = fileURLToPath(new URL('../../bin/simgate.js', import.meta.url));

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'simgate-test-'));

type Environment = Readonly<Record<string, string>>;

const databases = new Map<string, Promise<string>>();

/** The address of the PostgreSQL database that belongs to a data folder, made when it is first used. */
const urlFor = (dataDir: string): Promise<string> => {
  const known = databases.get(dataDir) ?? freshPostgres().then(({ url }) => url);
  databases.set(dataDir, known);
  return known;
};

/** What tells a process where the database is that belongs to a data folder. */
export const placeOf = async (dataDir: string): Promise<Environment> =>
  testEngine === 'sqlite'
    ? { DATA_DIR: dataDir }
    : { DATA_DIR: dataDir, DATABASE_URL: await urlFor(dataDir) };

const start = async (
  args: readonly string[],
  dataDir: string,
  env: Environment,
): Promise<ChildProcess> => {
  const place = await placeOf(env['DATA_DIR'] ?? dataDir);
  return spawn(process.execPath, [command, ...args], {
    cwd: dataDir,
    env: { PATH: process.env['PATH'], ...place, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

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
  const child = await start(args, dataDir, env);
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
  start(['serve'], dataDir, { PORT: '0', ...env }).then(untilItListens);

/** Starts `simgate simulator` on a free port, with its book in that folder. */
export const simulatorProcess = (folder: string, ...args: readonly string[]): Promise<Served> => {
  const place = ['--port', '0', '--book', join(folder, 'book.jsonl')];
  return start(['simulator', '--json', ...place, ...args], folder, {}).then(untilItListens);
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
