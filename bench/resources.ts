/** Tracks the processes and folders that a bench creates, and removes all of them at its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { durable, startPostgres, type TestPostgres } from '../test/support/postgres.ts';
import { endProcesses } from '../test/support/process.ts';
import type { Answers } from './bare.ts';

const folders: string[] = [];
const children = new Set<ChildProcess>();
let database: Promise<TestPostgres> | undefined;

export const newFolder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'simgate-bench-'));
  folders.push(made);
  return made;
};

// Linux's names for in-memory file systems.
const tmpfs = 0x01021994;

/** Whether the bench's folders are in memory, where disk writes cost nothing. */
export const isInMemory = (): boolean => statfsSync(tmpdir()).type === tmpfs;

/** Ensures that a process ends with the bench. */
export const track = <Child extends ChildProcess>(child: Child): Child => {
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
};

/** One PostgreSQL for all workloads that need it: acknowledged commits are on the disk. */
export const postgres = (): Promise<TestPostgres> => {
  database ??= startPostgres({ ...durable, synchronous_commit: 'on' });
  return database;
};

const endNow = async (): Promise<void> => {
  endProcesses();
  for (const child of children) child.kill('SIGKILL');
  await database?.then(
    ({ remove }) => remove(),
    () => {},
  );
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};

let ending: Promise<void> | undefined;

/** Runs once: at the end of the run, or when it is interrupted. */
export const endAll = (): Promise<void> => {
  ending ??= endNow();
  return ending;
};

export type Running = {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
};

const patienceMs = 60_000;

/** Waits until a process has logged where it listens. */
const untilItListens = async (child: ChildProcess, log: string): Promise<Running> => {
  const closed = once(child, 'close');
  const urlIn = (): string | undefined =>
    /"url":"(http:[^"]+)"/.exec(readFileSync(log, 'utf8'))?.[1];
  const end = performance.now() + patienceMs;
  for (;;) {
    const url = urlIn();
    if (url !== undefined) {
      return {
        url,
        pid: child.pid ?? 0,
        stop: async () => {
          child.kill('SIGTERM');
          await closed;
        },
      };
    }
    if (child.exitCode !== null || performance.now() > end) {
      throw new Error(`A server did not start: ${readFileSync(log, 'utf8')}`);
    }
    await rest(20);
  }
};

type Started = {
  readonly script: string;
  readonly args?: readonly string[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
};

/** Starts a server. Its log goes to a file, like a service's: reading it here would affect the measurement. */
export const startScript = (started: Started): Promise<Running> => {
  const { script, args = [], folder, env = {}, input = '' } = started;
  const file = join(folder, 'log');
  const log = openSync(file, 'a');
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  track(child).stdin?.end(input);
  return untilItListens(child, file);
};

const command = '../bin/simgate.js';

/** The environment of every measured gateway: as in production, with its log on. */
// All logs and metrics are on.
const gatewayEnv = {
  PORT: '0',
  SIMGATE_DEMO: 'off',
  LOG_LEVEL: 'info',
  METRICS_TOKEN: randomBytes(24).toString('hex'),
} as const;

/** `simgate serve` on a data folder, with additional settings. */
export const startGateway = (
  folder: string,
  more: { readonly env?: Readonly<Record<string, string>>; readonly args?: readonly string[] } = {},
): Promise<Running> =>
  startScript({
    script: command,
    args: ['serve', ...(more.args ?? [])],
    folder,
    env: { ...gatewayEnv, DATA_DIR: folder, ...more.env },
  });

/** `simgate simulator`, whose operators take that long for an order. */
export const startSimulator = (orderMs: number): Promise<Running> => {
  const folder = newFolder();
  const book = join(folder, 'book.jsonl');
  const faults = ['--delay', String(orderMs), '--only', 'orders'];
  const args = ['simulator', '--json', '--port', '0', '--book', book, ...faults];
  return startScript({ script: command, args, folder });
};

export const startBare = (answers: Answers): Promise<Running> =>
  startScript({ script: './bare.ts', folder: newFolder(), input: JSON.stringify(answers) });
