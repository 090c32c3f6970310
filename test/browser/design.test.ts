/** Tests the parts of the console's design: in both languages and modes, by keyboard, and on a phone. */
import assert from 'node:assert/strict';
import { colours } from '../../console/src/design/theme/tokens.ts';
import { formatFor } from '../../console/src/writing.ts';
import { axeOn } from '../support/axe.ts';
import {
  addFilter,
  assertNoSideways,
  type Language,
  languages,
  testConsole,
  type Visit,
} from '../support/browser.ts';

const { test, inTurn } = testConsole();

const narrow = { width: 390, height: 844 };

const openDesign = async ({ page, signIn, words }: Visit): Promise<void> => {
  await signIn('viewer', '/design');
  await page.getByRole('heading', { level: 1, name: words.gallery.title }).waitFor();
};

const assertFonts = async ({ page }: Visit, language: Language): Promise<void> => {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const loaded: string[] = await page.evaluate(
    "[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)",
  );
  const names = new Set(loaded.map((name) => name.replaceAll('"', '')));
  assert.ok(names.has('Inter'));
  assert.equal(names.has('Vazirmatn'), language === 'fa');
};

for (const language of languages) {
  for (const dark of [false, true]) {
    const mode = dark ? 'dark' : 'light';
    test(
      `every part is accessible, and fits a phone (${language}, ${mode})`,
      async (visit) => {
        const { page, words } = visit;
        await openDesign(visit);
        const { canvas } = colours[mode];
        const [red, green, blue] = [1, 3, 5].map((at) =>
          Number.parseInt(canvas.slice(at, at + 2), 16),
        );
        const behind = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        assert.equal(behind, `rgb(${red}, ${green}, ${blue})`);
        await assertFonts(visit, language);
        await page.getByRole('button', { name: words.gallery.inquiries }).click();
        await axeOn(page);
        await page.getByRole('button', { name: words.gallery.dangerous }).last().click();
        await page.getByRole('dialog', { name: words.gallery.dialog }).waitFor();
        await axeOn(page);
        await page.keyboard.press('Escape');
        await page.setViewportSize(narrow);
        await page.getByRole('list', { name: words.gallery.list }).waitFor();
        await assertNoSideways(page);
        await axeOn(page);
      },
      { language, dark },
    );
  }
}

/** Lists by their addresses, each with two filters. */
const filtered = [
  '/purchases?state=failed&type=cell_internet',
  '/clients?status=active&low=true',
  '/audit?actor=the-manager&subject=settings',
  '/catalogue?type=cell_internet&on=1',
  '/routes?operator_id=1&supplier_id=1',
  '/sales?operator_id=1&product_id=1',
] as const;

inTurn('filters that are removed at once are all gone', async ({ page, signIn, go, words }) => {
  const [before = ''] = words.common.removeFilter.split('%{name}');
  const chips = page.getByRole('button', { name: before });
  await signIn('owner', '/design');
  for (const path of filtered) {
    await go(path);
    await chips.nth(1).waitFor();
    // Both before the page can show that one is gone.
    await page.evaluate(
      `document.querySelectorAll('[aria-label^="${before}"]').forEach((chip) => chip.click())`,
    );
    await chips.first().waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /state|type|status|low|actor|subject|on=|_id/, path);
  }
});

inTurn('rows are links, and are sorted, filtered and shown by keyboard', async (visit) => {
  const { page, words, language } = visit;
  const say = words.gallery;
  const { money } = formatFor(language);
  await openDesign(visit);
  const table = page.getByRole('table', { name: say.list });
  const row = (at: number) => table.getByRole('row').nth(at);
  await row(1).getByText(money(1_210_000)).waitFor();
  // Rows are dense.
  assert.equal((await row(3).boundingBox())?.height, 36);
  const header = table.getByRole('columnheader', { name: say.amount });
  assert.equal(await header.getAttribute('aria-sort'), 'descending');
  await header.getByRole('button').press('Enter');
  await row(1).getByText(money(8500)).waitFor();
  assert.equal(await header.getAttribute('aria-sort'), 'ascending');
  // Numbers are on the right, also where text is.
  const right = async (at: number): Promise<number | undefined> =>
    page.evaluate(
      `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelectorAll('tbody tr')[${at}].cells[5]); return range.getBoundingClientRect().right; })()`,
    );
  assert.equal(await right(0), await right(3));

  // The whole row leads to its page: beside its text too, and by keyboard.
  await row(1).click({ position: { x: 320, y: 18 } });
  await page.waitForURL(/row=3$/);
  await row(2).getByRole('link').press('Enter');
  await page.waitForURL(/row=1$/);

  // A button within a row is not the row's link.
  await row(4).getByRole('button', { name: say.quiet }).click();
  assert.match(page.url(), /row=1$/);

  // Rows are selected one by one, or all at once.
  const selected = (many: number) =>
    page.getByText(words.common.selected.replace('%{count}', formatFor(language).count(many)));
  await row(1).getByRole('checkbox').check();
  await selected(1).waitFor();
  await table.getByRole('checkbox', { name: words.common.selectAll }).check();
  await selected(4).waitFor();
  assert.match(page.url(), /row=1$/);

  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), say.search);
  await page.keyboard.type(say.kish);
  await page.keyboard.press('Enter');
  await table.getByText(say.arya).waitFor({ state: 'detached' });
  const focusIsKept = async (): Promise<void> =>
    assert.equal(await page.locator(':focus').getAttribute('role'), 'search');
  await page.getByRole('button', { name: words.common.clear, exact: true }).click();
  await table.getByText(say.arya).waitFor();
  await focusIsKept();
  // What was typed applies when the field is left, and its absence at once.
  const search = page.getByRole('searchbox', { name: say.search });
  await search.fill(say.kish);
  await page.keyboard.press('Tab');
  await table.getByText(say.arya).waitFor({ state: 'detached' });
  await search.fill('');
  await table.getByText(say.arya).waitFor();
  await addFilter(visit, say.state, say.good);
  await table.getByText(say.kish).waitFor({ state: 'detached' });
  await table.getByText(say.arya).waitFor();
  const remove = words.common.removeFilter.replace('%{name}', say.state);
  await page.getByRole('button', { name: remove }).click();
  await table.getByText(say.kish).waitFor();
  await focusIsKept();

  await page.getByRole('button', { name: words.common.columns }).click();
  await page.getByRole('menuitemcheckbox', { name: say.product }).click();
  await table.getByRole('columnheader', { name: say.product }).waitFor({ state: 'detached' });
  await page.reload();
  await row(1).waitFor();
  assert.equal(await table.getByRole('columnheader', { name: say.product }).count(), 0);
});
