/** Runs programs like a user's shell, without the settings of this checkout or of an npm run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { atEnd } from './steps.ts';

/** A machine's registry settings are its own; all else that npm sets belongs to the run that started us. */
const keptOfNpm = /^npm_config_(registry|userconfig|cache)$/i;
const ours =
  /^(npm_|NODE_(OPTIONS|ENV|PATH|COMPILE_CACHE)$|SIMGATE_|INIT_CWD$|HOST$|PORT$|DATA_DIR$|DATABASE_URL|PUBLIC_URL$)/i;
const ofNpm = /node_modules[\\/]\.bin$|node-gyp-bin$/;

const plainPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((place) => !ofNpm.test(place))
  .join(delimiter);

export const plainEnvironment: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => keptOfNpm.test(name) || !ours.test(name)),
  ),
  PATH: plainPath,
};

export type Place = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
};

const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has ended.
  }
};

export type Started = {
  readonly child: ChildProcess;
  readonly printed: () => string;
  /** Resolves with the exit status. */
  readonly ended: Promise<number>;
};

/** Starts a program in its own process group, which ends with the check at the latest. */
export const start = (file: string, args: readonly string[], { cwd, env = {} }: Place): Started => {
  const child = spawn(file, args, {
    cwd,
    env: { ...plainEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  atEnd(() => killGroup(child, 'SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => (text += part));
  }
  const failed = once(child, 'error').then(([cause]: unknown[]) => {
    throw new Error(`${file} cannot be run.`, { cause });
  });
  const closed = once(child, 'close').then(([status]: unknown[]) => Number(status ?? -1));
  const ended = Promise.race([closed, failed]);
  // A waiting caller gets the failure; without one, it must not end the check.
  ended.catch(() => {});
  return { child, printed: () => text, ended };
};

/** Runs a program to its end; fails with all its output unless it succeeds. */
export const run = async (file: string, args: readonly string[], place: Place): Promise<string> => {
  const { printed, ended } = start(file, args, place);
  const status = await ended;
  if (status === 0) return printed();
  throw new Error(`${file} ${args.join(' ')} ended with ${status}:\n${printed()}`);
};
