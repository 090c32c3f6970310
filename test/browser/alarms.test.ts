/** Tests that an owner sets where alarms go and sends a test message, and that others only see the state. */
import assert from 'node:assert/strict';
import { at } from '../support/answers.ts';
import { axeOn } from '../support/axe.ts';
import { testConsole } from '../support/browser.ts';
import { startMailServer } from '../support/smtp.ts';

const { inTurn, test } = testConsole({ config: { alarms: { allowedNetworks: ['127.0.0.1'] } } });

inTurn(
  'an owner sets e-mail and a webhook, and sees that a test message arrives',
  async (visit) => {
    const { page, signIn, words } = visit;
    const say = words.alarms;
    const mails = await startMailServer({ authOptional: true });
    await signIn('owner', '/settings');
    const form = page.getByRole('form', { name: say.title });
    await page.getByText(say.noneRaised).waitFor();
    await form.getByLabel(say.pause).fill('0');
    await form.getByLabel(say.mailOn).check();
    await form.getByLabel(say.host).fill('127.0.0.1');
    await form.getByLabel(say.port).fill(String(mails.port));
    await form.getByRole('combobox', { name: say.security }).click();
    await page.getByRole('option', { name: say.securities.none }).click();
    await form.getByLabel(say.from).fill('simgate@shop.example');
    await form.getByLabel(say.to).fill('one@shop.example\ntwo@shop.example');
    await form.getByLabel(say.webhookUrl).fill('http://10.0.0.1/');
    await form.getByRole('button', { name: words.common.save }).click();
    await form.getByText(say.notPositive).waitFor();
    await form.getByLabel(say.pause).fill('10');
    await form.getByRole('button', { name: words.common.save }).click();
    await form.getByText(/url/).first().waitFor();
    await form.getByLabel(say.webhookUrl).fill('https://alarms.example/hooks');
    await form.getByRole('button', { name: words.common.save }).click();
    await page.getByText(say.saved).waitFor();
    assert.match(await form.getByLabel(say.secret).inputValue(), /^whsec_/);
    await form.getByLabel(say.webhookUrl).fill('');
    await form.getByRole('button', { name: words.common.save }).click();
    await form.getByText(say.rotate).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: say.test }).click();
    await page.getByText(say.delivered).waitFor();
    assert.deepEqual(mails.received[0]?.to, ['one@shop.example', 'two@shop.example']);
    await axeOn(page);
    const set = await page.evaluate(
      `fetch('/admin/api/alarms/settings').then((answer) => answer.json())`,
    );
    assert.deepEqual([at(set, 'pause_minutes'), at(set, 'webhook_url')], [10, null]);
  },
);

test('others see whether the channels work, and change nothing', async ({
  page,
  signIn,
  words,
}) => {
  await signIn('viewer', '/settings');
  await page.getByText(words.alarms.noneRaised).waitFor();
  assert.equal(await page.getByRole('form', { name: words.alarms.title }).count(), 0);
  assert.equal(await page.getByRole('button', { name: words.alarms.test }).count(), 0);
});
