/** Opens a window of the browser for each language, and leaves nothing in it from one test to the next. */
import { setTimeout as rest } from 'node:timers/promises';
import type { BrowserContext, ConsoleMessage, Locator, Page, Request } from 'playwright-core';
import { own as english } from '../../console/src/i18n/en/index.ts';
import { own as persian } from '../../console/src/i18n/fa/index.ts';
import type { Same } from '../../console/src/i18n/same.ts';
import { browser } from './chromium.ts';

export const languages = ['en', 'fa'] as const;
export type Language = (typeof languages)[number];
export type Words = Same<typeof english>;

/** The texts of a language. */
export const wordsOf = (language: Language): Words => (language === 'fa' ? persian : english);

/** The start time of every console test, so that screenshots look the same. */
export const beginning = Date.parse('2026-01-31T09:30:00Z');

export const wide = { width: 1280, height: 800 };
export const phone = { width: 360, height: 740 };

/**
 * Collects what no page may do: request other origins, breach the policy, throw, log errors; until the
 * returned function is called.
 */
export const watch = (page: Page, origin: string, breaches: string[]): (() => void) => {
  const asked = (request: Request): void => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url))
      breaches.push(`asked ${url}`);
  };
  const threw = (error: Error): void => {
    breaches.push(`threw ${error.message}`);
  };
  const said = (message: ConsoleMessage): void => {
    // A refusal of the API is an ordinary answer; the browser logs a line for each.
    const refused = message.location().url.includes('/admin/api/');
    if (message.type() === 'error' && !refused) breaches.push(`complained: ${message.text()}`);
    if (/Content Security Policy/i.test(message.text())) breaches.push(message.text());
  };
  page.on('request', asked);
  page.on('pageerror', threw);
  page.on('console', said);
  return () => {
    page.off('request', asked);
    page.off('pageerror', threw);
    page.off('console', said);
  };
};

export type Window = {
  readonly language: Language;
  readonly context: BrowserContext;
  readonly page: Page;
  /** The requests that have not ended. */
  readonly requests: Set<Request>;
};

/** One for each language: opening a window costs the browser more than a whole test in it. */
const windows = new Map<Language, Promise<Window>>();

const openWindow = async (language: Language): Promise<Window> => {
  const context = await (await browser()).newContext({
    viewport: wide,
    locale: language === 'fa' ? 'fa-IR' : 'en-GB',
    timezoneId: 'Asia/Tehran',
  });
  await context.clock.setFixedTime(beginning);
  const page = await context.newPage();
  // Long enough for a busy machine; anything faster does not wait.
  page.setDefaultTimeout(30_000);
  const requests = new Set<Request>();
  context.on('request', (request) => requests.add(request));
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
  return { language, context, page, requests };
};

export const windowFor = (language: Language): Promise<Window> => {
  const window = windows.get(language) ?? openWindow(language);
  windows.set(language, window);
  return window;
};

export const closeWindow = async ({ language, context }: Window): Promise<void> => {
  windows.delete(language);
  await context.close();
};

/** Goes to another page of the console as a link does. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(`/console${path}`)}), dispatchEvent(new PopStateEvent('popstate'))`,
  );

const isInConsole = (page: Page): boolean =>
  /^\/console(?!\/icon)/.test(new URL(page.url()).pathname);

const headingOf = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Shows a page that needs no session. */
const show = async ({ page }: Window, path: string, heading: string): Promise<void> => {
  await goTo(page, path);
  await headingOf(page, heading).waitFor();
};

/** The page before may lead there by itself meanwhile, if its session has ended: no other page is as safe. */
const showSignIn = (window: Window): Promise<void> =>
  show(window, '/login', wordsOf(window.language).signIn.title);

// Answers to what the page before has asked come at once, or not at all.
const tries = 100;

/**
 * Leaves the session by the sign-in page, which clears all that it left in the page. Returns false if a request of
 * the page before is still open.
 */
export const leaveSession = async (window: Window): Promise<boolean> => {
  const { page, context, language, requests } = window;
  // Opened again, it reads again what it shows.
  if (new URL(page.url()).pathname === '/console/login') {
    await show(window, '/setup', wordsOf(language).signIn.setupTitle);
  }
  await showSignIn(window);
  await context.clearCookies();
  for (let left = tries; left > 0 && requests.size > 0; left -= 1) await rest(10);
  return requests.size === 0;
};

/** Goes from the sign-in page to another one. */
export const enter = async ({ page, language }: Window, path: string): Promise<void> => {
  const { title } = wordsOf(language).signIn;
  await goTo(page, path);
  await headingOf(page, title).waitFor({ state: 'detached' });
};

export const isLoadedFrom = ({ page }: Window, url: string): boolean =>
  page.url().startsWith(`${url}/`) && isInConsole(page);

/** The events that tests listen to on a page. */
const heard = ['request', 'response', 'requestfinished', 'requestfailed'] as const;

/** The console remembers these for as long as it is loaded. */
const remembered = `Object.keys(localStorage).some((key) => /^simgate\\.(console|account)/.test(key))`;

/** Resets everything for the next test: session, language, theme, permissions, routes, listeners. */
export const leaveNothing = async (window: Window): Promise<void> => {
  const { page, context, requests } = window;
  for (const event of heard) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // The pointer must not cause hover effects.
  await page.mouse.move(0, 0);
  if (isInConsole(page) && !(await page.evaluate<boolean>(remembered))) await showSignIn(window);
  else {
    // Nothing runs there, and what was loaded from the gateway stays in memory.
    await page.goto(new URL('/console/icon.svg', page.url()).href);
    requests.clear();
  }
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await context.clearCookies();
  await context.clearPermissions();
};
