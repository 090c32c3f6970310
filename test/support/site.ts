/** Sets up tests of the documentation site in a browser: a built site, a gateway that serves it, and a page. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { buildSite } from '../../site/build.ts';
import { browser, skipped } from './chromium.ts';
import { eventually } from './live.ts';
import { type StartedServer, startServer, type TestOptions } from './server.ts';

export type SiteLook = { readonly dark?: boolean; readonly phone?: boolean };

export type SiteVisit = {
  readonly page: Page;
  readonly server: StartedServer;
  /** Opens a page below `/docs`, and waits until its scripts run. */
  readonly open: (path: string) => Promise<void>;
  /** Types a question into the search, and returns the addresses of the results, the best first. */
  readonly search: (question: string) => Promise<string[]>;
};

const wide = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };

/** Collects what no page may do: request other origins, breach the policy, throw or log errors. */
const watch = (page: Page, origin: string): string[] => {
  const breaches: string[] = [];
  page.on('request', (request: Request) => {
    const url = request.url();
    const { origin: shown } = new URL(request.frame().url());
    const isOwn = [origin, shown].some((one) => url.startsWith(`${one}/`));
    if (!isOwn && !request.isNavigationRequest() && !url.startsWith('data:'))
      breaches.push(`asked ${url}`);
  });
  page.on('pageerror', (error) => void breaches.push(`threw ${error.message}`));
  page.on('console', (message) => {
    // A refusal of the API is an ordinary answer; the browser logs a line for each.
    const isRefusal = message.location().url.includes('/api/');
    if (message.type() === 'error' && !isRefusal) breaches.push(`complained: ${message.text()}`);
  });
  return breaches;
};

const visitOf = (page: Page, server: StartedServer): SiteVisit => {
  const open = async (path: string): Promise<void> => {
    await page.goto(`${server.url}/docs${path}`);
    // Vue marks what it has hydrated.
    const isAlive = (): Promise<boolean> =>
      page.evaluate("document.querySelector('#app')?.__vue_app__ !== undefined");
    await eventually(`${path} runs`, isAlive);
  };
  const search = async (question: string): Promise<string[]> => {
    await page.locator('#local-search button, .VPNavBarSearchButton').first().click();
    const box = page.locator('.VPLocalSearchBox');
    await box.locator('input').fill(question);
    await box.locator('a.result, .no-results').first().waitFor();
    const found: string[] = await page.evaluate(
      "[...document.querySelectorAll('.VPLocalSearchBox a.result')].map((link) => link.getAttribute('href'))",
    );
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    // The box remembers the question, and would show old results before the next search.
    await page.evaluate('sessionStorage.clear()');
    return found;
  };
  return { page, server, open, search };
};

export type SiteUnderTest = {
  readonly test: (name: string, body: (visit: SiteVisit) => Promise<void>, look?: SiteLook) => void;
};

/** One gateway for all tests of a file; a new window for each test. */
export const testSite = (options: TestOptions): SiteUnderTest => {
  let server: StartedServer | undefined;
  before(async () => {
    if (skipped !== false) return;
    await buildSite();
    server = await startServer({ engine: 'sqlite', ...options });
  });
  after(() => server?.stop());
  const run = async (body: (visit: SiteVisit) => Promise<void>, look: SiteLook): Promise<void> => {
    assert.ok(server !== undefined, 'the server is there once the tests have begun');
    const context = await (await browser()).newContext({
      viewport: look.phone === true ? phone : wide,
      colorScheme: look.dark === true ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const breaches = watch(page, server.url);
      await body(visitOf(page, server));
      assert.deepEqual(breaches, []);
    } finally {
      await context.close();
    }
  };
  return {
    test: (name, body, look = {}) => {
      test(name, { skip: skipped }, () => run(body, look));
    },
  };
};
