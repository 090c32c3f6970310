/** Tests the catalogue in the console: listing, switching, prices and imports. */
import assert from 'node:assert/strict';
import { formatFor } from '../../console/src/writing.ts';
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import { readCatalogue } from '../../src/catalogue/read.ts';
import { axeOn } from '../support/axe.ts';
import {
  addFilter,
  assertNoSideways,
  screenshot,
  testConsole,
  type Visit,
} from '../support/browser.ts';
import { importProducts } from '../support/import-products.ts';

const all = demoCatalogue();
const { inTurn, server, test } = testConsole({ products: all });

/** A sentence with its values put in. */
const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values).reduce(
    (said, [name, value]) => said.replace(`%{${name}}`, String(value)),
    text,
  );

const storedOf = async (ids: readonly number[]) => {
  const { products } = await readCatalogue(server().deps.db);
  const found = products.filter(({ id }) => ids.includes(id));
  assert.equal(found.length, ids.length);
  return found;
};

const stored = async (id: number) => {
  const [found] = await storedOf([id]);
  assert.ok(found !== undefined);
  return found;
};

/** A product with a unique name in both languages; the first two are personal offers. */
const unique = (position: number) => {
  const names = (one: (typeof all)[number]) => [one.name, one.name_en];
  const [found] = all
    .filter((one) => one.status === 1 && one.second_price === null)
    .filter((one) =>
      all.every(
        (other) => other === one || !names(other).some((name) => names(one).includes(name)),
      ),
    )
    .slice(2 + position);
  assert.ok(found !== undefined);
  return found;
};

const nameIn = (
  { language }: Visit,
  { name, name_en: latin }: { name: string; name_en: string | null },
) => (language === 'fa' ? name : (latin ?? name));

const choose = async ({ page }: Visit, label: string, option: string): Promise<void> => {
  const field = page.getByRole('combobox', { name: label, exact: true });
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
  // The next selection is added to the current address.
  await field.filter({ hasText: option }).waitFor();
};

inTurn('a manager finds a product and switches it off and on again', async (visit) => {
  const { page, signIn, words, language } = visit;
  const say = words.catalogue;
  const product = unique(language === 'fa' ? 1 : 0);
  const name = nameIn(visit, product);
  await signIn('manager', '/me');
  await page.getByRole('link', { name: words.pages.catalogue }).click();
  await page.getByRole('heading', { level: 1, name: words.pages.catalogue }).waitFor();
  const { count } = formatFor(language);
  await page.getByText(filled(say.total, { count: count(all.length) })).waitFor();
  await screenshot(page, `catalogue-${language}`);
  await page.getByLabel(say.search).fill(name);
  await page.keyboard.press('Enter');
  const sell = page.getByRole('switch', { name: filled(say.sell, { name }), exact: true });
  assert.equal(await sell.isChecked(), true);
  await page.getByText(filled(say.total, { count: count(1) }), { exact: true }).waitFor();
  await axeOn(page);
  await sell.click();
  await page.getByText(filled(say.isOff, { name })).waitFor();
  assert.equal(await sell.isChecked(), false);
  assert.equal((await stored(product.id)).status, 0);
  await sell.press('Space');
  await page.getByText(filled(say.isOn, { name })).waitFor();
  assert.equal((await stored(product.id)).status, 1);

  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByText(say.fields.sku, { exact: true }).waitFor();
  await axeOn(page);
});

inTurn(
  'the search stays in the address, with pages, and many products are switched at once',
  async (visit) => {
    const { page, signIn, words, language } = visit;
    const say = words.catalogue;
    const { count } = formatFor(language);
    await signIn('manager', '/catalogue');
    await page
      .getByText(filled(say.page, { page: count(1), pages: count(Math.ceil(all.length / 50)) }))
      .waitFor();
    await page.getByRole('button', { name: say.nextPage }).click();
    await page
      .getByText(filled(say.page, { page: count(2), pages: count(Math.ceil(all.length / 50)) }))
      .waitFor();
    await addFilter(visit, say.type, say.types.cell_direct_charge);
    await addFilter(visit, say.sim, say.sims.permanent);
    await choose(visit, say.sort, say.sorts['-price']);
    const found = all.filter(
      (one) => one.type === 'cell_direct_charge' && one.sim_card_type === 'permanent',
    );
    const total = page.getByText(filled(say.total, { count: count(found.length) }));
    await total.waitFor();
    await page.reload();
    await total.waitFor();
    const [, first] = await page.getByRole('row').all();
    const dearest = Math.max(...found.map(({ price }) => price));
    await first?.getByText(count(dearest), { exact: true }).waitFor();

    await page.getByRole('button', { name: say.choosePage }).click();
    await page.getByText(filled(say.chosenCount, { count: count(found.length) })).waitFor();
    await page.getByRole('button', { name: say.switchOff, exact: true }).click();
    const dialog = page.getByRole('dialog', {
      name: filled(say.switchOffTitle, { count: count(found.length) }),
    });
    await axeOn(page);
    await dialog.getByRole('button', { name: say.switchOff }).click();
    await page.getByText(filled(say.switchedOff, { count: count(found.length) })).waitFor();
    for (const { status } of await storedOf(found.map(({ id }) => id))) assert.equal(status, 0);
    await page.getByRole('button', { name: say.switchOn, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: say.switchOn }).click();
    await page.getByText(filled(say.switchedOn, { count: count(found.length) })).waitFor();

    await page.getByRole('link', { name: say.categories }).click();
    await page.getByRole('heading', { level: 1, name: say.categories }).waitFor();
    const [category] = all.flatMap(({ categories }) => categories);
    assert.ok(category !== undefined);
    const within = all.filter(({ categories }) => categories.some(({ id }) => id === category.id));
    await axeOn(page);
    await page.getByRole('link', { name: filled(say.inCategory, { name: category.name }) }).click();
    await page.getByText(filled(say.total, { count: count(within.length) })).waitFor();
  },
);

inTurn('prices of selected products are changed as the preview showed', async (visit) => {
  const { page, signIn, words, language, server } = visit;
  const { catalogue: say, cataloguePrices: prices } = words;
  const { count, digits } = formatFor(language);
  const chosen = [unique(2), unique(3)];
  const before = await Promise.all(chosen.map(({ id }) => stored(id)));
  await signIn('manager', '/catalogue?sort=id&search=nothing-yet');
  for (const product of chosen) {
    await page.getByLabel(say.search).fill(String(product.id));
    await page.keyboard.press('Enter');
    await page
      .getByLabel(filled(say.choose, { name: nameIn(visit, product) }), { exact: true })
      .check();
  }
  await page
    .getByRole('group', { name: say.chosenProducts })
    .getByRole('link', { name: say.prices })
    .click();
  await page.getByRole('heading', { level: 1, name: say.prices }).waitFor();
  await page.getByLabel(filled(prices.whichChosen, { count: count(2) })).waitFor();
  await page.getByRole('button', { name: prices.show }).click();
  await page.getByText(prices.notPercent).waitFor();
  await page.getByLabel(prices.percent, { exact: true }).fill(digits(10));
  await choose(visit, prices.round, prices.roundNot);
  await page.getByRole('button', { name: prices.show }).click();
  const apply = page.getByRole('button', { name: filled(prices.apply, { count: count(2) }) });
  await apply.waitFor();
  for (const { price } of before) {
    const after = Math.floor((price * 110 + 50) / 100);
    const row = page.getByRole('row').filter({ hasText: count(price) });
    await row
      .filter({ hasText: count(after) })
      .first()
      .waitFor();
  }
  await axeOn(page);
  await screenshot(page, `catalogue-prices-${language}`);

  // Another person is faster: nothing is done, and the new preview is shown.
  await importProducts(server.deps, [
    { ...unique(4), price: unique(4).price + (language === 'fa' ? 2 : 1) },
  ]);
  await apply.click();
  await page.getByText(prices.again).waitFor();
  assert.deepEqual(
    (await Promise.all(chosen.map(({ id }) => stored(id)))).map(({ price }) => price),
    before.map(({ price }) => price),
  );
  await apply.click();
  await page.getByText(filled(prices.doneText, { count: count(2) })).waitFor();
  for (const { id, price } of before) {
    assert.equal((await stored(id)).price, Math.floor((price * 110 + 50) / 100));
  }
});

test('products that cannot be priced are reported, and a filter selects the products', async (visit) => {
  const { page, signIn, words } = visit;
  const { cataloguePrices: prices, catalogue: say } = words;
  await signIn('manager', '/catalogue?type=td_lte_internet');
  await page
    .getByRole('group', { name: say.chosenProducts })
    .getByRole('link', { name: say.prices })
    .click();
  const count = all.filter(({ type }) => type === 'td_lte_internet').length;
  await page.getByLabel(filled(prices.whichFilter, { count })).waitFor();
  await page.getByText(`${say.type}: ${say.types.td_lte_internet}`).waitFor();
  await choose(visit, prices.how, prices.hows.lessAmount);
  await page.getByLabel(prices.amount, { exact: true }).fill('900,000,000');
  await page.getByRole('button', { name: prices.show }).click();
  await page.getByText(prices.nothing).waitFor();
  assert.equal(await page.getByText(prices.whys.below_zero).count(), count);
  assert.equal(await page.getByRole('button', { name: /^Change \d/ }).count(), 0);
});

const fileOf = (products: readonly ImportedProduct[], format: 'csv' | 'json') => ({
  name: `mine.${format}`,
  mimeType: format === 'csv' ? 'text/csv' : 'application/json',
  buffer: Buffer.from([...printCatalogue(products, format)].join('')),
});

inTurn('a file is imported after its problems and its differences were shown', async (visit) => {
  const { page, signIn, words, language, server } = visit;
  const { catalogue: say, catalogueImport: texts } = words;
  const { count } = formatFor(language);
  const format = language === 'fa' ? 'json' : 'csv';
  await signIn('manager', `/catalogue?search=${unique(0).id}`);
  await page.getByRole('link', { name: say.import, exact: true }).click();
  await page.getByRole('button', { name: texts.show }).click();
  await page.getByText(texts.noFile).waitFor();
  const file = page.getByLabel(texts.file, { exact: true });
  await file.setInputFiles({
    name: 'bad.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('id,name\n1,x\n'),
  });
  await page.getByRole('button', { name: texts.show }).click();
  await page.getByRole('heading', { name: texts.problems }).waitFor();
  assert.ok((await page.getByRole('row').count()) > 1);
  await axeOn(page);

  const products = (await readCatalogue(server.deps.db)).products;
  const [gone, changed, ...rest] = products;
  assert.ok(gone !== undefined && changed !== undefined);
  const added = {
    ...changed,
    id: language === 'fa' ? 990_002 : 990_001,
    name: 'بستهٔ تازه',
    name_en: 'A new one',
    categories: [],
  };
  const price = changed.price + 12_345;
  await file.setInputFiles(fileOf([{ ...changed, price }, ...rest, added], format));
  assert.equal(await page.getByRole('heading', { name: texts.problems }).count(), 0);
  await page.getByLabel(texts.removeMissing).check();
  await page.getByText(texts.removeWarning).waitFor();
  await page.getByRole('button', { name: texts.show }).click();
  const counts = filled(texts.counts, {
    created: count(1),
    updated: count(1),
    removed: count(1),
    unchanged: count(rest.length),
  });
  await page.getByText(counts).waitFor();
  const line = filled(texts.was, {
    field: say.fields.price,
    before: count(changed.price),
    after: count(price),
  });
  await page.getByRole('row').filter({ hasText: texts.kinds.changed }).getByText(line).waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: texts.kinds.removed })
    .getByText(gone.name)
    .waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: texts.kinds.new })
    .getByText('بستهٔ تازه')
    .first()
    .waitFor();
  await axeOn(page);
  await screenshot(page, `catalogue-import-${language}`);
  await page.getByRole('button', { name: texts.apply, exact: true }).click();
  const dialog = page.getByRole('dialog', {
    name: filled(texts.applyTitle, { file: `mine.${format}` }),
  });
  await dialog.getByText(filled(texts.applyRemoves, { count: count(1) })).waitFor();
  await dialog.getByRole('button', { name: texts.apply, exact: true }).click();
  await page.getByRole('heading', { name: texts.done, exact: true }).waitFor();
  await page.getByRole('status').filter({ hasText: counts }).waitFor();
  const now = (await readCatalogue(server.deps.db)).products;
  assert.equal(now.find(({ id }) => id === changed.id)?.price, price);
  assert.ok(now.some(({ id }) => id === added.id) && !now.some(({ id }) => id === gone.id));
});

test('progress shows its phase, and a truncated stream is not a result', async (visit) => {
  const { page, signIn, words } = visit;
  const texts = words.catalogueImport;
  await signIn('manager', '/catalogue/import');
  await page.getByRole('button', { name: texts.show }).waitFor();
  // Only for this page: what is done before every page would affect later tests.
  await page.evaluate(`{
    const ask = fetch;
    window.fetch = (url, init) => !String(url).includes('/catalogue/import/preview') ? ask(url, init) :
      Promise.resolve(new Response(new ReadableStream({ async start(body) {
        body.enqueue(new TextEncoder().encode('{"progress":{"phase":"reading","done":300,"of":1200}}\\n{"resu'));
        await new Promise((resolve) => { window.breakOff = resolve; });
        body.close();
      } })));
  }`);
  await page.getByLabel(texts.file, { exact: true }).setInputFiles(fileOf(all, 'csv'));
  await page.getByRole('button', { name: texts.show }).click();
  await page.getByText(texts.phases.reading).waitFor();
  const bar = page.getByRole('progressbar', { name: texts.progress });
  assert.equal(await bar.getAttribute('aria-valuenow'), '25');
  assert.equal(
    await bar.getAttribute('aria-valuetext'),
    filled(texts.far, { done: 300, of: '1,200' }),
  );
  await axeOn(page);
  await page.evaluate('window.breakOff()');
  await page.getByText(words.errors.ANSWER_CUT).waitFor();
});

test('a role without the right to change the catalogue sees and downloads it', async (visit) => {
  const { page, signIn, open, words } = visit;
  const say = words.catalogue;
  await signIn('viewer', '/catalogue?type=td_lte_internet');
  await page.getByRole('cell', { name: say.on, exact: true }).first().waitFor();
  assert.equal(await page.getByRole('switch').count(), 0);
  assert.equal(await page.getByRole('checkbox').count(), 0);
  for (const name of [say.prices, say.import]) {
    assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: say.exportCsv }).click();
  assert.equal((await download).suggestedFilename(), 'products.csv');
  await page.route('**/catalogue/export*', (route) =>
    route.fulfill({ status: 429, json: { code: 'EXPORT_BUSY', message: '', request_id: 'r' } }),
  );
  await page.getByRole('button', { name: say.exportJson }).click();
  await page.getByRole('alert').getByText(words.errors.EXPORT_BUSY).waitFor();
  await open('/catalogue/import');
  await page.getByRole('heading', { name: words.shell.notFound }).waitFor();
});

test(
  'every page of the catalogue is accessible in dark mode, in Persian, on a phone',
  async ({ page, signIn, open, words }) => {
    const paths = [
      `/catalogue?search=${unique(0).id}`,
      `/catalogue/products/${unique(0).id}`,
      '/catalogue/categories',
      '/catalogue/prices',
      '/catalogue/import',
    ];
    await signIn('manager', '/catalogue?search=none-of-these');
    await page.getByText(words.catalogue.nothing).waitFor();
    await page.getByRole('button', { name: words.common.addFilter, exact: true }).click();
    await page.getByRole('menuitem', { name: words.catalogue.operator }).click();
    await page.getByRole('menuitemradio').first().waitFor();
    await axeOn(page);
    for (const path of paths) {
      await open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText(words.common.loading).first().waitFor({ state: 'detached' });
      await axeOn(page);
      await assertNoSideways(page);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    }
  },
  { dark: true, phone: true, language: 'fa' },
);
