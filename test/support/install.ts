/** Installs the dependencies of a private package beside the workspace, once for all test processes. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** npm writes this file last. */
const isInstalled = (folder: string): boolean =>
  timeOf(join(folder, 'node_modules/.package-lock.json')) >=
  timeOf(join(folder, 'package-lock.json'));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Whether this process got the lock. One that a dead process left is removed. */
const takeLock = (lock: string): boolean => {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch {
    const age = Date.now() - timeOf(lock);
    const holder = Number(age > 1000 ? readPid(lock) : process.pid);
    if (!isAlive(holder)) rmSync(lock, { recursive: true, force: true });
    return false;
  }
};

const readPid = (lock: string): string => {
  try {
    return readFileSync(join(lock, 'pid'), 'utf8');
  } catch {
    return '';
  }
};

const install = async (folder: string): Promise<void> => {
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    maxBuffer: 2 ** 26,
  });
};

/** Runs `npm ci` in a folder if its packages are missing or older than its lock file. */
export const ensureInstalled = async (folder: string): Promise<void> => {
  const lock = join(folder, '.installing');
  while (!isInstalled(folder)) {
    if (!takeLock(lock)) {
      await sleep(250);
      continue;
    }
    try {
      if (!isInstalled(folder)) await install(folder);
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
};
