/** Tests that the overview shows live figures, and shows when it is not live. */
import assert from 'node:assert/strict';
import { rowsOf } from '../../src/purchases/stats/rows.ts';
import { addStats } from '../../src/purchases/stats/store.ts';
import { createTally } from '../../src/purchases/stats/tally.ts';
import { aPackage, buy, catalogue } from '../contract/buying.ts';
import { axeOn } from '../support/axe.ts';
import {
  assertNoSideways,
  beginning,
  screenshot,
  testConsole,
  type Visit,
} from '../support/browser.ts';
import { eventually } from '../support/live.ts';
import { addClient } from '../support/server.ts';

const { test, inBoth, inTurn, server } = testConsole({ products: catalogue, balance: 50_000_000 });

const minute = 60_000;

/** An hour of selling, and a month of days before it. */
const seed = async (): Promise<void> => {
  let now = beginning;
  const tally = createTally({ now: () => now });
  const sell = (operatorId: number, many: number): void => {
    for (let one = 0; one < many; one += 1) {
      const state = one % 7 === 6 ? 'failed' : 'succeeded';
      tally.began({ operatorId, state: 'submitted', price: 10_000 });
      tally.came({ operatorId, state, price: 10_000 });
      tally.took(operatorId, 120 + ((one * 37) % 11) ** 3);
    }
    tally.began({ operatorId, state: 'refused', price: 10_000 });
  };
  for (let back = 1; back < 60; back += 1) {
    now = beginning - back * minute;
    sell(1 + (back % 3), 5 + ((back * 5) % 9));
  }
  const { db } = server().deps;
  const taken = tally.take();
  assert.ok(taken !== undefined);
  await db.transaction().execute((db) => addStats(db, rowsOf(taken)));
  await addClient(server(), { name: 'The corner shop', balance: 12_000 });
  await buy(server(), aPackage);
};

let seeded: Promise<void> | undefined;

/** A test with earlier sales. */
const sold =
  (body: (visit: Visit) => Promise<void>) =>
  async (visit: Visit): Promise<void> => {
    seeded ??= seed();
    await seeded;
    await body(visit);
  };

inBoth(
  'signing in leads to the overview, which is live',
  sold(async (visit) => {
    const { page, words, signIn, language } = visit;
    await signIn('viewer');
    await page.getByRole('heading', { level: 1, name: words.pages.overview }).waitFor();
    await page.getByRole('status').getByText(words.overview.live, { exact: true }).waitFor();
    const tile = page.getByRole('region', { name: words.overview.rate });
    await tile.getByText(/[%٪]/).waitFor();
    await page
      .getByRole('region', { name: words.overview.times, exact: true })
      .getByText(words.overview.p99)
      .waitFor();
    const sums = page.getByRole('region', { name: words.overview.totals });
    const name = words.overview.timesOf.replace('%{part}', words.overview.p95);
    await sums.getByText(name).waitFor();
    const operators = page.getByRole('table', { name: words.overview.operators });
    await operators.getByText(words.overview.up, { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'The corner shop' }).waitFor();
    await axeOn(page);
    await assertNoSideways(page);
    await screenshot(page, `overview-${language}`);
  }),
);

test(
  'the figures change during viewing',
  sold(async (visit) => {
    const { page, words, signIn } = visit;
    await signIn('viewer');
    const pace = page.getByRole('region', { name: words.overview.perMinute });
    const shown = async (): Promise<number> => Number(/\d+/.exec(await pace.innerText())?.[0]);
    // The minutes before had at most fourteen each; it falls as time passes, and rises by purchases alone.
    assert.ok((await shown()) < 20);
    await Promise.all(Array.from({ length: 30 }, () => buy(server(), aPackage)));
    await eventually('they are counted', async () => (await shown()) >= 20);
  }),
);

test(
  'without a stream it polls, and says so',
  sold(async (visit) => {
    const { page, words, signIn } = visit;
    await page.route('**/overview/live*', (route) => route.abort());
    await signIn('viewer');
    await page.getByRole('status').getByText(words.overview.asking).waitFor();
    await page.getByRole('region', { name: words.overview.perMinute }).waitFor();
  }),
);

test(
  'when the stream says that the session has ended, the sign-in page opens',
  sold(async (visit) => {
    const { page, words, signIn } = visit;
    await page.route('**/overview/live*', async (route) => {
      await server().deps.db.deleteFrom('admin_sessions').execute();
      await route.fulfill({
        contentType: 'text/event-stream',
        body: 'event: end\ndata: {}\n\n',
      });
    });
    await signIn('viewer');
    await page.getByRole('heading', { level: 1, name: words.signIn.title }).waitFor();
  }),
);

inTurn(
  'a chart is read by keyboard and as a table, over each span',
  sold(async (visit) => {
    const { page, words, signIn } = visit;
    await signIn('viewer');
    const chart = page.getByRole('slider', { name: words.overview.chartCounts });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    const told = (await chart.getAttribute('aria-valuetext')) ?? '';
    assert.match(told, new RegExp(`${words.overview.succeeded} [\\d۰-۹]+`));
    assert.equal(await chart.getAttribute('aria-valuenow'), '58');
    await page.getByRole('button', { name: words.overview.asTable }).first().click();
    const name = words.overview.tableOf.replace('%{name}', words.overview.chartCounts);
    const table = page.getByRole('table', { name });
    await table.waitFor();
    assert.equal(await table.getByRole('row').count(), 61);
    for (const [span, rows] of [
      ['day', 24],
      ['month', 30],
    ] as const) {
      await page.getByRole('button', { name: words.overview[span] }).click();
      await eventually(
        'it has its rows',
        async () => (await table.getByRole('row').count()) === rows + 1,
      );
    }
    await axeOn(page);
    assert.match(page.url(), /span=month/);
  }),
);

for (const { language, dark } of [
  { language: 'en', dark: true },
  { language: 'fa', dark: false },
] as const) {
  test(
    `on a phone nothing is wider than the screen (${language})`,
    sold(async ({ page, words, signIn }) => {
      // The menu is checked where little is behind it.
      await signIn('viewer', '/me');
      await page.getByRole('button', { name: words.shell.openMenu }).click();
      const menu = page.getByRole('dialog', { name: words.shell.menu });
      await menu.waitFor();
      await axeOn(page);
      await menu.getByRole('link', { name: words.pages.overview }).click();
      await page.getByRole('slider', { name: words.overview.chartTimes }).waitFor();
      if (dark) await screenshot(page, 'overview-phone');
      await page.getByRole('button', { name: words.overview.asTable }).first().click();
      await assertNoSideways(page);
      await page.getByRole('button', { name: words.overview.day }).click();
      const name = words.overview.tableOf.replace('%{name}', words.overview.chartCounts);
      const cards = page.getByRole('list', { name }).locator('> li');
      await eventually('it has its cards', async () => (await cards.count()) === 24);
      await assertNoSideways(page);
      await axeOn(page);
    }),
    { phone: true, dark, language },
  );
}
