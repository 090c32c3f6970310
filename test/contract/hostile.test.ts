/** Tests that callers without a token cannot keep clients from buying, nor block or bloat the process. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { makeToken } from '../../src/clients/token.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { enterOffice } from '../support/admin.ts';
import { updateClient } from '../support/clients.ts';
import { largeFile } from '../support/large-file.ts';
import { eventually } from '../support/live.ts';
import { addClient, request, type TestServer } from '../support/server.ts';
import { aPackage, assertSold, buy, operatorThat, served, withServer } from './buying.ts';

const defaults = readConfig({});
const places = 8;

/** Low limits, so that few connections reach them. */
const limited = (
  http: Partial<Config['http']> = {},
  limits: Partial<Config['limits']> = {},
): Partial<Config> => ({
  limits: { ...defaults.limits, anonymous: places, anonymousPerAddress: places, ...limits },
  http: { ...defaults.http, ...http },
});

type Attack = {
  readonly server: TestServer;
  /** Opens a connection that is closed with the test. */
  readonly dial: () => Promise<Socket>;
  /** Opens connections that send a text each and read nothing. */
  readonly holdUnread: (count: number, text: string) => Promise<Socket[]>;
};

/** Runs a test on a server under attack; its connections are closed even if the test fails. */
const underAttack = (config: Partial<Config>, work: (attack: Attack) => Promise<void>) =>
  withServer(served(operatorThat(), config), async (server) => {
    const sockets: Socket[] = [];
    const dial = async (): Promise<Socket> => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
      return socket;
    };
    const holdUnread = async (count: number, text: string): Promise<Socket[]> => {
      const opened: Socket[] = [];
      for (let one = 0; one < count; one += 1) {
        const socket = await dial();
        socket.pause().write(text);
        opened.push(socket);
      }
      return opened;
    };
    try {
      await work({ server, dial, holdUnread });
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

const ask = (path: string, ...headers: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\n${['Host: x', ...headers].join('\r\n')}\r\n\r\n`;

/** More than the buffers of both ends hold, some 4 MB: the file has a third of a megabyte. */
const largeCount = 16;
const large = ask(largeFile).repeat(largeCount);
/** As many as may follow: with one more, the connection would be closed. */
const following = defaults.http.pipelined - largeCount;

/** How many request heads Node has read during some work whose answers are not written yet. */
const countWaiting = async (work: () => Promise<void>): Promise<number> => {
  let count = 0;
  const more = (): void => {
    count += 1;
  };
  const less = (): void => {
    count -= 1;
  };
  subscribe('http.server.request.start', more);
  subscribe('http.server.response.finish', less);
  await work().finally(() => {
    unsubscribe('http.server.request.start', more);
    unsubscribe('http.server.response.finish', less);
  });
  return count;
};

const isRefused = async (server: TestServer): Promise<boolean> =>
  (await request(server, '/api/errors/', { token: null })).status === 429;

/** Half a sign-in: it holds an anonymous slot until the rest arrives. */
const halfLogin = [
  'POST /admin/api/login HTTP/1.1',
  'Host: x',
  'Sec-Fetch-Site: same-origin',
  'Content-Type: application/json',
  'Content-Length: 10',
  // The server confirms that it has read the head.
  'Expect: 100-continue',
  '\r\n{',
].join('\r\n');

const onlyContinue = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Proves that exactly as many slots are free as there are. */
const assertAllFree = async ({ server, dial }: Attack): Promise<void> => {
  const sockets: Socket[] = [];
  /** Whether it got a slot: the server sends the 100 first, and refuses in the same turn. */
  const holdOne = async (): Promise<boolean> => {
    const socket = await dial();
    let answer = '';
    socket.on('data', (bytes: Buffer) => {
      answer += bytes.toString('latin1');
    });
    socket.write(halfLogin);
    await once(socket, 'data');
    await request(server, '/health/live');
    sockets.push(socket);
    return answer === onlyContinue;
  };
  for (let held = 0; held < places; held += 1) {
    // Misused connections are closed one after another, and may take a slot for their next request before.
    await eventually(`${held} of ${places} are held`, holdOne);
  }
  assert.equal(await isRefused(server), true);
  for (const socket of sockets) socket.destroy();
  await eventually('they are free again', async () => !(await isRefused(server)));
};

describe('Anonymous callers who read nothing', () => {
  test('take only their own slots: a new client buys', () =>
    underAttack(limited(), async (attack) => {
      const { server, holdUnread } = attack;
      const sockets = await holdUnread(places, large);
      await eventually('their slots are taken', () => isRefused(server));
      for (let count = 0; count < 5; count += 1) assertSold(await buy(server, aPackage));
      for (const socket of sockets) socket.destroy();
      await assertAllFree(attack);
    }));

  test('do not block signed-in staff', () =>
    underAttack(limited(), async ({ server, holdUnread }) => {
      const askOffice = await enterOffice(server, 'owner');
      await holdUnread(places, large);
      await eventually('their slots are taken', () => isRefused(server));
      for (let count = 0; count < 5; count += 1) {
        assert.equal((await askOffice('GET', 'me')).status, 200);
      }
    }));

  test('are closed after a time, and their slots are free', () =>
    underAttack(limited({ unreadMs: 1000 }), async (attack) => {
      await attack.holdUnread(places, large);
      await eventually('their slots are taken', () => isRefused(attack.server));
      await assertAllFree(attack);
    }));

  test('cannot send thousands of requests at once on one connection', () =>
    underAttack(limited(), async ({ server, holdUnread }) => {
      const [socket] = await holdUnread(1, ask('/openapi.json').repeat(2000));
      assert.ok(socket !== undefined);
      socket.resume();
      await closing(socket);
      assert.ok(socket.bytesRead < 40 * 400_000, 'most requests were never answered');
      assertSold(await buy(server, aPackage));
    }));

  test('have few of their requests read before their turn, and all answered in order once they read', () =>
    underAttack(limited(), async ({ server, holdUnread }) => {
      // As many headers as are allowed, in 2 KB.
      for (const more of [[], Array.from({ length: 98 }, () => `a:${'b'.repeat(16)}`)]) {
        const ids = Array.from({ length: following }, (_, index) => `hostile-${100 + index}`);
        const wait = ids.map((id) => ask('/nowhere', `X-Request-Id: ${id}`, ...more)).join('');
        let sockets: Socket[] = [];
        const waiting = await countWaiting(async () => {
          sockets = await holdUnread(1, large + wait);
          // While others are answered, all pending input is read.
          for (let count = 0; count < 20; count += 1) await request(server, '/health/live');
        });
        assert.ok(waiting <= 10, `${waiting} were read before their turn`);
        let answers = '';
        sockets[0]?.resume().on('data', (bytes: Buffer) => {
          answers += bytes.toString('latin1');
        });
        await eventually('all are answered', async () => answers.includes(ids.at(-1) ?? ''));
        assert.deepEqual([...new Set(answers.match(/hostile-\d+/g))], ids);
      }
    }));

  test('free their slots when a CONNECT follows their requests', () =>
    underAttack(limited(), async (attack) => {
      const tunnel = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';
      const text = large + ask('/nowhere').repeat(following - 1) + tunnel;
      for (const socket of await attack.holdUnread(4, text)) await closing(socket.resume());
      await assertAllFree(attack);
    }));
});

describe('Behind an answer that is not read', () => {
  const tokenOf = (token: string): string => `Authorization: Bearer ${token}`;

  test('guessed tokens hold no slots of unverified clients', () =>
    underAttack(limited(), async (attack) => {
      const { server, holdUnread } = attack;
      const guesses = Array.from({ length: following }, () =>
        ask('/api/errors', tokenOf(makeToken(systemRandom))),
      );
      await holdUnread(places, large + guesses.join(''));
      await eventually('their slots are taken', () => isRefused(server));
      assertSold(await buy(server, aPackage));
    }));

  test('invalid session cookies hold no slots of staff', () =>
    underAttack(limited(), async ({ server, holdUnread }) => {
      const askOffice = await enterOffice(server, 'owner');
      const cookie = `Cookie: simgate-admin=${'x'.repeat(43)}`;
      const site = 'Sec-Fetch-Site: cross-site';
      const wrong = ask('/admin/api/me', cookie) + ask('/admin/api/me', cookie, site);
      await holdUnread(places, large + wrong.repeat(following / 2));
      await eventually('their slots are taken', () => isRefused(server));
      assert.equal((await askOffice('GET', 'me')).status, 200);
    }));

  test('a suspended client holds no slots of other clients', () =>
    underAttack(limited({}, { requests: 4 }), async ({ server, holdUnread }) => {
      const other = await addClient(server, { balance: 1_000_000 });
      assertSold(await buy(server, aPackage, { token: other.token }));
      await updateClient(server.deps, other.id, { status: 'suspended' });
      const isSuspended = async (): Promise<boolean> =>
        (await request(server, '/api/errors', { token: other.token })).status === 403;
      await eventually('it is suspended', isSuspended);
      assertSold(await buy(server, aPackage));
      await holdUnread(places, large + ask('/api/errors', tokenOf(other.token)).repeat(following));
      await eventually('anonymous slots are taken', () => isRefused(server));
      for (let count = 0; count < 5; count += 1) assertSold(await buy(server, aPackage));
    }));

  test('a valid token on a page that takes none holds no client slot', () =>
    underAttack(limited({}, { requests: 4 }), async ({ server, holdUnread }) => {
      assertSold(await buy(server, aPackage));
      const page = ask(largeFile, tokenOf(server.client.token));
      await holdUnread(places, page.repeat(largeCount));
      await eventually('anonymous slots are taken', () => isRefused(server));
      for (let count = 0; count < 5; count += 1) assertSold(await buy(server, aPackage));
    }));
});

/** Processor time of this thread, in microseconds, for some work. */
const timeOf = async (work: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

/** The longest turn of the event loop during some work, the callers' part included. */
const longestTurnOf = async (work: () => Promise<unknown>): Promise<number> => {
  let [longest, isOver] = [0, false];
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work().finally(() => {
    isOver = true;
  });
  return longest;
};

const leastOf = async (times: number, measure: () => Promise<number>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < times; count += 1) least = Math.min(least, await measure());
  return least;
};

const readYardstick = (): Promise<number> => timeOf(() => JSON.parse(yardstick));

// Reading this takes some 50 ms. A ratio to it depends little on how fast or busy a machine is.
const yardstick = JSON.stringify(
  Array.from({ length: 150_000 }, (_, index) => ({ id: index, name: `number ${index}` })),
);

type Init = NonNullable<Parameters<typeof request>[2]>;

/** The pages in every encoding. */
const pages: readonly [path: string, init: Init][] = [
  '/',
  '/openapi.json',
  '/admin/openapi.json',
  '/docs',
  '/docs/llms.txt',
  '/docs/errors.md',
  largeFile,
  '/console',
].flatMap((path) =>
  ['br', 'gzip', 'identity'].map((encoding): [string, Init] => [
    path,
    { headers: { accept: 'text/html', 'accept-encoding': encoding } },
  ]),
);

const posted = (body: string): Init => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
  body,
});

/** As long and as deep as headers and bodies may be. */
const extremes: readonly [path: string, init: Init][] = [
  [`/${'a/'.repeat(6000)}`, {}],
  [`/?${'a=%41&'.repeat(2000)}`, {}],
  ['/%zz', {}],
  ['/docs', { headers: { 'accept-encoding': 'x;q=0.1,'.repeat(1500) } }],
  ['/docs', { headers: { 'if-none-match': '"x",'.repeat(3000) } }],
  ['/api/errors', { headers: { authorization: `Bearer${' '.repeat(7000)}x${' '.repeat(7000)}x` } }],
  ['/admin/api/me', { headers: { cookie: 'simgate-admin=x;'.repeat(900) } }],
  ['/admin/api/login', posted('['.repeat(defaults.http.bodyBytes - 1))],
  ['/admin/api/login', posted(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)],
];

const unlimited = { admin: { ...defaults.admin, anonymousRate: null } };

test('no request of an anonymous caller holds the event loop for more than 50 ms', () =>
  withServer(served(operatorThat(), unlimited), async (server) => {
    const allowed = await leastOf(5, readYardstick);
    const assertQuick = (spent: number, what: string): void =>
      assert.ok(spent < allowed, `${what.slice(0, 40)}: ${spent} of ${allowed} µs`);
    // As the command does before it listens.
    await server.makePages();
    // The callers' part of a first request does not concern the server.
    await request(server, '/health/live');
    for (const [path, init] of [...pages, ...extremes]) {
      const ask = (): Promise<unknown> => request(server, path, { token: null, ...init });
      assertQuick(await longestTurnOf(ask), `the first ${path}`);
      // The thread's time for a whole request: it holds the loop for less than that.
      assertQuick(await leastOf(3, () => timeOf(ask)), path);
    }
  }));

/** As much as one read brings, and more. */
const bursts: Readonly<Record<string, string>> = {
  'the shortest requests': 'GET / HTTP/1.1\r\n\r\n'.repeat(10_000),
  'as many large pages as a connection may ask for': ask('/openapi.json').repeat(31),
  'as many headers as fit': ask('/nowhere', ...Array.from({ length: 380 }, () => 'a:b')).repeat(31),
  'queries that take long to read': ask(`/?${'a=%41&'.repeat(2000)}`).repeat(31),
  'a body of ends of heads': `${halfLogin.replace('10', '60000')}${'\r\n'.repeat(40_000)}`,
  'what is no HTTP': 'x\r\n\r\n'.repeat(20_000),
};

for (const [what, text] of Object.entries(bursts)) {
  test(`${what}, sent at once on one connection, hold the event loop for no more than 50 ms`, () =>
    underAttack(unlimited, async ({ server, dial }) => {
      const allowed = await leastOf(5, readYardstick);
      const burst = async (): Promise<void> => {
        const socket = await dial();
        socket.resume().write(text + ask('/health/live', 'Connection: close'));
        await closing(socket);
      };
      const spent = await leastOf(3, () => longestTurnOf(burst));
      assert.ok(spent < allowed, `${spent} of ${allowed} µs`);
      assertSold(await buy(server, aPackage));
    }));
}
