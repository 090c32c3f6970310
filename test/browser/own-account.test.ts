/** Tests that people change their own password and two-factor authentication in the console. */
import assert from 'node:assert/strict';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { codeOf, fromBase32, stepAt } from '../../src/admin/access/two-factor/totp.ts';
import { command, sessionCookie, tokenOfSession } from '../support/admin.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, screenshot, testConsole } from '../support/browser.ts';

const { inTurn, test, admin, clock } = testConsole();
const password = 'correct horse battery';

inTurn('a new password and a second factor are set, and the factor is removed', async (visit) => {
  const { page, context, words, language, signInTo } = visit;
  const own = words.ownAccount;
  const { account } = await createAccount(admin(), command, {
    name: `office-${language}`,
    role: 'viewer',
    password,
  });
  await signInTo(account, '/me');
  await page.getByRole('heading', { level: 1, name: words.pages.ownAccount }).waitFor();
  // The tests' gateway has no host name, and an IP address cannot be a relying party.
  await page.getByText(words.passkeys.unavailable).waitFor();
  await axeOn(page);

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

  const { safety } = words;
  await page.getByRole('button', { name: safety.codesCreate }).click();
  const asked = page.getByRole('dialog', { name: safety.codes, exact: true });
  await asked.getByRole('button', { name: safety.codesCreate }).click();
  const shown = page.getByRole('dialog', { name: safety.codesNew });
  const codes = await shown.getByLabel(safety.codes, { exact: true }).inputValue();
  assert.equal(new Set(codes.split(' ')).size, 10);
  await axeOn(page);
  await shown.getByRole('button', { name: words.common.close }).click();
  const left = safety.codesLeft.replace('%{count}', language === 'fa' ? '۱۰' : '10');
  await page.getByText(left).waitFor();

  // By one of the recovery codes, instead of the app.
  await context.clearCookies();
  await signInTo(account, '/me', 'code');
  await page.getByRole('button', { name: safety.recovery }).click();
  if (language === 'en') await axeOn(page);
  await page.getByLabel(safety.recoveryCode).fill(codes.split(' ')[0] ?? '');
  await page.getByRole('button', { name: words.signIn.codeSubmit }).click();
  await page.getByRole('heading', { level: 1, name: words.pages.ownAccount }).waitFor();
  const notice = page.getByRole('alert').filter({ hasText: safety.noticeTitle });
  await notice.getByText(safety.notices['recovery code use']).waitFor();
  await axeOn(page);
  await screenshot(page, `own-account-safe-${language}`);
  await notice.getByRole('button', { name: safety.seen }).click();
  await notice.waitFor({ state: 'detached' });
  // The session that used the code cannot confirm that: the next one gets the notice.
  await page.reload();
  await notice.getByText(safety.notices['recovery code use']).waitFor();
  assert.equal(await notice.getByText(safety.notices['recovery codes create']).count(), 0);
  await context.clearCookies();
  await signInTo(account, '/me');
  await notice.getByText(safety.notices['recovery code use']).waitFor();
  await notice.getByRole('button', { name: safety.seen }).click();
  await notice.waitFor({ state: 'detached' });
  await page.reload();
  await page
    .getByRole('region', { name: safety.changes })
    .getByText(safety.notices['recovery codes create'])
    .waitFor();

  await page.getByRole('button', { name: own.remove }).click();
  await dialog.getByLabel(own.current).fill('staple of paper');
  await dialog.getByRole('button', { name: own.remove }).click();
  await page.getByText(own.factorOffText).waitFor();
});

inTurn('sessions elsewhere are listed and ended', async (visit) => {
  const { page, words, language, signInTo, server } = visit;
  const { safety } = words;
  const { account } = await createAccount(admin(), command, {
    name: `many-${language}`,
    role: 'viewer',
    password,
  });
  const elsewhere = await Promise.all([1, 2].map(() => tokenOfSession(admin(), account)));
  const isOut = async (token: string): Promise<boolean> => {
    const headers = { cookie: `${sessionCookie}=${token}` };
    return (await fetch(`${server.url}/admin/api/me`, { headers })).status === 401;
  };
  await signInTo(account, '/me');
  const table = page.getByRole('table', { name: safety.sessions });
  await table.getByText(safety.thisSession).waitFor();
  assert.equal(await table.getByRole('button', { name: safety.end }).count(), 2);
  await table.getByRole('button', { name: safety.end }).first().click();
  await page.getByText(safety.ended).first().waitFor();
  await page.getByRole('button', { name: safety.endOthers }).click();
  const dialog = page.getByRole('dialog', { name: safety.endOthers });
  if (language === 'en') await axeOn(page);
  await dialog.getByRole('button', { name: safety.endOthers }).click();
  await table.getByRole('button', { name: safety.end }).waitFor({ state: 'detached' });
  assert.deepEqual(await Promise.all(elsewhere.map(isOut)), [true, true]);
  await table.getByText(safety.thisSession).waitFor();
});

test(
  'on a phone the page fits the screen',
  async ({ page, signIn, words }) => {
    await signIn('viewer', '/me');
    await page.getByRole('heading', { level: 1, name: words.pages.ownAccount }).waitFor();
    await assertNoSideways(page);
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
  },
  { phone: true, language: 'fa' },
);
