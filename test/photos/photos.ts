/** Photographs every page of the console: both languages, light and dark, wide and on a phone. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { State } from '../../src/purchases/purchase.ts';
import { sessionCookie, tokenOfSession } from '../support/admin.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, type Language, languages, wordsOf } from '../support/browser.ts';
import { browser } from '../support/chromium.ts';
import { takePicture, takeWholePicture } from '../support/picture.ts';
import { root } from '../support/selection.ts';
import { type Filled, fillShop, shownAt } from './shop.ts';

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
type Size = keyof typeof sizes;

type Look = { readonly language: Language; readonly dark: boolean; readonly size: Size };

const looks: readonly Look[] = languages.flatMap((language) =>
  [false, true].flatMap((dark) =>
    (['wide', 'phone'] as const).map((size) => ({ language, dark, size })),
  ),
);

/** What the repository keeps besides wide light ones. */
const alsoKept = new Set([
  'overview-en-dark',
  'overview-fa-dark',
  'overview-en-phone',
  'overview-fa-phone',
  'purchases-en-phone',
  'purchases-fa-phone',
]);

const pictureOf = (name: string, { language, dark, size }: Look) => {
  const parts = [name, language, ...(dark ? ['dark'] : []), ...(size === 'phone' ? ['phone'] : [])];
  const full = parts.join('-');
  const isKept = (size === 'wide' && !dark) || alsoKept.has(full);
  return { isKept, file: `${full}.webp` };
};

/** The names of the pages to photograph; all of them if there is none. */
const wanted = new Set((process.env['SIMGATE_PHOTOS'] ?? '').split(' ').filter(Boolean));

let filled: Filled | undefined;
let session = '';

const shop = (): Filled => filled ?? assert.fail('the shop is open before the first picture');

before(async () => {
  filled = await fillShop();
  const { deps, account } = filled.office;
  session = await tokenOfSession(deps, account('owner'));
});
after(() => filled?.server.stop());

/** The newest purchase in a state, of the client that has webhooks. */
const purchaseIn = async (state: State): Promise<string> => {
  const { server, clients } = shop();
  const { id } = await server.deps.db
    .selectFrom('purchases')
    .select('id')
    .where('state', '=', state)
    .where('client_id', '=', clients[0]?.id ?? '')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return id;
};

/** The pages by the names of their pictures. */
const pages = async (): Promise<Readonly<Record<string, string>>> => {
  const { clients, hooks } = shop();
  const [client] = clients;
  const webhooks = `/clients/${client?.id}?tab=webhooks`;
  return {
    overview: '/overview',
    sales: '/sales',
    purchases: '/purchases',
    purchase: `/purchases/${await purchaseIn('succeeded')}`,
    'purchase-failed': `/purchases/${await purchaseIn('failed')}`,
    clients: '/clients',
    client: `/clients/${client?.id}`,
    'client-money': `/clients/${client?.id}?tab=money`,
    'client-rules': `/clients/${client?.id}?tab=rules`,
    'client-tokens': `/clients/${client?.id}?tab=tokens`,
    'client-webhooks': webhooks,
    'client-messages': `${webhooks}&endpoint=${hooks.failingId}`,
    'client-message': `${webhooks}&endpoint=${hooks.failingId}`,
    'client-contact': `/clients/${client?.id}?tab=contact`,
    catalogue: '/catalogue',
    product: '/catalogue/products/1008',
    'product-edit': '/catalogue/products/1008/edit',
    'catalogue-categories': '/catalogue/categories',
    prices: '/catalogue/prices',
    import: '/catalogue/import',
    operators: '/operators',
    'supplier-new': '/operators',
    operator: '/operators/1',
    routes: '/routes',
    'routes-import': '/routes/import',
    invoices: '/invoices',
    invoice: '/invoices/1',
    'price-lists': '/price-lists',
    'price-list': '/price-lists/2',
    'price-list-version': '/price-lists/2/version?of=2',
    accounts: '/accounts',
    audit: '/audit',
    settings: '/settings',
    'own-account': '/me',
    design: '/design',
  };
};

/** Pages that are shown with a dialog, by the button that opens it. */
const opened: Readonly<Record<string, (page: Page) => Locator>> = {
  'client-message': (page) => page.getByRole('button', { name: 'msg_' }).first(),
  // The only action of the page's header, in either language.
  'supplier-new': (page) => page.locator('main button.MuiButton-contained'),
};

const openContext = async ({ language, dark, size }: Look): Promise<BrowserContext> => {
  const context = await (await browser()).newContext({
    viewport: sizes[size],
    locale: language === 'fa' ? 'fa-IR' : 'en-GB',
    timezoneId: 'Asia/Tehran',
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  await context.clock.setFixedTime(shownAt);
  await context.addInitScript(`
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  return context;
};

const mostShift = 0.05;

/** On a wide screen no table scrolls sideways. The compiler does not know the browser's types here. */
const tooWide = `[...document.querySelectorAll('table')]
  .filter((table) => table.clientWidth > table.parentElement.clientWidth)
  .map((table) => table.ariaLabel)`;

/** What is asked for on a page before its picture. */
const asked: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'price-list-version': async (page) => {
    await page.locator('form button[type=submit]').click();
    await page.locator('main button.MuiButton-contained').waitFor();
    // The preview has taken the focus.
    await page.evaluate('scrollTo(0, 0)');
  },
};

const photograph = async (page: Page, name: string, look: Look): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // The overview has an open connection for what is live.
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
  // A busy machine takes longer. The page of the design shows how loading looks.
  const loading = page.getByText(wordsOf(look.language).common.loading).first();
  if (name !== 'design') await loading.waitFor({ state: 'detached' });
  await asked[name]?.(page);
  const button = opened[name]?.(page);
  if (button !== undefined) {
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('pre, input').first().waitFor();
    // The compiler does not know the browser's types here.
    const cut = await page.evaluate(`(() => {
      const { scrollWidth, clientWidth } = document.querySelector('.MuiDialogContent-root');
      return scrollWidth - clientWidth;
    })()`);
    assert.equal(cut, 0, `${name} is wider than its dialog`);
  }
  const { isKept, file } = pictureOf(name, look);
  if (isKept) await takePicture(page, join(root, 'docs', 'console', file));
  await assertNoSideways(page);
  if (look.size === 'wide') assert.deepEqual(await page.evaluate(tooWide), [], name);
  const shifted = Number(await page.evaluate('window.shifted'));
  assert.ok(shifted <= mostShift, `${name} shifts by ${shifted}`);
  await axeOn(page);
  const whole = join(root, 'photos', file);
  // A dialog is as high as the screen. Whole pages come last: they may be laid out again.
  if (button === undefined) await takeWholePicture(page, whole);
  else await takePicture(page, whole);
};

for (const look of looks) {
  const { language, dark, size } = look;
  test(`every page: ${language}, ${dark ? 'dark' : 'light'}, ${size}`, async (t) => {
    const { url } = shop().server;
    const context = await openContext(look);
    t.after(() => context.close());
    const page = await context.newPage();
    const faults: string[] = [];
    const visit = async (name: string, path: string): Promise<void> => {
      if (wanted.size > 0 && !wanted.has(name)) return;
      await page.goto(`${url}/console${path}`);
      // One page that fails must not cost the pictures of all others.
      await photograph(page, name, look).catch((error: unknown) =>
        faults.push(`${name}: ${String(error)}`),
      );
    };
    await visit('sign-in', '/login');
    await context.addCookies([{ name: sessionCookie, value: session, url }]);
    for (const [name, path] of Object.entries(await pages())) await visit(name, path);
    assert.deepEqual(faults, []);
  });
}
