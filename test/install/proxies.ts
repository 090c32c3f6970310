/**
 * Runs the examples for nginx and HAProxy before two gateways on one PostgreSQL: TLS, forwarded headers, purchases, a
 * gateway that drains, and proof that a purchase that was sent is not sent again. Skips what is not installed.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Agent, fetch } from 'undici';
import { at } from '../support/answers.ts';
import { freePort } from '../support/port.ts';
import { startPostgres } from '../support/postgres.ts';
import { root } from '../support/selection.ts';
import { startFakeUpstream } from './fake-upstream.ts';
import { type Answer, type Buyer, type Gateway, startGateway, until } from './gateway.ts';
import { plainEnvironment, run } from './process.ts';
import { certificate, name, type Proxy, proxies, startProxy } from './proxy-programs.ts';
import { atEnd, runCheck, skip, step } from './steps.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-proxies-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves the name as name servers would, and trusts the certificate like a public one. */
const agent = new Agent({
  connect: {
    ca: certificate.cert,
    servername: name,
    lookup: (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
  },
});

/** Far more than a proxy's kept-alive connections. */
const mostRetries = 100;

const posts = 20;

type Sent = { readonly headers?: Record<string, string>; readonly body?: string };

const send = async (url: string, { headers = {}, body }: Sent = {}): Promise<Answer> => {
  const response = await fetch(url, {
    dispatcher: agent,
    headers,
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  return { status: response.status, text: await response.text() };
};

const isUp = (url: string): Promise<boolean> =>
  send(`${url}/openapi.json`).then(
    ({ status }) => status === 200,
    () => false,
  );

const authorized = ({ token }: Pick<Buyer, 'token'>): Record<string, string> => ({
  authorization: `Bearer ${token}`,
});

const buy = (url: string, buyer: Buyer, key: string, digits = '00'): Promise<Answer> =>
  send(`${url}/api/top-up/package/`, {
    headers: {
      ...authorized(buyer),
      'idempotency-key': key,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `product_id=${buyer.product}&price=${buyer.price}&mobile=9891234567${digits}&webservice_code=${key}`,
  });

/**
 * As the guide to retries asks of a client: after 503, and after a proxy's 502, the same key is sent again.
 */
const buyWithRetries = async (url: string, buyer: Buyer, key: string): Promise<number> => {
  for (let retries = 0; ; retries += 1) {
    const { status, text } = await buy(url, buyer, key);
    if (status === 200) return retries;
    assert.ok([502, 503].includes(status), `${status} ${text}`);
    assert.ok(retries < mostRetries, `Still ${status} after ${retries} retries: ${text}`);
  }
};

type World = {
  readonly buyer: Buyer;
  /** Its token may only be used from a network that no request here comes from. */
  readonly strangersToken: string;
  readonly start: () => Promise<Gateway>;
};

const command = join(root, 'bin/simgate.js');

const createDatabase = async (): Promise<string> => {
  const postgres = await startPostgres({});
  atEnd(() => postgres.remove());
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query('create database simgate');
  await admin.end();
  return postgres.url('simgate');
};

/** A database with demo data, and any number of gateways on it. */
const openWorld = async (): Promise<World & { readonly first: Gateway }> => {
  const config = join(folder, 'simgate.json');
  // Longer than two checks of HAProxy.
  const settings = { trustedProxies: ['127.0.0.1'], http: { stopDelayMs: 5000 } };
  writeFileSync(config, JSON.stringify(settings));
  const env = { DATABASE_URL: await createDatabase(), SIMGATE_CONFIG: config };
  const place = { cwd: folder, env };
  const start = (known?: Buyer): Promise<Gateway> =>
    startGateway(process.execPath, [command, 'serve'], place, known);
  const simgate = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse(await run(process.execPath, [command, ...args, '--json'], place));
  const first = await start();
  const client = String(at(await simgate('client', 'list'), 0, 'id'));
  const token = await simgate('token', 'create', client, '--network', '203.0.113.0/24');
  const strangersToken = String(at(token, 'token'));
  return { first, buyer: first.buyer, strangersToken, start: () => start(first.buyer) };
};

const portOf = ({ url }: Gateway): number => Number(new URL(url).port);

const passesOn = async (url: string, buyer: Buyer): Promise<void> => {
  const { status, text } = await send(`${url}/api/clients/products?per_page=1`, {
    headers: authorized(buyer),
  });
  assert.equal(status, 200, text);
  const link = new URL(String(at(JSON.parse(text), 'links', 'first')));
  assert.deepEqual([link.protocol, link.hostname], ['https:', name]);
};

const replacesAddress = async (url: string, token: string): Promise<void> => {
  const { status, text } = await send(`${url}/api/clients/products`, {
    headers: { ...authorized({ token }), 'x-forwarded-for': '203.0.113.7' },
  });
  assert.deepEqual([status, at(JSON.parse(text), 'code')], [403, 'IP_NOT_ALLOWED']);
};

const limitsBodies = async (url: string, buyer: Buyer): Promise<void> => {
  const large = { headers: authorized(buyer), body: 'x'.repeat(70_000) };
  assert.equal((await send(`${url}/api/top-up/package/`, large)).status, 413);
  for (const path of ['/health/ready', '/metrics'])
    assert.equal((await send(url + path)).status, 404);
};

/** Ends a gateway while purchases are in progress on both; returns how many refusals buyers had to retry. */
const drainOne = async (
  url: string,
  buyer: Buyer,
  { gateway, prefix }: { readonly gateway: Gateway; readonly prefix: string },
): Promise<number> => {
  const slow = Array.from({ length: 6 }, (_, index) =>
    buy(url, buyer, `${prefix}-slow-${index}`, '92'),
  );
  const isBegun = async (): Promise<boolean> => {
    const { text } = await send(`${url}/api/purchases`, { headers: authorized(buyer) });
    return slow.every((_, index) => text.includes(`${prefix}-slow-${index}`));
  };
  await until('the purchases have begun', isBegun);
  gateway.child.kill('SIGTERM');
  let retries = 0;
  for (let count = 0; gateway.child.exitCode === null || count < posts; count += 1) {
    retries += await buyWithRetries(url, buyer, `${prefix}-${count}`);
  }
  assert.equal(await gateway.ended, 0, gateway.printed());
  for (const { status, text } of await Promise.all(slow)) assert.equal(status, 200, text);
  return retries;
};

const checkWithGateways = async (proxy: Proxy, world: World, other: Gateway): Promise<void> => {
  const { buyer, strangersToken } = world;
  const { program } = proxy;
  const gateway = await world.start();
  const running = await step(`${program}: starts with the example`, () =>
    startProxy(proxy, folder, [portOf(gateway), portOf(other)], isUp),
  );
  const { url } = running;
  await step(`${program}: TLS, with scheme and host passed on`, () => passesOn(url, buyer));
  await step(`${program}: a caller cannot choose its address`, () =>
    replacesAddress(url, strangersToken),
  );
  await step(`${program}: buys; the same key gives the same bytes`, async () => {
    const first = await buy(url, buyer, `${program}-1`);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(await buy(url, buyer, `${program}-1`), first);
  });
  await step(`${program}: refuses large bodies, probes, metrics`, () => limitsBodies(url, buyer));
  await step(
    `${program}: a gateway drains, every purchase is answered`,
    () => drainOne(url, buyer, { gateway, prefix: program }),
    (retries) => {
      assert.ok(!proxy.probes || retries === 0, `${retries} were refused`);
      return `${retries} answers 502 or 503 were repeated`;
    },
  );
  await running.stop();
};

/**
 * A gateway that breaks the connection after a purchase arrived gets that one, and no other gateway gets it.
 */
const sendsOnce = async (proxy: Proxy): Promise<void> => {
  const upstreams = await Promise.all([startFakeUpstream(true), startFakeUpstream(true)]);
  const running = await startProxy(proxy, folder, portsOf(upstreams), answersAtAll);
  for (const { seen } of upstreams) seen.splice(0);
  // HAProxy breaks the caller's connection too if its own was used before.
  const answer = await send(`${running.url}/api/top-up/package/`, { body: 'product_id=1' }).then(
    ({ status }) => status,
    () => 'broken',
  );
  assert.ok([502, 'broken'].includes(answer), String(answer));
  assert.deepEqual(
    upstreams.flatMap(({ seen }) => seen),
    ['POST'],
  );
  await running.stop();
};

/** An unreachable gateway got nothing: another one gets it. Connections are kept. */
const passesOver = async (proxy: Proxy): Promise<number> => {
  const upstream = await startFakeUpstream(false);
  const unreachable = await freePort();
  const running = await startProxy(proxy, folder, [unreachable, upstream.port], answersAtAll);
  upstream.seen.splice(0);
  for (let count = 0; count < posts; count += 1) {
    const { status } = await send(`${running.url}/api/top-up/package/`, { body: 'product_id=1' });
    assert.equal(status, 200);
  }
  assert.equal(upstream.seen.length, posts);
  await running.stop();
  const connections = upstream.connections();
  assert.ok(connections < posts, `${connections} connections for ${posts} requests`);
  return connections;
};

const portsOf = (upstreams: readonly { readonly port: number }[]): number[] =>
  upstreams.map(({ port }) => port);

const answersAtAll = (url: string): Promise<boolean> =>
  send(`${url}/openapi.json`).then(
    ({ status }) => status !== 503,
    () => false,
  );

const isInstalled = ({ program, version }: Proxy): boolean =>
  spawnSync(program, version, { env: { PATH: plainEnvironment['PATH'] } }).status === 0;

await runCheck('The examples for proxies:', async () => {
  const installed = proxies.filter(isInstalled);
  for (const { program } of proxies.filter((one) => !installed.includes(one))) {
    skip(program, 'It is not installed.');
  }
  if (installed.length === 0) return;
  const world = await step('two gateways on PostgreSQL', openWorld);
  for (const proxy of installed) {
    await checkWithGateways(proxy, world, world.first);
    await step(`${proxy.program}: a purchase that was sent is not sent again`, () =>
      sendsOnce(proxy),
    );
    await step(
      `${proxy.program}: an unreachable gateway is passed over`,
      () => passesOver(proxy),
      (connections) => `${posts} purchases on ${connections} connections`,
    );
  }
});
