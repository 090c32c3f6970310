/** Installs a folder's packages if they are missing or older than its lock file. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { whileLocked } from './file-lock.ts';

const changedAt = (file: string): number =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;

/** npm writes its own lock file into node_modules last. */
const isInstalled = (folder: string): boolean =>
  changedAt(join(folder, 'node_modules/.package-lock.json')) >=
  changedAt(join(folder, 'package-lock.json'));

/** Runs `npm ci` in the folder if needed; one process at a time. */
export const ensureInstalled = async (folder: string): Promise<void> => {
  if (isInstalled(folder)) return;
  await whileLocked(join(folder, '.install.lock'), () => {
    if (isInstalled(folder)) return;
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
};
