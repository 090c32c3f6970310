/** Tests purchases in the console: finding them, reading their history, inquiring and deciding. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { unknownBecause } from '../../src/connector/cause.ts';
import type { StatusOutcome } from '../../src/connector/connector.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { advanceIn } from '../../src/purchases/commit/advance.ts';
import { textFact, unknownFact } from '../../src/purchases/facts/facts.ts';
import { giveUp, isOpen, learn, type Note, type Purchase } from '../../src/purchases/purchase.ts';
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
import { axeOn } from '../support/axe.ts';
import {
  assertNoSideways,
  beginning,
  screenshot,
  testConsole,
  type Visit,
  type Words,
} from '../support/browser.ts';
import { eventually } from '../support/live.ts';
import { addClient } from '../support/server.ts';
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
        return { kind: 'refused', code: 'declined', reason: 'The line is barred' };
      if (mobile === silent) return silence;
      return { kind: 'done', ref };
    },
    status: async (ref) => says.get(ref) ?? silence,
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

let seeded: Promise<void> | undefined;

/** A test with purchases of yesterday and today. */
const sought =
  (body: (visit: Visit) => Promise<void>) =>
  async (visit: Visit): Promise<void> => {
    seeded ??= seed();
    await seeded;
    await body(visit);
  };

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

const search = async ({ page, words }: Visit, text: string): Promise<void> => {
  await page.getByRole('searchbox', { name: words.purchases.search }).fill(text);
  await page.getByRole('button', { name: words.purchases.find, exact: true }).click();
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
    await inZoneOfSettings(visit);
    await page.getByRole('button', { name: words.purchases.yesterday }).click();
    await table(page, words).getByText('corner-1').waitFor({ state: 'detached' });
    await table(page, words).getByText('yesterdays-sale').waitFor();
    await screenshot(page, `purchases-${language}`);
    const from = page.getByLabel(words.purchases.from, { exact: true });
    const midnight = language === 'fa' ? '۱۴۰۴/۱۱/۱۰ ۰۰:۰۰' : '2026-01-30T00:00';
    assert.equal(await from.inputValue(), midnight);
    await page.getByRole('combobox', { name: words.purchases.state }).click();
    await page.getByRole('option', { name: words.purchaseWords.state.failed }).click();
    await page.getByRole('button', { name: words.purchases.find, exact: true }).click();
    await table(page, words).getByText('yesterdays-sale').waitFor({ state: 'detached' });
    await openOnly(visit);
    const why = page.getByRole('region', { name: words.purchases.explanation });
    await why.getByText('The line is barred').waitFor();
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
    const dialog = page.getByRole('dialog', { name: words.purchases.resolveTitle });
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
    const why = page.getByRole('region', { name: words.purchases.explanation });
    await why.getByText(words.purchaseWords.state.succeeded, { exact: true }).waitFor();
    const decisions = page.getByRole('table', { name: words.purchases.decisions });
    await decisions.getByText('The subscriber has it.').waitFor();
    await decisions.getByText('the-support').waitFor();
    await screenshot(page, `purchase-${language}`);
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
    const dialog = page.getByRole('dialog', { name: words.purchases.resolveTitle });
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
    await page.getByRole('combobox', { name: words.purchases.client }).fill('unknown-name');
    await page.getByText(words.common.noneFits).waitFor();
    await page.getByRole('combobox', { name: words.purchases.client }).fill('corner');
    await page.getByRole('option', { name: 'The corner shop' }).click();
    await page.getByRole('button', { name: words.purchases.find, exact: true }).click();
    await table(page, words).getByText('yesterdays-sale').waitFor({ state: 'detached' });
    await table(page, words).getByText('corner-1').waitFor();
    const address = page.url();
    await search(visit, 'nothing-like-it');
    await page.getByText(words.purchases.none).waitFor();
    await page.goBack();
    await table(page, words).getByText('corner-1').waitFor();
    assert.equal(page.url(), address);
    assert.equal(
      await page.getByRole('searchbox', { name: words.purchases.search }).inputValue(),
      '',
    );
    await page.reload();
    await table(page, words).getByText('corner-1').waitFor();
    const client = page.getByRole('combobox', { name: words.purchases.client });
    await eventually('it is named', async () => (await client.inputValue()) === 'The corner shop');
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
    await inZoneOfSettings(visit);
    const [from, to] = [words.purchases.from, words.purchases.to].map((name) =>
      page.getByLabel(name, { exact: true }),
    );
    const find = page.getByRole('button', { name: words.purchases.find, exact: true });
    await from?.fill('1404/12/30');
    await page.getByText(words.times.wrong.split('%')[0] ?? '').waitFor();
    await find.click();
    await table(page, words).getByText('yesterdays-sale').waitFor();
    assert.equal(
      await from?.evaluate('document.activeElement?.getAttribute("aria-invalid")'),
      'true',
    );
    await from?.fill('1404/11/11');
    await page.getByText('۱۱ بهمن ۱۴۰۴، ۰:۰۰').waitFor();
    await find.click();
    await table(page, words).getByText('yesterdays-sale').waitFor({ state: 'detached' });
    await table(page, words).getByText('corner-1').waitFor();
    assert.match(page.url(), /from=2026-01-31T00%3A00%3A00\.000Z/);
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

inBoth(
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
    const box = page.getByRole('searchbox', { name: words.purchases.search });
    await eventually('it is there again', async () => (await box.inputValue()).includes('۶۷۹۰'));
    await page.getByRole('textbox', { name: words.purchases.number }).fill(barred);
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
    await page.getByText(words.purchases.searchHelpLess).waitFor();
    assert.equal(await page.getByRole('textbox', { name: words.purchases.number }).count(), 0);
    await search(visit, '0912 345 6790');
    await page.getByRole('alert').getByText(words.errors.NUMBER_SEARCH_REFUSED).waitFor();
    await axeOn(page);
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
      if (dark) await screenshot(page, 'purchases-phone');
      await page.getByRole('button', { name: words.purchases.filters }).click();
      await page.getByRole('combobox', { name: words.purchases.state }).waitFor();
      await axeOn(page);
      await cards.getByRole('link').click();
      await page.getByRole('heading', { name: words.purchases.facts }).waitFor();
      await assertNoSideways(page);
      await axeOn(page);
    }),
    { phone: true, dark, language },
  );
}

// The last one: it leaves a purchase in review.
inTurn(
  'the history of a purchase is in the page’s language, whatever is recorded',
  sought(async (visit) => {
    const { page, words, signIn, language } = visit;
    const id = await stuck(`history-${language}`);
    const { deps, client } = server();
    const learnt: readonly Note[] = [
      { kind: 'inquiry', fact: { code: 'not_found_yet', values: {} } },
      { kind: 'report', fact: { code: 'reported_delivered', values: { at: null } } },
      { kind: 'late answer', fact: { code: 'late_delivered', values: {} } },
      // As an earlier version wrote it, in an unknown form.
      { kind: 'inquiry', fact: textFact('socket hang up') },
    ];
    const name = { clientId: client.id, id };
    await deps.db.transaction().execute(async (db) => {
      for (const note of learnt) {
        const step = (one: Purchase) => (one.state === 'review' ? learn(one, note) : undefined);
        await advanceIn(db, async () => clock.now(), [{ name, fence: 'any', step }]);
      }
    });
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
