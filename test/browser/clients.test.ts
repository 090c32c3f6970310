/** Tests clients in the console: their money, tokens, rules and webhooks. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { signed } from '../../console/src/catalogue/delta.ts';
import { formatFor } from '../../console/src/writing.ts';
import { readConfig } from '../../src/config/config.ts';
import { readAccount, writePostings } from '../../src/ledger/store.ts';
import { defaults } from '../../src/settings/settings.ts';
import { catalogue } from '../contract/buying.ts';
import { axeOn } from '../support/axe.ts';
import {
  addFilter,
  assertNoSideways,
  beginning,
  screenshot,
  testConsole,
  type Visit,
} from '../support/browser.ts';
import { createClient, updateRules } from '../support/clients.ts';
import { eventually } from '../support/live.ts';
import { request } from '../support/server.ts';
import { makeEndpoint, makeMessage, type Receiver, startReceiver } from '../support/webhooks.ts';

const webhooks = {
  ...readConfig({}).webhooks,
  pausesMs: [1],
  allowedNetworks: ['127.0.0.1'],
};
const { inBoth, inTurn, test, server, clock } = testConsole({
  config: { webhooks },
  products: catalogue,
});

const receivers: Receiver[] = [];
after(() => {
  for (const one of receivers) one.stop();
});

/** A text with its values filled in. */
const put = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/%\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** A client, made without the page. */
const make = async (name: string, balance = 0): Promise<{ id: string; token: string }> => {
  const { id, token } = await createClient({ ...server().deps, clock }, { name, balance });
  return { id, token: token.token };
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/** The number beside a word. */
const figure = async ({ page }: Visit, name: string): Promise<string> => {
  const names = page.getByRole('term').filter({ hasText: name });
  return (
    (await names.first().locator('xpath=following-sibling::dd[1]').innerText()).split('\n')[0] ?? ''
  );
};

/** What is checked in both languages is checked by axe in one; the other is, on a phone. */
const axeOnce = async ({ page, language }: Visit): Promise<void> => {
  if (language === 'en') await axeOn(page);
};

const balanceOf = async (id: string): Promise<number | undefined> =>
  (await readAccount(server().deps.db, id))?.available;

const answers = async (token: string): Promise<number> =>
  (await request(server(), '/api/account', { token })).status;

inTurn(
  'a test client is created as such, is marked, and its purchases are listed if chosen',
  async (visit) => {
    const { page, signIn, go, words, language } = visit;
    const say = words.clients;
    const name = `Tester ${language}`;
    await signIn('manager', '/clients');
    await button(page, say.create).click();
    const making = dialogOf(page, say.create);
    await making.getByLabel(say.name).fill(name);
    await making.getByLabel(say.testClient).check();
    await making.getByText(say.testHelp).waitFor();
    await button(page, say.createSubmit).click();
    const handed = dialogOf(page, put(say.tokenTitle, { name }));
    const token = await handed.getByLabel(say.token, { exact: true }).inputValue();
    assert.match(token, /^simgate_test_/);
    await handed.getByRole('button', { name: words.common.close }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText(say.test, { exact: true }).first().waitFor();
    const fields = { product_id: 1, mobile: '989123456700', price: 1, webservice_code: 'w' };
    await request(server(), '/api/top-up/package/', {
      json: fields,
      token,
      headers: { 'idempotency-key': `test of ${language}`.replaceAll(' ', '-') },
    });
    await go('/clients?test=true');
    await page.getByRole('link', { name }).first().waitFor();
    await go('/purchases');
    await addFilter(visit, say.test, say.onlyTest);
    await page.getByText(name).first().waitFor();
  },
);

inTurn('a new client gets money, counted once although an answer was lost', async (visit) => {
  const { page, signIn, words, language, context } = visit;
  const say = words.clients;
  const { money } = formatFor(language);
  const name = `Reseller ${language}`;
  await signIn('manager', '/clients');
  await button(page, say.create).click();
  const making = dialogOf(page, say.create);
  await making.getByLabel(say.name).fill(name);
  await button(page, say.createSubmit).click();
  const handed = dialogOf(page, put(say.tokenTitle, { name }));
  await handed.getByText(say.tokenText).waitFor();
  const token = await handed.getByLabel(say.token, { exact: true }).inputValue();
  assert.equal(await answers(token), 200);
  await axeOnce(visit);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await handed.getByRole('button', { name: words.common.copy }).click();
  await handed.getByRole('button', { name: words.common.copied }).waitFor();
  await handed.getByRole('button', { name: words.common.close }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  const id = page.url().split('/').at(-1) ?? '';
  await page.getByRole('tab', { name: say.money }).click();

  // The first answer is lost after the gateway has done it.
  let lost = 0;
  await page.route('**/deposits', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await button(page, say.deposit).click();
  const depositing = dialogOf(page, put(say.depositTitle, { name }));
  await depositing.getByLabel(say.amount).fill('ten');
  await depositing.getByRole('button', { name: say.depositSubmit }).click();
  await depositing.getByText(say.amountWrong).waitFor();
  await depositing.getByLabel(say.amount).fill('۵٬۰۰۰٬۰۰۰');
  await depositing.getByLabel(say.note).fill('transfer 4711');
  const five = money(5_000_000);
  await depositing.getByText(put(say.depositWill, { amount: five, name, after: five })).waitFor();
  await axeOnce(visit);
  await screenshot(page, `client-deposit-${language}`);
  await depositing.getByRole('button', { name: say.depositSubmit }).click();
  await depositing.getByText(words.errors.NETWORK).waitFor();
  await depositing.getByText(say.unsure).waitFor();
  assert.equal(await balanceOf(id), 5_000_000);
  assert.equal(await depositing.getByLabel(say.amount).isEditable(), false);
  await axeOnce(visit);
  // Closing the dialog and leaving keeps its state.
  await depositing.getByRole('button', { name: words.common.cancel }).click();
  await page.getByRole('tab', { name: words.clients.tokens }).click();
  // A section that is already shown cannot be selected.
  await page.getByRole('tabpanel', { name: words.clients.tokens }).waitFor();
  await page.getByRole('tab', { name: words.clients.money }).click();
  await button(page, say.deposit).click();
  await depositing.getByText(say.unsure).waitFor();
  await depositing.getByRole('button', { name: say.depositSubmit }).click();
  await page.getByText(put(say.depositDone, { amount: five, after: five })).waitFor();
  assert.equal(await figure(visit, say.available), five);
  assert.equal(await balanceOf(id), 5_000_000);
  const deposits = page.getByRole('cell', { name: say.kinds.deposit });
  await deposits.first().waitFor();
  assert.equal(await deposits.count(), 1);

  await button(page, say.correct).click();
  const correcting = dialogOf(page, put(say.correctTitle, { name }));
  await correcting.getByLabel(say.down).check();
  await correcting.getByLabel(say.amount).fill('6000000');
  await correcting.getByLabel(say.reason).fill('deposited twice');
  await correcting.getByText(put(say.correctTooMuch, { own: five })).waitFor();
  await correcting.getByRole('button', { name: say.correctSubmit }).click();
  await correcting.getByText(words.errors.BALANCE_TOO_SMALL).waitFor();
  await correcting.getByLabel(say.amount).fill('1,000,000');
  const [one, four] = [money(1_000_000), money(4_000_000)];
  await correcting.getByText(put(say.correctDown, { amount: one, name, after: four })).waitFor();
  await axeOnce(visit);
  await correcting.getByRole('button', { name: say.correctSubmit }).click();
  await page.getByText(put(say.correctDone, { after: four })).waitFor();
  assert.equal(await figure(visit, say.available), four);
  assert.equal(await balanceOf(id), 4_000_000);
  const taken = page.getByRole('row').filter({ hasText: say.kinds.taken });
  await taken.getByRole('cell', { name: signed(-1_000_000, money), exact: true }).waitFor();
  await taken.getByRole('cell', { name: 'deposited twice' }).waitFor();

  await button(page, say.creditChange).click();
  const crediting = dialogOf(page, put(say.creditTitle, { name }));
  await crediting.getByLabel(say.creditLimit).fill('۲٬۰۰۰٬۰۰۰');
  await crediting.getByLabel(say.reason).fill('a contract');
  const [two, six] = [money(2_000_000), money(6_000_000)];
  await crediting.getByText(put(say.creditWill, { name, after: six })).waitFor();
  await axeOnce(visit);
  await crediting.getByRole('button', { name: say.creditSubmit }).click();
  await page.getByText(put(say.creditDone, { limit: two })).waitFor();
  assert.equal(await figure(visit, say.creditLimit), two);
  assert.equal(await figure(visit, say.available), six);
  assert.equal(await balanceOf(id), 4_000_000);
});

test('a client whose first answer was lost is created once, and shown', async (visit) => {
  const { page, signIn, words } = visit;
  const say = words.clients;
  await signIn('manager', '/clients');
  await button(page, say.create).click();
  let lost = 0;
  await page.route('**/admin/api/clients', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
  const making = dialogOf(page, say.create);
  await making.getByLabel(say.name).fill('Made once');
  await button(page, say.createSubmit).click();
  await making.getByText(say.createUnsure).waitFor();
  await button(page, say.createSubmit).click();
  await making.getByText(words.errors.ALREADY_DONE).waitFor();
  await making.getByRole('link', { name: say.createdBefore }).click();
  await page.getByRole('heading', { level: 1, name: 'Made once' }).waitFor();
  await page.getByRole('heading', { level: 2, name: words.clientTokens.title }).waitFor();
});

inTurn('tokens are created, rotated with an overlap, and revoked', async (visit) => {
  const { page, signIn, words, language } = visit;
  const say = words.clientTokens;
  const name = `Tokens ${language}`;
  const { id, token: old } = await make(name);
  await signIn('manager', `/clients/${id}`);
  await page.getByRole('tab', { name: words.clients.tokens }).click();
  await button(page, say.create).click();
  const making = dialogOf(page, say.create);
  await making.getByLabel(say.name).fill('the shop');
  await making.getByLabel(say.scope.webhooks).uncheck();
  await making.getByLabel(say.networksLabel).fill('nowhere');
  await making.getByLabel(say.expiry).fill(language === 'fa' ? '۱۴۰۴/۱۲/۱۰' : '2026-03-01');
  await making.getByRole('button', { name: say.createSubmit }).click();
  const refused =
    language === 'fa'
      ? '«nowhere» نشانی IP یا شبکه نیست.'
      : '"nowhere" is not an IP address or a network.';
  await making.getByText(refused).waitFor();
  await making.getByLabel(say.networksLabel).fill('127.0.0.0/8\n192.0.2.1');
  await axeOnce(visit);
  await making.getByRole('button', { name: say.createSubmit }).click();
  const handed = dialogOf(page, put(words.clients.tokenTitle, { name }));
  const shop = await handed.getByLabel(words.clients.token, { exact: true }).inputValue();
  assert.equal(await answers(shop), 200);
  await handed.getByRole('button', { name: words.common.close }).click();
  const row = page.getByRole('row').filter({ hasText: 'the shop' });
  await row.getByText('192.0.2.1').waitFor();
  assert.equal(await row.getByText(say.scope.webhooks, { exact: true }).count(), 0);
  await axeOnce(visit);

  const choose = async (token: string, deed: string): Promise<void> => {
    const called = `default (…${token.slice(-4)})`;
    await button(page, put(say.actionsOf, { name: called })).click();
    await page.getByRole('menuitem', { name: deed }).click();
  };
  await choose(old, say.rotate);
  await page.getByRole('dialog').getByLabel(say.hours.week).check();
  await axeOnce(visit);
  await button(page, say.rotateSubmit).click();
  const until = formatFor(language).time(beginning + 7 * 86_400_000, 'date');
  await handed.getByText(until).waitFor();
  const fresh = await handed.getByLabel(words.clients.token, { exact: true }).inputValue();
  assert.deepEqual([await answers(old), await answers(fresh)], [200, 200]);
  await handed.getByRole('button', { name: words.common.close }).click();
  await choose(old, say.revoke);
  await page.getByRole('dialog').getByText(say.revokeText).waitFor();
  await button(page, say.revoke).click();
  await page.getByText(say.revokeDone).waitFor();
  await page.getByRole('cell', { name: say.revoked, exact: true }).waitFor();
  // Other processes learn of it within a second; this one made the change.
  await eventually('it is refused', async () => (await answers(old)) === 401);
  assert.equal(await answers(fresh), 200);
});

inTurn('rules are explained, and shown before and after before they are saved', async (visit) => {
  const { page, signIn, words, language } = visit;
  const say = words.clientRules;
  const { count, money, digits } = formatFor(language);
  const { id } = await make(`Rules ${language}`, 5_000_000);
  await signIn('manager', `/clients/${id}?tab=rules`);
  await page.getByLabel(say.products).waitFor();
  await button(page, say.look).click();
  await page.getByText(say.nothing).waitFor();
  await page.getByLabel(say.products).fill('x, 12');
  await button(page, say.look).click();
  await page.getByText(put(say.productsWrong, { wrong: 'x' })).waitFor();
  await page.getByLabel(say.products).fill('۱۲');
  const adding = page.getByRole('combobox', { name: say.addProduct });
  await adding.fill('Product 100');
  await page.getByRole('option', { name: 'Product 100' }).click();
  assert.equal(await page.getByLabel(say.products).inputValue(), '۱۲, 100');
  // Adding one by keyboard moves on to the next.
  await adding.and(page.locator(':focus')).waitFor();
  assert.equal(await adding.inputValue(), '');
  const called = page.getByRole('list', { name: say.productNames });
  await called.getByText('100: Product 100').waitFor();
  await called.getByText(put(say.productUnknown, { id: '12' })).waitFor();
  await page.getByLabel(new RegExp(`^${put(say.operator, { id: digits(3) })}`)).uncheck();
  await page.getByLabel(say.repeat).fill('60');
  await page.getByLabel(say.limit, { exact: true }).fill('۲٬۰۰۰٬۰۰۰');
  await page.getByLabel(say.pending409).check();
  await axeOnce(visit);
  await button(page, say.look).click();
  const saving = dialogOf(page, put(say.saveTitle, { name: `Rules ${language}` }));
  const limit = saving.getByRole('row').filter({ hasText: say.limit });
  await limit.getByRole('cell', { name: say.noLimit, exact: true }).waitFor();
  await limit.getByRole('cell', { name: money(2_000_000), exact: true }).waitFor();
  assert.equal(await saving.getByRole('row').count(), 6);
  await axeOnce(visit);
  await saving.getByRole('button', { name: say.saveSubmit }).click();
  await page.getByText(say.saved).waitFor();

  // Saving over another person's change is refused, and the current rules are shown.
  await updateRules(server().deps, id, { repeatSeconds: 90 });
  await page.getByLabel(say.repeat).fill('30');
  await button(page, say.look).click();
  await saving.getByRole('button', { name: say.saveSubmit }).click();
  await saving.getByText(words.errors.SETTINGS_CHANGED).waitFor();
  await saving.getByRole('button', { name: words.common.cancel }).click();
  await eventually('the current rules are there', async () => {
    await button(page, say.reset).click();
    return (await page.getByLabel(say.repeat).inputValue()) === digits('90');
  });
  await page.reload();
  assert.equal(await page.getByLabel(say.products).inputValue(), '12, 100');
  const limited = page.getByLabel(say.limit, { exact: true });
  assert.equal(await limited.inputValue(), count(2_000_000));
  assert.equal(await page.getByLabel(say.pending409).isChecked(), true);
  await page.getByRole('tab', { name: words.clients.money }).click();
  const spent = put(words.clients.spentOf, { spent: money(0), limit: money(2_000_000) });
  await page.getByText(spent).waitFor();
});

inTurn('messages of a webhook are shown and sent again, and it is switched', async (visit) => {
  const { page, signIn, words, language } = visit;
  const say = words.clientWebhooks;
  const { id, token } = await make(`Hooks ${language}`);
  const receiver = await startReceiver();
  receivers.push(receiver);
  receiver.answerWith(500);
  const { url } = receiver;
  await makeEndpoint(server(), { url, token });
  const message = await makeMessage({ ...server(), deps: { ...server().deps, clock } });
  await signIn('manager', `/clients/${id}?tab=webhooks`);
  await button(page, say.switchOff).click();
  await page.getByRole('dialog').getByText(put(say.switchOffText, { url })).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: say.switchOff }).click();
  await page.getByText(say.switchOffDone).waitFor();
  await page.getByText(say.by.gateway).waitFor();
  await button(page, say.switchOn).click();
  await page.getByRole('dialog').getByRole('button', { name: say.switchOn }).click();
  await page.getByText(say.switchOnDone).waitFor();
  // Given up after the second attempt.
  await receiver.has(2);
  receiver.answerWith(204);
  await button(page, say.messages).click();
  const messages = page.getByRole('region', { name: put(say.messagesOf, { url }) });
  await addFilter(visit, say.state, say.states.failed);
  const replay = page.getByRole('button', { name: put(say.replayOf, { id: message }) });
  for (let tries = 0; tries < 100 && (await replay.count()) === 0; tries += 1) {
    await page.reload();
    await messages.getByText(new RegExp(`${message}|${say.noMessages}`)).waitFor();
  }
  await page.reload();
  // Two failed attempts: it is failing, whatever it may be allowed to receive.
  const since = new RegExp(put(say.failingSince, { time: '.+' }));
  await page.getByRole('cell', { name: since }).waitFor();
  await axeOnce(visit);
  await button(page, put(say.detailsOf, { id: message })).click();
  const details = dialogOf(page, say.types['catalogue.changed']);
  await details.getByText('"changed": 1').waitFor();
  const answer = put(say.answered, { status: '500' });
  assert.equal(await details.getByText(answer, { exact: true }).count(), 2);
  await axeOnce(visit);
  await details.getByRole('button', { name: words.common.close }).click();
  await replay.click();
  await page.getByRole('dialog').getByRole('button', { name: say.replay }).click();
  await page.getByText(say.replayDone).waitFor();
  await receiver.has(3);
  assert.equal(receiver.received[2]?.headers['webhook-id'], message);
  await eventually('it works', async () => {
    await page.reload();
    await page.getByRole('cell', { name: say.types['catalogue.changed'] }).first().waitFor();
    return (await page.getByRole('cell', { name: say.working, exact: true }).count()) === 1;
  });
});

inTurn('the overview says how a client is doing, and leads to its history', async (visit) => {
  const { page, signIn, words, language } = visit;
  const { clients: say, clientOverview: overview, clientContact: contact } = words;
  const { money } = formatFor(language);
  const name = `Overview ${language}`;
  const { id } = await make(name, 7_000_000);
  await updateRules(server().deps, id, { dailyLimit: 2_000_000 });
  await signIn('manager', `/clients/${id}`);
  const balance = page.getByRole('region', { name: overview.balance });
  await balance.getByText(money(7_000_000), { exact: true }).waitFor();
  const sold = page.getByRole('region', { name: overview.sold });
  await sold.getByText(money(0), { exact: true }).waitFor();
  const limits = page.getByRole('region', { name: overview.limits });
  await limits.getByText(money(2_000_000), { exact: true }).waitFor();
  await page.getByText(contact.none).waitFor();
  await axeOnce(visit);

  await page.getByRole('tab', { name: say.contact }).click();
  await button(page, contact.edit).click();
  const editing = dialogOf(page, put(contact.editTitle, { name }));
  await editing.getByLabel(contact.name).fill('Accounting desk');
  await editing.getByLabel(contact.email).fill('at home');
  await editing.getByRole('button', { name: words.common.save }).click();
  await editing.getByRole('alert').waitFor();
  await editing.getByLabel(contact.email).fill('accounting@shop.example');
  await editing.getByRole('button', { name: words.common.save }).click();
  await page.getByRole('link', { name: 'accounting@shop.example' }).waitFor();
  await page.getByRole('textbox', { name: contact.note }).fill('Asked for a higher limit.');
  await button(page, contact.add).click();
  await page.getByRole('listitem').filter({ hasText: 'Asked for a higher limit.' }).waitFor();
  await axeOnce(visit);

  // Who changed this is two clicks away.
  await page.getByRole('link', { name: words.audit.history }).click();
  await page.getByRole('heading', { level: 1, name: words.pages.audit }).waitFor();
  const changed = page.getByRole('row').filter({ hasText: words.audit.actions['client contact'] });
  await changed.getByRole('link', { name }).waitFor();
  await changed.getByRole('button').click();
  const field = put(words.audit.within, {
    of: words.audit.fields.contact,
    field: words.audit.fields.email,
  });
  await changed.getByRole('term').filter({ hasText: field }).waitFor();
  await changed.getByText('accounting@shop.example', { exact: true }).waitFor();
  await axeOnce(visit);
  await changed.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
});

inTurn('clients are found, renamed, suspended and resumed', async (visit) => {
  const { page, signIn, words, language } = visit;
  const say = words.clients;
  const name = `Bazaar ${language}`;
  const { token } = await make(name, 12_000);
  await make(`Rich ${language}`, 900_000_000);
  const persian = `فروشگاه ${language}`;
  await make(persian, 800_000_000);
  await signIn('manager', '/clients');
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByText(say.low).waitFor();
  const rich = page.getByRole('row').filter({ hasText: `Rich ${language}` });
  assert.equal(await rich.getByText(say.low).count(), 0);
  // A name that is too long is cut off at its own end, whatever the direction of the page.
  await page.locator('td:dir(rtl)').filter({ hasText: persian }).waitFor();
  await page.locator('td:dir(ltr)').filter({ hasText: name }).waitFor();
  await axeOnce(visit);
  // The order is in the address, and so are the filters.
  await button(page, say.available).click();
  await page.waitForURL(/sort=available&order=desc/);
  await page
    .getByRole('row')
    .nth(1)
    .filter({ hasText: `Rich ${language}` })
    .waitFor();
  await addFilter(visit, say.balance, say.low);
  await rich.waitFor({ state: 'detached' });
  const { money } = formatFor(language);
  const { sum } = await server()
    .deps.db.selectFrom('accounts')
    .select((is) => is.fn.sum('available').as('sum'))
    .where('available', '<', defaults.lowBalanceBelow)
    .executeTakeFirstOrThrow();
  const totals = page.getByRole('row').filter({ hasText: words.common.total });
  await totals.getByText(money(Number(sum)), { exact: true }).waitFor();
  const downloading = page.waitForEvent('download');
  await button(page, say.export).click();
  const file = await (await downloading).createReadStream();
  const text = Buffer.concat(await file.toArray()).toString();
  assert.ok(text.includes(name) && !text.includes(`Rich ${language}`), text);
  await button(page, words.common.clear).click();
  await rich.waitFor();
  await page.getByLabel(say.search).fill(name.toLowerCase());
  await page.keyboard.press('Enter');
  await rich.waitFor({ state: 'detached' });
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();

  await button(page, say.suspend).click();
  await page.getByRole('dialog').getByText(say.suspendText).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: say.suspend }).click();
  await page.getByText(put(say.suspendDone, { name })).waitFor();
  await eventually('it is refused', async () => (await answers(token)) !== 200);
  await button(page, say.rename).click();
  await page.getByRole('dialog').getByLabel(say.name).fill(`Souk ${language}`);
  await page.getByRole('dialog').getByRole('button', { name: say.rename }).click();
  await page.getByRole('heading', { level: 1, name: `Souk ${language}` }).waitFor();

  // The list has kept its state.
  const path = page.getByRole('navigation', { name: words.shell.breadcrumbs });
  await path.getByRole('link', { name: words.pages.clients }).click();
  await page.getByText(say.nothing).waitFor();
  await button(page, words.common.clear).click();
  const views = page.getByRole('navigation', { name: words.views.label });
  await views.getByRole('link', { name: say.suspended }).click();
  await page.getByRole('link', { name: `Souk ${language}` }).waitFor();
  await page.getByRole('searchbox', { name: say.search }).fill('Souk');
  await page.keyboard.press('Enter');
  await button(page, words.views.save).click();
  await page.getByLabel(words.views.name).fill('Blocked');
  await page.getByRole('dialog').getByRole('button', { name: words.common.save }).click();
  await views.getByRole('link', { name: words.views.all }).click();
  await views.getByRole('link', { name: 'Blocked' }).click();
  await page.getByRole('link', { name: `Souk ${language}` }).click();
  await button(page, say.resume).click();
  await page.getByRole('dialog').getByRole('button', { name: say.resume }).click();
  await page.getByText(put(say.resumeDone, { name: `Souk ${language}` })).waitFor();
  await eventually('it is let in again', async () => (await answers(token)) === 200);
});

inBoth(
  'a statement is read by page and by day, downloaded, and links to purchases',
  async (visit) => {
    const { page, signIn, words, language } = visit;
    const say = words.clients;
    const { money } = formatFor(language);
    const { id } = await make(`Statement ${language}`);
    const { db } = server().deps;
    const day = 86_400_000;
    const purchaseId = `019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b1${language === 'fa' ? 9 : 8}`;
    const deposits = Array.from({ length: 55 }, (_, index) => ({
      kind: 'deposit' as const,
      amount: 1000,
      note: `deposit ${index}`,
    }));
    await writePostings(db, id, deposits, beginning - 3 * day);
    await writePostings(db, id, [{ kind: 'hold', amount: 700, purchaseId }], beginning - day);
    await signIn('viewer', `/clients/${id}?tab=money`);
    assert.equal(await button(page, say.deposit).count(), 0);
    assert.equal(await button(page, say.suspend).count(), 0);
    await page.getByText('deposit 54', { exact: true }).waitFor();
    const held = page.getByRole('row').filter({ hasText: say.kinds.hold });
    assert.equal(await held.count(), 0);
    const added = page.getByRole('row').filter({ hasText: 'deposit 54' });
    await added.getByRole('cell', { name: signed(1000, money), exact: true }).waitFor();
    await added.getByRole('cell', { name: money(55_000), exact: true }).waitFor();
    await page.getByRole('switch', { name: say.holds }).click();
    // It stays in the balance: no sign.
    await held
      .getByRole('cell', { name: money(700), exact: true })
      .first()
      .waitFor();
    await button(page, words.common.next).click();
    await page.getByText('deposit 0', { exact: true }).waitFor();
    assert.equal(await page.getByText('deposit 54', { exact: true }).count(), 0);
    await button(page, words.common.previous).click();
    await page.getByText('deposit 54', { exact: true }).waitFor();
    const theDayBefore = language === 'fa' ? '1404/11/10' : '2026-01-30';
    await page.getByLabel(say.from).fill(theDayBefore);
    await page.getByLabel(say.to, { exact: true }).fill(theDayBefore);
    await button(page, words.common.apply).click();
    await page.getByText('deposit 54', { exact: true }).waitFor({ state: 'detached' });
    await held.waitFor();
    assert.equal(await figure(visit, say.opening), money(55_000));
    assert.equal(await figure(visit, say.closing), money(55_000));
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: say.download }).click();
    const file = await (await downloading).createReadStream();
    const text = Buffer.concat(await file.toArray()).toString();
    assert.match(text, new RegExp(purchaseId));
    assert.doesNotMatch(text, /deposit/);
  },
);

/** Controls smaller than a finger. */
const smallOn = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main button, main [role=tab], main a.MuiButton-root')]
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 44 || height < 44))
    .map(([text, { width, height }]) => text + ': ' + width + ' by ' + height)`);

test(
  'all of it is accessible in dark mode, in Persian, on a phone',
  async ({ page, signIn, go, words }) => {
    const { id, token } = await make('تلفن', 1000);
    await makeEndpoint(server(), { token });
    const { clients, clientOverview, clientContact, clientTokens, clientRules } = words;
    const { clientWebhooks } = words;
    const places = [
      ['/clients', clients.low],
      [`/clients/${id}`, clientOverview.limits],
      [`/clients/${id}?tab=money`, clients.kinds.deposit],
      // An address may carry anything.
      [`/clients/${id}?tab=money&from=nonsense&to=2026-02-31`, clients.kinds.deposit],
      [`/clients/${id}?tab=purchases`, clientOverview.noPurchases],
      [`/clients/${id}?tab=contact`, clientContact.noNotes],
      [`/clients/${id}?tab=tokens`, clientTokens.valid],
      [`/clients/${id}?tab=rules`, clientRules.look],
      [`/clients/${id}?tab=webhooks`, clientWebhooks.messages],
    ] as const;
    await signIn('manager', '/me');
    for (const [path, seen] of places) {
      await go(path);
      await page.getByText(seen, { exact: true }).first().waitFor();
      await axeOn(page);
      await assertNoSideways(page);
      assert.deepEqual(await smallOn(page), []);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    }
  },
  { dark: true, phone: true, language: 'fa' },
);

test('an unknown client gets a clear message', async ({ page, signIn, words }) => {
  await signIn('viewer', '/clients/unknown');
  await page.getByText(words.errors.CLIENT_NOT_FOUND).waitFor();
});
