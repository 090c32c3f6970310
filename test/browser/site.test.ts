/** Tests the documentation site as readers see it: size, appearance, search, and trying operations. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { aTopUp, catalogue, operatorThat, served } from '../contract/buying.ts';
import { at, listOf } from '../support/answers.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways } from '../support/browser.ts';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { openPathProxy } from '../support/path-proxy.ts';
import { request, startServer } from '../support/server.ts';
import { type SiteVisit, testSite } from '../support/site.ts';

const { test } = testSite({ products: catalogue, ...served(operatorThat()) });

const mostBytes = 150 * 1024;

test('the first page takes less than 150 KB', async ({ page, open }) => {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await open('/');
  await page.waitForLoadState('networkidle');
  assert.ok(bytes > 10_000 && bytes < mostBytes, `${bytes} bytes`);
});

const pages = [
  '/',
  '/start',
  '/errors',
  '/webhooks',
  '/api/',
  '/api/purchases',
  '/guides/retries',
  '/fa/',
  '/fa/errors',
];

for (const dark of [false, true]) {
  test(
    `pages are accessible in the ${dark ? 'dark' : 'light'}, and as wide as a phone`,
    async ({ page, open }) => {
      for (const path of pages) {
        await open(path);
        await axeOn(page);
        await assertNoSideways(page);
      }
    },
    { dark, phone: dark },
  );
}

test('a text that is too faint is found, also where others of its page were checked before', async ({
  page,
}) => {
  const show = (text: string): Promise<void> =>
    page.setContent(`<html lang="en"><title>T</title><main><h1>H</h1>${text}</main></html>`);
  const faint = 'color: #999; background: #fff';
  await show('<p>Black</p>');
  await axeOn(page);
  // What is disabled may be faint: its look is no proof for others.
  await show(`<button disabled style="${faint}">Grey</button>`);
  await axeOn(page);
  await show(`<p>Black</p><button style="${faint}">Grey</button>`);
  await assert.rejects(axeOn(page), /color-contrast/);
  await show('<p>Black</p><div style="background: #666"><p>Black on grey</p></div>');
  await assert.rejects(axeOn(page), /color-contrast/);
});

test('Persian pages read from right to left, and link to English', async ({ page, open }) => {
  await open('/fa/errors');
  assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl');
  assert.equal(await page.evaluate('document.documentElement.lang'), 'fa');
  const [direction]: string[] = await page.evaluate(
    "[...document.querySelectorAll('main code')].map((code) => getComputedStyle(code).direction)",
  );
  assert.equal(direction, 'ltr');
  const sidebar = await page.locator('.VPSidebar').boundingBox();
  const text = await page.locator('main').boundingBox();
  assert.ok((sidebar?.x ?? 0) > (text?.x ?? 0), 'the sidebar is on the right');
  await page.getByRole('button', { name: 'زبان' }).first().hover();
  await page.getByRole('link', { name: 'English' }).first().click();
  await page.waitForURL(/\/docs\/$/);
  // The address changes before the page has loaded.
  await page.locator('html[dir="ltr"][lang="en"]').waitFor({ state: 'attached' });
});

test('code is coloured, and a name in a table is not broken', async ({ page, open }) => {
  await open('/errors');
  const colours: string[] = await page.evaluate(
    "[...document.querySelectorAll('main pre span')].map((part) => getComputedStyle(part).color)",
  );
  assert.ok(new Set(colours).size > 2, [...new Set(colours)].join(' '));
  const lines: number[] = await page.evaluate(
    "[...document.querySelectorAll('main td:first-child > code')].map((code) => code.getClientRects().length)",
  );
  assert.deepEqual([...new Set(lines)], [1]);
});

test('works under a path prefix that a proxy strips', async ({ page }) => {
  const proxy = await openPathProxy('/gateway');
  const { publicUrl } = proxy;
  const gateway = await startServer({ engine: 'sqlite', config: { publicUrl } });
  cleanUpAfterTest(() => gateway.stop());
  proxy.forwardTo(gateway.url);
  const missed: string[] = [];
  page.on('response', (response) => {
    if (response.status() !== 200) missed.push(response.url());
  });
  await page.goto(`${publicUrl}/docs/`);
  await page.waitForLoadState('networkidle');
  await page.locator('a[href="/gateway/docs/errors"]').first().click();
  await page.locator('#status-409').waitFor();
  assert.equal(page.url(), `${publicUrl}/docs/errors`);
  assert.deepEqual(missed, []);
});

/** A new integrator's questions, and the page that has to come first. */
const questions: Readonly<Record<string, RegExp>> = {
  'how do I retry': /^\/docs\/guides\/retries/,
  'which number fails': /^\/docs\/test-numbers/,
  'what does 409 mean': /^\/docs\/errors/,
  'verify a webhook': /^\/docs\/webhooks/,
  'idempotency key': /^\/docs\/(guides\/retries|start)/,
  'test a timeout': /^\/docs\/(test-numbers|guides\/local-testing)/,
  'list products': /^\/docs\/(guides\/catalogue|api\/catalogue)/,
  'insufficient balance': /^\/docs\/errors#insufficient_balance/,
  'refund reversed purchase': /^\/docs\/(guides\/statement|webhooks|guides\/retries)/,
  'rate limit': /^\/docs\/(errors#rate_limited|guides\/going-live)/,
};

test('ten questions of a new integrator find the right page first', async ({ open, search }) => {
  await open('/');
  const wrong: string[] = [];
  for (const [question, right] of Object.entries(questions)) {
    const found = await search(question);
    if (!right.test(found[0] ?? '')) wrong.push(`${question}: ${found.slice(0, 4).join(' ')}`);
  }
  assert.deepEqual(wrong, []);
});

/** Pairs that readers consider equal: Persian and Arabic letters, digits, and half-spaces. */
const spellings: readonly (readonly [string, string])[] = [
  ['خطای موجودی', 'خطاي موجودي'],
  ['کلید', 'كليد'],
  ['وب‌هوک', 'وبهوک'],
  ['۴۰۹', '409'],
];

test('Persian is found however it is typed', async ({ open, search }) => {
  await open('/fa/');
  for (const [one, other] of spellings) {
    const found = await search(one);
    assert.match(found[0] ?? '', /^\/docs\/fa\//, one);
    assert.deepEqual(await search(other), found, other);
  }
});

/** From the list of all operations, on any page. */
const openOperation = async (id: string, page: Page, open: SiteVisit['open']): Promise<void> => {
  await open('/api/');
  await page.locator(`main a[href$="#${id}"]`).first().click();
  await page.locator(`h2#${id}`).waitFor();
};

test('an operation is tried with a token that the page forgets', async ({ page, server, open }) => {
  await openOperation('getaccount', page, open);
  const form = page.getByRole('region', { name: /^Try it: GET \/api\/account\/?$/ });
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByLabel(/Access token/).fill(server.client.token);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText(/^200 /).waitFor();
  await form.getByLabel('Response body').getByText('"balance"').waitFor();
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  assert.ok(!String(kept).includes(server.client.token));
  await page.reload();
  await form.getByRole('button', { name: 'Try it' }).click();
  assert.equal(await form.getByLabel(/Access token/).inputValue(), '');
});

test('a purchase is sent only after a second step, and again only under its key', async ({
  page,
  server,
  open,
}) => {
  const bought = async (): Promise<number> => {
    const { body } = await request(server, '/api/purchases');
    return listOf(at(body, 'data')).length;
  };
  const sent: string[] = [];
  page.on('request', (one) => {
    if (one.method() === 'POST') sent.push(one.headers()['idempotency-key'] ?? '');
  });
  await openOperation('buytopup', page, open);
  const form = page.getByRole('region', { name: /^Try it: POST \/api\/top-up\/?$/ });
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByLabel(/Access token/).fill(server.client.token);
  await form.getByLabel('Body (JSON)').fill(JSON.stringify(aTopUp));
  await form.getByRole('button', { name: 'Review the purchase' }).click();
  const buy = form.getByRole('button', { name: 'Buy now' });
  assert.equal(await buy.isDisabled(), true);
  assert.deepEqual([sent.length, await bought()], [0, 0]);
  await form.getByLabel('This spends real money from the balance.').check();
  assert.deepEqual([sent.length, await bought()], [0, 0]);
  await buy.click();
  await form.getByText(/^200 /).waitFor();
  assert.deepEqual([sent.length, await bought()], [1, 1]);
  // The same again is a retry: a replay of the answer, and no second purchase.
  await form.getByRole('button', { name: 'Review the purchase' }).click();
  await form.getByLabel('This spends real money from the balance.').check();
  await form.getByRole('button', { name: 'Buy now' }).click();
  await form.getByText('idempotent-replayed: true').waitFor();
  assert.deepEqual([new Set(sent).size, await bought()], [1, 1]);
  await form.getByRole('button', { name: 'New key' }).click();
  await form.getByRole('button', { name: 'Review the purchase' }).click();
  await form.getByLabel('This spends real money from the balance.').check();
  await form.getByRole('button', { name: 'Buy now' }).click();
  await form.getByText(/^200 /).waitFor();
  assert.deepEqual([new Set(sent).size, await bought()], [2, 2]);
  await axeOn(page);
});
