/** Tests how a server shuts down: work in flight finishes, nothing new begins, and nothing stays locked. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { at, listOf } from '../support/answers.ts';
import { temporaryFolders, twoAtATime } from '../support/command.ts';
import {
  beginRequest,
  type Connection,
  connected,
  finishRequest,
  idleConnection,
  untilPrinted,
} from '../support/connection.ts';
import { ask, eventually, parsed } from '../support/live.ts';
import { inShell, launch, type Served, serveProcess } from '../support/process.ts';

const folder = temporaryFolders();

const startedOn = async (data: string): Promise<{ served: Served; token: string }> => {
  const served = await serveProcess(data);
  await eventually('a token is printed', async () => /simgate_\w+/.test(served.printed()));
  return { served, token: /simgate_\w+/.exec(served.printed())?.[0] ?? '' };
};

/** A request whose head and part of its body the server has. */
const requestUnderWay = async (served: Served, token: string): Promise<Connection> => {
  const connection = await connected(served);
  await beginRequest(connection, token);
  return connection;
};

/** The status and code of a new request, or "refused" if none can be made. */
const newRequest = async (served: Served, token: string): Promise<unknown> => {
  try {
    const { status, body } = await ask(served.url, token, '/api/clients/products');
    return `${status} ${String(at(body, 'code'))}`;
  } catch {
    return 'refused';
  }
};

const lastMessage = (served: Served): unknown =>
  at(parsed(served.printed().trimEnd().split('\n').at(-1) ?? ''), 'msg');

const signals = ['SIGTERM', 'SIGINT'] as const;

describe('A server that is signalled to stop', twoAtATime, () => {
  for (const signal of signals) {
    it(`by ${signal}, answers the request in flight, takes no new one, and exits with 0`, async () => {
      const { served, token } = await startedOn(folder());
      const idle = await idleConnection(served);
      const idleClosed = once(idle.socket, 'close');
      const inFlight = await requestUnderWay(served, token);
      const status = served.stop(signal);
      await untilPrinted(served, '"msg":"draining"');
      await idleClosed;
      const fresh = await newRequest(served, token);
      assert.ok(fresh === 'refused' || fresh === '503 DRAINING', String(fresh));
      finishRequest(inFlight);
      assert.equal(await status, 0);
      const [, head = '', text = ''] =
        /(HTTP\/1\.1 200 OK\r\n.*?)\r\n\r\n(.*)$/s.exec(inFlight.received()) ?? [];
      assert.match(head, /^connection: close$/im);
      assert.ok(listOf(at(parsed(text), 'offersList')).length > 0);
      assert.equal(lastMessage(served), 'stopped');
      assert.doesNotMatch(served.printed(), /cut off|"level":"error"/);
    });
  }

  it('cuts off a request that exceeds the drain time', async () => {
    const data = folder();
    writeFileSync(join(data, 'simgate.json'), '{"http":{"drainMs":300}}');
    const { served, token } = await startedOn(data);
    const inFlight = await requestUnderWay(served, token);
    const closed = once(inFlight.socket, 'close');
    assert.equal(await served.stop(), 0);
    await closed;
    assert.match(served.printed(), /some requests did not finish in time and were aborted/);
    assert.equal(lastMessage(served), 'stopped');
  });

  it('exits at once at a second signal', async () => {
    const { served, token } = await startedOn(folder());
    const inFlight = await requestUnderWay(served, token);
    const status = served.stop('SIGINT');
    await untilPrinted(served, '"msg":"draining"');
    // A signal within a second of the first is the same one, passed on.
    const again = setInterval(() => served.child.kill('SIGINT'), 200);
    assert.equal(await status, 130);
    clearInterval(again);
    assert.doesNotMatch(served.printed(), /"msg":"stopped"/);
    inFlight.socket.destroy();
  });

  it('drains if a terminal and its parent both pass the signal on', async () => {
    const { served, token } = await startedOn(folder());
    const inFlight = await requestUnderWay(served, token);
    const status = served.stop('SIGTERM');
    served.child.kill('SIGINT');
    await untilPrinted(served, '"msg":"draining"');
    finishRequest(inFlight);
    assert.equal(await status, 0);
    assert.match(inFlight.received(), /^HTTP\/1\.1 200 OK/m);
  });
});

const byNpx = { npm_command: 'exec' };

/** A database that stays unavailable throughout the test. */
const awaiting = (data: string): Readonly<Record<string, string>> => {
  const file = join(data, 'wait.json');
  writeFileSync(file, '{"database":{"startWaitMs":600000}}');
  return { SIMGATE_CONFIG: file, DATABASE_URL: 'postgres://127.0.0.1:1/simgate', PORT: '0' };
};

describe('A server under npx', twoAtATime, () => {
  it('exits after it has drained', async () => {
    const served = await serveProcess(folder(), byNpx);
    assert.equal(await served.stop(), 0);
    assert.equal(lastMessage(served), 'stopped');
  });

  it('drains when the shell that started it is gone', async () => {
    const served = await serveProcess(folder(), byNpx, inShell);
    // Over when no process holds its output any more: neither the shell nor the server.
    await served.stop('SIGKILL');
    assert.match(served.printed(), /"signal":"its parent is gone".*"msg":"draining"/);
    assert.equal(lastMessage(served), 'stopped');
  });
});

describe('A server that waits for its database', twoAtATime, () => {
  const waits = '"msg":"waiting for the database"';

  for (const workers of ['1', '2']) {
    it(`exits at once when it is signalled to stop, with ${workers} running`, async () => {
      const data = folder();
      const env = { ...awaiting(data), WORKERS: workers };
      const { child, printed, closed } = await launch(data, ['serve'], env);
      await untilPrinted({ printed }, waits);
      child.kill('SIGTERM');
      assert.equal(await closed, 0);
      assert.match(printed(), /"msg":"stopped before it was ready"/);
    });

    it(`exits at once when the shell of npx is gone, with ${workers} running`, async () => {
      const data = folder();
      const env = { ...awaiting(data), ...byNpx, WORKERS: workers };
      const { child, printed, closed } = await launch(data, ['serve'], env, inShell);
      await untilPrinted({ printed }, waits);
      child.kill('SIGKILL');
      await closed;
      assert.match(printed(), /"msg":"stopped before it was ready"/);
    });
  }
});

describe('A server that is killed', twoAtATime, () => {
  it('leaves nothing locked: the next one starts on the same folder and knows all tokens', async () => {
    const data = folder();
    const first = await startedOn(data);
    const inFlight = await requestUnderWay(first.served, first.token);
    const before = await ask(first.served.url, first.token, '/api/clients/products');
    await first.served.stop('SIGKILL');
    inFlight.socket.destroy();
    const second = await serveProcess(data);
    const after = await ask(second.url, first.token, '/api/clients/products');
    assert.deepEqual(at(after.body, 'data'), at(before.body, 'data'));
    assert.equal(at(after.body, 'balance'), at(before.body, 'balance'));
    assert.equal(await second.stop(), 0);
  });
});
