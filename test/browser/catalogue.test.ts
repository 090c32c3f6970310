/** Tests the catalogue in the console: listing, switching, prices and imports. */
import assert from 'node:assert/strict';
import { formatFor, withNumbersInPlace } from '../../console/src/writing.ts';
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
import { removeProducts } from '../support/remove-products.ts';

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
) => (language === 'fa' ? withNumbersInPlace(name) : (latin ?? name));

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
    const views = page.getByRole('navigation', { name: words.views.label });
    await views.getByRole('link', { name: say.view.topUps }).click();
    const topUps = all.filter(({ type }) => type === 'cell_direct_charge');
    await page.getByText(filled(say.total, { count: count(topUps.length) })).waitFor();
    await views.getByRole('link', { name: words.views.all, exact: true }).click();
    await page
      .getByText(
        filled(words.common.pageOf, { page: count(1), pages: count(Math.ceil(all.length / 50)) }),
      )
      .waitFor();
    await page.getByRole('button', { name: words.common.nextPage }).click();
    await page
      .getByText(
        filled(words.common.pageOf, { page: count(2), pages: count(Math.ceil(all.length / 50)) }),
      )
      .waitFor();
    await addFilter(visit, say.type, say.types.cell_direct_charge);
    await addFilter(visit, say.sim, say.sims.permanent);
    await page.getByRole('button', { name: say.price, exact: true }).click();
    await page.waitForURL(/sort=-price/);
    const found = all.filter(
      (one) => one.type === 'cell_direct_charge' && one.sim_card_type === 'permanent',
    );
    const total = page.getByText(filled(say.total, { count: count(found.length) }));
    await total.waitFor();
    await page.getByRole('button', { name: words.common.addFilter, exact: true }).click();
    await page.getByRole('menuitem', { name: say.priceSpan, exact: true }).click();
    await page.getByLabel(say.priceFrom, { exact: true }).fill(formatFor(language).digits(1));
    await page.keyboard.press('Enter');
    await page.waitForURL(/price_from=1$/);
    await page.getByRole('button', { name: words.common.columns }).click();
    await page.getByRole('menuitemcheckbox', { name: say.fields.period }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: say.fields.period }).waitFor();
    await page.reload();
    await total.waitFor();
    const [, first] = await page.getByRole('row').all();
    const dearest = Math.max(...found.map(({ price }) => price));
    await first?.getByText(count(dearest), { exact: true }).waitFor();

    await page.getByRole('checkbox', { name: words.common.selectAll }).click();
    await page.getByText(filled(words.common.selected, { count: count(found.length) })).waitFor();
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
      .getByLabel(filled(words.common.selectRow, { name: nameIn(visit, product) }), { exact: true })
      .check();
  }
  await page
    .getByRole('group', { name: say.chosenProducts })
    .getByRole('link', { name: say.prices })
    .click();
  await page.getByRole('heading', { level: 1, name: say.prices }).waitFor();
  await page.getByRole('button', { name: prices.show }).click();
  await page.getByText(prices.notPercent).waitFor();
  await page.getByText(prices.noScope).waitFor();
  assert.equal(await page.getByRole('radio', { checked: true }).count(), 0, 'no default scope');
  await page.getByLabel(filled(prices.whichChosen, { count: count(2) })).check();
  await page.getByLabel(prices.percent, { exact: true }).fill(digits(10));
  await page.getByRole('button', { name: prices.show }).click();
  const apply = page.getByRole('button', { name: filled(prices.apply, { count: count(2) }) });
  await apply.waitFor();
  const summary = page.getByRole('region', { name: prices.summary });
  await summary.getByText(formatFor(language).percent(0.1, 2)).first().waitFor();
  const confirm = async (): Promise<void> => {
    await apply.click();
    await page
      .getByRole('dialog', { name: filled(prices.applyTitle, { count: count(2) }) })
      .getByRole('button', { name: filled(prices.apply, { count: count(2) }) })
      .click();
  };
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
  await confirm();
  await page.getByText(prices.again).waitFor();
  assert.deepEqual(
    (await Promise.all(chosen.map(({ id }) => stored(id)))).map(({ price }) => price),
    before.map(({ price }) => price),
  );
  await confirm();
  await page.getByText(filled(prices.doneText, { count: count(2) })).waitFor();
  for (const { id, price } of before) {
    assert.equal((await stored(id)).price, Math.floor((price * 110 + 50) / 100));
  }

  // One of the two is changed again, so only the other goes back.
  const [kept, reverted] = before;
  assert.ok(kept !== undefined && reverted !== undefined);
  await importProducts(server.deps, [{ ...kept, price: 999 }]);
  const see = page.getByRole('link', { name: prices.see });
  await see.click();
  // The page that is left has the same button, whose dialog would leave with it.
  await see.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: prices.revert, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: prices.revertTitle });
  const one = { prices: count(1), products: count(1) };
  await dialog.getByText(filled(prices.revertText, one)).waitFor();
  await dialog.getByText(prices.keptWhys.changed_since).waitFor();
  await axeOn(page);
  await dialog.getByRole('button', { name: prices.revert, exact: true }).click();
  const result = page.getByRole('dialog', { name: prices.revertedTitle });
  await result.getByText(filled(prices.revertDone, one)).waitFor();
  await result.getByText(prices.keptWhys.changed_since).waitFor();
  await result.getByRole('button', { name: words.common.close }).click();
  await page.getByText(prices.reverted, { exact: true }).first().waitFor();
  assert.equal((await stored(reverted.id)).price, reverted.price);
  assert.equal((await stored(kept.id)).price, 999);
  await importProducts(server.deps, [kept]);
});

inTurn(
  'a product is created and edited, and its page shows how its price changed',
  async (visit) => {
    const { page, signIn, words, language, server } = visit;
    const { catalogue: say, catalogueProduct: form } = words;
    const { count, digits, percent } = formatFor(language);
    const name = `تازه ${language}`;
    const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
    await signIn('manager', '/catalogue');
    await page.getByRole('link', { name: say.create }).click();
    await page.getByRole('heading', { level: 1, name: form.createTitle }).waitFor();
    await field(say.fields.name).fill(name);
    await page.getByRole('button', { name: form.create }).click();
    await page.getByText(words.common.required).first().waitFor();
    await axeOn(page);
    await field(say.fields.price).fill(digits(40_000));
    await page.getByRole('combobox', { name: say.fields.operator_id, exact: true }).click();
    await page.getByRole('option').first().click();
    await choose(visit, say.fields.type, say.types.td_lte_internet);
    await choose(visit, say.fields.sim_card_type, say.sims.credit);
    await page.getByRole('button', { name: form.create }).click();
    // The gateway refuses it like a line of an import.
    await page
      .getByText(/td_lte_internet/)
      .first()
      .waitFor();
    await choose(visit, say.fields.type, say.types.cell_internet);
    await page.getByRole('button', { name: form.create }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText(form.noHistory).waitFor();
    const [, id = ''] = /products\/(\d+)/.exec(page.url()) ?? [];
    const made = await stored(Number(id));
    assert.deepEqual([made.price, made.operator_id, made.sim_card_type], [40_000, 1, 'credit']);

    await page.getByRole('link', { name: form.edit, exact: true }).click();
    await field(say.fields.price).waitFor();
    assert.equal(await field(say.fields.price).inputValue(), count(40_000));
    await field(say.fields.price).fill(digits(43_000));
    await importProducts(server.deps, [{ ...made, sku: 'other' }]);
    await page.getByRole('button', { name: form.save }).click();
    await page.getByText(words.errors.PRODUCT_CHANGED).waitFor();
    assert.equal((await stored(made.id)).price, 40_000);
    await server.reloadCatalogue();
    await page.getByRole('button', { name: form.reload }).click();
    await page.getByText(form.unchanged).waitFor();
    assert.equal(await field(say.fields.sku).inputValue(), 'other');
    await field(say.fields.price).fill(digits(43_000));
    await page.getByRole('button', { name: form.save }).click();
    const row = page.getByRole('row').filter({ hasText: form.vias.edit });
    await row
      .filter({ hasText: count(3000) })
      .filter({ hasText: percent(0.075, 2) })
      .waitFor();
    await row.getByRole('cell', { name: 'manager' }).waitFor();
    assert.equal((await stored(made.id)).price, 43_000);
    await axeOn(page);
    await screenshot(page, `catalogue-product-${language}`);
    await removeProducts(server.deps, [made.id]);
  },
);

test('products that cannot be priced are reported, and a filter selects the products', async (visit) => {
  const { page, signIn, go, words } = visit;
  const { cataloguePrices: prices, catalogue: say } = words;
  const count = all.filter(({ type }) => type === 'td_lte_internet').length;
  const scope = page.getByLabel(filled(prices.whichFilter, { count }));
  // The page of prices has the filters, too.
  await signIn('manager', '/catalogue/prices');
  await addFilter(visit, say.type, say.types.td_lte_internet);
  await scope.waitFor();
  await go('/catalogue?type=td_lte_internet');
  await page
    .getByRole('group', { name: say.chosenProducts })
    .getByRole('link', { name: say.prices })
    .click();
  await scope.check();
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
  // Only until it breaks off: the page is that of later tests, too.
  await page.evaluate(`{
    const ask = fetch;
    window.fetch = (url, init) => !String(url).includes('/catalogue/import/preview') ? ask(url, init) :
      Promise.resolve(new Response(new ReadableStream({ async start(body) {
        body.enqueue(new TextEncoder().encode('{"progress":{"phase":"reading","done":300,"of":1200}}\\n{"resu'));
        await new Promise((resolve) => { window.breakOff = resolve; });
        window.fetch = ask;
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
  for (const name of [say.prices, say.import, say.create]) {
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
  async ({ page, signIn, go, words }) => {
    const paths = [
      `/catalogue?search=${unique(0).id}`,
      `/catalogue/products/${unique(0).id}`,
      `/catalogue/products/${unique(0).id}/edit`,
      '/catalogue/products/new',
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
      await go(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText(words.common.loading).first().waitFor({ state: 'detached' });
      await axeOn(page);
      await assertNoSideways(page);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    }
  },
  { dark: true, phone: true, language: 'fa' },
);
