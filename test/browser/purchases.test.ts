/** Tests purchases in the console: finding them, reading their history, inquiring and deciding. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { unknownBecause } from '../../src/connector/cause.ts';
import type { StatusOutcome } from '../../src/connector/connector.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { advanceIn } from '../../src/purchases/commit/advance.ts';
import { textFact, unknownFact } from '../../src/purchases/facts/facts.ts';
import { learn } from '../../src/purchases/learn.ts';
import { giveUp, isOpen, type Note, type Purchase } from '../../src/purchases/purchase.ts';
import {
  aPackage,
  type BuyOptions,
  buy,
  catalogue,
  operatorThat,
  purchaseDefaults,
  served,
  untilRecorded,
} from '../contract/buying.ts';
import { here } from '../support/admin.ts';
import { at } from '../support/answers.ts';
import { axeOn } from '../support/axe.ts';
import {
  addFilter,
  assertNoSideways,
  beginning,
  screenshot,
  sharing,
  testConsole,
  type Visit,
  type Words,
} from '../support/browser.ts';
import { eventually, parsed } from '../support/live.ts';
import { addClient, request } from '../support/server.ts';
import { makeEndpoint } from '../support/webhooks.ts';

const day = 86_400_000;
let ahead = -day;
const started = systemClock.monotonic();

/** Continues from a day before the beginning, until it is set to the beginning. */
const clock: Clock = {
  ...systemClock,
  now: () => beginning + ahead + Math.floor(systemClock.monotonic() - started),
  monotonic: () => systemClock.monotonic() + day + ahead,
};

const barred = '989123456790';
const silent = '989123456792';
const sold = '989123456700';
const silence = unknownBecause({ code: 'no_answer_within', values: { ms: 5000 } });

/** The operator's answer about an order. */
const says = new Map<string, StatusOutcome>();

const operator = operatorThat(
  {
    buy: async ({ ref, mobile }) => {
      if (mobile === barred)
        return {
          kind: 'refused',
          code: 'declined',
          blame: 'subscriber',
          reason: 'The line is barred',
        };
      if (mobile === silent) return silence;
      return { kind: 'done', ref };
    },
    status: async (ref) => says.get(ref) ?? silence,
    callbacks: {
      read: ({ body }) => {
        const ref = String(at(parsed(Buffer.from(body).toString('utf8')), 'ref'));
        return { kind: 'statements', statements: [{ ref, outcome: { kind: 'pending' } }] };
      },
      final: false,
    },
  },
  // No automatic inquiries during the tests.
  { inquiries: { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 86_400_000 } },
);

const { test, inBoth, inTurn, server } = testConsole({
  ...served(operator, { purchases: { ...purchaseDefaults, pendingAfterMs: 20 } }),
  products: catalogue,
  balance: 10_000_000,
  clock,
});

/** Buys, and returns the id. */
const bought = async (mobile: string, code: string, options: BuyOptions = {}): Promise<string> => {
  const fields = { ...aPackage, mobile, webservice_code: code };
  return untilRecorded(server(), await buy(server(), fields, options));
};

/** A purchase whose outcome stayed unknown. */
const stuck = async (code: string): Promise<string> => {
  const id = await bought(silent, code);
  const { deps, client } = server();
  const last = unknownFact(silence);
  const reason = { code: 'unresolved', values: { inquiries: 3, last } } as const;
  await deps.db.transaction().execute((db) =>
    advanceIn(db, async () => clock.now(), [
      {
        name: { clientId: client.id, id },
        fence: 'any',
        step: (purchase) =>
          isOpen(purchase) ? giveUp(purchase, reason, { kind: 'inquiry', fact: last }) : undefined,
      },
    ]),
  );
  return id;
};

/** Writes what was learnt about a purchase in review. */
const learnt = async (id: string, notes: readonly Note[]): Promise<void> => {
  const { deps, client } = server();
  const name = { clientId: client.id, id };
  await deps.db.transaction().execute(async (db) => {
    for (const note of notes) {
      const step = (one: Purchase) => (one.state === 'review' ? learn(one, note) : undefined);
      await advanceIn(db, async () => clock.now(), [{ name, fence: 'any', step }]);
    }
  });
};

const seed = async (): Promise<void> => {
  await makeEndpoint(server(), { events: ['purchase.succeeded', 'purchase.failed'] });
  // The server closes a connection kept for a day, and not always before it is reused.
  const headers = { connection: 'close' };
  await bought(barred, 'yesterdays-order', { headers });
  await bought(sold, 'yesterdays-sale', { headers });
  ahead = 0;
  const other = await addClient(server(), { name: 'The corner shop', balance: 100_000 });
  await bought(sold, 'corner-1', { token: other.token });
};

const seeded = sharing(seed);

/** A test with purchases of yesterday and today, whose list shows their tracking codes. */
const sought = (body: (visit: Visit) => Promise<void>) =>
  seeded(async (visit) => {
    await visit.store('simgate.columns.purchases', '["key"]');
    await body(visit);
  });

const openPurchases = async ({ page, words }: Visit): Promise<void> => {
  const menu = page.getByRole('navigation', { name: words.shell.menu });
  await menu.getByRole('link', { name: words.pages.purchases }).click();
  await page.getByRole('heading', { level: 1, name: words.pages.purchases }).waitFor();
};

/**
 * The browser's clock is Tehran's, and times are shown in the configured zone, once the settings have loaded.
 */
const inZoneOfSettings = ({ page, words }: Visit): Promise<void> =>
  page.getByText(words.times.inZone.replace('%{zone}', 'UTC')).first().waitFor();

const searchField = ({ page, words }: Visit): Locator =>
  page.getByRole('search', { name: words.purchases.filters }).getByRole('searchbox');

const search = async (visit: Visit, text: string): Promise<void> => {
  await searchField(visit).fill(text);
  await searchField(visit).press('Enter');
};

/** Opens the form of a filter that is not set. */
const openFilter = async ({ page, words }: Visit, label: string): Promise<Locator> => {
  await page.getByRole('button', { name: words.common.addFilter, exact: true }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
  return page.getByRole('dialog', { name: label });
};

/** Opens the form of a filter by its chip. */
const openChip = async ({ page, words }: Visit, label: string): Promise<Locator> => {
  const bar = page.getByRole('search', { name: words.purchases.filters });
  await bar.getByRole('button', { name: new RegExp(`^${label}:`) }).click();
  return page.getByRole('dialog', { name: label });
};

const table = (page: Page, words: Words): Locator =>
  page.getByRole('table', { name: words.purchases.list });

/** Opens the only purchase that is shown. */
const openOnly = async ({ page, words }: Visit): Promise<void> => {
  const link = table(page, words).getByRole('link');
  await eventually('one is found', async () => (await link.count()) === 1);
  await link.click();
  await page.getByRole('heading', { name: words.purchases.facts }).waitFor();
};

inBoth(
  'a manager finds why a purchase of yesterday failed',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    await signIn('viewer', '/me');
    await openPurchases(visit);
    const time = await openFilter(visit, words.purchases.time);
    await time.getByRole('button', { name: words.purchases.days.yesterday }).click();
    await table(page, words).getByText('corner-1').waitFor({ state: 'detached' });
    await table(page, words).getByText('yesterdays-sale').waitFor();
    // It moves with the calendar, and shows the days of today's.
    assert.match(page.url(), /\?days=yesterday$/);
    await openChip(visit, words.purchases.time);
    await inZoneOfSettings(visit);
    const from = time.getByLabel(words.purchases.from, { exact: true });
    const midnight = language === 'fa' ? '۱۴۰۴/۱۱/۱۰ ۰۰:۰۰' : '2026-01-30T00:00';
    assert.equal(await from.inputValue(), midnight);
    await axeOn(page);
    await page.keyboard.press('Escape');
    await addFilter(visit, words.purchases.state, words.purchaseWords.state.failed);
    await table(page, words).getByText('yesterdays-sale').waitFor({ state: 'detached' });
    await openOnly(visit);
    const why = page.getByRole('region', { name: words.purchases.explanation });
    await why.getByText('The line is barred').waitFor();
    const title = page.getByRole('heading', { level: 1 });
    assert.match(await title.innerText(), /^Product 100 .*(98\*\*\*6790|۹۸\*\*\*۶۷۹۰)/);
    const amount = language === 'fa' ? '۱۰٬۰۰۰' : '10,000';
    await why.getByText(words.purchaseWords.charged.failed.replace('%{amount}', amount)).waitFor();
    await page
      .getByRole('table', { name: words.purchases.money })
      .getByText(words.purchaseWords.posting.release)
      .waitFor();
    await page
      .getByRole('table', { name: words.purchases.messages })
      .getByText(words.purchaseWords.event.failed)
      .waitFor();
    await page
      .getByRole('region', { name: words.purchases.answer })
      .getByText('OPERATOR_DECLINED')
      .waitFor();
    // A viewer can neither decide nor see the number.
    assert.equal(await page.getByRole('button', { name: words.purchases.unmask }).count(), 0);
    assert.equal(await page.getByText('9123456790').count(), 0);
    await axeOn(page);
    // The way back has the filters, also after the page was loaded again.
    await page.reload();
    const path = page.getByRole('navigation', { name: words.shell.breadcrumbs });
    await path.getByRole('link', { name: words.pages.purchases }).click();
    await table(page, words).getByText('yesterdays-order').waitFor();
    assert.match(page.url(), /\?state=failed&days=yesterday$/);
    assert.equal(await table(page, words).getByText('yesterdays-sale').count(), 0);
  }),
);

inTurn(
  'a manager decides a stuck purchase',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    const id = await stuck(`stuck-${language}`);
    says.set(id, { kind: 'done', ref: 'receipt-77' });
    await signIn('support');
    await page.getByRole('link', { name: words.overview.reviewLink }).click();
    await table(page, words).getByText(`stuck-${language}`).waitFor();
    await openOnly(visit);
    await page.getByRole('button', { name: words.purchases.resolve, exact: true }).click();
    const dialog = page.getByRole('region', { name: words.purchases.resolveTitle });
    // What is known stays in view.
    await page.getByRole('region', { name: words.purchases.facts }).waitFor();
    await dialog.getByLabel(words.purchases.delivered).check();
    await dialog.getByRole('button', { name: words.purchases.preview }).click();
    await dialog.getByText(words.facts.code.now_delivered).waitFor();
    const sale = words.facts.money.charged.replace(
      '%{amount}',
      language === 'fa' ? '۱۰٬۰۰۰' : '10,000',
    );
    await dialog.getByText(sale).waitFor();
    await axeOn(page);
    await screenshot(page, `decide-${language}`);
    const decide = dialog.getByRole('button', { name: words.purchases.decideDelivered });
    assert.equal(await decide.isEnabled(), false, 'not without a reason');
    await dialog.getByLabel(words.common.reason).fill('The subscriber has it.');
    await decide.click();
    await page.getByRole('status').getByText(sale).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const header = page.getByRole('heading', { level: 1 }).locator('..');
    await header.getByText(words.purchaseWords.state.succeeded, { exact: true }).waitFor();
    const decisions = page.getByRole('table', { name: words.purchases.decisions });
    await decisions.getByText('The subscriber has it.').waitFor();
    await decisions.getByText('the-support').waitFor();
  }),
);

test(
  'a decision against the evidence has to be confirmed once more',
  sought(async (visit) => {
    const { page, words, signIn } = visit;
    const id = await stuck('contradicted');
    says.set(id, { kind: 'done', ref: 'receipt-78' });
    await signIn('support', `/purchases/${id}`);
    await page.getByRole('button', { name: words.purchases.resolve, exact: true }).click();
    const dialog = page.getByRole('region', { name: words.purchases.resolveTitle });
    // What is known stays in view.
    await page.getByRole('region', { name: words.purchases.facts }).waitFor();
    await dialog.getByLabel(words.purchases.notDelivered).check();
    await dialog.getByRole('button', { name: words.purchases.preview }).click();
    await dialog.getByText(words.purchases.contradicted).waitFor();
    await dialog.getByLabel(words.common.reason).fill('It was found out by hand.');
    const decide = dialog.getByRole('button', { name: words.purchases.decideNot });
    assert.equal(await decide.isEnabled(), false);
    await dialog.getByLabel(words.purchases.force).check();
    await axeOn(page);
    await decide.click();
    await page
      .getByRole('table', { name: words.purchases.decisions })
      .getByText(words.purchases.forced)
      .waitFor();
    const [marked = ''] = words.purchaseWords.markedBy.split('%{who}');
    await page
      .getByRole('region', { name: words.purchases.explanation })
      .getByText(marked)
      .waitFor();
  }),
);

inTurn(
  'the operator is asked now, and its answer is settled',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    const code = `asked-about-${language}`;
    const id = await bought(silent, code);
    says.set(id, { kind: 'done', ref: 'receipt-79' });
    await signIn('support');
    await page.getByRole('link', { name: words.overview.pendingLink }).click();
    await table(page, words).getByText(code).waitFor();
    await table(page, words).getByText('yesterdays-sale').waitFor({ state: 'detached' });
    await search(visit, code);
    await openOnly(visit);
    const ask = page.getByRole('button', { name: words.purchases.inquire });
    await ask.click();
    const dialog = page.getByRole('dialog', { name: words.purchases.inquire });
    await dialog.getByText(language === 'fa' ? '۱۰٬۰۰۰' : '10,000').waitFor();
    await dialog.getByLabel(words.common.reason).fill('The client asks.');
    await dialog.getByRole('button', { name: words.purchases.inquire }).click();
    await page.getByRole('status').getByText(words.purchaseWords.outcome.delivered).waitFor();
    await ask.waitFor({ state: 'detached' });
  }),
);

inTurn(
  'a number is shown with permission and a reason, until the page is left',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    await signIn('support', '/me');
    await openPurchases(visit);
    await search(visit, 'yesterdays-sale');
    await openOnly(visit);
    const show = page.getByRole('button', { name: words.purchases.unmask });
    await show.click();
    const dialog = page.getByRole('dialog', { name: words.purchases.unmask });
    await dialog.getByLabel(words.common.reason).fill('The subscriber calls.');
    await dialog.getByRole('button', { name: words.purchases.unmask }).click();
    const number = page.getByText(language === 'fa' ? '۹۸۹۱۲۳۴۵۶۷۰۰' : sold, { exact: true });
    await number.waitFor();
    const path = page.getByRole('navigation', { name: words.shell.breadcrumbs });
    await path.getByRole('link', { name: words.pages.purchases }).click();
    await number.waitFor({ state: 'detached' });
    await page.goBack();
    await show.waitFor();
    assert.equal(await number.count(), 0);
  }),
);

test(
  'the search is in the address, and follows back and forward',
  sought(async (visit) => {
    const { page, words, signIn } = visit;
    await signIn('viewer', '/purchases');
    const picker = await openFilter(visit, words.purchases.client);
    await picker.getByRole('combobox', { name: words.purchases.client }).fill('unknown-name');
    await page.getByText(words.common.noneFits).waitFor();
    await picker.getByRole('combobox', { name: words.purchases.client }).fill('corner');
    await page.getByRole('option', { name: 'The corner shop' }).click();
    await table(page, words).getByText('yesterdays-sale').waitFor({ state: 'detached' });
    await table(page, words).getByText('corner-1').waitFor();
    const address = page.url();
    await search(visit, 'nothing-like-it');
    await page.getByText(words.purchases.none).waitFor();
    await page.goBack();
    await table(page, words).getByText('corner-1').waitFor();
    assert.equal(page.url(), address);
    assert.equal(await searchField(visit).inputValue(), '');
    await page.reload();
    await table(page, words).getByText('corner-1').waitFor();
    const bar = page.getByRole('search', { name: words.purchases.filters });
    await bar.getByRole('button', { name: 'The corner shop' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: words.purchases.export }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /corner-1/);
    assert.doesNotMatch(lines[1] ?? '', /9123456700/);
  }),
);

test(
  'in Persian a time is typed in the Persian calendar',
  sought(async (visit) => {
    const { page, words, signIn } = visit;
    await signIn('viewer', '/purchases');
    await table(page, words).getByText('yesterdays-sale').waitFor();
    const form = await openFilter(visit, words.purchases.time);
    await inZoneOfSettings(visit);
    const [from, to] = [words.purchases.from, words.purchases.to].map((name) =>
      form.getByLabel(name, { exact: true }),
    );
    const find = form.getByRole('button', { name: words.common.apply, exact: true });
    await from?.fill('1404/12/30');
    await page.getByText(words.times.wrong.split('%')[0] ?? '').waitFor();
    await find.click();
    // The form is still open, and the list behind it as it was.
    await page.getByText('yesterdays-sale').waitFor();
    assert.equal(
      await from?.evaluate('document.activeElement?.getAttribute("aria-invalid")'),
      'true',
    );
    await from?.fill('1404/11/11');
    await page.getByText('۱۱ بهمن ۱۴۰۴، ۰۰:۰۰').waitFor();
    await find.click();
    await table(page, words).getByText('yesterdays-sale').waitFor({ state: 'detached' });
    await table(page, words).getByText('corner-1').waitFor();
    assert.match(page.url(), /from=2026-01-31T00%3A00%3A00\.000Z/);
    await openChip(visit, words.purchases.time);
    assert.equal(await from?.inputValue(), '۱۴۰۴/۱۱/۱۱ ۰۰:۰۰');
    // One month on by the key at the month.
    await from?.press('Home');
    for (let place = 0; place < 5; place += 1) await from?.press('ArrowRight');
    await from?.press('ArrowUp');
    assert.equal(await from?.inputValue(), '۱۴۰۴/۱۲/۱۱ ۰۰:۰۰');
    await from?.press('ArrowUp');
    assert.equal(await from?.inputValue(), '۱۴۰۴/۰۱/۱۱ ۰۰:۰۰');
    await to?.fill('۱۴۰۴/۱۱/۱۰ ۲۳:۵۹');
    await find.click();
    await table(page, words).getByText('corner-1').waitFor({ state: 'detached' });
    await table(page, words).getByText('yesterdays-sale').waitFor();
    await axeOn(page);
  }),
  { language: 'fa' },
);

inTurn(
  'a number is found in any digits, and is in no address',
  sought(async (visit) => {
    const { page, words, signIn } = visit;
    const addresses: string[] = [];
    page.on('request', (request) => void addresses.push(request.url()));
    await signIn('support', '/purchases?state=failed');
    await search(visit, '۰۹۱۲ ۳۴۵ ۶۷۹۰');
    const shown = table(page, words).getByRole('link');
    await eventually('one is found', async () => (await shown.count()) === 1);
    assert.match(page.url(), /\?state=failed$/, 'the rest can be handed on');
    await openOnly(visit);
    await page.getByText(words.purchaseWords.happening.failed).waitFor();
    await page.goBack();
    const box = searchField(visit);
    await eventually('it is there again', async () => (await box.inputValue()).includes('۶۷۹۰'));
    const form = await openFilter(visit, words.purchases.number);
    await form.getByRole('textbox', { name: words.purchases.number }).fill(barred);
    await form.getByRole('button', { name: words.common.apply }).click();
    await page
      .getByRole('button', {
        name: words.common.removeFilter.replace('%{name}', words.purchases.number),
      })
      .waitFor();
    await search(visit, '');
    await openOnly(visit);
    await page.goBack();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: words.purchases.export }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8').trim();
    assert.equal(lines.split(/\r?\n/).length, 2);
    addresses.push(page.url());
    const kept = await page.evaluate(
      'JSON.stringify([history.state, {...localStorage}, {...sessionStorage}])',
    );
    for (const text of [...addresses, String(kept)]) {
      assert.doesNotMatch(decodeURIComponent(text), /9123456790|۶۷۹۰/);
    }
    await page.reload();
    await page.getByText(words.purchases.forgotten).waitFor();
  }),
);

inTurn(
  'without the right to numbers the search is not offered, and an attempt is refused',
  sought(async (visit) => {
    const { page, words, signIn } = visit;
    await signIn('viewer', '/purchases');
    await page.getByRole('searchbox', { name: words.purchases.searchLess, exact: true }).waitFor();
    await page.getByRole('button', { name: words.common.addFilter, exact: true }).click();
    await page.getByRole('menuitem', { name: words.purchases.client, exact: true }).waitFor();
    const number = page.getByRole('menuitem', { name: words.purchases.number, exact: true });
    assert.equal(await number.count(), 0);
    await page.keyboard.press('Escape');
    await search(visit, '0912 345 6790');
    await page.getByRole('alert').getByText(words.errors.NUMBER_SEARCH_REFUSED).waitFor();
    await axeOn(page);
  }),
);

const views = ({ page, words }: Visit): Locator =>
  page.getByRole('navigation', { name: words.views.label });

const exported = async ({ page, words }: Visit): Promise<string[]> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: words.purchases.export }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  return lines.slice(1);
};

inTurn(
  'a view keeps filters and columns under a name, and is exported as it is',
  sought(async (visit) => {
    const { page, words, signIn } = visit;
    const say = words.views;
    const header = (name: string): Locator =>
      table(page, words).getByRole('columnheader', { name, exact: true });
    await signIn('viewer', '/purchases');
    await views(visit).getByRole('link', { name: words.purchases.view.failedToday }).click();
    await table(page, words).getByText('yesterdays-order').waitFor({ state: 'detached' });
    assert.match(page.url(), /\?state=failed&days=today$/);
    const time = words.common.removeFilter.replace('%{name}', words.purchases.time);
    await page.getByRole('button', { name: time }).click();
    await table(page, words).getByText('yesterdays-order').waitFor();
    await page.getByRole('button', { name: words.common.addFilter, exact: true }).click();
    await page.getByRole('menuitem', { name: words.purchases.operator, exact: true }).click();
    await page.getByRole('menuitemradio').first().click();
    await page.waitForURL(/operator_id=1/);
    await addFilter(visit, words.purchases.why, words.purchaseWords.reason.OPERATOR_DECLINED);
    await addFilter(visit, words.purchases.type, words.catalogue.types.cell_internet);
    await table(page, words).getByText('yesterdays-order').waitFor();
    await page.getByRole('button', { name: say.save, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say.save });
    await dialog.getByLabel(say.name).fill('Mine');
    await axeOn(page);
    await dialog.getByRole('button', { name: words.common.save }).click();
    const mine = views(visit).getByRole('link', { name: 'Mine' });
    await eventually(
      'it is current',
      async () => (await mine.getAttribute('aria-current')) !== null,
    );
    await page.getByRole('button', { name: words.common.columns }).click();
    await page.getByRole('menuitemcheckbox', { name: words.purchases.operator }).click();
    await header(words.purchases.operator).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await views(visit).getByRole('link', { name: say.all, exact: true }).click();
    await table(page, words).getByText('yesterdays-sale').waitFor();
    await header(words.purchases.operator).waitFor();
    await mine.click();
    await header(words.purchases.operator).waitFor({ state: 'detached' });
    await table(page, words).getByText('yesterdays-sale').waitFor({ state: 'detached' });
    await page.reload();
    await table(page, words).getByText('yesterdays-order').waitFor();
    assert.equal(await header(words.purchases.operator).count(), 0);
    const lines = await exported(visit);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /yesterdays-order/);
    const reason = words.common.removeFilter.replace('%{name}', words.purchases.why);
    await page.getByRole('button', { name: reason }).click();
    await views(visit)
      .getByRole('link', { name: say.edited.replace('%{name}', 'Mine') })
      .waitFor();
    const choose = async (option: string): Promise<void> => {
      await page.getByRole('button', { name: say.options }).click();
      await page.getByRole('menuitem', { name: option }).click();
    };
    await choose(say.saveChanges);
    await views(visit).getByRole('link', { name: 'Mine', exact: true }).waitFor();
    await choose(say.remove);
    await axeOn(page);
    await page
      .getByRole('dialog', { name: say.remove })
      .getByRole('button', { name: say.remove })
      .click();
    await mine.waitFor({ state: 'detached' });
    await table(page, words).getByText('yesterdays-sale').waitFor();
  }),
);

test(
  'older purchases are on the next page, and newer ones on the previous',
  sought(async (visit) => {
    const { page, words, signIn } = visit;
    await Promise.all(Array.from({ length: 55 }, (_, n) => bought(sold, `many-${n}`)));
    await signIn('viewer', '/purchases');
    await page.getByRole('button', { name: words.purchases.older }).click();
    await table(page, words).getByText('yesterdays-order').waitFor();
    await page.getByRole('button', { name: words.purchases.newer, exact: true }).click();
    await table(page, words).getByText('yesterdays-order').waitFor({ state: 'detached' });
    assert.equal(await table(page, words).getByRole('link').count(), 50);
    // 50 of 10,000 each on this page; all others too in the totals of the list.
    const total = table(page, words).getByRole('row', { name: words.purchases.pageTotal });
    await total.getByText('500,000').waitFor();
    await page
      .getByRole('status')
      .getByText(words.purchases.totals.split('%')[0] ?? '')
      .waitFor();
    await page.getByRole('button', { name: words.purchases.began, exact: true }).click();
    await table(page, words).getByText('yesterdays-order').waitFor();
    assert.match(page.url(), /\?order=oldest$/);
    const first = table(page, words).getByRole('row').nth(1);
    await first.getByText('yesterdays-order').waitFor();
    await page.getByRole('button', { name: words.purchases.newer, exact: true }).click();
    await table(page, words).getByText('yesterdays-order').waitFor({ state: 'detached' });
  }),
);

for (const { language, dark } of [
  { language: 'en', dark: true },
  { language: 'fa', dark: false },
] as const) {
  test(
    `on a phone purchases are cards, and nothing is wider than the screen (${language})`,
    sought(async (visit) => {
      const { page, words, signIn } = visit;
      await signIn('support', '/purchases?q=yesterdays-order');
      const cards = page.getByRole('list', { name: words.purchases.list });
      await cards.getByText('yesterdays-order').waitFor();
      await assertNoSideways(page);
      await axeOn(page);
      const form = await openFilter(visit, words.purchases.amount);
      await form.getByLabel(words.purchases.least).fill(language === 'fa' ? '۱۰٬۰۰۱' : '10,001');
      await axeOn(page);
      await form.getByRole('button', { name: words.common.apply }).click();
      await page.getByText(words.purchases.none).waitFor();
      await assertNoSideways(page);
      const chip = words.common.removeFilter.replace('%{name}', words.purchases.amount);
      await page.getByRole('button', { name: chip }).click();
      await cards.getByRole('link').click();
      await page.getByRole('heading', { name: words.purchases.facts }).waitFor();
      await assertNoSideways(page);
      await axeOn(page);
    }),
    { phone: true, dark, language },
  );
}

/** Decides a purchase without this page. */
const decideElsewhere = async ({ page }: Visit, id: string): Promise<void> => {
  const send = async (path: string, data: object): Promise<unknown> => {
    const url = `${server().url}/admin/api/purchases/${id}/${path}`;
    const answer = await page.request.post(url, { data, headers: here });
    assert.equal(answer.status(), 200, await answer.text());
    return answer.json();
  };
  const verdict = 'failed';
  const version = at(await send('resolution/preview', { verdict }), 'version');
  await send('resolution', { verdict, version, reason: 'It was refunded.' });
};

const persianDigits = '۰۱۲۳۴۵۶۷۸۹';

/** Selects the purchases with these codes. */
const select = async ({ page, words }: Visit, codes: readonly string[]): Promise<void> => {
  for (const code of codes) {
    const row = table(page, words).getByRole('row').filter({ hasText: code });
    await row.getByRole('checkbox').check();
  }
};

inTurn(
  'several purchases are decided together, each by its own evidence, and none twice',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    const say = words.purchases.many;
    const count = (text: string, ...values: number[]): string =>
      values.reduce(
        (so, value) =>
          so.replace(/%\{\w+\}/, language === 'fa' ? (persianDigits[value] ?? '') : `${value}`),
        text,
      );
    const codes = ['one', 'two', 'three'].map((name) => `several-${name}-${language}`);
    const [first, second, third] = await Promise.all(codes.map(stuck));
    says.set(first ?? '', { kind: 'done', ref: 'receipt-81' });
    says.set(third ?? '', {
      kind: 'refused',
      code: 'declined',
      blame: 'subscriber',
      reason: 'The line is barred',
    });
    await signIn('viewer', '/purchases?needs_person=1');
    await table(page, words)
      .getByText(codes[0] ?? '')
      .waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0, 'a viewer decides nothing');
    await signIn('support', '/purchases?needs_person=1');
    await select(visit, codes);
    await page.getByRole('button', { name: say.decide }).click();
    const dialog = page.getByRole('dialog', { name: count(say.decideTitle, 3) });
    await dialog.getByLabel(words.purchases.delivered).check();
    await dialog.getByRole('button', { name: words.purchases.preview }).click();
    await dialog.getByText(words.purchases.contradicted).waitFor();
    await dialog.getByText(words.facts.code.now_delivered).waitFor();
    await dialog.getByLabel(words.common.reason).fill('The subscribers have it.');
    await axeOn(page);
    await screenshot(page, `decide-many-${language}`);
    // Another person decides the second in the meantime.
    await decideElsewhere(visit, second ?? '');
    await dialog.getByRole('button', { name: count(say.submit, 2) }).click();
    await dialog.getByText(count(say.finished, 1, 1)).waitFor();
    await dialog.getByText(words.errors.NOT_UNDECIDED).waitFor();
    await dialog.getByText(say.skipped).waitFor();
    await axeOn(page);
    await dialog.getByRole('button', { name: words.common.close }).click();
    await table(page, words)
      .getByText(codes[0] ?? '')
      .waitFor({ state: 'detached' });
    await select(visit, [codes[2] ?? '']);
    await page.getByRole('button', { name: say.decide }).click();
    const last = page.getByRole('dialog', { name: count(say.decideTitle, 1) });
    await last.getByLabel(words.purchases.delivered).check();
    await last.getByRole('button', { name: words.purchases.preview }).click();
    const force = words.purchases.many.forceOf.split('%')[0] ?? '';
    await last.getByRole('checkbox', { name: force }).check();
    await last.getByLabel(words.common.reason).fill('Found out by hand.');
    await last.getByRole('button', { name: count(say.submit, 1) }).click();
    await last.getByText(count(say.finished, 1, 0)).waitFor();
    await last.getByRole('button', { name: words.common.close }).click();
    await table(page, words)
      .getByText(codes[2] ?? '')
      .waitFor({ state: 'detached' });
    const { db } = server().deps;
    const made = await db
      .selectFrom('admin_audit')
      .select(['subject', 'after_it'])
      .where('action', '=', 'purchase resolve')
      .where('subject', 'in', [first, second, third].map(String))
      .execute();
    assert.equal(made.length, 3);
    const ofThird = made.find(({ subject }) => subject === third);
    assert.match(ofThird?.after_it ?? '', /"forced":true/);
    assert.equal(new Set(made.map(({ subject }) => subject)).size, 3, 'each once');
  }),
);

inTurn(
  'the operator is asked about several open purchases',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    const say = words.purchases.many;
    const codes = ['one', 'two'].map((name) => `ask-${name}-${language}`);
    for (const code of codes) {
      says.set(await bought(silent, code), { kind: 'done', ref: `receipt-${code}` });
    }
    await signIn('support', '/purchases?state=open');
    await select(visit, codes);
    await page.getByRole('button', { name: say.ask }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words.common.reason).fill('The clients ask.');
    await dialog.getByRole('button', { name: words.purchases.inquire }).click();
    const answer = dialog.getByText(words.purchaseWords.outcome.delivered);
    await eventually('both are answered', async () => (await answer.count()) === 2);
    await dialog.getByRole('button', { name: words.common.close }).click();
    for (const code of codes) {
      await table(page, words).getByText(code).waitFor({ state: 'detached' });
    }
  }),
);

// The last ones: they leave purchases in review.
inTurn(
  'nine inquiries are one line, and what the operator sent by itself is shown',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    const id = await stuck(`asked-often-${language}`);
    await learnt(
      id,
      Array.from({ length: 8 }, () => ({
        kind: 'inquiry',
        fact: { code: 'not_found_yet', values: {} },
      })),
    );
    for (let times = 0; times < 2; times += 1) {
      const message = { method: 'POST', body: JSON.stringify({ ref: id, state: 'queued' }) };
      const headers = { 'content-type': 'application/json' };
      const told = await request(server(), '/callbacks/operator_1', {
        token: null,
        headers,
        ...message,
      });
      assert.equal(told.status, 200, told.text);
    }
    await signIn('support', `/purchases/${id}`);
    const history = page.getByRole('region', { name: words.purchases.timeline });
    const nine = language === 'fa' ? '۹' : '9';
    const line = words.purchases.times
      .replace('%{what}', words.purchaseWords.happening.inquiry)
      .replace('%{count}', nine);
    await history.getByText(line, { exact: true }).waitFor();
    const single = history.getByText(words.purchaseWords.happening.inquiry, { exact: true });
    assert.equal(await single.count(), 0);
    await history
      .getByRole('button', { name: words.purchases.showAll.replace('%{count}', nine) })
      .click();
    await eventually('all are shown', async () => (await single.count()) === 9);
    const callbacks = page.getByRole('table', { name: words.purchases.callbacks });
    const row = callbacks.getByRole('row').nth(1);
    await row.getByText(words.purchaseWords.callback.pending).waitFor();
    await row.getByRole('cell', { name: language === 'fa' ? '۲' : '2', exact: true }).waitFor();
    await row.getByText('"state":"queued"').waitFor();
    await axeOn(page);
  }),
);

inBoth(
  'the history of a purchase is in the page’s language, whatever is recorded',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    const id = await stuck(`history-${language}`);
    await learnt(id, [
      { kind: 'inquiry', fact: { code: 'not_found_yet', values: {} } },
      { kind: 'report', fact: { code: 'reported_delivered', values: { at: null } } },
      { kind: 'late answer', fact: { code: 'late_delivered', values: {} } },
      // As an earlier version wrote it, in an unknown form.
      { kind: 'inquiry', fact: textFact('socket hang up') },
    ]);
    await signIn('support', `/purchases/${id}`);
    const { code, unreadableTime } = words.facts;
    const history = page.getByRole('region', { name: words.purchases.timeline });
    const lines = [
      code.attempt.replace('%{attempt}', language === 'fa' ? '۱' : '1'),
      code.no_answer_within.replace('%{ms}', language === 'fa' ? '۵٬۰۰۰' : '5,000'),
      code.not_found_yet,
      code.reported_delivered.replace('%{at}', unreadableTime),
      code.late_delivered,
      'socket hang up',
    ];
    for (const line of lines) await history.getByText(line, { exact: true }).first().waitFor();
    const text = (await history.innerText()).replace('socket hang up', '');
    assert.doesNotMatch(text, language === 'fa' ? /[a-z]/i : /[\u0600-\u06ff]/);
    assert.doesNotMatch(text, /%\{|undefined/);
  }),
);
