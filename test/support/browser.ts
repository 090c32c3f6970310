/** Sets up console tests: a real gateway, a window for each language, and checks that hold on every page. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { createAccount } from '../../src/admin/access/accounts.ts';
import type { Role } from '../../src/admin/access/roles.ts';
import type { Stage } from '../../src/admin/access/session.ts';
import type { AccountRow } from '../../src/admin/access/store.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { command, officeDeps, sessionCookie, tokenOfSession } from './admin.ts';
import { skipped } from './chromium.ts';
import {
  beginning,
  closeWindow,
  enter,
  goTo,
  isLoadedFrom,
  type Language,
  languages,
  leaveNothing,
  leaveSession,
  phone,
  type Window,
  type Words,
  watch,
  wide,
  windowFor,
  wordsOf,
} from './console-window.ts';
import { frontDoor } from './front-door.ts';
import { takePicture } from './picture.ts';
import { root } from './selection.ts';
import { type StartedServer, startServer, type TestOptions } from './server.ts';

export { beginning, type Language, languages, type Words, wordsOf } from './console-window.ts';

export type Look = {
  readonly language?: Language;
  readonly dark?: boolean;
  readonly phone?: boolean;
};

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The file's gateway, at the address that all gateways of the process share. */
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
  /** Stores something in the browser, before a page is opened that reads it. */
  readonly store: (key: string, text: string) => Promise<void>;
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
  const atDoor = async (): Promise<StartedServer> => {
    const { port, forwardTo } = await frontDoor();
    forwardTo(server().url);
    return { ...server(), url: `http://${options.host ?? '127.0.0.1'}:${port}` };
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
    window: Window,
    shown: StartedServer,
    diagnostic: Visit['diagnostic'],
  ): Visit => {
    const { page, context, language } = window;
    const { url } = shown;
    const open = async (path: string): Promise<void> => {
      await page.goto(`${url}/console${path}`);
    };
    const store = async (key: string, text: string): Promise<void> => {
      // Else there is no page of this gateway yet: one where nothing runs.
      if (!isLoadedFrom(window, url)) await open('/icon.svg');
      await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(text)})`);
    };
    const missing = page.getByRole('heading', { name: wordsOf(language).shell.notFound });
    const go = async (path: string): Promise<void> => {
      await goTo(page, '/nothing');
      await missing.waitFor();
      await goTo(page, path);
      await missing.waitFor({ state: 'detached' });
    };
    const signInTo = async (
      account: AccountRow,
      path = '/',
      stage: Stage = 'full',
    ): Promise<void> => {
      const value = await tokenOfSession(adminDeps(server(), clock), account, stage);
      const isFree = isLoadedFrom(window, url) && (await leaveSession(window));
      await context.addCookies([{ name: sessionCookie, value, url }]);
      if (isFree) await enter(window, path);
      else await open(path);
    };
    const signIn: Visit['signIn'] = async (role, path, stage) =>
      signInTo(await accountOf(role), path, stage);
    return {
      page,
      context,
      server: shown,
      words: wordsOf(language),
      language,
      accountOf,
      signIn,
      signInTo,
      open,
      go,
      store,
      diagnostic,
    };
  };

  const inContext = async (body: Body, look: Look, t: TestContext): Promise<void> => {
    const { language = 'en', dark = false, phone: small = false } = look;
    const window = await windowFor(language);
    const { page } = window;
    await page.setViewportSize(small ? phone : wide);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    const breaches: string[] = [];
    const shown = await atDoor();
    const stopWatching = watch(page, shown.url, breaches);
    try {
      await body(visitIn(window, shown, (line) => t.diagnostic(line)));
      assert.deepEqual(breaches, []);
      await leaveNothing(window);
    } catch (error) {
      console.log(`${page.url()} when it failed:\n${await seenOn(page)}`, breaches);
      await closeWindow(window);
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
