/** Measures how long a change of page takes in the console, from the click to all of it, with a million purchases. */
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { own as words } from '../console/src/i18n/en/index.ts';
import { findChromium, noChromium } from '../test/support/find-chromium.ts';
import { type Engine, fillOffice, fillPurchases, placeOf } from './console-fill.ts';
import { createHistogram } from './histogram.ts';
import { endAll, newFolder, startGateway } from './resources.ts';

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    purchases: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '10' },
  },
});

const mostMs = 200;

const names = [
  'overview',
  'sales',
  'purchases',
  'clients',
  'invoices',
  'catalogue',
  'priceLists',
  'operators',
  'routes',
  'accounts',
  'audit',
  'settings',
] as const;

/** Opens a page by the menu; returns the milliseconds until its heading and everything below it are there. */
const change = async (page: Page, name: (typeof names)[number]): Promise<number> => {
  const label = words.pages[name];
  const menu = page.getByRole('navigation', { name: words.shell.menu });
  const link = menu.getByRole('link', { name: label });
  const begun = performance.now();
  await link.click();
  await page.getByRole('heading', { level: 1, name: label }).waitFor();
  await page.getByText(words.common.loading).first().waitFor({ state: 'detached' });
  return performance.now() - begun;
};

const bench = async (engine: Engine): Promise<void> => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`There is ${noChromium}.`);
  const folder = newFolder();
  const env = await placeOf(engine, folder);
  const session = await fillOffice(env);
  await fillPurchases(engine, env, Number(options.purchases));
  const gateway = await startGateway(folder, { env });
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  await page.context().addCookies([{ name: 'simgate-admin', value: session, url: gateway.url }]);
  await page.goto(`${gateway.url}/console/`);
  const times = new Map(names.map((name) => [name, createHistogram()]));
  for (let round = -2; round < Number(options.rounds); round += 1) {
    for (const name of names) {
      const took = await change(page, name);
      // The first visits load the page's own script.
      if (round >= 0) times.get(name)?.add(took);
    }
  }
  console.log(`\n${engine}, ${options.purchases} purchases`);
  console.log(`${'milliseconds, with the control of the browser'.padEnd(46)}     p50     max`);
  for (const [name, one] of times) {
    const [half, max] = [one.quantile(0.5), one.max()];
    const isQuick = half < mostMs;
    if (!isQuick) process.exitCode = 1;
    const cells = [half, max].map((ms) => ms.toFixed(1).padStart(7)).join(' ');
    console.log(`${words.pages[name].padEnd(46)} ${cells}${isQuick ? '' : '   TOO SLOW'}`);
  }
  await browser.close();
  await gateway.stop();
};

try {
  for (const engine of ['sqlite', 'postgres'] as const) {
    if (options.engine === undefined || options.engine === engine) await bench(engine);
  }
} finally {
  await endAll();
}
