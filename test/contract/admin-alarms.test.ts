/** Tests alarms in the back office: their settings, rights and audit, test messages, and that clients see nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { judgeEveryMs } from '../../src/admin/alarms/job.ts';
import { alarmKindNames } from '../../src/admin/alarms/kinds.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { eventually, parsed } from '../support/live.ts';
import { manualClock } from '../support/manual-clock.ts';
import { request, type StartedServer, startServer } from '../support/server.ts';
import { mailTo, password, readMail, startMailServer } from '../support/smtp.ts';
import { startReceiver } from '../support/webhooks.ts';

const config: Partial<Config> = {
  secretsKey: Buffer.alloc(32, 1).toString('base64url'),
  alarms: { allowedNetworks: ['127.0.0.1'] },
  metrics: { ...readConfig({}).metrics, token: 'a-token-of-metrics-0123456789' },
};
const clock = manualClock(Date.now());

let server: StartedServer;
let office: BackOffice;
let owner: Cookie;
before(async () => {
  server = await startServer({ config, clock });
  office = await backOffice(server, clock);
  owner = await office.enter('owner');
});
after(() => server.stop());

const settings = 'alarms/settings';
const change = (json: object) => office.send('PATCH', settings, owner, json);

describe('The settings of alarms', () => {
  test('have defaults, and are changed by owners only', async () => {
    const { body } = await office.send('GET', settings, await office.enter('viewer'));
    assert.deepEqual(body, {
      kinds: [...alarmKindNames],
      review_at_least: 1,
      pause_minutes: 5,
      webhook_url: null,
      mail: null,
    });
    const manager = await office.enter('manager');
    for (const [method, path, json] of [
      ['PATCH', settings, { review_at_least: 2 }],
      ['POST', 'alarms/test', undefined],
      ['POST', 'alarms/webhook-secret', undefined],
    ] as const) {
      const { status } = await office.send(method, path, manager, json);
      assert.equal(status, 403, path);
    }
  });

  test('are sealed, shown without secrets, and in the audit log without them', async () => {
    const first = await change({ webhook_url: 'https://alarms.example/', review_at_least: 3 });
    assert.equal(first.status, 200, first.text);
    const secret = String(at(first.body, 'webhook_secret'));
    assert.match(secret, /^whsec_/);
    const mail = mailTo(2525);
    const second = await change({ mail: { ...mail, password } });
    assert.equal(at(second.body, 'webhook_secret'), null);
    const { text, body } = await office.send('GET', settings, owner);
    assert.deepEqual(at(body, 'mail'), { ...mail, has_password: true });
    const audit = await office.send('GET', 'audit?action=settings%20change', owner);
    const [entry] = listOf(at(audit.body, 'data'));
    assert.deepEqual(at(entry, 'before'), { alarms: { mail: null } });
    assert.deepEqual(at(entry, 'after'), { alarms: { mail }, secrets_changed: ['mail'] });
    const { rows } = { rows: await server.deps.db.selectFrom('settings').selectAll().execute() };
    const kept = JSON.stringify(rows);
    for (const hidden of [secret, secret.slice(6), password]) {
      for (const shown of [text, second.text, audit.text, kept]) assert.ok(!shown.includes(hidden));
    }
    const rotated = await office.send('POST', 'alarms/webhook-secret', owner);
    assert.match(String(at(rotated.body, 'webhook_secret')), /^whsec_/);
    assert.notEqual(at(rotated.body, 'webhook_secret'), secret);
  });

  test('keep the password only for the server, the security and the user that it was typed for', async () => {
    const mail = mailTo(2525);
    assert.equal((await change({ mail: { ...mail, language: 'fa' } })).status, 200);
    for (const moved of [
      { host: 'other.example', security: 'tls' },
      { user: 'another' },
      { port: 2526 },
      { security: 'tls' },
    ] as const) {
      const refused = await change({ mail: { ...mail, ...moved } });
      assert.equal(refused.status, 422, refused.text);
      assert.ok(at(refused.body, 'errors', 'mail.password') !== undefined);
    }
    assert.equal(
      at((await change({ mail: { ...mail, user: '' } })).body, 'settings', 'mail', 'has_password'),
      false,
    );
  });

  test('that are invalid, or lead to where webhooks must not go, are named', async () => {
    const mail = mailTo(25);
    for (const [wrong, field] of [
      [{ kinds: ['nothing'] }, 'kinds'],
      [{ review_at_least: 0 }, 'review_at_least'],
      [{ pause_minutes: 1441 }, 'pause_minutes'],
      [{ webhook_url: 'http://alarms.example/' }, 'webhook_url'],
      [{ webhook_url: 'https://10.0.0.1/' }, 'webhook_url'],
      [{ webhook_url: 'https://169.254.169.254/' }, 'webhook_url'],
      [{ mail: { ...mail, host: '10.0.0.1', user: '' } }, 'mail.host'],
      [{ mail: { ...mail, host: '93.184.215.14', user: '' } }, 'mail.host'],
      [{ mail: { ...mail, host: 'a host' } }, 'mail'],
      [{ mail: { ...mail, port: 0 } }, 'mail'],
      [{ mail: { ...mail, to: [] } }, 'mail'],
      [{ mail: { ...mail, to: ['one@shop.example\r\nBcc: x@y.example'] } }, 'mail'],
      [{ mail: { ...mail, from: 'no address' } }, 'mail'],
    ] as const) {
      const { status, body, text } = await change(wrong);
      assert.equal(status, 422, text);
      const fields = keysOf(at(body, 'errors'));
      assert.ok(
        fields.some((name) => name.startsWith(field)),
        `${field}: ${text}`,
      );
    }
  });
});

test('a test message goes to both channels at once, and says what came of each', async () => {
  await change({ webhook_url: null, mail: null });
  const none = await office.send('POST', 'alarms/test', owner);
  assert.deepEqual([none.status, at(none.body, 'data')], [200, []]);
  const receiver = await startReceiver();
  const mails = await startMailServer();
  const set = await change({
    webhook_url: receiver.url,
    mail: { ...mailTo(mails.port, { language: 'fa' }), password },
  });
  const tested = await office.send('POST', 'alarms/test', owner);
  assert.deepEqual(at(tested.body, 'data'), [
    { channel: 'webhook', delivered: true, status: 204, failure: null },
    { channel: 'mail', delivered: true, status: 250, failure: null },
  ]);
  const [message] = receiver.received;
  const verified = new Webhook(String(at(set.body, 'webhook_secret'))).verify(message?.body ?? '', {
    'webhook-id': String(message?.headers['webhook-id']),
    'webhook-timestamp': String(message?.headers['webhook-timestamp']),
    'webhook-signature': String(message?.headers['webhook-signature']),
  });
  assert.equal(at(verified, 'type'), 'alarms.test');
  assert.match(readMail(mails.received[0]?.source ?? '').text, /این یک پیام آزمایشی است/);
  receiver.answerWith(500);
  await mails.stop();
  const failed = await office.send('POST', 'alarms/test', owner);
  assert.deepEqual(at(failed.body, 'data'), [
    { channel: 'webhook', delivered: false, status: 500, failure: null },
    { channel: 'mail', delivered: false, status: null, failure: 'connection_refused' },
  ]);
});

test('the server raises alarms, shows a channel that fails, counts it, and sells on', async () => {
  const receiver = await startReceiver();
  receiver.answerWith(503);
  await office.send('PATCH', 'settings', owner, { low_balance_below: 1_000_000_000 });
  await change({ webhook_url: receiver.url, mail: null });
  await clock.advance(judgeEveryMs);
  await receiver.has(1);
  await eventually('the attempt is recorded', async () => {
    const { body } = await office.send('GET', 'alarms', owner);
    const channels = listOf(at(body, 'channels'));
    return channels.some((one) => at(one, 'health') === 'failing');
  });
  const { body } = await office.send('GET', 'alarms', await office.enter('viewer'));
  const [alarm] = listOf(at(body, 'data'));
  assert.equal(at(alarm, 'kind'), 'low_balance');
  assert.equal(at(alarm, 'below'), 1_000_000_000);
  assert.equal(at(listOf(at(body, 'changes'))[0], 'state'), 'raised');
  const webhook = listOf(at(body, 'channels')).find((one) => at(one, 'channel') === 'webhook');
  assert.deepEqual(
    [at(webhook, 'configured'), at(webhook, 'last_status'), at(webhook, 'waiting')],
    [true, 503, true],
  );
  const metrics = await request(server, '/metrics', { token: 'a-token-of-metrics-0123456789' });
  assert.match(metrics.text, /^simgate_alarms_raised\{kind="low_balance"\} 1$/m);
  assert.match(
    metrics.text,
    /^simgate_alarm_messages_total\{channel="webhook",outcome="failed"\} [1-9]/m,
  );
  assert.equal((await request(server, '/api/clients/products')).status, 200);
  await change({ webhook_url: null });
});

test('no client sees alarms or their settings, and none arrives at a webhook of a client', async () => {
  for (const path of ['alarms', settings]) {
    assert.equal((await request(server, `/admin/api/${path}`)).status, 401, path);
  }
  const account = await request(server, '/api/account');
  assert.ok(!account.text.includes('alarm'));
  const hooks = await request(server, '/api/webhooks', {
    json: { url: 'https://shop.example/', events: ['alarms.changed'] },
  });
  assert.equal(hooks.status, 422);
  const text = JSON.stringify(parsed((await request(server, '/openapi.json')).text));
  assert.ok(!/alarms?[./]/.test(text));
});
