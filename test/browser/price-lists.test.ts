/** Tests price lists in the console: a dated commission for one client, its explanation, and files. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { formatFor } from '../../console/src/writing.ts';
import { aPackage, buy, operatorThat, served, untilRecorded } from '../contract/buying.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, beginning, testConsole, type Visit } from '../support/browser.ts';
import { eventually } from '../support/live.ts';
import { addClient } from '../support/server.ts';

const product = sampleProduct({
  id: 201,
  operator_id: 2,
  price: 7000,
  name: 'بسته ۲۰۱',
  name_en: 'Package 201',
});
const operator = operatorThat({ buy: async ({ ref }) => ({ kind: 'done', ref }) });
const { test, inBoth, server } = testConsole({ ...served(operator), products: [product] });

/** A sentence with its values put in. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/%\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** Chooses an option of a select field within a place of the page. */
const choosing =
  ({ page }: Visit) =>
  async (field: ReturnType<Visit['page']['getByRole']>, option: string): Promise<void> => {
    await field.click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

const dayMs = 86_400_000;

inBoth('give a client 4 % on operator 2’s data packages from tomorrow', async (visit) => {
  const { page, words, language, signIn } = visit;
  const say = words.priceLists;
  const { count, digits, money, time } = formatFor(language, 'UTC');
  const given = {
    en: { list: 'Partners', commission: '4%' },
    fa: { list: 'همکاران', commission: '۴٪' },
  };
  const { list, commission } = given[language];
  const client = await addClient(server(), { name: `Kiosk ${language}` });
  const name = `Kiosk ${language}`;
  const choose = choosing(visit);
  await signIn('manager', '/me');
  await page.getByRole('link', { name: words.pages.priceLists, exact: true }).click();
  await page.getByRole('button', { name: say.create }).click();
  const dialog = page.getByRole('dialog', { name: say.create });
  await dialog.getByRole('textbox', { name: say.name }).fill(list);
  await axeOn(page);
  await dialog.getByRole('button', { name: words.common.save }).click();
  await page.getByRole('heading', { level: 1, name: list }).waitFor();

  await page.getByRole('link', { name: say.newVersion }).click();
  const form = page.getByRole('form', { name: say.newVersion });
  const operator = language === 'fa' ? 'اپراتور ۲' : 'Operator 2';
  await choose(form.getByRole('combobox', { name: say.operator }), operator);
  await choose(form.getByRole('combobox', { name: say.type }), words.catalogue.types.cell_internet);
  const show = form.getByRole('button', { name: say.show });
  await show.click();
  await form.getByText(say.commissionWrong).waitFor();
  await form.getByRole('textbox', { name: say.commission }).fill(commission);
  await show.click();
  const preview = page.getByRole('region', { name: say.preview, exact: true });
  const midnight = time((Math.floor(beginning / dayMs) + 1) * dayMs, 'short');
  await preview.getByText(filled(say.previewFrom, { time: midnight })).waitFor();
  await preview.getByText(operator).waitFor();
  await preview.getByText(say.effectNone).waitFor();
  await axeOn(page);
  await preview.getByRole('button', { name: say.apply }).click();
  await page.getByRole('dialog').getByRole('button', { name: say.apply }).click();
  await page.getByText(filled(say.applied, { number: count(1) })).waitFor();
  const versions = page.getByRole('table', { name: say.versions });
  await versions.getByText(say.states.planned).waitFor();
  await axeOn(page);

  await page.getByRole('link', { name: words.pages.clients, exact: true }).click();
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('button', { name: say.change }).click();
  const assigning = page.getByRole('dialog', { name: filled(say.changeTitle, { name }) });
  await choose(assigning.getByRole('combobox', { name: say.list }), list);
  await assigning.getByRole('button', { name: say.changeSubmit }).click();
  await page.getByText(filled(say.changed, { client: name, list })).waitFor();

  // Today it pays the price, and from tomorrow on 4 % less.
  await page.getByRole('link', { name: say.explain }).click();
  const panel = page.getByRole('region', { name: say.explain });
  const chargedAt = async (moment: string, charged: number): Promise<void> => {
    await panel.getByLabel(words.question.at, { exact: true }).fill(moment);
    await panel.getByRole('button', { name: words.question.explain, exact: true }).click();
    await panel
      .getByRole('region', { name: say.charged, exact: true })
      .getByText(money(charged), { exact: true })
      .waitFor();
  };
  await panel.getByRole('combobox', { name: words.purchases.product }).click();
  await page
    .getByRole('option', { name: language === 'fa' ? product.name : 'Package 201' })
    .click();
  await panel
    .getByRole('combobox', { name: words.purchases.client })
    .and(page.locator(`[value="${name}"]`))
    .waitFor();
  await chargedAt('', 7000);
  await chargedAt(language === 'fa' ? digits('1404/11/12 00:00') : '2026-02-01T00:00', 6720);
  await panel.getByText(say.codes.decides, { exact: true }).waitFor();
  await axeOn(page);
  const { list_id } = await server()
    .deps.db.selectFrom('client_price_lists')
    .select('list_id')
    .where('client_id', '=', client.id)
    .executeTakeFirstOrThrow();
  assert.ok(list_id > 1);
});

test('a file changes commissions after a preview; a version that has not begun is withdrawn', async (visit) => {
  const { page, words, signIn, open } = visit;
  const say = words.priceLists;
  const { token } = await addClient(server(), { name: 'Buyer', balance: 100_000 });
  const fields = { ...aPackage, product_id: product.id, price: product.price };
  await untilRecorded(server(), await buy(server(), fields, { token }));
  const { db } = server().deps;
  await eventually('the sale is counted', async () => {
    const rows = await db.selectFrom('sales').select('sold').where('kind', '=', 'client').execute();
    return rows.length > 0;
  });
  await signIn('manager', '/price-lists/1');
  await page.getByText(say.noVersionPrice).waitFor();
  await page.getByRole('link', { name: say.import, exact: true }).click();
  const preview = async (csv: string): Promise<void> => {
    const file = { name: 'entries.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: say.show }).click();
  };
  await preview('operator_id,commission\n2,many\n');
  await page.getByRole('table', { name: words.catalogueImport.problems }).waitFor();
  await preview('operator_id,product_id,commission\n2,,1%\n,201,10%\n');
  const shown = page.getByRole('region', { name: say.preview, exact: true });
  await shown.getByText('Package 201').waitFor();
  const buyers = shown.getByRole('table', { name: say.effect });
  await buyers.getByRole('row', { name: 'Buyer 1 7,000 6,300 -700' }).waitFor();
  await axeOn(page);

  // Someone else changes a list meanwhile: the preview is made again, and nothing is written before.
  await db
    .updateTable('versions')
    .set({ version: 'another' })
    .where('name', '=', 'prices')
    .execute();
  const apply = async (): Promise<void> => {
    await shown.getByRole('button', { name: say.apply }).click();
    await page.getByRole('dialog').getByRole('button', { name: say.apply }).click();
  };
  await apply();
  await page.getByText(say.again).waitFor();
  await apply();
  await page.getByText(say.applied.replace('%{number}', '1')).waitFor();
  const entries = page.getByRole('table', { name: say.entriesOf.replace('%{number}', '1') });
  await entries.getByRole('row', { name: 'Operator 2 1% of the price' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: say.export }).click();
  const exported = await readFile(await (await download).path(), 'utf8');
  assert.match(exported, /^201,,,,10%\r\n/m);

  await page.getByRole('button', { name: say.withdrawTitle.replace('%{number}', '1') }).click();
  await page.getByRole('dialog').getByRole('button', { name: say.withdraw }).click();
  await page.getByText(say.withdrawn).waitFor();
  await page.getByText(say.noVersion).waitFor();
  await assertNoSideways(page);

  await open('/price-lists/99');
  await page.getByRole('heading', { name: words.shell.notFound }).waitFor();
});

test('a list is edited and removed', async ({ page, words, signIn }) => {
  const say = words.priceLists;
  await signIn('manager', '/price-lists');
  await page.getByRole('button', { name: say.create }).click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: words.common.save });
  await save.click();
  await dialog.getByText(words.common.required).waitFor();
  await dialog.getByRole('textbox', { name: say.name }).fill('Short-lived');
  await save.click();
  await page.getByRole('heading', { level: 1, name: 'Short-lived' }).waitFor();
  await page.getByText(say.noVersionParent.replace('%{name}', say.defaultName)).waitFor();
  await page.getByRole('button', { name: say.edit }).click();
  await dialog.getByRole('switch', { name: say.belowCost }).check();
  await save.click();
  await page.getByText(say.saved).waitFor();
  await page.getByRole('main').getByText(say.belowCost, { exact: true }).waitFor();
  await page.getByRole('button', { name: say.remove }).click();
  await dialog.getByRole('button', { name: say.remove }).click();
  await page.getByText(say.removed).waitFor();
  await page.getByRole('heading', { level: 1, name: words.pages.priceLists }).waitFor();
  assert.equal(await page.getByText('Short-lived').count(), 0);
});

test('support sees price lists and changes none; a viewer sees none', async (visit) => {
  const { page, words, signIn, open } = visit;
  const say = words.priceLists;
  await signIn('support', '/price-lists');
  const table = page.getByRole('table', { name: words.pages.priceLists });
  await table.getByRole('link', { name: say.defaultName }).click();
  await page.getByRole('heading', { level: 1, name: say.defaultName }).waitFor();
  assert.equal(await page.getByRole('link', { name: say.newVersion }).count(), 0);
  assert.equal(await page.getByRole('button', { name: say.edit }).count(), 0);
  await open('/price-lists/1/version');
  await page.getByRole('heading', { name: words.shell.notFound }).waitFor();
  await signIn('viewer', `/clients/${server().client.id}`);
  await page.getByRole('region', { name: words.clientOverview.limits }).waitFor();
  assert.equal(await page.getByRole('region', { name: say.clientTitle }).count(), 0);
  assert.equal(await page.getByRole('link', { name: words.pages.priceLists }).count(), 0);
});
