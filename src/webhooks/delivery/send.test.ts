/** Tests one webhook request: its timeouts, fallback addresses, and independent name resolution. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import type { buildConnector } from 'undici';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { readConfig } from '../../config/config.ts';
import { systemClock } from '../../lib/clock.ts';
import { createSender, type SenderDeps } from './send.ts';

const { webhooks } = readConfig({});
const settings = { ...webhooks, allowedNetworks: ['127.0.0.1'] };
const headers = { 'content-type': 'application/json' };

const opened: (() => unknown)[] = [];
after(() => {
  for (const close of opened) close();
});

const senderOf = (deps: Partial<SenderDeps>) => {
  const sender = createSender({ clock: systemClock, settings, ...deps });
  opened.push(() => sender.close());
  return sender;
};

test('An endpoint that does not answer, or never ends its answer, times out', async () => {
  const clock = manualClock();
  const sender = senderOf({ clock });
  const arrived = Promise.withResolvers<void>();
  for (const answers of [false, true]) {
    const server = createServer((request, response) => {
      request.resume();
      if (answers) response.writeHead(200).write('a part of it');
      arrived.resolve();
    });
    opened.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const sent = sender.send({ url: `http://127.0.0.1:${port}/`, headers, body: '{}' });
    await arrived.promise;
    await clock.advance(settings.timeoutMs);
    const failure = { code: 'no_answer_within', values: { ms: settings.timeoutMs } };
    assert.deepEqual(await sent, { kind: 'failed', failure });
  }
});

test('If one address of a host is dead, the next one is tried', async () => {
  const dialled: string[] = [];
  const dial: buildConnector.connector = ({ hostname }, callback) => {
    dialled.push(hostname);
    callback(new Error('no such host'), null);
  };
  const addresses = ['93.184.215.14', '2606:4700::1111', '1.1.1.1'];
  const sender = senderOf({ dial, resolve: async () => addresses });
  const sent = await sender.send({ url: 'https://shop.example/', headers, body: '{}' });
  assert.equal(sent.kind, 'failed');
  assert.deepEqual(dialled, addresses);
});

/** A DNS answer: that address, or none for anything but IPv4. */
const dnsAnswer = (question: Buffer, address: readonly number[]): Buffer => {
  const wantsIpv4 = question.readUInt16BE(question.length - 4) === 1;
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(wantsIpv4 ? 1 : 0, 6);
  if (!wantsIpv4) return head;
  return Buffer.concat([head, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address])]);
};

test('A name whose DNS server does not answer delays no other name', async () => {
  const names = createSocket('udp4');
  opened.push(() => names.close());
  names.on('message', (question: Buffer, { port, address }) => {
    if (question.includes('silent')) return;
    // Without the EDNS options, which a plain answer need not repeat.
    const end = question.indexOf(0, 12) + 5;
    const plain = Buffer.from(question.subarray(0, end));
    plain.writeUInt16BE(0, 10);
    names.send(dnsAnswer(plain, [93, 184, 215, 14]), port, address);
  });
  names.bind(0, '127.0.0.1');
  await once(names, 'listening');
  const dialled: string[] = [];
  const dial: buildConnector.connector = ({ hostname }, callback) => {
    dialled.push(hostname);
    callback(new Error('no such host'), null);
  };
  const sender = senderOf({ dial, nameServers: [`127.0.0.1:${names.address().port}`] });
  const send = (name: string) => sender.send({ url: `https://${name}/`, headers, body: '{}' });
  let ended = 0;
  const silent = Array.from({ length: 20 }, async (_, index) => {
    await send(`silent-${index}.example`);
    ended += 1;
  });
  await send('shop.example');
  assert.deepEqual(dialled, ['93.184.215.14']);
  assert.equal(ended, 0, 'they still wait for theirs');
  await sender.close();
  await Promise.all(silent);
});
