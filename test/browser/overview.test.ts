/** Tests the overview, its alerts and checklist, the bell, and the search over all pages. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { rowsOf } from '../../src/purchases/stats/rows.ts';
import { addStats } from '../../src/purchases/stats/store.ts';
import { createTally } from '../../src/purchases/stats/tally.ts';
import { aPackage, buy, catalogue } from '../contract/buying.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, beginning, sharing, testConsole } from '../support/browser.ts';
import { eventually } from '../support/live.ts';
import { addClient } from '../support/server.ts';

const { test, inBoth, inTurn, server } = testConsole({ products: catalogue, balance: 50_000_000 });

const minute = 60_000;

/** A month of days, with the hours of today, and a client with a low balance. */
const seed = async (): Promise<void> => {
  let now = beginning;
  const tally = createTally({ now: () => now });
  const sell = (operatorId: number, many: number): void => {
    for (let one = 0; one < many; one += 1) {
      const state = one % 7 === 6 ? 'failed' : 'succeeded';
      tally.began({ operatorId, state: 'submitted', charged: 1_250_000 });
      tally.came({ operatorId, state, charged: 1_250_000 });
      tally.took(operatorId, 120 + ((one * 37) % 11) ** 3);
    }
    tally.began({ operatorId, state: 'refused', charged: 1_250_000 });
  };
  for (let back = 1; back < 60; back += 1) {
    now = beginning - back * minute;
    sell(1 + (back % 3), 5 + ((back * 5) % 9));
    now = beginning - (back % 30) * 24 * 60 * minute - back * minute;
    sell(1 + (back % 3), 20 + ((back * 5) % 9));
  }
  const { db } = server().deps;
  const taken = tally.take();
  assert.ok(taken !== undefined);
  await db.transaction().execute((db) => addStats(db, rowsOf(taken)));
  await addClient(server(), { name: 'The corner shop', balance: 12_000 });
  await buy(server(), aPackage);
  await eventually('it is counted', async () => {
    const counted = await db.selectFrom('sales').select('sold').limit(1).execute();
    return counted.length === 1;
  });
};

/** A test with earlier sales. */
const sold = sharing(seed);

inBoth(
  'signing in leads to the overview: alerts, the present, and what was sold',
  sold(async (visit) => {
    const { page, words, signIn } = visit;
    await signIn('viewer');
    await page.getByRole('heading', { level: 1, name: words.pages.overview }).waitFor();
    await page.getByRole('status').getByText(words.overview.live, { exact: true }).waitFor();
    const alerts = page.getByRole('region', { name: words.alerts.title });
    await alerts
      .getByRole('link', { name: words.alerts.lowOne.replace('%{name}', 'The corner shop') })
      .waitFor();
    const present = page.getByRole('region', { name: words.overview.now, exact: true });
    await present
      .getByRole('region', { name: words.overview.recentRate })
      .getByText(/[%٪]/)
      .waitFor();
    await present.getByText(words.overview.up, { exact: true }).first().waitFor();
    await present.getByRole('link', { name: 'The corner shop' }).waitFor();
    const tile = (name: string) => page.getByRole('region', { name, exact: true });
    await tile(words.overview.soldAmount)
      .getByText(/[\d۰-۹]/)
      .first()
      .waitFor();
    await tile(words.overview.rate).getByText(/[%٪]/).waitFor();
    await tile(words.overview.times).getByText(words.overview.p99).waitFor();
    // What was sold is counted a moment later.
    await page.getByRole('list', { name: words.overview.byClient }).getByText('First').waitFor();
    await page.getByRole('list', { name: words.overview.byOperator }).waitFor();
    await page.getByRole('list', { name: words.overview.byProduct }).waitFor();
    await axeOn(page);
    await assertNoSideways(page);
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

/** The last line of a region about times. */
const percentilesIn = async (page: Page, name: string): Promise<string> => {
  const text = await page.getByRole('region', { name, exact: true }).innerText();
  return text.trimEnd().split('\n').at(-1) ?? '';
};

inTurn(
  'a chart is read by keyboard and as a table, and one period rules all but the present',
  sold(async (visit) => {
    const { page, words, signIn } = visit;
    await signIn('viewer');
    const chart = page.getByRole('slider', { name: words.overview.chartCounts });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    const told = (await chart.getAttribute('aria-valuetext')) ?? '';
    assert.match(told, new RegExp(`${words.overview.succeeded} [\\d۰-۹]+`));
    assert.equal(await chart.getAttribute('aria-valuenow'), '8');
    await page.getByRole('button', { name: words.overview.asTable }).nth(1).click();
    const name = words.overview.tableOf.replace('%{name}', words.overview.chartCounts);
    const table = page.getByRole('table', { name });
    await table.waitFor();
    // The hours of the day until half past nine, by UTC.
    assert.equal(await table.getByRole('row').count(), 11);
    for (const [span, rows] of [
      ['last_7_days', 7],
      ['last_30_days', 30],
    ] as const) {
      await page.getByRole('button', { name: words.sales[span] }).click();
      // The chart is drawn again, and its table is closed.
      await page
        .locator(`[role=slider][aria-valuemax="${rows - 1}"]`)
        .first()
        .waitFor();
      await page.getByRole('button', { name: words.overview.asTable }).nth(1).click();
      await eventually(
        'it has its rows',
        async () => (await table.getByRole('row').count()) === rows + 1,
      );
    }
    // Purchases of other tests may change what is shown of the present, but not to what the period has.
    assert.notEqual(
      await percentilesIn(page, words.overview.recentTimes),
      await percentilesIn(page, words.overview.times),
    );
    await axeOn(page);
    assert.match(page.url(), /span=last_30_days/);
  }),
);

for (const { language, dark } of [
  { language: 'en', dark: true },
  { language: 'fa', dark: false },
] as const) {
  test(
    `on a phone nothing is wider than the screen, and no label of an axis is cut (${language})`,
    sold(async ({ page, words, signIn }) => {
      // The menu is checked where little is behind it.
      await signIn('viewer', '/me');
      await page.getByRole('button', { name: words.shell.openMenu }).click();
      const menu = page.getByRole('dialog', { name: words.shell.menu });
      await menu.waitFor();
      await axeOn(page);
      await menu.getByRole('link', { name: words.pages.overview }).click();
      await page.getByRole('slider', { name: words.overview.chartTimes }).waitFor();
      const cut: string[] = await page.evaluate(`[...document.querySelectorAll('[role=slider] svg')]
        .flatMap((svg) => [...svg.querySelectorAll('text')].filter((text) => {
          const [own, whole] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
          return own.left < whole.left - 0.5 || own.right > whole.right + 0.5;
        })).map((text) => text.textContent)`);
      assert.deepEqual(cut, []);
      await page.getByRole('button', { name: words.overview.asTable }).first().click();
      await assertNoSideways(page);
      const name = words.overview.tableOf.replace('%{name}', words.overview.chartAmount);
      const cards = page.getByRole('list', { name }).locator('> li');
      await eventually('it has its cards', async () => (await cards.count()) === 10);
      await assertNoSideways(page);
      await axeOn(page);
    }),
    { phone: true, dark, language },
  );
}

inTurn(
  'the bell counts new alerts until one looks, and the menu shows what waits',
  sold(async (visit) => {
    const { page, words, signIn, open } = visit;
    const { db } = server().deps;
    const found = await db.selectFrom('purchases').select('id').limit(2).execute();
    const ids = found.map(({ id }) => id);
    await db.updateTable('purchases').set({ disputed: 'again' }).where('id', 'in', ids).execute();
    await signIn('support', '/me');
    await eventually('it is an alert', async () => {
      const said = await page.evaluate(
        "fetch('/admin/api/alerts').then((answer) => answer.text())",
      );
      return String(said).includes('"review"');
    });
    await open('/me');
    const bell = page.getByRole('button', { name: words.alerts.bell });
    await eventually('it has new ones', async () =>
      /[1-9۱-۹]/.test((await bell.getAttribute('aria-label')) ?? ''),
    );
    await bell.click();
    const list = page.getByRole('dialog', { name: words.alerts.bell });
    await list.getByRole('link').first().waitFor();
    await axeOn(page);
    await page.keyboard.press('Escape');
    assert.equal(await bell.getAttribute('aria-label'), words.alerts.bell);
    await open('/me');
    await page
      .getByRole('navigation', { name: words.shell.menu })
      .getByText(/[\d۰-۹]/)
      .first()
      .waitFor();
    assert.equal(await bell.getAttribute('aria-label'), words.alerts.bell, 'it is remembered');
    await bell.click();
    await list.getByRole('link').first().click();
    await page.waitForURL(/purchases\?needs_person=1/);
    await db.updateTable('purchases').set({ disputed: null }).execute();
  }),
);

inTurn(
  'an owner’s checklist has what is done, leads to what is not, and can be hidden',
  sold(async (visit) => {
    const { page, words, signIn, open } = visit;
    await signIn('owner');
    const list = page.getByRole('region', { name: words.setup.title });
    await list.getByRole('link', { name: words.setup.secondFactor }).waitFor();
    assert.equal(
      await list.getByRole('link', { name: words.setup.client }).count(),
      0,
      'it is done',
    );
    await list.getByRole('button', { name: words.setup.dismiss }).click();
    await open('/overview');
    await page.getByRole('region', { name: words.overview.now, exact: true }).waitFor();
    assert.equal(await list.count(), 0);
  }),
);

inTurn(
  'everything is found by Ctrl-K, with the keyboard alone',
  sold(async (visit) => {
    const { page, words, signIn } = visit;
    await signIn('manager', '/me');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: words.search.title });
    await field.waitFor();
    await page.getByRole('option', { name: words.search.importCatalogue }).waitFor();
    await axeOn(page);
    await field.fill('corner');
    const found = page.getByRole('option', { name: 'The corner shop' });
    await found.waitFor();
    assert.equal(await found.getAttribute('aria-selected'), 'true');
    assert.equal(await field.getAttribute('aria-activedescendant'), await found.getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The corner shop' }).waitFor();
    const { id } = await server()
      .deps.db.selectFrom('purchases')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    await page.keyboard.press('Control+k');
    await field.fill(id);
    await page.getByRole('group', { name: words.search.purchases }).getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(id));
    await page.keyboard.press('Control+k');
    await field.fill('no such thing');
    await page.getByText(words.search.none).waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  }),
);

test('single-key shortcuts can be turned off', async (visit) => {
  const { page, words, signIn } = visit;
  await signIn('viewer', '/clients');
  const field = page.getByRole('searchbox', { name: words.clients.search });
  await field.waitFor();
  const focused = (): Promise<unknown> =>
    page.evaluate("document.activeElement?.type === 'search'");
  const toggle = async (): Promise<void> => {
    await page.getByRole('button', { name: /the-viewer/ }).click();
    await page.getByRole('menuitem', { name: words.shell.shortcuts }).click();
    await page.getByRole('switch', { name: words.shell.singleKeys }).click();
    await page.getByRole('button', { name: words.common.close }).click();
    await page.locator('[role=dialog], [role=menu]').waitFor({ state: 'detached' });
  };
  await toggle();
  await page.keyboard.press('/');
  assert.equal(await focused(), false);
  await toggle();
  await page.keyboard.press('/');
  assert.equal(await focused(), true);
});
