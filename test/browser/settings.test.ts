/** Tests that owners change the console's settings, and that everyone sees the configuration in force. */
import assert from 'node:assert/strict';
import { at } from '../support/answers.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, testConsole } from '../support/browser.ts';

const { inTurn, test } = testConsole();

inTurn(
  'an owner sets the company name, the currency, the time zone and the threshold',
  async (visit) => {
    const { page, signIn, open, words, language } = visit;
    const say = words.settings;
    const name = `Example Mobile ${language}`;
    await signIn('owner', '/settings');
    await page.getByRole('heading', { level: 1, name: words.pages.settings }).waitFor();
    const form = page.getByRole('form', { name: say.console });
    const code = form.getByRole('combobox', { name: say.currency, exact: true });
    const zone = form.getByRole('combobox', { name: say.timeZone });
    await form.getByLabel(say.company).fill(name);
    await form.getByLabel(say.lowBelow).fill('many');
    await zone.fill('Nowhere/There');
    await page.keyboard.press('Escape');
    await code.fill('R');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: words.common.save }).click();
    await form.getByText(say.notWhole).waitFor();
    await form.getByText(say.noSuchZone).waitFor();
    await form.getByText(say.currencyWrong).waitFor();
    await form.getByLabel(say.lowBelow).fill(language === 'fa' ? '۲٬۵۰۰٬۰۰۰' : '2,500,000');
    // The code brings its names; an amount is shown as it will be written.
    await code.fill('irt');
    await page.getByRole('option', { name: 'IRT' }).click();
    await form.getByText('۱٬۵۰۰٬۰۰۰\u00a0تومان').waitFor();
    const symbol = say.symbol.replace('%{language}', say.in_en);
    await form.getByRole('textbox', { name: symbol }).fill('toman');
    await form.getByText('1,500,000\u00a0toman').waitFor();
    await zone.fill('tok');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await form.getByText(language === 'fa' ? '۱۸:۳۰' : '18:30').waitFor();
    await form.getByRole('button', { name: words.common.save }).click();
    await page.getByText(say.saved).waitFor();
    await page.getByRole('banner').getByText(name).waitFor();
    const docs = page.getByRole('link', { name: words.shell.docs });
    assert.equal(await docs.getAttribute('href'), '/docs/');
    await page.waitForFunction(`document.title.endsWith(' · ${name}')`);
    // All settings are checked on a phone.
    await page.getByLabel(say.find).fill('dataDir');
    await axeOn(page);
    const set = await page.evaluate(
      `fetch('/admin/api/settings').then((answer) => answer.json()).then((all) => all.console)`,
    );
    assert.deepEqual(set, {
      company_name: name,
      low_balance_below: 2_500_000,
      invoices: {
        seller_name: '',
        seller_number: '',
        seller_address: '',
        tax_percent: '0',
        calendar: 'gregorian',
      },
      currency: {
        code: 'IRT',
        names: { en: 'toman', fa: 'تومان' },
        written: {
          en: { symbol: 'toman', position: 'after' },
          fa: { symbol: 'تومان', position: 'after' },
        },
      },
      time_zone: 'Asia/Tokyo',
      time_zone_since: at(set, 'time_zone_since'),
    });
    assert.match(String(at(set, 'time_zone_since')), /^20\d\d-/);

    // The code typed again keeps what was set.
    await code.fill('IR');
    await code.fill('IRT');
    await form.getByText('1,500,000\u00a0toman').waitFor();

    // And every amount has its currency.
    assert.equal(
      await form.getByText(language === 'fa' ? 'تومان' : 'toman', { exact: true }).count(),
      1,
    );
    await open('/clients');
    await page
      .getByText(language === 'fa' ? /[۰-۹]\u00a0تومان/ : /\d\u00a0toman/)
      .first()
      .waitFor();
    // All pages use the configured zone: it is half past nine in London, and the browser's is Tehran's.
    await open('/audit');
    await page
      .getByText(language === 'fa' ? /۱۸:۳/ : /18:3/)
      .first()
      .waitFor();
    const change = page.getByRole('cell', { name: words.audit.actions['settings change'] });
    await change.first().waitFor();
  },
);

test('a setting is found among all, with its origin', async ({ page, signIn, words }) => {
  const say = words.settings;
  await signIn('viewer', '/settings');
  await page.getByText(say.notYours).waitFor();
  assert.equal(await page.getByLabel(say.company).count(), 0);
  await page.getByText('SQLite', { exact: true }).waitFor();
  await page.getByText(process.version).waitFor();
  await page.getByLabel(say.find).fill('dataDir');
  const table = page.getByRole('table', { name: say.running });
  await table.getByRole('cell', { name: 'dataDir', exact: true }).waitFor();
  assert.ok((await table.getByRole('row').count()) < 5);
  await axeOn(page);
  await page.getByLabel(say.find).fill('');
  const few = await table.getByRole('row').count();
  assert.equal(await table.getByText(say.fromDefault, { exact: true }).count(), 0);
  await page.getByRole('checkbox', { name: say.withDefaults }).check();
  await table.getByText(say.fromDefault, { exact: true }).first().waitFor();
  assert.ok((await table.getByRole('row').count()) > few + 20);
  await page.getByLabel(say.find).fill('no such thing');
  await page.getByText(say.noneFound).waitFor();
});

test(
  '/settings is accessible in dark mode, in Persian, on a phone',
  async ({ page, signIn, words }) => {
    await signIn('owner', '/settings');
    await page.getByLabel(words.settings.find).waitFor();
    await axeOn(page);
    await assertNoSideways(page);
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
  },
  { dark: true, phone: true, language: 'fa' },
);
