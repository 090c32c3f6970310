/** Finds the browser for the tests: configured, on the PATH, or installed from Debian once a run. */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Debian's Chromium without windows: the same pages in two thirds of the time. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The executable; undefined if there is none. */
export const findChromium = (): string | undefined => {
  const { CHROMIUM_PATH: told, PATH = '' } = process.env;
  const folders = PATH.split(delimiter);
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(told === undefined ? [] : [told]), ...places].find(isExecutable);
};

const canInstall = (): boolean => existsSync('/etc/debian_version') && process.getuid?.() === 0;

/** As Debian does it; its output is shown only on failure. */
const install = async (): Promise<void> => {
  console.log('No Chromium was found: Debian is asked for one, once.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', shell]]) {
    try {
      await promisify(execFile)('apt-get', args, { env, maxBuffer: 2 ** 26 });
    } catch (error) {
      console.log(String(error));
      return;
    }
  }
};

/** Why no test runs in a browser. */
export const noChromium = 'no Chromium: set CHROMIUM_PATH, or install one';

/** Before the first browser test: installs one if none is found, and fails loudly if that is impossible. */
export const ensureChromium = async (): Promise<void> => {
  if (findChromium() === undefined && canInstall()) await install();
  if (findChromium() !== undefined) return;
  const line = '!'.repeat(80);
  console.log(`\n${line}\nNOT TESTED IN A BROWSER: ${noChromium}.\n${line}\n`);
};
