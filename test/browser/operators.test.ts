/** Tests operators in the console: status, suspension, settings and connection tests, and that no secret is shown. */
import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { formatFor } from '../../console/src/writing.ts';
import { type Connection, defineConnector } from '../../src/connector/connector.ts';
import { simulator } from '../../src/operators/simulator/index.ts';
import { simulatorTexts } from '../../src/operators/simulator/texts.ts';
import { axeOn } from '../support/axe.ts';
import { assertNoSideways, screenshot, testConsole, type Visit } from '../support/browser.ts';

const fileSecret = 'secret-of-the-file';

const opened: { readonly url: string; readonly pin: string | undefined }[] = [];

/** One of each kind of setting. */
const sample = defineConnector({
  name: 'sample',
  settings: Type.Object({
    url: Type.String({ pattern: '^https://', description: 'Where it is.' }),
    pin: Type.Optional(Type.String({ secret: true, minLength: 4, description: 'Who we are.' })),
    atOnce: Type.Integer({ default: 100, minimum: 1, description: 'How much at once.' }),
    share: Type.Optional(Type.Number({ maximum: 1, description: 'How much of it.' })),
    offers: Type.Boolean({ default: false, description: 'Whether it lists offers.' }),
    mode: Type.Union([Type.Literal('fast'), Type.Literal('safe')], {
      default: 'safe',
      description: 'How it works.',
    }),
    pauses: Type.Optional(
      Type.Object({ first: Type.Integer(), last: Type.Integer() }, { description: 'When to ask.' }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Sent with all.' }),
    ),
  }),
  texts: {
    share: { label: { en: 'Portion', fa: 'سهم' }, help: { en: 'How much of it.', fa: 'چه سهمی.' } },
    mode: { label: { en: 'Working mode' } },
  },
  settlesWithin: 0,
  inquiries: { firstInquiryMs: 1, widestInquiryMs: 10, reviewAfterMs: 60_000 },
  connect: ({ url, pin, atOnce }): Connection => {
    opened.push({ url, pin });
    return {
      buy: async ({ ref }) => ({ kind: 'done', ref }),
      status: async () => {
        if (url.includes('down')) throw new Error(`no answer from ${url} with ${pin}`);
        return { kind: 'not_found' };
      },
      deadlineMs: 1000,
      atOnce,
      close: async () => {},
    };
  },
});

const { inTurn, test } = testConsole({
  connectors: [sample, simulator],
  config: {
    operators: [
      {
        id: 1,
        name: 'northern',
        connector: 'sample',
        settings: { url: 'https://north.example', pin: fileSecret },
      },
      { id: 2, name: 'rehearsal', connector: 'simulator', settings: {} },
    ],
    // As in production: the file gives it none, and the simulator is named for another alone.
    unconnected: [{ id: 3, name: 'southern', connector: '', settings: {} }],
    simulatable: [2],
  },
});

type Values = Readonly<Record<string, string>>;
const filled = (text: string, values: Values): string =>
  Object.entries(values).reduce((rest, [name, value]) => rest.replace(`%{${name}}`, value), text);

const section = ({ page }: Visit, name: string) => page.getByRole('region', { name, exact: true });

/** The gateway's view of an operator for the signed-in account. */
const told = ({ page }: Visit, id: number): Promise<Record<string, unknown>> =>
  page.evaluate(`fetch('/admin/api/operators/${id}').then((answer) => answer.json())`);

inTurn('a manager suspends an operator with a reason, and resumes it', async (visit) => {
  const { page, signIn, words } = visit;
  const say = words.operators;
  const name = 'northern';
  await signIn('manager', '/operators');
  await page.getByRole('heading', { level: 1, name: words.pages.operators }).waitFor();
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByText(say.up, { exact: true }).waitFor();
  await row.getByText(say.closed).waitFor();
  await row.getByText(say.fromFile).waitFor();
  await axeOn(page);
  await row.getByRole('button', { name: filled(say.suspendOf, { name }) }).click();
  const dialog = page.getByRole('dialog', { name: filled(say.suspendOf, { name }) });
  await dialog.getByText('OPERATOR_UNAVAILABLE').waitFor();
  await dialog.getByLabel(words.common.reason).fill('x');
  await dialog.getByRole('button', { name: say.suspend }).click();
  await dialog.getByText(say.reasonShort).waitFor();
  await axeOn(page);
  await dialog.getByLabel(words.common.reason).fill('they move house');
  await dialog.getByRole('button', { name: say.suspend }).click();
  await page.getByText(filled(say.suspendDone, { name })).waitFor();
  await row.getByText(say.suspended, { exact: true }).waitFor();
  await row.getByText(say.suspendedMeans).waitFor();
  await row.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByText('they move house').waitFor();
  await page.getByRole('button', { name: filled(say.resumeOf, { name }) }).click();
  const again = page.getByRole('dialog', { name: filled(say.resumeOf, { name }) });
  await again.getByText('they move house').waitFor();
  await again.getByRole('button', { name: say.resume }).click();
  await page.getByText(filled(say.resumeDone, { name })).waitFor();
  await page.getByRole('button', { name: filled(say.suspendOf, { name }) }).waitFor();
  assert.equal((await told(visit, 1))['health'], 'up');
  // A manager sells, and changes no settings.
  await page.getByText(words.operatorSettings.notYours).waitFor();
  assert.equal(await page.getByRole('button', { name: say.check }).count(), 0);
});

inTurn('an owner changes settings, sees the changes first, and goes back', async (visit) => {
  const { page, signIn, words, language } = visit;
  const say = words.operatorSettings;
  const secret = `new-pin-${language}`;
  const heard: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/admin/api/')) heard.push(response.text().catch(() => ''));
  });
  await signIn('owner', '/operators/1');
  const form = page.getByRole('form', { name: say.title });
  const field = (name: string) => form.getByLabel(name, { exact: false }).first();
  await form.getByText(say.secretSet).waitFor();
  await form.getByLabel({ en: 'Portion', fa: 'سهم' }[language]).waitFor();
  const review = form.getByRole('button', { name: say.review });
  assert.ok(await review.isDisabled());

  // Errors are shown beside the field: first here, then by the gateway.
  await field('atOnce').fill('many');
  await field('url').fill('ftp://north.example');
  await review.click();
  await form.getByText(say.notWhole).waitFor();
  await form.getByRole('alert').getByText(say.wrong).waitFor();
  await field('atOnce').fill(language === 'fa' ? '۲۵۰' : '250');
  await form.getByRole('button', { name: filled(say.replaceOf, { name: 'pin' }) }).click();
  await form.getByLabel(filled(say.newOf, { name: 'pin' })).waitFor();
  await page.keyboard.type(secret);
  await field('offers').click();
  await page.getByRole('option', { name: words.common.yes }).click();
  // A label without Persian stays English, and is marked as such.
  await field('Working mode').click();
  await page.getByRole('option', { name: 'fast' }).click();
  const pauses = form.getByRole('group', { name: 'pauses' });
  await pauses.getByLabel('first').fill('5');
  await pauses.getByLabel('last').fill('9');
  await field('headers').fill('{"x-shop": "ours"}');
  await review.click();
  const dialog = page.getByRole('dialog', {
    name: filled(say.reviewTitle, { name: 'northern' }),
  });
  const { digits } = formatFor(language);
  const was = filled(say.was, { before: digits(100), after: digits(250) });
  await dialog.getByRole('listitem').filter({ hasText: was }).waitFor();
  await dialog.getByRole('listitem').filter({ hasText: say.secretIsReplaced }).waitFor();
  assert.equal(await dialog.getByText(secret).count(), 0);
  assert.equal(await dialog.getByRole('listitem').count(), 8);
  await axeOn(page);
  await dialog.getByRole('button', { name: say.save }).click();
  await dialog.waitFor({ state: 'detached' });
  await form
    .getByText(language === 'fa' ? 'قالب url درست نیست.' : 'url does not have the right format.')
    .waitFor();
  await field('url').fill('https://north-down.example');
  await review.click();
  await screenshot(page, `operator-review-${language}`);
  await dialog.getByRole('button', { name: say.save }).click();
  await page.getByText(say.saved).waitFor();
  assert.deepEqual(opened.at(-1), { url: 'https://north-down.example', pin: secret });
  await axeOn(page);
  await page.evaluate('window.scrollTo(0, 0)');

  // A set value is not sent elsewhere unnoticed.
  await field('url').fill('https://elsewhere.example');
  await review.click();
  await dialog.getByRole('button', { name: say.save }).click();
  await dialog.waitFor({ state: 'detached' });
  const pin = form.getByRole('group', { name: 'pin' });
  await pin.getByText(say.enterAnew).waitFor();
  await axeOn(page);
  assert.equal(opened.at(-1)?.url, 'https://north-down.example');
  await form.getByRole('button', { name: say.discard }).click();
  await pin.getByText(say.enterAnew).waitFor({ state: 'detached' });

  // The secret is nowhere but in the gateway.
  await section(visit, words.operators.check)
    .getByRole('button', { name: words.operators.check })
    .click();
  await page.getByText(words.operators.checkFailed).waitFor();
  for (const text of await Promise.all(heard)) {
    assert.ok(!text.includes(secret) && !text.includes(fileSecret));
  }
  const { settings } = await told(visit, 1);
  assert.deepEqual(settings, {
    url: 'https://north-down.example',
    pin: '***',
    atOnce: 250,
    offers: true,
    mode: 'fast',
    pauses: { first: 5, last: 9 },
    headers: { 'x-shop': 'ours' },
  });

  // A secret is removed, and finally all settings.
  await form.getByRole('button', { name: filled(say.removeOf, { name: 'pin' }) }).click();
  await form.getByText(say.secretRemoved).waitFor();
  await review.click();
  await dialog.getByRole('listitem').filter({ hasText: say.secretIsRemoved }).waitFor();
  await dialog.getByRole('button', { name: say.save }).click();
  await form.getByText(say.secretNotSet).waitFor();
  assert.equal(opened.at(-1)?.pin, undefined);
  await page.getByRole('button', { name: say.toFile }).click();
  const back = page.getByRole('dialog', { name: say.toFileTitle });
  await back.getByRole('button', { name: say.toFile }).click();
  await page.getByText(say.toFileDone).waitFor();
  assert.deepEqual(opened.at(-1), { url: 'https://north.example', pin: fileSecret });
  await page.getByRole('button', { name: words.operators.check }).click();
  await page.getByText(words.operators.checkOk).waitFor();
});

inTurn(
  'an owner creates a supplier by keyboard, connects it, edits and removes it',
  async (visit) => {
    const { page, signIn, words, language } = visit;
    const say = words.suppliers;
    const name = `partner-${language}`;
    await signIn('owner', '/operators');
    await page.getByRole('button', { name: say.create }).press('Enter');
    const dialog = page.getByRole('dialog', { name: say.create });
    await dialog.locator('input:focus').waitFor();
    // What is missing or wrong is said beside its field, which has the focus.
    const wrongFocused = dialog.locator('input[aria-invalid="true"]:focus');
    await page.keyboard.press('Enter');
    await wrongFocused.waitFor();
    assert.equal(await dialog.getByText(words.common.required).count(), 3);
    await page.keyboard.type('شمالی');
    await page.keyboard.press('Enter');
    await dialog.getByText(say.notName).waitFor();
    await dialog.getByLabel(say.name).fill('northern');
    for (const text of ['Partner', 'همکار', 'north']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await axeOn(page);
    await dialog.getByLabel(say.name).fill(name);
    await page.keyboard.press('Enter');
    const shown = language === 'fa' ? 'همکار' : 'Partner';
    await page.getByRole('heading', { level: 1, name: shown }).waitFor();
    await page.getByText(words.operators.unconnectedMeans).waitFor();
    const id = Number(/\d+$/.exec(page.url())?.[0]);
    await page.getByRole('combobox', { name: words.operators.connector }).click();
    await page.getByRole('option', { name: 'sample' }).click();
    const form = page.getByRole('form', { name: words.operatorSettings.title });
    await form.getByLabel('url', { exact: false }).first().fill('https://partner.example');
    await form.getByRole('button', { name: words.operatorSettings.review }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words.operatorSettings.save })
      .click();
    await page.getByText(words.operatorSettings.saved).waitFor();
    assert.equal((await told(visit, id))['health'], 'up');
    await page.getByRole('button', { name: say.edit }).click();
    await page.getByRole('dialog').getByLabel(say.group).fill('');
    await page.keyboard.press('Enter');
    await page.getByText(say.saved).waitFor();
    assert.equal((await told(visit, id))['group'], null);
    await axeOn(page);
    await page.getByRole('button', { name: say.remove, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: say.remove }).click();
    await page.getByText(filled(say.removed, { name: shown })).waitFor();
    assert.equal((await told(visit, id))['code'], 'OPERATOR_NOT_FOUND');
  },
);

inTurn('an owner gives an operator that has no connector one, and takes it back', async (visit) => {
  const { page, signIn, words, language } = visit;
  const say = words.operatorSettings;
  await signIn('owner', '/operators/3');
  await page.getByRole('heading', { level: 1, name: 'southern' }).waitFor();
  await page.getByText(words.operators.unconnectedMeans).waitFor();
  const choice = page.getByRole('combobox', { name: words.operators.connector });
  await choice.click();
  assert.equal(await page.getByRole('option', { name: 'simulator' }).count(), 0);
  await page.getByRole('option', { name: 'sample' }).click();
  const form = page.getByRole('form', { name: say.title });
  await form.getByLabel('url', { exact: false }).first().fill('https://south.example');
  await axeOn(page);
  await form.getByRole('button', { name: say.review }).click();
  const dialog = page.getByRole('dialog', { name: filled(say.reviewTitle, { name: 'southern' }) });
  const connectors = { before: say.noConnector, after: 'sample' };
  await dialog.getByText(filled(say.connectorChanges, connectors)).waitFor();
  await axeOn(page);
  await screenshot(page, `operator-connector-${language}`);
  await dialog.getByRole('button', { name: say.save }).click();
  await page.getByText(say.saved).waitFor();
  const { connector, health } = await told(visit, 3);
  assert.deepEqual([connector, health], ['sample', 'up']);
  assert.equal(opened.at(-1)?.url, 'https://south.example');
  await page.getByRole('button', { name: say.toFile }).click();
  const again = page.getByRole('dialog', { name: say.toFileTitle });
  await again.getByRole('button', { name: say.toFile }).click();
  await page.getByText(say.toFileDone).waitFor();
  await page.getByText(words.operators.unconnectedMeans).waitFor();
  assert.equal((await told(visit, 3))['connector'], '');
});

test('saving over another person’s change is refused, and the input is kept', async (visit) => {
  const { page, signIn, words } = visit;
  const say = words.operatorSettings;
  await signIn('owner', '/operators/1');
  const form = page.getByRole('form', { name: say.title });
  await form.getByLabel('Portion').fill('0.5');
  const status: number = await page.evaluate(`fetch('/admin/api/operators/1/settings', {
    method: 'PUT', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings: { url: 'https://other.example', pin: 'other-pin', atOnce: 7 }, version: 'file' }),
  }).then((answer) => answer.status)`);
  assert.equal(status, 200);
  await form.getByRole('button', { name: say.review }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: say.save }).click();
  await dialog.getByText(words.errors.SETTINGS_CHANGED).waitFor();
  await dialog.getByRole('button', { name: say.takeOver }).click();
  await dialog.getByText(say.tookOver).waitFor();
  assert.equal(await dialog.getByRole('listitem').count(), 1);
  await dialog.getByRole('button', { name: say.save }).click();
  await page.getByText(say.saved).waitFor();
  const { settings } = await told(visit, 1);
  assert.deepEqual(settings, {
    url: 'https://other.example',
    pin: '***',
    atOnce: 7,
    share: 0.5,
    offers: false,
    mode: 'safe',
  });

  // A gateway on PostgreSQL may have no key; this one creates its own, so its answer is mocked.
  await page.route('**/admin/api/operators/1/settings', (route) =>
    route.fulfill({ status: 409, json: { code: 'SECRETS_KEY_MISSING', message: 'no key' } }),
  );
  await form.getByLabel('Portion').fill('0.25');
  await form.getByRole('button', { name: say.review }).click();
  await dialog.getByRole('button', { name: say.save }).click();
  await dialog.getByText('SIMGATE_SECRETS_KEY').waitFor();
  await dialog.getByRole('button', { name: words.common.cancel }).click();
  assert.equal(await form.getByLabel('Portion').inputValue(), '0.25');
});

inTurn('an owner injects faults into the simulator, and ends them', async (visit) => {
  const { page, signIn, words, language } = visit;
  const say = words.operatorSettings.faults;
  await signIn('owner', '/operators/2');
  const faults = section(visit, say.title);
  await faults.getByText(say.none).waitFor();
  await faults.getByRole('textbox', { name: say.loseAnswers, exact: true }).fill('120');
  await faults
    .getByRole('textbox', { name: say.errors, exact: true })
    .fill(language === 'fa' ? '۱۲٫۵' : '12.5');
  await faults.getByRole('textbox', { name: say.delayMs, exact: true }).fill('250');
  await faults.getByRole('button', { name: say.save }).click();
  await faults.getByText(say.notPercent).waitFor();
  await faults.getByRole('textbox', { name: say.loseAnswers, exact: true }).fill('10');
  await faults.getByRole('button', { name: say.save }).click();
  await page.getByText(say.saved).waitFor();
  await faults.getByText(say.some).waitFor();
  const { faults: set } = await told(visit, 2);
  assert.deepEqual(set, {
    loseRequests: 0,
    loseAnswers: 0.1,
    errors: 0.125,
    nonsense: 0,
    delays: 0,
    lag: 0,
    reversals: 0,
    delayMs: 250,
    lagMs: 2000,
  });
  await axeOn(page);
  await faults.scrollIntoViewIfNeeded();
  await screenshot(page, `faults-${language}`);

  // Changing its other settings keeps the faults.
  const form = page.getByRole('form', { name: words.operatorSettings.title });
  assert.equal(await form.getByLabel(words.operatorSettings.faults.loseAnswers).count(), 0);
  await form
    .getByLabel(simulatorTexts.deadline.label[language])
    .fill(language === 'fa' ? '4100' : '4000');
  await form.getByRole('button', { name: words.operatorSettings.review }).click();
  await page.getByRole('dialog').getByRole('button', { name: words.operatorSettings.save }).click();
  await page.getByText(words.operatorSettings.saved).waitFor();
  assert.deepEqual((await told(visit, 2))['faults'], set);
  await faults.getByRole('button', { name: say.off }).click();
  await faults.getByText(say.none).waitFor();
});

test('a viewer sees everything and changes nothing', async (visit) => {
  const { page, signIn, go, words } = visit;
  await signIn('viewer', '/operators');
  await page.getByRole('link', { name: 'rehearsal' }).waitFor();
  assert.equal(await page.getByRole('button', { name: words.operators.suspend }).count(), 0);
  await go('/operators/1');
  await page.getByText(words.operatorSettings.notYours).waitFor();
  await page.getByText('https://').first().waitFor();
  assert.equal(await page.getByRole('textbox').count(), 0);
  for (const name of [
    words.operators.suspend,
    words.operators.check,
    words.operatorSettings.review,
    words.operatorSettings.replace,
    words.operatorSettings.toFile,
  ]) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  await axeOn(page);
  await go('/operators/2');
  await section(visit, words.operatorSettings.faults.title).getByText('0%').first().waitFor();
  await go('/operators/77');
  await page.getByText(words.errors.OPERATOR_NOT_FOUND).waitFor();
});

for (const path of ['/operators', '/operators/1', '/operators/2'] as const) {
  test(
    `${path} is accessible in dark mode, in Persian, on a phone`,
    async ({ page, signIn, words }) => {
      await signIn('owner', path);
      await page.getByText(words.operators.up, { exact: true }).first().waitFor();
      await axeOn(page);
      await assertNoSideways(page);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    },
    { dark: true, phone: true, language: 'fa' },
  );
}
