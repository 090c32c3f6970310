/** Tests signing in to the console and out again: by password, code and link, and when a session ends. */
import assert from 'node:assert/strict';
import { createAccount, endSessions } from '../../src/admin/access/accounts.ts';
import { codeOf, fromBase32, stepAt } from '../../src/admin/access/two-factor/totp.ts';
import { changeSettings } from '../../src/settings/settings.ts';
import { command } from '../support/admin.ts';
import { at } from '../support/answers.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, screenshot, testConsole, type Visit } from '../support/browser.ts';
import { eventually } from '../support/live.ts';
import { request, type TestServer } from '../support/server.ts';

const { inBoth, inTurn, test, admin, clock } = testConsole();
const password = 'correct horse battery';

const heading = ({ page }: Visit, name: string) => page.getByRole('heading', { level: 1, name });

const fillIn = async ({ page, words }: Visit, name: string, typed: string): Promise<void> => {
  await page.getByLabel(words.signIn.name).fill(name);
  await page.getByLabel(words.signIn.password).fill(typed);
  await page.getByRole('button', { name: words.signIn.submit, exact: true }).click();
};

const nameCompany = async (server: TestServer): Promise<void> => {
  await changeSettings(admin(), { companyName: 'Aria Mobile' });
  await eventually('the gateway knows the name', async () => {
    const { body } = await request(server, '/admin/api/company', { token: null });
    return at(body, 'name') === 'Aria Mobile';
  });
};

inBoth(
  'a link sets a password; then name and password lead to the page that was wanted',
  async (visit) => {
    const { page, context, server, open, words, language } = visit;
    const name = `by-link-${language}`;
    await nameCompany(server);
    const { setup } = await createAccount(admin(), command, { name, role: 'owner' });
    await open(`/setup#${setup?.token ?? ''}`);
    await heading(visit, words.signIn.setupTitle).waitFor();
    assert.equal(page.url(), `${server.url}/console/setup`, 'the token stays in the address');
    await axeOn(page);
    await screenshot(page, `setup-${language}`);
    await page.getByLabel(words.signIn.newPassword).fill(password);
    await page.getByLabel(words.signIn.repeat).fill('something else');
    await page.getByRole('button', { name: words.signIn.setupSubmit }).click();
    await page.getByText(words.signIn.mismatch).waitFor();
    await page.getByLabel(words.signIn.repeat).fill(password);
    await page.getByRole('button', { name: words.signIn.setupSubmit }).click();
    await page.getByRole('navigation', { name: words.shell.menu }).waitFor();

    await context.clearCookies();
    await open('/audit');
    await heading(visit, words.signIn.title).waitFor();
    assert.equal(await page.locator('html').getAttribute('dir'), language === 'fa' ? 'rtl' : 'ltr');
    assert.equal(await page.locator('html').getAttribute('lang'), language);
    await page.getByText('Aria Mobile', { exact: true }).waitFor();
    await axeOn(page);
    await fillIn(visit, name, 'not the password');
    await page.getByRole('alert').getByText(words.errors.SIGN_IN_FAILED).waitFor();
    await fillIn(visit, name, password);
    await heading(visit, words.pages.audit).waitFor();
  },
);

inTurn(
  'with a second factor the code is required, in whatever digits it is typed',
  async (visit) => {
    const { page, signIn, accountOf, open, words, language } = visit;
    const secret = 'MZXW6YTBOI2DMZLSMVZGKZLTNBSW4ZLT';
    const account = await accountOf('support');
    await admin()
      .db.updateTable('admin_accounts')
      .set({ totp_secret: secret, totp_step: 0 })
      .where('id', '=', account.id)
      .execute();
    await signIn('support', '/me', 'code');
    await heading(visit, words.signIn.codeTitle).waitFor();
    await axeOn(page);
    await screenshot(page, `code-${language}`);
    const persian = (code: string): string =>
      code.replaceAll(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'.charAt(Number(digit)));
    const code = codeOf(fromBase32(secret), stepAt(clock.now()));
    await page.getByLabel(words.signIn.code).fill('000000');
    await page.getByRole('button', { name: words.signIn.codeSubmit }).click();
    await page.getByText(words.errors.CODE_WRONG).waitFor();
    await page.getByLabel(words.signIn.code).fill(persian(code));
    await page.getByRole('button', { name: words.signIn.codeSubmit }).click();
    await heading(visit, words.pages.ownAccount).waitFor();

    // A role without the right sees neither the page nor its menu entry.
    const menu = page.getByRole('navigation', { name: words.shell.menu });
    await menu.getByRole('link', { name: words.pages.overview }).waitFor();
    assert.equal(await menu.getByRole('link', { name: words.pages.accounts }).count(), 0);
    await open('/accounts');
    await heading(visit, words.shell.notFound).waitFor();
  },
);

inTurn(
  'a session that ends leads to the way in; signing out leaves nothing behind',
  async (visit) => {
    const { page, signIn, accountOf, words, language } = visit;
    await signIn('manager', '/clients');
    await heading(visit, words.pages.clients).waitFor();
    await page.getByLabel(words.clients.search).fill('nothing');
    await endSessions(admin(), command, (await accountOf('manager')).id);
    // By the key, not the button: another request may have noticed before, and removed the button.
    await page.keyboard.press('Enter');
    await heading(visit, words.signIn.title).waitFor();

    await signIn('manager', '/me');
    await page
      .getByRole('button', { name: words.shell.account.replace('%{name}', 'the-manager') })
      .click();
    await page.getByRole('menuitem', { name: words.shell.signOut }).click();
    await heading(visit, words.signIn.title).waitFor();
    await page.goBack();
    await heading(visit, words.signIn.title).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), language);
  },
);

test('language and appearance are switched in place and persist', async (visit) => {
  const { page, signIn, words } = visit;
  await signIn('viewer', '/me');
  await page.getByRole('button', { name: words.shell.language }).click();
  await page.getByRole('menuitemradio', { name: 'فارسی' }).click();
  await page.getByRole('heading', { level: 1, name: 'حساب من' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
  await page.getByRole('button', { name: 'ظاهر' }).click();
  await page.getByRole('menuitemradio', { name: 'تیره' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'حساب من' }).waitFor();
  assert.equal(await page.evaluate('getComputedStyle(document.body).colorScheme'), 'dark');
  assert.match(await page.evaluate('getComputedStyle(document.body).fontFamily'), /^Vazirmatn/);
});

test(
  'on a phone the menu opens, and nothing is wider than the screen',
  async (visit) => {
    const { page, signIn, open, words } = visit;
    await open('/login');
    await heading(visit, words.signIn.title).waitFor();
    await assertNoSideways(page);
    await signIn('owner', '/me');
    await heading(visit, words.pages.ownAccount).waitFor();
    await page.getByRole('button', { name: words.shell.openMenu }).click();
    await page.getByRole('link', { name: words.pages.accounts }).click();
    await heading(visit, words.pages.accounts).waitFor();
    await assertNoSideways(page);
  },
  { phone: true },
);

test('the keyboard alone skips the menu to the page', async (visit) => {
  const { page, signIn, words } = visit;
  await signIn('owner', '/me');
  await heading(visit, words.pages.ownAccount).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').textContent(), words.shell.skip);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN');
});
