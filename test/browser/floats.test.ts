/** Tests that a manager records a top-up at a supplier in the console, and that a viewer sees no float. */
import assert from 'node:assert/strict';
import { readBooks } from '../../src/purchases/floats/store.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, testConsole } from '../support/browser.ts';

const { inBoth, test } = testConsole();

inBoth(
  'a manager records a top-up at a supplier, once though its answer is lost, and corrects it',
  async (visit) => {
    const { page, signIn, words, server, language } = visit;
    const supplier = language === 'en' ? 2 : 3;
    const say = words.floats;
    await signIn('manager', `/operators/${supplier}`);
    const section = page.getByRole('region', { name: say.title, exact: true });
    await section.getByText(say.notWatched).waitFor();
    await section.getByText(say.none).waitFor();
    const name = await page.getByRole('heading', { level: 1 }).innerText();

    let lost = 0;
    await page.route('**/float/entries', async (route) => {
      lost += 1;
      if (lost > 1) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await section.getByRole('button', { name: say.top_up }).click();
    const dialog = page.getByRole('dialog', { name: say.top_upTitle.replace('%{name}', name) });
    await dialog.getByLabel(words.clients.amount).fill('۵٬۰۰۰٬۰۰۰');
    await dialog.getByLabel(say.reference).fill('T-4711');
    await dialog.getByLabel(words.common.reason).fill('for the weekend');
    await axeOn(page);
    await dialog.getByRole('button', { name: say.record }).click();
    await dialog.getByText(words.clients.unsure).waitFor();
    await dialog.getByRole('button', { name: say.record }).click();
    const entries = section.getByRole('table', { name: say.entries });
    await entries.getByText('T-4711').waitFor();
    const held = async (): Promise<number | null | undefined> =>
      (await readBooks(server.deps.db, 0)).get(supplier)?.entries;
    assert.equal(await held(), 5_000_000);
    await section.getByText(say.levels.enough).waitFor();

    await section.getByRole('button', { name: say.correction }).click();
    const correcting = page.getByRole('dialog', {
      name: say.correctionTitle.replace('%{name}', name),
    });
    await correcting.getByLabel(words.clients.down).check();
    await correcting.getByLabel(words.clients.amount).fill('1000000');
    await correcting.getByLabel(words.common.reason).fill('it was less');
    await correcting.getByRole('button', { name: say.record }).click();
    await entries.getByText(say.kinds.correction, { exact: true }).waitFor();
    assert.equal(await held(), 4_000_000);
    assert.equal(await entries.getByRole('row').count(), 3);

    // The balances of two deliveries, with one between them that is not booked.
    const end = { supplier_id: supplier, client_id: 'a', at: 1 };
    const ends = [
      { balance: 100_000, deliveries: -1, purchase_id: 'first' },
      { balance: 90_000, deliveries: 1, purchase_id: 'first' },
      { balance: 75_000, deliveries: -1, purchase_id: 'second' },
      { balance: 65_000, deliveries: 1, purchase_id: 'second' },
    ].map((one) => ({ ...end, ...one }));
    await server.deps.db.insertInto('chain_ends').values(ends).execute();
    await page.reload();
    const gaps = section.getByRole('table', { name: say.gaps });
    await gaps.getByRole('link', { name: 'first' }).waitFor();
    await gaps.getByRole('link', { name: 'second' }).waitFor();
    assert.equal(await gaps.getByRole('row').count(), 2);
    await server.deps.db.deleteFrom('chain_ends').execute();
    await axeOn(page);
    await assertNoSideways(page);
  },
);

test('a viewer sees no float', async ({ page, signIn, words }) => {
  await signIn('viewer', '/operators/2');
  await page.getByRole('region', { name: words.operators.routes, exact: true }).waitFor();
  assert.equal(
    await page.getByRole('region', { name: words.floats.title, exact: true }).count(),
    0,
  );
});
