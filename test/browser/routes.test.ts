/** Tests routes in the console: creating, switching, explaining, importing with a preview, removing. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { sampleProduct } from '../contract/sample-product.ts';
import { axeOn } from '../support/axe.ts';
import { addFilter, assertNoSideways, testConsole } from '../support/browser.ts';

const product = sampleProduct({ id: 101, operator_id: 1, price: 1000, name_en: 'Small package' });
const { test } = testConsole({ products: [product] });

test('a manager creates a route, turns it off, has it explained, and imports others', async (visit) => {
  const { page, signIn, go, words, server } = visit;
  const say = words.routing;
  const broken = { supplier_id: 2, client_id: 'a', purchase_id: 'b', at: 1, closed_at: null };
  await server.deps.db.insertInto('broken_promises').values(broken).execute();
  await signIn('manager', '/me');
  await page.getByRole('link', { name: words.pages.routes, exact: true }).click();
  await page.getByText(say.noneText).waitFor();
  assert.match(
    (await page.getByRole('link', { name: say.guide }).getAttribute('href')) ?? '',
    /\/docs\/operate\/routes$/,
  );

  // What is wrong is shown beside the fields: first here, then by the gateway.
  await page.getByRole('button', { name: say.create }).click();
  const dialog = page.getByRole('dialog', { name: say.create });
  const field = (name: string) => dialog.getByRole('textbox', { name });
  const choose = async (name: string, option: string): Promise<void> => {
    await dialog.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const save = dialog.getByRole('button', { name: words.common.save });
  await save.click();
  assert.equal(await dialog.getByText(words.common.required).count(), 2);
  await choose(say.fields.operator_id, 'Operator 1');
  await choose(say.fields.supplier_id, 'Operator 2');
  await choose(say.fields.product_id, 'Small package');
  await field(say.fields.cost).fill('cheap');
  await field(say.fields.product_code).fill('P-1');
  await field(say.fields.priority).fill('5');
  await save.click();
  await dialog.getByText('an amount such as 90000').first().waitFor();
  await field(say.fields.cost).fill('2.5%');
  await field(say.fields.hours).fill('00:00-24:00');
  await dialog.getByRole('checkbox', { name: say.days.sat }).check();
  await axeOn(page);
  await save.click();
  await page.getByText(say.created).waitFor();
  const row = page
    .getByRole('table', { name: words.pages.routes, exact: true })
    .getByRole('row')
    .nth(1);
  await row.getByText('Small package').waitFor();
  for (const text of ['Operator 2', 'P-1', '2.5% off the price', '00:00–24:00', say.days.sat]) {
    await row.getByText(text).waitFor();
  }

  const explain = async (): Promise<string> => {
    await page.getByRole('button', { name: words.question.explain, exact: true }).click();
    const table = page.getByRole('table', { name: say.result });
    await table.waitFor();
    return (await table.getByRole('row').allInnerTexts()).join('\n');
  };
  await page.getByRole('button', { name: say.explain, exact: true }).click();
  const panel = page.getByRole('region', { name: say.explain });
  await panel.getByRole('combobox', { name: words.purchases.product }).click();
  await page.getByRole('option', { name: 'Small package' }).click();
  // A Saturday, on which the gateway's clock begins.
  assert.match(
    await explain(),
    /Operator 2[^]*100%[^]*975[^]*Comes first[^]*Implicit route[^]*Comes next/,
  );

  // Off: the explanation is read again at once.
  await row.getByRole('switch').click();
  await page.getByText('Route 1: Operator 1 from Operator 2 is off.').waitFor();
  await page.getByText(say.passedOver.replace('%{reason}', say.codes.off)).waitFor();
  await axeOn(page);
  await panel.getByRole('button', { name: say.explainHide }).click();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: say.export }).click();
  const exported = await readFile(await (await download).path(), 'utf8');
  assert.match(exported, /^id,operator_id.*\r\n1,1,101,/);
  await page.getByRole('link', { name: say.import.open, exact: true }).click();
  const preview = async (csv: string): Promise<void> => {
    const file = { name: 'routes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: words.catalogueImport.show }).click();
  };
  await preview('operator_id,supplier_id,priority\n1,4711,x\n');
  await page.getByRole('table', { name: words.catalogueImport.problems }).waitFor();
  await preview('id,operator_id,product_id,supplier_id,priority,cost\n1,1,101,2,7,900\n,1,,3,9,\n');
  const changes = page.getByRole('table', { name: words.catalogueImport.preview });
  await changes.getByText('Priority: 5 → 7').waitFor();
  await changes.getByText('Cost: 2.5% off the price → 900').waitFor();
  await changes.getByText('Priority 9, cost: Not known').waitFor();
  await axeOn(page);
  await page.getByRole('button', { name: say.import.apply }).click();
  await page.getByRole('dialog').getByRole('button', { name: say.import.apply }).click();
  await page.getByText('New: 1. Changed: 1. Removed: 0. Unchanged: 0.').waitFor();
  await page.getByRole('link', { name: say.import.back }).click();

  await addFilter(visit, say.fields.supplier_id, 'Operator 3');
  await page.getByText(say.total.replace('%{count}', '1'), { exact: true }).waitFor();
  await page
    .getByRole('button', { name: 'Actions for Route 2: Operator 1 from Operator 3' })
    .click();
  await page.getByRole('menuitem', { name: say.remove }).click();
  await page.getByRole('dialog').getByRole('button', { name: say.remove }).click();
  await page.getByText(say.removed).waitFor();
  await page.getByText(say.noneFits).waitFor();
  await assertNoSideways(page);

  await go('/operators/2');
  const routes = page.getByRole('region', { name: words.operators.routes, exact: true });
  await routes.getByRole('link', { name: '1', exact: true }).waitFor();
  await routes.getByRole('button', { name: 'Trust Operator 2 again' }).click();
  const trust = page.getByRole('dialog', { name: 'Trust Operator 2 again' });
  await trust.getByLabel(words.common.reason).fill('they explained it');
  await axeOn(page);
  await trust.getByRole('button', { name: words.operators.trust }).click();
  await page.getByText('Operator 2 is trusted again.').waitFor();
  await routes.getByRole('button').waitFor({ state: 'detached' });
});

test('support sees routes and changes none; a viewer sees none', async ({
  page,
  signIn,
  open,
  words,
}) => {
  await signIn('support', '/routes');
  const table = page.getByRole('table', { name: words.pages.routes, exact: true });
  await table.getByText('Small package').waitFor();
  assert.equal(await table.getByRole('switch').count(), 0);
  assert.equal(await page.getByRole('button', { name: words.routing.create }).count(), 0);
  await open('/routes/import');
  await page.getByRole('heading', { name: words.shell.notFound }).waitFor();
  await signIn('viewer', '/overview');
  await page.getByRole('link', { name: words.pages.operators }).waitFor();
  assert.equal(await page.getByRole('link', { name: words.pages.routes, exact: true }).count(), 0);
});
