/** Tests that the transport knows what was sent: nothing, maybe something, and what it may retry. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../lib/clock.ts';
import { answerText, type Script, startRawOperator } from './suite/raw-operator.ts';
import { asked, openTransport, ordered } from './transport.ts';
import type { TransportSettings } from './transport-settings.ts';

const limits: Omit<TransportSettings, 'baseUrl'> = {
  connectMs: 20_000,
  headersMs: 20_000,
  answerMs: 20_000,
  connections: 2,
  pending: 2,
  answerBytes: 1_000,
};

type Means = Partial<TransportSettings> & { readonly clock?: Clock; readonly path?: string };

/** A transport to an operator that follows the script; both end with the test. */
const open = async (context: TestContext, script: Script, means: Means = {}) => {
  const { clock = systemClock, path = '', ...more } = means;
  const operator = await startRawOperator(script);
  const transport = openTransport({ ...limits, ...more, baseUrl: operator.url + path }, clock);
  context.after(async () => {
    await transport.close();
    await operator.close();
  });
  return { operator, transport };
};

const post = { method: 'POST', path: '/orders', body: '{}' } as const;

/** Counts the failed connection attempts during the work. */
const failedConnects = async (work: () => Promise<void>): Promise<number> => {
  let count = 0;
  const counted = (): void => {
    count += 1;
  };
  subscribe('undici:client:connectError', counted);
  await work().finally(() => unsubscribe('undici:client:connectError', counted));
  return count;
};

test('a refused connection is tried once more, since nothing was sent', async (context) => {
  const { operator, transport } = await open(context, () => {});
  await operator.close();
  const count = await failedConnects(async () => {
    const reply = await transport.send(post);
    assert.deepEqual(reply, { kind: 'not_sent', detail: 'not sent: ECONNREFUSED' });
  });
  assert.equal(count, 2);
});

test('an invalid request is not sent, and not retried', async (context) => {
  const script: Script = (socket) => socket.write(answerText('200 OK'));
  const { operator, transport } = await open(context, script);
  for (const request of [
    { ...post, path: '/two words' },
    { ...post, headers: { 'x-broken': 'a\r\nb: c' } },
    { ...post, headers: { 'no name': 'x' } },
  ]) {
    const reply = await transport.send(request);
    assert.deepEqual(reply, { kind: 'not_sent', detail: 'not sent: UND_ERR_INVALID_ARG' });
  }
  assert.equal(operator.requests.length, 0);
});

test('a request whose time passed before there was a connection is never sent', async (context) => {
  // Like a process that was suspended for a minute: the time has passed, and no timer has fired.
  let slept = 0;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + slept,
    after: (_ms, _run) => () => {},
  };
  const script: Script = (socket) => socket.write(answerText('200 OK'));
  const { operator, transport } = await open(context, script, { clock });
  const reply = transport.send(post);
  slept = 60_000;
  assert.equal((await reply).kind, 'not_sent');
  assert.equal(operator.requests.length, 0);
});

test('an answer has its status, its bare type and its text', async (context) => {
  const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
  const script: Script = (socket) =>
    socket.write(`${answerText('103 Early Hints')}${answerText('422 No', headers, '{"سلام":1}')}`);
  const { operator, transport } = await open(context, script, { path: '/v1/' });
  assert.deepEqual(await transport.send(post), {
    kind: 'answer',
    status: 422,
    contentType: 'application/json',
    text: '{"سلام":1}',
  });
  assert.match(operator.requests[0] ?? '', /^POST \/v1\/orders HTTP/);
});

test('an answer of exactly the maximum length is read, and one byte more is not', async (context) => {
  for (const framing of [{}, { 'transfer-encoding': 'chunked' }]) {
    const bodyOf = (length: number): string =>
      'transfer-encoding' in framing
        ? `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n0\r\n\r\n`
        : 'x'.repeat(length);
    let length = limits.answerBytes;
    const { transport } = await open(context, (socket) =>
      socket.write(answerText('200 OK', framing, bodyOf(length))),
    );
    assert.equal((await transport.send(post)).kind, 'answer');
    length += 1;
    assert.equal((await transport.send(post)).kind, 'unknown');
  }
});

test('a compressed answer, or one that is not UTF-8, is unknown', async (context) => {
  for (const [headers, body] of [
    [{ 'content-encoding': 'gzip' }, '{}'],
    [{ 'content-encoding': 'identity, br' }, '{}'],
    [{}, '\xff'],
    [{}, '"\xc3"'],
  ] as const) {
    const { transport } = await open(context, (socket) =>
      socket.write(
        Buffer.from(
          answerText('200 OK', { ...headers, 'content-length': String(body.length) }) + body,
          'latin1',
        ),
      ),
    );
    assert.equal((await transport.send(post)).kind, 'unknown');
  }
});

test('a hanging request occupies a connection only until its deadline', async (context) => {
  let requests = 0;
  const script: Script = (socket) => {
    requests += 1;
    if (requests > 2) socket.write(answerText('200 OK'));
  };
  const { transport } = await open(context, script, { answerMs: 3_000 });
  const hanging = await Promise.all([transport.send(post), transport.send(post)]);
  assert.deepEqual(
    hanging.map(({ kind }) => kind),
    ['unknown', 'unknown'],
  );
  assert.equal((await transport.send(post)).kind, 'answer');
  assert.equal((await transport.send(post)).kind, 'answer');
});

test('an unsent order is refused for certain, a lost one is unknown, a question is unknown either way', () => {
  const never = (): never => assert.fail('there is nothing to read');
  const notSent = { kind: 'not_sent', detail: 'd' } as const;
  const lost = { kind: 'unknown', detail: 'd' } as const;
  const reason = 'it could not be reached';
  assert.deepEqual(ordered(notSent, never), {
    kind: 'refused',
    code: 'unreachable',
    blame: 'supplier',
    reason,
  });
  assert.deepEqual(ordered(lost, never), lost);
  assert.deepEqual(asked(notSent, never), lost);
  assert.deepEqual(asked(lost, never), lost);
});
