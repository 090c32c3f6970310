/** Tests that owners create, change and disable accounts in the console, and that the audit log shows it. */
import assert from 'node:assert/strict';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { command } from '../support/admin.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, screenshot, testConsole, type Visit } from '../support/browser.ts';

const { inTurn, admin, test } = testConsole();

const named = (text: string, name: string): string => text.replace('%{name}', name);

const rowOf = ({ page }: Visit, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });

/** Chooses an action for an account, and confirms it. */
const choose = async (visit: Visit, name: string, deed: string, confirm = deed): Promise<void> => {
  const { page, words } = visit;
  await page.getByRole('button', { name: named(words.accounts.actionsOf, name) }).click();
  await page.getByRole('menuitem', { name: deed }).click();
  await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
};

inTurn('an owner creates an account, hands its link over, and changes it', async (visit) => {
  const { page, context, signIn, words, language, server } = visit;
  const say = words.accounts;
  const name = `helpdesk-${language}`;
  await signIn('owner', '/accounts');
  await page.getByRole('heading', { level: 1, name: words.pages.accounts }).waitFor();
  await page.getByRole('button', { name: say.create }).click();
  const dialog = page.getByRole('dialog', { name: say.create });
  if (language === 'en') await axeOn(page);
  await dialog.getByLabel(say.name).fill('!');
  await dialog.getByRole('button', { name: say.createSubmit }).click();
  await dialog.getByText(words.errors.NAME_INVALID).waitFor();
  await dialog.getByLabel(say.name).fill(name);
  await dialog.getByLabel(say.role).click();
  await page.getByRole('option', { name: words.roles.support }).click();
  await dialog.getByRole('button', { name: say.createSubmit }).click();
  const handed = page.getByRole('dialog', { name: named(say.linkTitle, name) });
  await handed.waitFor();
  if (language === 'en') await axeOn(page);
  const link = await handed.getByLabel(say.link, { exact: true }).inputValue();
  assert.match(link, /\/console\/setup#[\w-]{43}$/);
  assert.ok(link.startsWith(server.url));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await handed.getByRole('button', { name: words.common.copy }).click();
  await handed.getByRole('button', { name: words.common.copied }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), link);
  await handed.getByRole('button', { name: words.common.close }).click();
  await rowOf(visit, name).getByText(words.roles.support).waitFor();
  await axeOn(page);

  await page.getByRole('button', { name: named(say.actionsOf, name) }).click();
  await page.getByRole('menuitem', { name: say.changeRole }).click();
  await page.getByRole('dialog').getByLabel(say.role).click();
  await page.getByRole('option', { name: words.roles.manager }).click();
  await page.getByRole('dialog').getByRole('button', { name: say.changeRole }).click();
  await rowOf(visit, name).getByText(words.roles.manager).waitFor();

  await choose(visit, name, say.disable);
  await rowOf(visit, name).getByText(words.roles.disabled).first().waitFor();
  await choose(visit, name, say.enable);
  await rowOf(visit, name).getByText(words.roles.active, { exact: true }).first().waitFor();
  await choose(visit, name, say.endSessions);
  await page.getByText(words.accounts.done).first().waitFor();
  await choose(visit, name, say.newLink, say.newLinkSubmit);
  const again = page.getByRole('dialog', { name: named(say.linkTitle, name) });
  assert.notEqual(await again.getByLabel(say.link, { exact: true }).inputValue(), link);
  await again.getByRole('button', { name: words.common.close }).click();

  // The audit log shows it, newest first, and filtered by account on request.
  await page.getByRole('link', { name: words.pages.audit }).click();
  await page.getByRole('heading', { level: 1, name: words.pages.audit }).waitFor();
  // It has filters and no search: the key leads to them.
  await page.keyboard.press('/');
  assert.equal(await page.locator(':focus').textContent(), words.common.addFilter);
  const change = words.audit.was
    .replace('%{field}', words.audit.fields.role)
    .replace('%{before}', `\u2068${words.roles.support}\u2069`)
    .replace('%{after}', `\u2068${words.roles.manager}\u2069`);
  await page.getByText(change).first().waitFor();
  await axeOn(page);
  await page.getByRole('cell', { name: words.audit.actions['sign in'] }).first().waitFor();
  const about = page.getByRole('row').filter({ hasText: change }).first();
  await about.getByRole('link', { name }).waitFor();
  await about.getByRole('button').click();
  await about.getByRole('link', { name: words.audit.onlySubject }).click();
  await page.getByRole('button', { name: words.common.clear }).waitFor();
  await page
    .getByRole('cell', { name: words.audit.actions['sign in'] })
    .first()
    .waitFor({ state: 'detached' });
  for (const action of ['account create', 'account sessions end', 'account setup'] as const) {
    await page.getByRole('cell', { name: words.audit.actions[action], exact: true }).waitFor();
  }
});

test('the last owner is refused in words, with a request id', async (visit) => {
  const { page, signInTo, words } = visit;
  const password = 'correct horse battery';
  const { account } = await createAccount(admin(), command, {
    name: 'only',
    role: 'owner',
    password,
  });
  await signInTo(account, '/accounts');
  await choose(visit, 'only', words.accounts.disable);
  await page.getByRole('dialog').getByText(words.errors.LAST_OWNER).waitFor();
  await page
    .getByRole('dialog')
    .getByText(/[\da-f]{8}-[\da-f]{4}-7/)
    .waitFor();
});

test(
  'on a phone both pages fit the screen',
  async ({ page, signIn, go, words }) => {
    await signIn('owner', '/accounts');
    await page.getByRole('list', { name: words.pages.accounts }).waitFor();
    await assertNoSideways(page);
    await axeOn(page);
    await go('/audit');
    await page.getByRole('list', { name: words.pages.audit }).waitFor();
    await assertNoSideways(page);
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
  },
  { dark: true, phone: true, language: 'fa' },
);

test('a long audit log is read page by page, back and forth, and sorted', async (visit) => {
  const { page, signIn, words } = visit;
  for (let index = 0; index < 104; index += 1) {
    await createAccount(admin(), command, { name: `many-${index}`, role: 'viewer' });
  }
  await signIn('manager', '/audit');
  const cell = (name: string) => page.getByRole('cell', { name, exact: true });
  await cell('many-103').waitFor();
  await page.getByRole('button', { name: words.common.next }).click();
  await cell('many-0').waitFor();
  assert.equal(await page.getByText('many-103').count(), 0);
  await page.reload();
  await cell('many-0').waitFor();
  await page.getByRole('button', { name: words.common.previous }).click();
  await cell('many-103').waitFor();
  await page.getByRole('columnheader', { name: words.audit.at }).getByRole('button').click();
  await cell('many-0').waitFor();
  assert.equal(await page.getByText('many-103').count(), 0);
});

inTurn(
  'the audit log is filtered by chips, which are in the address, and exported',
  async (visit) => {
    const { page, signIn, words, language } = visit;
    const { audit: say, common } = words;
    await createAccount(admin(), command, { name: `filtered-${language}`, role: 'viewer' });
    await signIn('manager', '/audit?actor=root');
    const person = page.getByRole('button', { name: named(common.removeFilter, say.actor) });
    await person.waitFor();
    await page.getByRole('button', { name: common.addFilter, exact: true }).click();
    await page.getByRole('menuitem', { name: say.action, exact: true }).click();
    const action = say.actions['account create'];
    await page.getByRole('combobox', { name: say.action }).fill(action);
    await page.getByRole('option', { name: action, exact: true }).click();
    await page.waitForURL(/actor=root&action=account/);
    const rows = page.getByRole('row');
    await rows
      .filter({ hasText: `filtered-${language}` })
      .first()
      .waitFor();
    assert.equal(
      await page.getByRole('cell', { name: action, exact: true }).count(),
      (await rows.count()) - 1,
    );
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: say.export }).click();
    const file = await (await downloading).createReadStream();
    const text = Buffer.concat(await file.toArray()).toString();
    assert.match(text, new RegExp(`,account create,.*,name,,filtered-${language},`));
    assert.doesNotMatch(text, /sign in/);

    // The day before there was nothing.
    await page.getByRole('button', { name: common.addFilter, exact: true }).click();
    await page.getByRole('menuitem', { name: say.period, exact: true }).click();
    const day = language === 'fa' ? '1404/11/10' : '2026-01-30';
    await page.getByLabel(say.to, { exact: true }).fill(day);
    await axeOn(page);
    await page.getByRole('button', { name: common.apply }).click();
    await page.getByText(say.nothing).waitFor();
    await page.getByRole('button', { name: common.clear }).click();
    await page.waitForURL(/\/audit$/);
    // The address changes before the page does.
    await person.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: common.addFilter, exact: true }).click();
    await page.getByRole('menuitem', { name: say.subject, exact: true }).click();
    await page.getByRole('combobox', { name: say.findSubject }).fill(say.subjects.settings);
    await page.getByRole('option', { name: say.subjects.settings, exact: true }).click();
    await page.waitForURL(/subject=settings/);
    const views = page.getByRole('navigation', { name: words.views.label });
    await views.locator('[aria-current=page]').getByText(say.subjects.settings).waitFor();
    await views.getByRole('link', { name: say.view.failedSignIns }).click();
    await page.waitForURL(/\?action=sign\+in\+failed$/);
    await page.getByRole('button', { name: named(common.removeFilter, say.action) }).waitFor();
  },
);

inTurn('a sensitive action asks for the password first, and then continues', async (visit) => {
  const { page, signInTo, words, language } = visit;
  const { safety, accounts: say } = words;
  const password = 'correct horse battery';
  const { account } = await createAccount(admin(), command, {
    name: `grave-${language}`,
    role: 'owner',
    password,
  });
  await signInTo(account, '/accounts');
  await page.getByRole('heading', { level: 1, name: words.pages.accounts }).waitFor();
  await admin().db.updateTable('admin_sessions').set({ proved_at: 0 }).execute();
  const create = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: say.create }).click();
    const dialog = page.getByRole('dialog', { name: say.create });
    await dialog.getByLabel(say.name).fill(name);
    await dialog.getByRole('button', { name: say.createSubmit }).click();
  };
  await create(`proved-${language}`);
  const proof = page.getByRole('dialog', { name: safety.proofTitle });
  await proof.getByLabel(words.signIn.password).fill('not the password');
  if (language === 'en') await axeOn(page);
  await screenshot(page, `proof-${language}`);
  await proof.getByRole('button', { name: words.common.confirm }).click();
  await proof.getByText(words.errors.PASSWORD_WRONG).waitFor();
  await proof.getByLabel(words.signIn.password).fill(password);
  await proof.getByRole('button', { name: words.common.confirm }).click();
  const link = page.getByRole('dialog', { name: named(say.linkTitle, `proved-${language}`) });
  await link.getByRole('button', { name: words.common.close }).click();

  // Cancelling does nothing, and the dialog says so.
  await admin().db.updateTable('admin_sessions').set({ proved_at: 0 }).execute();
  await create(`cancelled-${language}`);
  await proof.getByRole('button', { name: words.common.cancel }).click();
  await page
    .getByRole('dialog', { name: say.create })
    .getByText(words.errors.PROOF_NEEDED)
    .waitFor();
});
