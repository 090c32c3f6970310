/** Tests that an aborted upload or import frees its slot, and does not delay a shutdown. */
import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request as rawRequest } from 'node:http';
import { describe, test } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { readCatalogue } from '../../src/catalogue/read.ts';
import { backOffice, here } from '../support/admin.ts';
import { at } from '../support/answers.ts';
import { largeCatalogue } from '../support/large-catalogue.ts';
import { eventually, parsed } from '../support/live.ts';
import { request, startServer, type TestServer } from '../support/server.ts';

const base = '/admin/api/catalogue/import';
const file = Buffer.from([...printCatalogue(largeCatalogue(8_000), 'json')].join(''));

type Headers = Readonly<Record<string, string>>;

const enter = async (server: TestServer): Promise<Headers> => {
  const office = await backOffice(server);
  return { ...here, ...(await office.enter('manager')), 'content-type': 'application/json' };
};

type Sending = {
  readonly sent: ClientRequest;
  readonly answered: Promise<IncomingMessage>;
  /** Every line as it arrives. */
  readonly lines: AsyncGenerator;
};

const send = (server: TestServer, headers: Headers, path = '/preview'): Sending => {
  const sent = rawRequest(`${server.url}${base}${path}`, { method: 'POST', headers });
  sent.on('error', () => {});
  const answered = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
  async function* read(): AsyncGenerator {
    let text = '';
    for await (const chunk of await answered) {
      const [end = '', ...begun] = String(chunk).split('\n');
      text += end;
      for (const next of begun) {
        yield parsed(text);
        text = next;
      }
    }
  }
  return { sent, answered, lines: read() };
};

/** The last of all lines. */
const lastOf = async (lines: AsyncGenerator): Promise<unknown> => {
  let last: unknown;
  for await (const line of lines) last = line;
  return last;
};

/** Announces a file, and sends only its first byte. */
const announce = (server: TestServer, headers: Headers): Sending => {
  const sending = send(server, { ...headers, 'content-length': '1000000' });
  sending.sent.write('[');
  return sending;
};

/** An upload that certainly has the slot: of two that are announced at once the other is refused. */
const uploadInPlace = async (server: TestServer, headers: Headers): Promise<ClientRequest> => {
  const rivals = [announce(server, headers), announce(server, headers)] as const;
  const { index, statusCode } = await Promise.race(
    rivals.map(async ({ answered }, index) => ({ index, statusCode: (await answered).statusCode })),
  );
  assert.equal(statusCode, 409);
  rivals[index === 0 ? 0 : 1].sent.destroy();
  return rivals[index === 0 ? 1 : 0].sent;
};

const isFree = async (server: TestServer, headers: Headers): Promise<boolean> => {
  const answer = await request(server, `${base}/preview`, {
    token: null,
    method: 'POST',
    headers,
    body: '[]',
  });
  assert.ok(answer.status === 200 || at(answer.body, 'code') === 'IMPORT_UNDER_WAY', answer.text);
  return answer.status === 200;
};

describe('The place', () => {
  test('is free when the uploader leaves: before the file is complete, or while it is read', async () => {
    const server = await startServer();
    const headers = await enter(server);
    const half = await uploadInPlace(server, headers);
    assert.equal(await isFree(server, headers), false);
    half.destroy();
    await eventually('it is free', () => isFree(server, headers));
    // On a busy machine a file may be read before another request has a turn: then there is another.
    await eventually('it is taken while a file is read', async () => {
      const whole = send(server, headers);
      whole.sent.end(file);
      const first = await whole.lines.next();
      const isTaken =
        first.done !== true &&
        at(first.value, 'progress') !== undefined &&
        !(await isFree(server, headers));
      whole.sent.destroy();
      return isTaken;
    });
    await eventually('it is free', () => isFree(server, headers));
    // Many that leave before they could be noticed.
    for (let tries = 0; tries < 20; tries += 1) {
      const { sent } = send(server, { ...headers, 'content-length': '1000000' });
      sent.flushHeaders();
      await new Promise((resolve) => sent.once('socket', resolve));
      await new Promise((resolve) => setImmediate(resolve));
      sent.destroy();
    }
    await eventually('it is free', () => isFree(server, headers));
    await server.stop();
  });
});

/** Shuts a server down during an import; false if everything had been written before. */
const isEndedInItsMidst = async (): Promise<boolean> => {
  const server = await startServer();
  const headers = await enter(server);
  const seen = send(server, headers);
  seen.sent.end(file);
  const digest = String(at(await lastOf(seen.lines), 'result', 'digest'));
  const { sent, lines } = send(server, headers, `?digest=${digest}`);
  sent.end(file);
  let last: unknown;
  for await (const line of lines) {
    last = line;
    if (at(line, 'progress', 'phase') === 'writing') server.drain();
  }
  const { products } = await readCatalogue(server.deps.db);
  await server.stop();
  if (at(last, 'result') !== undefined) return false;
  assert.equal(at(last, 'error', 'code'), 'CATALOGUE_STOPPED');
  assert.deepEqual(products, []);
  return true;
};

describe('A shutdown', () => {
  test('does not wait for an upload', async () => {
    const server = await startServer();
    const headers = await enter(server);
    const sent = await uploadInPlace(server, headers);
    const cut = new Promise((resolve) => sent.once('close', resolve));
    await server.stop();
    await cut;
  });

  test('cancels a running import, says so, and rolls it back', async () => {
    // On a busy machine all may be written before this thread has its turn: then there is another import.
    for (let tries = 0; !(await isEndedInItsMidst()); tries += 1) {
      assert.ok(tries < 20, 'no import was ever ended');
    }
  });
});
