/** Runs the browser of a test process: started once, closed at its end. */
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { findChromium, noChromium } from './find-chromium.ts';

const executablePath = findChromium();

/** Why no test runs in a browser; false if they do. */
export const skipped: string | false = executablePath === undefined ? noChromium : false;

/** Every test shows other pages, and few of them often: optimizing code and collecting garbage hardly pays. */
const engine = [
  '--no-opt',
  '--no-maglev',
  '--max-lazy',
  '--single-threaded',
  '--min-semi-space-size=32',
  '--initial-old-space-size=512',
];

// Without compositing a page is never painted, and a screenshot would wait forever.
const writesScreenshots = process.env['SIMGATE_WRITE_SCREENSHOTS'] === '1';

let started: Promise<Browser> | undefined;

/** The one browser of this process. */
export const browser = (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error('There is no Chromium.');
  started ??= chromium.launch({
    executablePath,
    // A container gives its root no sandbox; the pages are our own.
    chromiumSandbox: false,
    args: [
      '--disable-dev-shm-usage',
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
      // There is no display: a GPU process would only add communication.
      '--disable-gpu',
      '--in-process-gpu',
      ...(writesScreenshots ? [] : ['--blink-settings=acceleratedCompositingEnabled=false']),
      `--js-flags=${engine.join(' ')}`,
    ],
  });
  return started;
};

after(async () => {
  await (await started)?.close();
});
