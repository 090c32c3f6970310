/** Proves that people change their own password and second factor in the console. */
import assert from 'node:assert/strict';
import { createAccount } from '../../src/admin/accounts.ts';
import { codeOf, fromBase32, stepAt } from '../../src/admin/totp.ts';
import { command } from '../support/admin.ts';
import { assertNoSideways, axeOn, screenshot, testConsole } from '../support/browser.ts';

const { inTurn, test, admin, clock } = testConsole();
const password = 'correct horse battery';

inTurn('a new password and a second factor are set, and the factor is removed', async (visit) => {
  const { page, words, language, signInTo } = visit;
  const own = words.ownAccount;
  const { account } = await createAccount(admin(), command, {
    name: `office-${language}`,
    role: 'viewer',
    password,
  });
  await signInTo(account, '/me');
  await page.getByRole('heading', { level: 1, name: words.pages.ownAccount }).waitFor();
  await axeOn(page);
  await screenshot(page, `own-account-${language}`);

  const form = page.getByRole('form', { name: own.password });
  const change = async (current: string, next: string): Promise<void> => {
    await form.getByLabel(own.current).fill(current);
    await form.getByLabel(words.signIn.newPassword).fill(next);
    await form.getByLabel(words.signIn.repeat).fill(next);
    await form.getByRole('button', { name: own.change }).click();
  };
  await change('not the password', 'staple of paper');
  await form.getByText(words.errors.PASSWORD_WRONG).waitFor();
  await change(password, 'staple of paper');
  await page.getByText(own.changed).waitFor();

  const dialog = page.getByRole('dialog', { name: own.factor });
  await page.getByRole('button', { name: own.begin }).click();
  await dialog.getByLabel(own.current).fill('staple of paper');
  if (language === 'en') await axeOn(page);
  await dialog.getByRole('button', { name: own.begin }).click();
  await page.getByRole('img', { name: own.picture }).waitFor();
  await axeOn(page);
  await page.getByRole('button', { name: own.turnOn }).scrollIntoViewIfNeeded();
  await screenshot(page, `second-factor-${language}`);
  const secret = await page.getByLabel(own.secret).inputValue();
  const code = codeOf(fromBase32(secret), stepAt(clock.now()));
  await page.getByLabel(own.code).fill(code);
  await page.getByRole('button', { name: own.turnOn }).click();
  await page.getByText(own.factorOnText).waitFor();

  await page.getByRole('button', { name: own.remove }).click();
  await dialog.getByLabel(own.current).fill('staple of paper');
  await dialog.getByRole('button', { name: own.remove }).click();
  await page.getByText(own.factorOffText).waitFor();
});

test(
  'on a telephone the page fits the screen',
  async ({ page, signIn, words }) => {
    await signIn('viewer', '/me');
    await page.getByRole('heading', { level: 1, name: words.pages.ownAccount }).waitFor();
    await assertNoSideways(page);
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
  },
  { phone: true, language: 'fa' },
);
