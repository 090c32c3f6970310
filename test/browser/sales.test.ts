/** Tests the sales report: periods, groups, filters, order, and the export of what is shown. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { aPackage, buy, catalogue } from '../contract/buying.ts';
import { axeOn } from '../support/axe.ts';
import {
  addFilter,
  assertNoSideways,
  beginning,
  sharing,
  testConsole,
  type Visit,
} from '../support/browser.ts';
import { eventually } from '../support/live.ts';
import { addClient } from '../support/server.ts';

const { inBoth, inTurn, test, server } = testConsole({ products: catalogue, balance: 50_000_000 });

const dayMs = 86_400_000;

/** Three sales today, and two yesterday by the same client. */
const seed = async (): Promise<void> => {
  await addClient(server(), { name: 'The corner shop', balance: 12_000 });
  for (let one = 0; one < 3; one += 1) await buy(server(), aPackage);
  const { db } = server().deps;
  await eventually('they are counted', async () => {
    const rows = await db.selectFrom('sales').selectAll().where('kind', '=', 'full').execute();
    return rows.reduce((sum, { sold }) => sum + sold, 0) === 3;
  });
  const rows = await db.selectFrom('sales').selectAll().execute();
  const today = Math.floor(beginning / dayMs);
  const yesterday = rows.map((row) => ({
    ...row,
    day: row.kind === 'month' ? row.day : today - 1,
    sold: 2,
    sold_price: 2_100_000,
    sold_amount: 2_000_000,
    sold_cost: 1_900_000,
    sold_uncosted: 0,
    sold_uncosted_amount: 0,
  }));
  await db
    .insertInto('sales')
    .values(yesterday.filter(({ kind }) => kind !== 'month'))
    .execute();
};

/** A test with earlier sales. */
const sold = sharing(seed);

inBoth(
  'yesterday’s sales by operator are exported in three clicks',
  sold(async (visit) => {
    const { page, words, signIn, language } = visit;
    await signIn('viewer', '/me');
    await page.getByRole('link', { name: words.pages.sales, exact: true }).click();
    await page.getByRole('button', { name: words.sales.yesterday, exact: true }).click();
    const table = page.getByRole('table', { name: words.sales.report });
    await table
      .getByRole('row')
      .filter({ hasText: language === 'fa' ? /۲٬۰۰۰٬۰۰۰/ : /2,000,000/ })
      .first()
      .waitFor();
    await axeOn(page);
    await assertNoSideways(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: words.sales.export }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'sales-2026-01-30-2026-01-30.csv');
    const [titles = '', line = ''] = readFileSync(await download.path(), 'utf8').split(/\r?\n/);
    assert.match(titles, /^.?operator_id,operator,sold,sold_amount,/);
    assert.match(line, /^1,[^,]+,2,2000000,/);
  }),
);

inTurn(
  'yesterday’s margin by supplier is found and exported for a spreadsheet',
  sold(async (visit) => {
    const { page, words, signIn, language } = visit;
    const say = words.sales;
    await signIn('manager', '/me');
    await page.getByRole('link', { name: words.pages.sales, exact: true }).click();
    await page.getByRole('button', { name: say.yesterday, exact: true }).click();
    await page.getByRole('combobox', { name: say.by }).click();
    await page.getByRole('option', { name: say.supplier, exact: true }).click();
    const table = page.getByRole('table', { name: say.report });
    await table.getByRole('columnheader', { name: say.margin }).waitFor();
    const row = table.getByRole('row').filter({ hasText: operatorName(visit) });
    await row
      .getByText(language === 'fa' ? /^۱۰۰٬۰۰۰/ : /^100,000/)
      .first()
      .waitFor();
    await axeOn(page);
    await assertNoSideways(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: say.exportXlsx }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'sales-2026-01-30-2026-01-30.xlsx');
    assert.match(readFileSync(await download.path(), 'latin1'), /^PK/);
  }),
);

test(
  'someone who may not see costs sees none',
  sold(async ({ page, words, signIn }) => {
    await signIn('viewer', '/sales?span=yesterday&by=supplier');
    const table = page.getByRole('table', { name: words.sales.report });
    await table.getByRole('columnheader', { name: words.sales.amount }).waitFor();
    for (const name of [words.sales.cost, words.sales.margin]) {
      assert.equal(await table.getByRole('columnheader', { name }).count(), 0);
    }
  }),
);

inTurn(
  'a report is grouped, compared, filtered and sorted, and all of it is in the address',
  sold(async (visit) => {
    const { page, words, signIn } = visit;
    const say = words.sales;
    await signIn('viewer', '/sales?span=last_7_days&by=day');
    const table = page.getByRole('table', { name: say.report });
    const rows = table.locator('tbody').getByRole('row');
    await eventually('there are two days', async () => (await rows.count()) === 2);
    await page.getByRole('combobox', { name: say.second }).click();
    await page.getByRole('option', { name: say.client, exact: true }).click();
    await table.getByRole('columnheader', { name: say.client }).waitFor();
    await page.getByRole('checkbox', { name: say.compare }).click();
    await table.getByRole('columnheader', { name: say.previous }).waitFor();
    await table.getByRole('button', { name: say.sold, exact: true }).click();
    await table.locator('th[aria-sort=descending]').getByText(say.sold, { exact: true }).waitFor();
    await addFilter(visit, say.operator, operatorName(visit));
    await eventually('the address has it', async () =>
      page.url().endsWith('by=day&second=client&compare=1&sort=-sold&operator_id=1'),
    );
    await axeOn(page);
    await page.reload();
    await table.locator('th[aria-sort=descending]').waitFor();
    await page
      .getByRole('button', { name: words.common.removeFilter.replace('%{name}', say.operator) })
      .waitFor();
  }),
);

/** The name of the first operator in the language of the page. */
const operatorName = ({ language }: Visit): string =>
  ({ en: 'Operator 1', fa: 'اپراتور ۱' })[language];

test(
  'own dates are chosen in the Persian calendar, also on a phone',
  sold(async ({ page, words, signIn }) => {
    const say = words.sales;
    await signIn('viewer', '/sales');
    await page.getByRole('button', { name: say.own, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say.ownTitle });
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
    await field(say.from).fill('۱۴۰۴/۱۱/۱۱');
    await field(say.to).fill('۱۴۰۴/۱۱/۰۹');
    await dialog.getByText(say.wrongRange).waitFor();
    await field(say.to).fill('۱۴۰۴/۱۱/۱۱');
    await dialog.getByRole('button', { name: words.times.calendar }).first().click();
    const calendar = page.getByRole('dialog', { name: say.from, exact: true });
    await calendar.getByRole('button', { name: /۱۱ بهمن/ }).waitFor();
    await axeOn(page);
    // In a page from right to left, the day before is at the right.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await calendar.waitFor({ state: 'detached' });
    assert.equal(await field(say.from).inputValue(), '۱۴۰۴/۱۱/۱۰');
    await axeOn(page);
    await dialog.getByRole('button', { name: words.common.apply }).click();
    await page.waitForURL(/from=2026-01-30&to=2026-01-31/);
    await page.getByRole('list', { name: say.report }).waitFor();
    await assertNoSideways(page);
    await axeOn(page);
  }),
  { phone: true, language: 'fa' },
);
