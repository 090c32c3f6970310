/** Tests mails against real servers: with TLS and authentication, and what a broken server does. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certificateFor } from '../../../../test/support/certificate.ts';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import {
  mailTo,
  password,
  readMail,
  startMailServer,
  startSilentServer,
  user,
} from '../../../../test/support/smtp.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createAddressPolicy } from '../../../webhooks/delivery/address.ts';
import type { MailSettings } from '../settings/settings.ts';
import { createMailSender, type MailSenderDeps, mailTimeoutMs } from './smtp.ts';

const { key, cert } = certificateFor('mail.example');
const other = certificateFor('mail.example');
const trusted = getCACertificates('default');
before(() => setDefaultCACertificates([...trusted, cert]));
after(() => setDefaultCACertificates(trusted));

const permits = createAddressPolicy(['127.0.0.1']);
const senderOf = (more: Partial<MailSenderDeps> = {}) =>
  createMailSender({
    clock: systemClock,
    permits,
    resolve: async () => ['127.0.0.1'],
    ...more,
  });

const mail = {
  id: 'msg_1',
  subject: 'Down: «یک»',
  text: 'Operator 1 is down.',
  html: '<p>Down</p>',
};

const send = (server: MailSettings, more: Partial<MailSenderDeps> = {}, secret = password) =>
  senderOf(more).send({ ...mail, server, password: secret });

const failed = (code: string) => ({ kind: 'failed', failure: { code, values: {} } });

test('a mail arrives with both parts, for every recipient, and names its message', async () => {
  const server = await startMailServer();
  const to = ['one@shop.example', 'two@shop.example'];
  assert.deepEqual(await send(mailTo(server.port, { to })), { kind: 'answered', status: 250 });
  const [received] = server.received;
  assert.ok(received !== undefined);
  assert.deepEqual(
    [received.from, received.to, received.user, received.secure],
    ['simgate@shop.example', to, user, false],
  );
  assert.deepEqual(readMail(received.source), {
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
  });
  assert.match(received.source, /^Message-ID: <msg_1@shop\.example>\r$/m);
  assert.match(received.source, /^Auto-Submitted: auto-generated\r$/m);
});

for (const security of ['tls', 'starttls'] as const) {
  test(`by ${security} only a trusted certificate for the name of the server is accepted`, async () => {
    const options = { secure: security === 'tls' };
    const server = await startMailServer({ ...options, key, cert });
    const settings = mailTo(server.port, { host: 'mail.example', security });
    assert.deepEqual(await send(settings), { kind: 'answered', status: 250 });
    assert.deepEqual(
      server.received.map(({ secure, user: who }) => [secure, who]),
      [[true, user]],
    );
    const elsewhere = { ...settings, host: 'other.example' };
    assert.deepEqual(await send(elsewhere), failed('not_secure'));
    const untrusted = await startMailServer({ ...options, ...other });
    assert.deepEqual(await send({ ...settings, port: untrusted.port }), failed('not_secure'));
    assert.deepEqual([server.received.length, untrusted.received.length], [1, 0]);
  });
}

test('a server that offers no STARTTLS gets neither the password nor the mail', async () => {
  const seen: string[] = [];
  const server = await startMailServer({
    hideSTARTTLS: true,
    onAuth: (auth, _session, callback) => {
      seen.push(String(auth.username));
      callback(null, { user });
    },
  });
  const settings = mailTo(server.port, { host: 'mail.example', security: 'starttls' });
  const sent = await send(settings);
  assert.notEqual(sent.kind === 'answered' ? sent.status : 0, 250);
  assert.deepEqual([seen, server.received], [[], []]);
});

test('a refusal of the server is reported by its code', async () => {
  const server = await startMailServer();
  assert.deepEqual(await send(mailTo(server.port), {}, 'wrong'), { kind: 'answered', status: 535 });
  const full = await startMailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
  });
  assert.deepEqual(await send(mailTo(full.port)), { kind: 'answered', status: 550 });
});

test('a missing server and a forbidden address are reported differently, and nothing is sent', async () => {
  const server = await startMailServer();
  const { port } = server;
  await server.stop();
  assert.deepEqual(await send(mailTo(port)), failed('connection_refused'));
  const open = await startMailServer();
  const strict = { permits: createAddressPolicy([]) };
  const forbidden = failed('address_not_public');
  assert.deepEqual(await send(mailTo(open.port, { security: 'tls' }), strict), forbidden);
  // A public name may mean a private address.
  const renamed = { ...mailTo(open.port, { security: 'tls' }), host: 'mail.example' };
  assert.deepEqual(await send(renamed, strict), forbidden);
  const mixed = { ...strict, resolve: async () => ['93.184.215.14', '127.0.0.1'] };
  assert.deepEqual(await send(renamed, mixed), forbidden);
  assert.deepEqual(open.received, []);
});

test('a server that hangs is left after the time limit, and at once on close', async () => {
  const server = await startSilentServer();
  const clock = manualClock();
  const sender = senderOf({ clock });
  const sending = sender.send({ ...mail, server: mailTo(server.port), password });
  await server.connected;
  await clock.advance(mailTimeoutMs - 1);
  assert.equal(clock.pending(), 1);
  await clock.advance(1);
  assert.deepEqual(await sending, {
    kind: 'failed',
    failure: { code: 'no_answer_within', values: { ms: mailTimeoutMs } },
  });
  const again = sender.send({ ...mail, server: mailTo(server.port), password });
  sender.close();
  assert.deepEqual(await again, failed('gateway_stopped'));
  assert.equal(clock.pending(), 0);
});
