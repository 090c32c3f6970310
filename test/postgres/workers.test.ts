/** Tests several workers on one port: all sell, each key is ordered once, dead ones are replaced, none is left behind. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import {
  beginRequest,
  type Connection,
  finishRequest,
  untilPrinted,
} from '../support/connection.ts';
import { ask, eventually } from '../support/live.ts';
import { freePort } from '../support/port.ts';
import {
  inShell,
  type Served,
  serveProcess,
  simgate,
  simgateKept,
  simulatorProcess,
} from '../support/process.ts';
import { runSql } from '../support/sql.ts';
import { connectionTo, linesOf, saying, tokenOf, workerOf, workersOf } from '../support/workers.ts';

const folder = temporaryFolders();

/** A request for offers in flight in each of the workers. */
const underWayInEach = async (served: Served): Promise<readonly Connection[]> => {
  const token = tokenOf(served);
  const connections: Connection[] = [];
  for (const worker of workersOf(served)) {
    const connection = await connectionTo(served, worker);
    await beginRequest(connection, token);
    connections.push(connection);
  }
  return connections;
};

/** How many requests succeeded: the one that found the worker, and the one in flight. */
const answersOn = ({ received }: Connection): number =>
  received().split('HTTP/1.1 200 OK').length - 1;

type Sold = { readonly status: number; readonly text: string; readonly requestId: string };

type Wish = { readonly key: string; readonly mobile: string; readonly product: unknown };

const bodyOf = ({ key, mobile, product }: Wish): string => {
  const [product_id, price] = [at(product, 'id'), at(product, 'price')];
  return JSON.stringify({ product_id, price, mobile, webservice_code: key });
};

const headersOf = (served: Served, wish: Wish): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${tokenOf(served)}`,
  'idempotency-key': wish.key,
  'content-type': 'application/json',
  'content-length': String(bodyOf(wish).length),
});

const packages = '/api/top-up/package/';

/** A purchase over an existing connection. */
const rawPurchase = (served: Served, wish: Wish): string => {
  const headers = Object.entries({ host: 'gateway.test', ...headersOf(served, wish) });
  const lines = [
    `POST ${packages} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${bodyOf(wish)}`;
};

/** Buys on its own connection. */
const buy = async (served: Served, wish: Wish): Promise<Sold> => {
  const headers = headersOf(served, wish);
  const sent = httpRequest(served.url + packages, { method: 'POST', agent: false, headers });
  sent.end(bodyOf(wish));
  const answered: unknown[] = await once(sent, 'response');
  const response = answered[0];
  assert.ok(response instanceof IncomingMessage);
  const requestId = String(response.headers['request-id']);
  return { status: response.statusCode ?? 0, text: await textOf(response), requestId };
};

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('Two workers', { timeout: 480_000 }, () => {
  const data = folder();
  let simulator: Served;
  let served: Served;
  let products: readonly unknown[] = [];
  let metricsPort = 0;

  before(async () => {
    simulator = await simulatorProcess(data, '--delay', '200', '--only', 'orders');
    metricsPort = await freePort();
    served = await serveProcess(data, {
      WORKERS: '2',
      OPERATOR_URL: simulator.url,
      METRICS_PORT: String(metricsPort),
    });
    const all = { table: 'product', items: { pagination: 'false' } };
    products = listOf(
      at((await ask(served.url, tokenOf(served), '/api/filter', all)).body, 'data'),
    );
  });
  after(async () => {
    await served.stop();
    await simulator.stop();
  });

  const packageFor = (sim: 'credit' | 'permanent'): unknown =>
    products.find(
      (one) =>
        at(one, 'type') === 'cell_internet' &&
        at(one, 'sim_card_type') === sim &&
        at(one, 'status') === 1 &&
        at(one, 'operator_id') === 1,
    );
  const wish = (key: string, mobile = '989123456700'): Wish => {
    const product = packageFor(Number(mobile.at(-1)) % 2 === 0 ? 'credit' : 'permanent');
    return { key, mobile, product };
  };
  /** How often it was delivered to a number. */
  const deliveriesTo = (mobile: string): number =>
    readFileSync(join(data, 'book.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"ref"') && line.includes(mobile)).length;

  it('say once that they listen, and greet a newcomer once', async () => {
    assert.equal(saying(served, 'listening').length, 1);
    assert.equal(new Set(workersOf(served)).size, 2);
    assert.equal(served.printed().split('Read the documentation at').length, 2);
    assert.equal(served.printed().split('/console/setup#').length, 2);
    const { rows } = await runSql(data, 'select count(*) as count from clients');
    assert.deepEqual(rows, [{ count: 1 }]);
  });

  it('show the sum of their metrics at one port', async () => {
    const sold = await Promise.all(
      range(8).map((index) => buy(served, wish(`sum-${index}`, '989121110044'))),
    );
    assert.deepEqual(new Set(sold.map(({ status }) => status)), new Set([200]));
    const shown = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const counts = shown
      .split('\n')
      .filter((line) => /^simgate_purchases_total\{.*outcome="succeeded"/.test(line))
      .map((line) => Number(line.split(' ').at(-1)));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      8,
    );
  });

  it('order once for a key that both of them get at once, and answer with the same bytes', async () => {
    const mobile = '989121110002';
    const answers: Sold[] = [];
    const answering = new Set<number>();
    await eventually('both workers answer', async () => {
      const repeats = await Promise.all(range(8).map(() => buy(served, wish('same', mobile))));
      answers.push(...repeats);
      for (const { requestId } of repeats) answering.add(await workerOf(served, requestId));
      return answering.size === 2;
    });
    assert.deepEqual(answering, new Set(workersOf(served)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(deliveriesTo(mobile), 1);
  });

  it('lose nothing when one of them is killed and replaced', async () => {
    const mobile = '989121110093';
    const [worker = 0] = workersOf(served);
    const left = wish('left-behind', mobile);
    const connection = await connectionTo(served, worker);
    // The operator delivers and does not answer; the others learn of it by its reports.
    connection.socket.write(rawPurchase(served, left));
    await eventually('it is delivered', async () => deliveriesTo(mobile) === 1);
    process.kill(worker, 'SIGKILL');
    const meanwhile = range(8).map((index) => buy(served, wish(`meanwhile-${index}`)));
    assert.deepEqual(
      (await Promise.all(meanwhile)).map(({ status }) => status),
      range(8).map(() => 200),
    );
    const again = await buy(served, left);
    assert.equal(again.status, 200, again.text);
    assert.equal(deliveriesTo(mobile), 1);
    await untilPrinted(served, '"msg":"a worker is ready"');
    const ended = saying(served, 'a worker ended and is replaced');
    assert.deepEqual(
      ended.map((line) => [at(line, 'worker'), at(line, 'signal')]),
      [[worker, 'SIGKILL']],
    );
    const heir = Number(at(saying(served, 'a worker is ready'), 0, 'worker'));
    (await connectionTo(served, heir)).socket.destroy();
    await done(data, 'verify');
  });

  it('finish their work, and then exit, when the whole group is signalled to stop', async () => {
    const heir = Number(at(saying(served, 'a worker is ready'), 0, 'worker'));
    const workers = [heir, workersOf(served)[1] ?? 0];
    const purchases = range(8).map((index) => buy(served, wish(`last-${index}`)));
    const connections = await Promise.all(workers.map((worker) => connectionTo(served, worker)));
    for (const connection of connections) await beginRequest(connection, tokenOf(served));
    await eventually('all purchases have begun', async () => {
      const begun = `select count(*) as count from purchases where idempotency_key like 'last-%'`;
      return at((await runSql(data, begun)).rows, 0, 'count') === 8;
    });
    for (const worker of workers) process.kill(worker, 'SIGTERM');
    const status = served.stop('SIGTERM');
    // The primary and both workers.
    await eventually('all drain', async () => saying(served, 'draining').length === 3);
    for (const connection of connections) finishRequest(connection);
    assert.equal(await status, 0);
    for (const connection of connections) assert.equal(answersOn(connection), 2);
    assert.deepEqual(
      (await Promise.all(purchases)).map((one) => one.status),
      range(8).map(() => 200),
    );
    assert.equal(saying(served, 'stopped').length, 3);
    assert.equal(
      at(linesOf(served).at(-1), 'worker'),
      undefined,
      'the primary is the last to stop',
    );
    assert.equal(saying(served, 'a worker ended and is replaced').length, 1);
  });
});

describe('The workers of a primary', twoAtATime, () => {
  it('finish their work and then exit when it is killed', async () => {
    const served = await serveProcess(folder(), { WORKERS: '2' });
    const connections = await underWayInEach(served);
    // Over when no process holds its output any more: neither it nor a worker.
    const gone = served.stop('SIGKILL');
    await once(served.child, 'exit');
    for (const connection of connections) finishRequest(connection);
    await gone;
    for (const connection of connections) assert.equal(answersOn(connection), 2);
    await assert.rejects(ask(served.url, tokenOf(served), '/health/live'), /fetch failed/);
  });

  it('drain at the first stop signal, and exit at once at a second', async () => {
    const served = await serveProcess(folder(), { WORKERS: '2' });
    const connections = await underWayInEach(served);
    const status = served.stop('SIGINT');
    // The primary and both workers.
    await eventually('all drain', async () => saying(served, 'draining').length === 3);
    const gone = once(served.child, 'exit');
    // A signal within a second of the first is the same one, passed on.
    const again = setInterval(() => served.child.kill('SIGINT'), 200);
    await gone;
    clearInterval(again);
    for (const connection of connections) finishRequest(connection);
    assert.equal(await status, 130);
    for (const connection of connections) assert.equal(answersOn(connection), 1);
    assert.doesNotMatch(served.printed(), /"msg":"stopped"/);
  });

  it('drain when the shell that npx started it in is gone', async () => {
    const served = await serveProcess(folder(), { WORKERS: '2', npm_command: 'exec' }, inShell);
    const connections = await underWayInEach(served);
    const gone = served.stop('SIGKILL');
    await eventually('all drain', async () => saying(served, 'draining').length === 3);
    for (const connection of connections) finishRequest(connection);
    await gone;
    for (const connection of connections) assert.equal(answersOn(connection), 2);
    assert.equal(saying(served, 'stopped').length, 3);
  });
});

describe('Workers that cannot start', twoAtATime, () => {
  it('say why once, and the whole exits with their status', async () => {
    const holder = createServer().listen(0, '127.0.0.1').unref();
    await once(holder, 'listening');
    const port = String(at(holder.address(), 'port'));
    const env = { PORT: port, LOG_LEVEL: 'warn' };
    const refused = await simgate(folder(), ['serve', '--workers', '2'], env);
    holder.close();
    assertSentence(refused, /^Port \d+ of 127\.0\.0\.1 is in use\. Set PORT/);
  });

  it('are refused on SQLite before anything is touched: one file has one server', async () => {
    const data = folder();
    const onFile = { DATABASE_URL: '', DATA_DIR: join(data, 'data') };
    const [byOption, bySetting] = await Promise.all([
      simgateKept(data, ['serve', '--workers', '2'], onFile),
      simgateKept(data, ['serve'], { ...onFile, WORKERS: '2' }),
    ]);
    assert.deepEqual([byOption.status, byOption.out], [2, '']);
    assert.match(byOption.err, /^--workers must be 1: SQLite supports one server process\. /);
    assertSentence(bySetting, /^workers must be 1: SQLite supports one server process\. /);
    assert.throws(() => readFileSync(join(data, 'data', 'simgate.db')), /ENOENT/);
  });

  it('are refused if their number is invalid', async () => {
    const { status, err } = await simgateKept(folder(), ['serve', '--workers', '65']);
    assert.equal(status, 2);
    assert.match(err, /^--workers must be a whole number from 1 to 64, not "65"\.\n/);
  });
});
