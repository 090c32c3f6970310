/** Owns the browser of the tests: finds a Chromium, has Debian install one where it can, and starts it once. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const find = (): string | undefined => {
  const { CHROMIUM_PATH: told, PATH = '' } = process.env;
  const places = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...(told === undefined ? [] : [told]), ...places].find(isExecutable);
};

const canInstall = (): boolean => existsSync('/etc/debian_version') && process.getuid?.() === 0;

/** As Debian does it; what it prints is shown only where it fails. */
const install = (): void => {
  console.log('No Chromium was found: Debian is asked for one, once.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) {
      console.log(`apt-get ${args.join(' ')} failed: ${stderr.trim()}`);
      return;
    }
  }
};

const findOrInstall = (): string | undefined => {
  const found = find();
  if (found !== undefined || !canInstall()) return found;
  install();
  return find();
};

const executablePath = findOrInstall();

/** Why no test runs in a browser; false where they do. */
export const skipped: string | false =
  executablePath === undefined ? 'no Chromium: set CHROMIUM_PATH, or install one' : false;

if (skipped !== false) {
  console.log(`\n${'!'.repeat(80)}\nNOT TESTED IN A BROWSER: ${skipped}.\n${'!'.repeat(80)}\n`);
}

let started: Promise<Browser> | undefined;

/** The one browser of this process. */
export const browser = (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error('There is no Chromium.');
  started ??= chromium.launch({
    executablePath,
    // A container gives its root no sandbox; the pages are our own.
    chromiumSandbox: false,
    args: ['--disable-dev-shm-usage', '--force-color-profile=srgb', '--font-render-hinting=none'],
  });
  return started;
};

after(async () => {
  await (await started)?.close();
});
