/** Tests that a webhook goes only to a host with a trusted certificate for its name. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSender } from '../../src/webhooks/delivery/send.ts';
import { certificateFor } from '../support/certificate.ts';

const { webhooks } = readConfig({});
const { key, cert } = certificateFor('shop.example');
const received: string[] = [];
const server = createServer({ key, cert }, (request, response) => {
  received.push(String(request.headers.host));
  request.resume();
  response.writeHead(204).end();
});
const sender = createSender({
  clock: systemClock,
  settings: { ...webhooks, allowedNetworks: ['127.0.0.1'] },
  resolve: async () => ['127.0.0.1'],
});
const trusted = getCACertificates('default');
let port = 0;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

after(async () => {
  setDefaultCACertificates(trusted);
  await sender.close();
  server.close();
});

const sendTo = (name: string) =>
  sender.send({ url: `https://${name}:${port}/hooks`, headers: {}, body: '{}' });

const refused = { kind: 'failed', failure: { code: 'not_secure', values: {} } };

test('an untrusted certificate is refused, and the message is not sent', async () => {
  assert.deepEqual(await sendTo('shop.example'), refused);
  assert.deepEqual(received, []);
});

test('a trusted one is accepted for its own name, and for no other', async () => {
  setDefaultCACertificates([...trusted, cert]);
  assert.deepEqual(await sendTo('shop.example'), { kind: 'answered', status: 204 });
  assert.deepEqual(await sendTo('other.example'), refused);
  assert.deepEqual(received, [`shop.example:${port}`]);
});
