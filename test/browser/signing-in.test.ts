/** Proves that people get into the console, see what their role allows, and get out again. */
import assert from 'node:assert/strict';
import { assertNoSideways, axeOn, screenshot, testConsole } from '../support/browser.ts';

const { inBoth } = testConsole();

inBoth('who is not signed in is led to the way in', async ({ page, open, words, language }) => {
  await open('/accounts');
  await page.getByRole('heading', { level: 1, name: words.signIn.title }).waitFor();
  assert.equal(await page.locator('html').getAttribute('dir'), language === 'fa' ? 'rtl' : 'ltr');
  assert.equal(await page.locator('html').getAttribute('lang'), language);
  await axeOn(page);
  await assertNoSideways(page);
  await screenshot(page, `sign-in-${language}`);
});

inBoth('an owner begins at the first page and sees the menu', async ({ page, signIn, words }) => {
  await signIn('owner');
  await page.getByRole('heading', { level: 1, name: words.pages.accounts }).waitFor();
  await page
    .getByRole('navigation', { name: words.shell.menu })
    .getByRole('link', { name: words.pages.audit })
    .click();
  await page.getByRole('heading', { level: 1, name: words.pages.audit }).waitFor();
  await axeOn(page);
});
