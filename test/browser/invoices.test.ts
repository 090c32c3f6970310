/** Tests invoices in the console: made for a month, printed in each language, and credited. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { monthName } from '../../console/src/invoices/month-name.ts';
import { formatFor } from '../../console/src/writing.ts';
import { writePostings } from '../../src/ledger/store.ts';
import { begin } from '../../src/purchases/purchase.ts';
import { insertPurchases } from '../../src/purchases/store.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, beginning, testConsole } from '../support/browser.ts';
import { purchaseRequestOf } from '../support/purchase-world.ts';
import { addClient } from '../support/server.ts';

const product = sampleProduct({
  id: 201,
  operator_id: 2,
  price: 1100,
  name: 'بسته ۲۰۱',
  name_en: 'Package 201',
});
const { test, inBoth, server } = testConsole({ products: [product] });

/** A sentence with its values put in. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/%\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

const lastMonth = beginning - 40 * 86_400_000;
const terms = { sendBefore: 1, quietAt: 1, dueAt: 1 };

/** A client that bought the product twice in December. */
const billable = async (name: string): Promise<string> => {
  const { db, newId } = server().deps;
  const { id: clientId } = await addClient(server(), { name, balance: 10_000 });
  for (const price of [1100, 1100]) {
    const id = newId();
    const bought = { clientId, id, productId: product.id, operatorId: 2, price };
    await insertPurchases(db, [begin(purchaseRequestOf(bought), lastMonth, terms).after]);
    const postings = (['hold', 'capture'] as const).map((kind) => ({
      kind,
      amount: price,
      purchaseId: id,
    }));
    await writePostings(db, clientId, postings, lastMonth);
  }
  return clientId;
};

inBoth('print a client’s invoice', async (visit) => {
  const { page, words, language, signIn, go } = visit;
  const say = words.invoices;
  const { digits, money, percent } = formatFor(language, 'UTC');
  const name = `Kiosk ${language}`;
  const clientId = await billable(name);
  const { clientContact: contact } = words;
  await signIn('owner', `/clients/${clientId}?tab=contact`);
  await page.getByRole('button', { name: contact.edit }).click();
  const billing = page.getByRole('dialog', { name: filled(contact.editTitle, { name }) });
  await billing.getByLabel(contact.legal_name).fill(`Registered ${language}`);
  await billing.getByLabel(contact.tax_number).fill('1032');
  await billing.getByLabel(contact.address).fill('12 Example Street\nTehran');
  await axeOn(page);
  await billing.getByRole('button', { name: words.common.save }).click();
  await page.getByText('1032').waitFor();
  await go('/settings');
  const form = page.getByRole('form', { name: say.settings });
  await form.getByLabel(say.sellerName, { exact: true }).fill(`Seller ${language}`);
  await form.getByLabel(say.sellerNumber).fill('4711');
  await form.getByLabel(say.taxPercent).fill('100');
  await form.getByRole('button', { name: words.common.save }).click();
  await form.getByText(say.taxWrong).waitFor();
  await form.getByLabel(say.taxPercent).fill(digits(10));
  await form.getByRole('button', { name: words.common.save }).click();
  await page.getByText(words.settings.saved).waitFor();

  await page.getByRole('link', { name: words.pages.invoices, exact: true }).click();
  await page.getByRole('button', { name: say.make }).click();
  const dialog = page.getByRole('dialog', { name: say.make });
  await dialog.getByText(monthName('2025-12', language)).waitFor();
  await axeOn(page);
  await dialog.getByRole('button', { name: say.make }).click();
  await page
    .getByText(
      filled(say.madeCount, { made: digits(1), existed: digits(language === 'fa' ? 1 : 0) }),
    )
    .waitFor();
  await page.getByRole('link', { name }).click();
  const invoice = page.getByRole('article');
  await invoice.getByText(`Seller ${language}`).waitFor();
  const buyer = invoice.getByRole('region', { name: say.buyer });
  for (const text of [`Registered ${language}`, '1032', '12 Example Street', 'Tehran']) {
    await buyer.getByText(text, { exact: true }).waitFor();
  }
  await axeOn(page);

  await page.evaluate(
    'window.printed = 0, window.realPrint = print, window.print = () => { window.printed += 1; }',
  );
  await page.getByRole('button', { name: say.print }).click();
  assert.equal(await page.evaluate('window.printed'), 1);
  await page.evaluate('window.print = window.realPrint');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('button').count(), 0);
  assert.equal(await page.getByRole('navigation').count(), 0);
  assert.equal(
    await page.evaluate('document.documentElement.dir'),
    language === 'fa' ? 'rtl' : 'ltr',
  );
  const line = invoice.getByRole('row').filter({
    hasText: language === 'fa' ? product.name : 'Package 201',
  });
  assert.deepEqual((await line.getByRole('cell').allInnerTexts()).slice(1), [
    digits(2),
    money(2200),
    words.common.none,
    money(2200),
    words.common.none,
    money(2200),
  ]);
  await invoice
    .getByText(filled(say.includesTax, { percent: percent(0.1), tax: money(200) }))
    .waitFor();
  const colours: string[] = await page.evaluate(
    `[...document.querySelectorAll('article, article *')].map((one) => getComputedStyle(one).color)`,
  );
  assert.deepEqual([...new Set(colours)], ['rgb(0, 0, 0)']);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  // One sheet.
  assert.equal(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1);
  await page.emulateMedia({ media: 'screen' });

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: say.export }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  assert.match(csv, /,201,(Package 201|بسته ۲۰۱),2,2200,0,2200,0,0,2200,,\r\n/);
  await go('/invoices');
  await page.getByRole('row').filter({ hasText: name }).waitFor();
});

test('a credit note gives money back; who may not make one sees it', async ({
  page,
  words,
  signIn,
  go,
}) => {
  const say = words.invoices;
  const clientId = await billable('Credited');
  await signIn('manager', `/clients/${clientId}?tab=money`);
  await page.getByRole('main').getByRole('link', { name: say.ofClient, exact: true }).click();
  await page.getByText(say.noneFits).waitFor();
  await page.getByRole('button', { name: say.make }).click();
  await page.getByRole('dialog').getByRole('button', { name: say.make }).click();
  await page.getByRole('link', { name: 'Credited' }).click();
  await page.getByRole('button', { name: say.credit, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words.clients.amount).fill('2201');
  await dialog.getByLabel(words.clients.reason).fill('a wrong price');
  await dialog.getByRole('button', { name: say.creditSubmit }).click();
  await dialog.getByLabel(words.clients.amount).and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByLabel(words.clients.amount).fill('2200');
  await dialog.getByRole('button', { name: say.creditSubmit }).click();
  const notes = page.getByRole('region', { name: say.creditNotes });
  await notes.getByText('a wrong price').waitFor();
  // Nothing is left.
  await page.getByRole('button', { name: say.credit, exact: true }).waitFor({ state: 'detached' });
  await assertNoSideways(page);
  const path = new URL(page.url()).pathname.replace('/console', '');
  await signIn('viewer', path);
  await notes.getByText('a wrong price').waitFor();
  await go('/invoices');
  await page.getByRole('link', { name: 'Credited' }).waitFor();
  assert.equal(await page.getByRole('button', { name: say.make }).count(), 0);
});

test(
  'an invoice is read on a phone',
  async ({ page, words, signIn }) => {
    await billable('تلفن');
    await signIn('manager', '/invoices');
    await page.getByRole('button', { name: words.invoices.make }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.invoices.make }).click();
    await page.getByRole('link', { name: 'تلفن' }).click();
    await page.getByRole('article').getByText(product.name).waitFor();
    await axeOn(page);
    await assertNoSideways(page);
  },
  { dark: true, phone: true, language: 'fa' },
);
