/** Tests in the console that a role that requires two-factor authentication sets it up first. */
import assert from 'node:assert/strict';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { codeOf, fromBase32, stepAt } from '../../src/admin/access/two-factor/totp.ts';
import { readConfig } from '../../src/config/config.ts';
import { command } from '../support/admin.ts';
import { axeOn } from '../support/axe.ts';
import { screenshot, testConsole } from '../support/browser.ts';

const policy = { ...readConfig({}).admin, secondFactorRoles: ['owner' as const] };
const { inTurn, admin, clock } = testConsole({ config: { admin: policy } });
const password = 'correct horse battery';

inTurn('an owner sets up two-factor authentication before anything else', async (visit) => {
  const { page, words, language, signInTo, open } = visit;
  const own = words.ownAccount;
  const { account } = await createAccount(admin(), command, {
    name: `office-${language}`,
    role: 'owner',
    password,
  });
  await signInTo(account, '/accounts');
  const heading = page.getByRole('heading', { level: 1, name: words.safety.enrollTitle });
  await heading.waitFor();
  assert.equal(await page.getByRole('navigation', { name: words.shell.menu }).count(), 0);
  await axeOn(page);
  await screenshot(page, `required-factor-${language}`);
  await open('/clients');
  await heading.waitFor();

  await page.getByRole('button', { name: own.begin }).click();
  const dialog = page.getByRole('dialog', { name: own.factor });
  await dialog.getByLabel(own.current).fill(password);
  await dialog.getByRole('button', { name: own.begin }).click();
  const secret = await page.getByLabel(own.secret).inputValue();
  await page.getByLabel(own.code).fill(codeOf(fromBase32(secret), stepAt(clock.now())));
  await page.getByRole('button', { name: own.turnOn }).click();
  await page.getByRole('heading', { level: 1, name: words.pages.clients }).waitFor();

  await open('/accounts');
  await page.getByText(words.safety.requiredFor.replace('%{roles}', words.roles.owner)).waitFor();
});
