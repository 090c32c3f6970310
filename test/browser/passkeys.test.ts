/** Tests adding, using and removing a passkey in the console, with Chromium's virtual authenticator. */
import assert from 'node:assert/strict';
import type { CDPSession } from 'playwright-core';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { command } from '../support/admin.ts';
import { axeOn } from '../support/axe.ts';
import { screenshot, testConsole, type Visit } from '../support/browser.ts';

// An IP address cannot be a relying party.
const { inTurn, admin } = testConsole({ host: 'localhost' });
const password = 'correct horse battery';

/** A browser whose authenticator confirms everything immediately; it ends with the protocol session. */
const withAuthenticator = async (
  { context, page }: Visit,
  run: (protocol: CDPSession, authenticatorId: string) => Promise<void>,
): Promise<void> => {
  const protocol = await context.newCDPSession(page);
  try {
    await protocol.send('WebAuthn.enable');
    const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await run(protocol, authenticatorId);
  } finally {
    await protocol.detach();
  }
};

const enter = async ({ page, words, open }: Visit, name: string): Promise<void> => {
  await open('/login');
  await page.getByLabel(words.signIn.name).fill(name);
  await page.getByLabel(words.signIn.password).fill(password);
  await page.getByRole('button', { name: words.signIn.submit, exact: true }).click();
};

inTurn('a passkey is added, signs in, and is removed', async (visit) => {
  const { page, context, words, language, signIn, signInTo } = visit;
  const own = words.passkeys;
  const name = `keys-${language}`;
  const { account } = await createAccount(admin(), command, { name, role: 'viewer', password });
  await withAuthenticator(visit, async (protocol, authenticatorId) => {
    await signInTo(account, '/me');
    await page.getByText(own.none).waitFor();
    const adding = page.getByRole('dialog', { name: own.add });
    const add = async (typed: string): Promise<void> => {
      await page.getByRole('button', { name: own.add }).click();
      await adding.getByLabel(own.name).fill('Office key');
      await adding.getByLabel(words.ownAccount.current).fill(typed);
      await adding.getByRole('button', { name: own.add }).click();
    };
    await add('not the password');
    await adding.getByText(words.errors.PASSWORD_WRONG).waitFor();
    await axeOn(page);
    await adding.getByLabel(words.ownAccount.current).fill(password);
    await adding.getByRole('button', { name: own.add }).click();
    await page.getByText(own.added).waitFor();
    const table = page.getByRole('table', { name: own.title });
    await table.getByText('Office key').waitFor();
    await table.getByText('localhost').waitFor();
    await table.getByText(own.never).waitFor();
    await axeOn(page);

    // The same authenticator again: the browser knows it.
    await add(password);
    await adding.getByText(words.errors.PASSKEY_KNOWN).waitFor();

    await context.clearCookies();
    await enter(visit, name);
    const use = page.getByRole('button', { name: own.use });
    await use.waitFor();
    assert.equal(await page.getByLabel(words.signIn.code).count(), 0, 'no code is asked for');
    await axeOn(page);
    await screenshot(page, `use-passkey-${language}`);
    await use.click();
    await page.getByRole('navigation', { name: words.shell.menu }).waitFor();

    await visit.open('/me');
    await page.getByRole('button', { name: own.removeOf.replace('%{name}', 'Office key') }).click();
    const removing = page.getByRole('dialog');
    await removing.getByLabel(words.ownAccount.current).fill(password);
    await removing.getByRole('button', { name: own.remove, exact: true }).click();
    await page.getByText(own.removed).waitFor();
    await page.getByText(own.none).waitFor();

    // A passkey that the authenticator lost is removed by an owner.
    await protocol.send('WebAuthn.clearCredentials', { authenticatorId });
    await add(password);
    await page.getByText(own.added).waitFor();
    await signIn('owner', '/accounts');
    await page
      .getByRole('button', { name: words.accounts.actionsOf.replace('%{name}', name) })
      .click();
    await page.getByRole('menuitem', { name: words.accounts.resetPasskeys }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words.accounts.resetPasskeys })
      .click();
    await page.getByText(words.accounts.done).waitFor();
    await context.clearCookies();
    await enter(visit, name);
    await page.getByRole('navigation', { name: words.shell.menu }).waitFor();
  });
});
