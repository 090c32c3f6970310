/** Tests that no webhook reaches a non-public address: two hundred hostile ones, and not one connection. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, isIP } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { buildConnector } from 'undici';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import {
  createAddressPolicy,
  isPublicAddress,
  urlProblem,
} from '../../src/webhooks/delivery/address.ts';
import { failureWords } from '../../src/webhooks/delivery/failure.ts';
import type { Resolve } from '../../src/webhooks/delivery/resolve.ts';
import { createSender } from '../../src/webhooks/delivery/send.ts';
import { hostileNames, hostileUrls } from '../support/hostile-urls.ts';

const { webhooks: settings } = readConfig({});

/** The test's own resolver: it knows the hostile names, and gives each answer in turn. */
const testResolver = (): Resolve => {
  const asked = new Map<string, number>();
  return async (name) => {
    const answers = hostileNames[name.replace(/\.$/, '')] ?? [['127.0.0.1']];
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    return answers[Math.min(times, answers.length - 1)] ?? [];
  };
};

/** Servers on this machine that a hostile address would reach, and their connections so far. */
const traps = [createServer(), createServer()] as const;
let connections = 0;

before(async () => {
  for (const [index, host] of ['127.0.0.1', '::1'].entries()) {
    traps[index]?.on('connection', (socket) => {
      connections += 1;
      socket.destroy();
    });
    traps[index]?.listen(0, host);
    if (traps[index] !== undefined) await once(traps[index], 'listening');
  }
});

after(() => {
  for (const trap of traps) trap.close();
});

const portOf = (index: 0 | 1): number => {
  const address = traps[index].address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const headers = { 'content-type': 'application/json' };

describe('A hostile address', () => {
  test('is one of at least two hundred, all of them different', () => {
    assert.ok(hostileUrls.length >= 200, String(hostileUrls.length));
    assert.equal(new Set(hostileUrls).size, hostileUrls.length);
  });

  test('is never connected to, even if it were accepted as an endpoint', async () => {
    const dialled: string[] = [];
    const dial: buildConnector.connector = ({ hostname }, callback) => {
      dialled.push(hostname);
      callback(new Error('no such host'), null);
    };
    const sender = createSender({ clock: systemClock, settings, resolve: testResolver(), dial });
    for (const url of hostileUrls) {
      const sent = await sender.send({ url, headers, body: '{}' });
      assert.equal(sent.kind, 'failed', url);
    }
    await sender.close();
    assert.deepEqual(dialled, []);
  });

  test('is never connected to on a real port of this machine, by its own resolver or a hostile one', async () => {
    for (const more of [{}, { resolve: async () => ['127.0.0.1', '::1'] }]) {
      const sender = createSender({ clock: systemClock, settings, ...more });
      for (const host of ['127.0.0.1', '2130706433', '127.1', '0x7f.1', 'localhost', '[::1]']) {
        for (const scheme of ['http', 'https']) {
          for (const port of [portOf(0), portOf(1)]) {
            const url = `${scheme}://${host}:${port}/`;
            const sent = await sender.send({ url, headers, body: '{}' });
            assert.equal(sent.kind, 'failed', url);
          }
        }
      }
      await sender.close();
    }
    assert.equal(connections, 0);
  });

  test('reveals nothing to its owner about what is there', async () => {
    const sender = createSender({ clock: systemClock, settings, resolve: testResolver() });
    const words = new Set<string>();
    for (const name of Object.keys(hostileNames)) {
      const sent = await sender.send({ url: `https://${name}/`, headers, body: '{}' });
      if (sent.kind === 'failed') words.add(failureWords(sent.failure));
    }
    await sender.close();
    assert.deepEqual([...words], ['the host does not have a public address']);
  });

  test('is refused as an endpoint at once, unless only its resolved addresses reveal it', () => {
    const permits = createAddressPolicy([]);
    const accepted = hostileUrls.filter((url) => urlProblem(url, permits) === undefined);
    assert.deepEqual(
      accepted.map((url) => new URL(url).hostname),
      Object.keys(hostileNames),
    );
  });
});

describe('A good address', () => {
  test('is connected to as it was checked, even if its name changes afterwards', async () => {
    const dialled: unknown[] = [];
    const dial: buildConnector.connector = ({ hostname, servername }, callback) => {
      dialled.push([hostname, servername]);
      callback(new Error('no such host'), null);
    };
    let asked = 0;
    const resolve: Resolve = async () => {
      asked += 1;
      return asked === 1 ? ['93.184.215.14'] : ['127.0.0.1'];
    };
    const sender = createSender({ clock: systemClock, settings, resolve, dial });
    await sender.send({ url: 'https://rebinds.example/', headers, body: '{}' });
    await sender.close();
    assert.deepEqual(dialled, [['93.184.215.14', 'rebinds.example']]);
    assert.equal(asked, 1);
  });

  test('is a public one, or a configured one', () => {
    for (const address of ['93.184.215.14', '1.1.1.1', '172.32.0.1', '2606:4700::1111']) {
      assert.ok(isPublicAddress(address), address);
      assert.ok(createAddressPolicy([])(address, true));
      assert.ok(!createAddressPolicy([])(address, false), 'not without TLS');
    }
    assert.ok(createAddressPolicy(['10.0.0.0/8'])('10.1.2.3', false));
    assert.ok(!createAddressPolicy(['10.0.0.0/8'])('127.0.0.1', true));
    assert.equal(urlProblem('https://shop.example/hooks?a=b', createAddressPolicy([])), undefined);
  });

  test('is never an IPv6 address that contains a forbidden one', () => {
    const byte = fc.nat({ max: 255 });
    const within = fc.tuple(fc.constantFrom(10, 127, 0), byte, byte, byte);
    fc.assert(
      fc.property(within, (bytes) => {
        const address = bytes.join('.');
        assert.ok(!isPublicAddress(address));
        for (const form of [`::ffff:${address}`, `::${address}`, `64:ff9b::${address}`]) {
          assert.equal(isIP(form), 6);
          assert.ok(!isPublicAddress(form), form);
        }
      }),
    );
  });
});
