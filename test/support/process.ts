/** Runs the tests' processes: commands as a user runs them, and servers as their own processes. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Value } from 'typebox/value';
import { v8Flags } from '../../bin/v8-flags.js';
import { briefFlags } from './brief-flags.ts';
import { killWithTest } from './child.ts';
import { type CommandTask, type Finished, FinishedSchema } from './command-runner.ts';
import { freshPostgres, testEngine } from './database.ts';
import { inherited } from './environment.ts';

export type { Finished } from './command-runner.ts';

const command = fileURLToPath(new URL('../../bin/simgate.js', import.meta.url));

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'simgate-test-'));

type Environment = Readonly<Record<string, string>>;

const databases = new Map<string, Promise<string>>();

/** The address of a data folder's PostgreSQL database, created on first use. */
const urlFor = (dataDir: string): Promise<string> => {
  const known = databases.get(dataDir) ?? freshPostgres().then(({ url }) => url);
  databases.set(dataDir, known);
  return known;
};

/** The environment with the location of a data folder's database. */
export const placeOf = async (dataDir: string): Promise<Environment> =>
  testEngine === 'sqlite'
    ? { DATA_DIR: dataDir }
    : { DATA_DIR: dataDir, DATABASE_URL: await urlFor(dataDir) };

/** The program of the command: this one by default. */
export type Program = readonly [file: string, ...args: string[]];

/** With its memory flags from the beginning, it need not re-execute itself. */
export const thisProgram: Program = [process.execPath, ...v8Flags, command];

/** For processes that live a few seconds, as most of them do. */
const briefly: Program = [process.execPath, ...v8Flags, ...briefFlags, command];

/** The same in a shell that stays beside it, as with npx. */
export const inShell: Program = ['sh', '-c', '"$0" "$@"; exit $?', ...briefly];

const start = async (
  args: readonly string[],
  dataDir: string,
  env: Environment,
  [file, ...before]: Program = briefly,
): Promise<ChildProcess> => {
  const place = await placeOf(env['DATA_DIR'] ?? dataDir);
  const child = spawn(file, [...before, ...args], {
    cwd: dataDir,
    env: { ...inherited, ...place, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  killWithTest(child);
  return child;
};

const running = new Set<ChildProcess>();

/** Kills what still runs, outside of tests. */
export const endProcesses = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

const collect = (child: ChildProcess): { out: string; err: string } => {
  const text = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text.out += part));
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (text.err += part));
  return text;
};

/** Runs `simgate ...` to its end on a data folder, in its own process. */
export const simgateProcess = async (
  dataDir: string,
  args: readonly string[],
  env: Environment = {},
  program?: Program,
): Promise<Finished> => {
  const child = await start(args, dataDir, env, program);
  const text = collect(child);
  const closed: unknown[] = await once(child, 'close');
  return { status: Number(closed[0]), ...text };
};

const runnerFile = fileURLToPath(new URL('./command-runner.ts', import.meta.url));

/** Processes that wait for a command; they end with this one. */
const idle: ChildProcess[] = [];

const startRunner = (): ChildProcess => {
  // Those of this process are about tests.
  const runner = fork(runnerFile, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  runner.unref();
  runner.channel?.unref();
  return runner;
};

/** Their report about a command. */
const runIn = (runner: ChildProcess, task: CommandTask): Promise<Finished> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      runner.channel?.unref();
      runner.removeAllListeners('message').removeAllListeners('exit');
    };
    runner.channel?.ref();
    runner.once('exit', (status) => reject(new Error(`A command ended its runner: ${status}.`)));
    runner.once('message', (message: unknown) => {
      end();
      if (Value.Check(FinishedSchema, message)) resolve(message);
      else reject(new Error('A runner said something else than how a command ended.'));
    });
    runner.send(task);
  });

/** Commands that handle signals, or may leave something open on failure, get their own process. */
const isServer = ([name = '']: readonly string[]): boolean => ['serve', 'simulator'].includes(name);

/**
 * Runs `simgate ...` to its end on a data folder, in a process that is kept for the next command: starting is
 * most of a command's cost. A server may run this way if its arguments are wrong.
 */
export const simgateKept = async (
  dataDir: string,
  args: readonly string[],
  env: Environment = {},
): Promise<Finished> => {
  const place = await placeOf(env['DATA_DIR'] ?? dataDir);
  const runner = idle.pop() ?? startRunner();
  const path = { PATH: process.env['PATH'] ?? '' };
  const finished = await runIn(runner, {
    args: [...args],
    cwd: dataDir,
    env: { ...path, ...place, ...env },
  });
  idle.push(runner);
  return finished;
};

/** Runs `simgate ...` to its end on a data folder, in the cheapest suitable way. */
export const simgate = (
  dataDir: string,
  args: readonly string[],
  env: Environment = {},
): Promise<Finished> => (isServer(args) ? simgateProcess : simgateKept)(dataDir, args, env);

export type Served = {
  readonly url: string;
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly printed: () => string;
  /** Asks it to stop and waits for its exit; returns the status. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number>;
};

/** Starts `simgate serve` on a free port and waits until it listens. */
export const serveProcess = (
  dataDir: string,
  env: Environment = {},
  program?: Program,
): Promise<Served> =>
  start(['serve'], dataDir, { PORT: '0', ...env }, program).then(untilItListens);

export type Launched = Pick<Served, 'child' | 'printed'> & {
  /** Resolves with the exit status when no process holds its output any more. */
  readonly closed: Promise<number>;
};

/** Starts `simgate ...` without waiting. */
export const launch = async (
  dataDir: string,
  args: readonly string[],
  env: Environment = {},
  program: Program = thisProgram,
): Promise<Launched> => {
  const child = await start(args, dataDir, env, program);
  const text = collect(child);
  const closed = once(child, 'close').then((ended: unknown[]) => Number(ended[0] ?? -1));
  return { child, printed: () => text.out + text.err, closed };
};

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
