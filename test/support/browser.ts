/** Sets up console tests: a real gateway, a window for each language, and checks that hold on every page. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import { own as english } from '../../console/src/i18n/en/index.ts';
import { own as persian } from '../../console/src/i18n/fa/index.ts';
import type { Same } from '../../console/src/i18n/same.ts';
import { createAccount } from '../../src/admin/access/accounts.ts';
import type { Role } from '../../src/admin/access/roles.ts';
import type { Stage } from '../../src/admin/access/session.ts';
import type { AccountRow } from '../../src/admin/access/store.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { command, officeDeps, sessionCookie, tokenOfSession } from './admin.ts';
import { browser, skipped } from './chromium.ts';
import { takePicture } from './picture.ts';
import { root } from './selection.ts';
import { type StartedServer, startServer, type TestOptions } from './server.ts';

export const languages = ['en', 'fa'] as const;
export type Language = (typeof languages)[number];
export type Words = Same<typeof english>;

/** The texts of a language. */
export const wordsOf = (language: Language): Words => (language === 'fa' ? persian : english);

/** The start time of every console test, so that screenshots look the same. */
export const beginning = Date.parse('2026-01-31T09:30:00Z');

const wide = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };

export type Look = {
  readonly language?: Language;
  readonly dark?: boolean;
  readonly phone?: boolean;
};

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly server: StartedServer;
  readonly words: Words;
  readonly language: Language;
  /** An account of a role, created once per test file, called `the-ROLE`. */
  readonly accountOf: (role: Role) => Promise<AccountRow>;
  /** Signs in without the form, completely or up to the code, and opens a page of the console. */
  readonly signIn: (role: Role, path?: string, stage?: Stage) => Promise<void>;
  /** The same with an account that the test has created. */
  readonly signInTo: (account: AccountRow, path?: string, stage?: Stage) => Promise<void>;
  /** Opens a page of the console in the current session. */
  readonly open: (path: string) => Promise<void>;
  /**
   * Goes to another page as a link does: loading the console costs ten times as much. Nothing of the page
   * before is left.
   */
  readonly go: (path: string) => Promise<void>;
  /** Prints a line with the results. */
  readonly diagnostic: (line: string) => void;
};

/** A clock that runs on from the start time, like the system's. */
const clockFromBeginning = (): Clock => {
  const started = systemClock.monotonic();
  const now = (): number => beginning + Math.floor(systemClock.monotonic() - started);
  return { ...systemClock, now };
};

const adminDeps = (server: StartedServer, clock: Clock) => ({
  ...officeDeps(server, clock),
  // Ids sort by time: these too need the server's time.
  newId: uuidV7(clock, systemRandom),
});

/**
 * Collects what no page may do: request other origins, breach the policy, throw, log errors; until the
 * returned function is called.
 */
const watch = (page: Page, origin: string, breaches: string[]): (() => void) => {
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

type Window = { readonly context: BrowserContext; readonly page: Page };

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
  return { context, page };
};

const windowFor = (language: Language): Promise<Window> => {
  const window = windows.get(language) ?? openWindow(language);
  windows.set(language, window);
  return window;
};

/** The events that tests listen to on a page. */
const heard = ['request', 'response', 'requestfinished', 'requestfailed'] as const;

/** Resets everything for the next test: session, language, theme, permissions, routes, listeners. */
const leaveNothing = async ({ context, page }: Window): Promise<void> => {
  for (const event of heard) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // The pointer must not cause hover effects.
  await page.mouse.move(0, 0);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  // Nothing runs there, and what was loaded from the gateway stays in memory.
  await page.goto(new URL('/console/icon.svg', page.url()).href);
  await context.clearCookies();
  await context.clearPermissions();
};

/** Fails if the page is wider than the screen. */
export const assertNoSideways = async (page: Page): Promise<void> => {
  const [content, screen]: [number, number] = await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  assert.ok(content <= screen, `${page.url()}: ${content} wide on a screen of ${screen}`);
};

/** Adds a filter to a list by its menu, and waits until it is set. */
export const addFilter = async (
  { page, words }: Visit,
  label: string,
  option: string,
): Promise<void> => {
  await page.getByRole('button', { name: words.common.addFilter, exact: true }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
  await page.getByRole('menuitemradio', { name: option, exact: true }).click();
  await page
    .getByRole('button', { name: words.common.removeFilter.replace('%{name}', label) })
    .waitFor();
};

const writing = process.env['SIMGATE_WRITE_SCREENSHOTS'] === '1';
const pictures = join(root, 'docs', 'console');

/** Writes a picture for the docs, on request; `npm run photos` takes those of whole pages as they are. */
export const screenshot = async (page: Page, name: string): Promise<void> => {
  if (!writing) return;
  await takePicture(page, join(pictures, `${name}.webp`));
};

/** The text that a page shows. */
const seenOn = (page: Page): Promise<string> =>
  page
    .locator('body')
    .ariaSnapshot()
    .catch((error: unknown) => String(error));

/** Set by test/run.ts. */
const isWholeRun = process.env['SIMGATE_TEST_RUN'] === 'whole';

type Body = (visit: Visit) => Promise<void>;

/** Tests that share what is created before the first of them. */
export const sharing = <Seeded>(seed: () => Promise<Seeded>) => {
  let seeded: Promise<Seeded> | undefined;
  return (body: (visit: Visit, seeded: Seeded) => Promise<void>): Body =>
    async (visit) => {
      seeded ??= seed();
      await body(visit, await seeded);
    };
};

export type ConsoleUnderTest = {
  /** The server of this file, once its tests have begun. */
  readonly server: () => StartedServer;
  readonly clock: Clock;
  /** What the back office's use-cases need, for setup. */
  readonly admin: () => ReturnType<typeof adminDeps>;
  /** One test, isolated from the previous one. */
  readonly test: (name: string, body: Body, look?: Look) => void;
  /** The same in both languages: by default English in light mode, Persian in dark mode. */
  readonly inBoth: (name: string, body: Body, look?: Omit<Look, 'language'>) => void;
  /**
   * For tests whose words alone differ by language: once in a whole run, alternating languages; in both if
   * the browser tests run alone.
   */
  readonly inTurn: (name: string, body: Body) => void;
};

/** One gateway for all tests of a file. */
export const testConsole = (options: TestOptions = {}): ConsoleUnderTest => {
  const clock = options.clock ?? clockFromBeginning();
  const accounts = new Map<Role, Promise<AccountRow>>();
  let started: StartedServer | undefined;
  const server = (): StartedServer => {
    assert.ok(started !== undefined, 'the server is there once the tests have begun');
    return started;
  };
  before(async () => {
    if (skipped === false) started = await startServer({ engine: 'sqlite', ...options, clock });
  });
  after(() => started?.stop());

  const accountOf = (role: Role): Promise<AccountRow> => {
    const account =
      accounts.get(role) ??
      createAccount(adminDeps(server(), clock), command, { name: `the-${role}`, role }).then(
        (made) => made.account,
      );
    accounts.set(role, account);
    return account;
  };

  const visitIn = (
    { page, context }: Window,
    language: Language,
    diagnostic: Visit['diagnostic'],
  ): Visit => {
    const open = async (path: string): Promise<void> => {
      await page.goto(`${server().url}/console${path}`);
    };
    const push = (path: string): Promise<void> =>
      page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(`/console${path}`)}), dispatchEvent(new PopStateEvent('popstate'))`,
      );
    const missing = page.getByRole('heading', { name: wordsOf(language).shell.notFound });
    const go = async (path: string): Promise<void> => {
      await push('/nothing');
      await missing.waitFor();
      await push(path);
      await missing.waitFor({ state: 'detached' });
    };
    const signInTo = async (
      account: AccountRow,
      path = '/',
      stage: Stage = 'full',
    ): Promise<void> => {
      const value = await tokenOfSession(adminDeps(server(), clock), account, stage);
      await context.addCookies([{ name: sessionCookie, value, url: server().url }]);
      await open(path);
    };
    const signIn: Visit['signIn'] = async (role, path, stage) =>
      signInTo(await accountOf(role), path, stage);
    return {
      page,
      context,
      server: server(),
      words: wordsOf(language),
      language,
      accountOf,
      signIn,
      signInTo,
      open,
      go,
      diagnostic,
    };
  };

  const inContext = async (body: Body, look: Look, t: TestContext): Promise<void> => {
    const { language = 'en', dark = false, phone: small = false } = look;
    const window = await windowFor(language);
    const { context, page } = window;
    await page.setViewportSize(small ? phone : wide);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    const breaches: string[] = [];
    const stopWatching = watch(page, server().url, breaches);
    try {
      await body(visitIn(window, language, (line) => t.diagnostic(line)));
      assert.deepEqual(breaches, []);
      await leaveNothing(window);
    } catch (error) {
      console.log(`${page.url()} when it failed:\n${await seenOn(page)}`, breaches);
      windows.delete(language);
      await context.close();
      throw error;
    } finally {
      stopWatching();
    }
  };

  const one = (name: string, body: Body, look: Look = {}): void => {
    test(name, { skip: skipped }, (t) => inContext(body, look, t));
  };
  const inEach = (
    wanted: readonly Language[],
    name: string,
    body: Body,
    look: Omit<Look, 'language'> = {},
  ): void => {
    for (const language of wanted) {
      one(`${name} (${language})`, body, { dark: language === 'fa', ...look, language });
    }
  };
  let turns = 0;
  return {
    server,
    clock,
    admin: () => adminDeps(server(), clock),
    test: one,
    inBoth: (name, body, look) => inEach(languages, name, body, look),
    inTurn: (name, body) => {
      turns += 1;
      const language = languages[turns % languages.length] ?? 'en';
      inEach(isWholeRun ? [language] : languages, name, body);
    },
  };
};
