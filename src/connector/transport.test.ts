/** Tests that the transport knows what was sent: nothing, maybe something, and what it may retry. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../lib/clock.ts';
import { answerText, type Script, startRawOperator } from './suite/raw-operator.ts';
import { asked, openTransport, ordered, type TransportSettings } from './transport.ts';

const limits: Omit<TransportSettings, 'baseUrl'> = {
  connectMs: 20_000,
  headersMs: 20_000,
  answerMs: 20_000,
  connections: 2,
  pending: 2,
  answerBytes: 1_000,
};

type Means = Partial<TransportSettings> & { readonly clock?: Clock; readonly path?: string };

/** A wire to an operator that does what the script says; both end with the test. */
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

/** Counts the tries to connect that failed while the work is done. */
const failedConnects = async (work: () => Promise<void>): Promise<number> => {
  let count = 0;
  const counted = (): void => {
    count += 1;
  };
  subscribe('undici:client:connectError', counted);
  await work().finally(() => unsubscribe('undici:client:connectError', counted));
  return count;
};

test('a connection that is refused is tried once more, since nothing was sent', async (context) => {
  const { operator, transport } = await open(context, () => {});
  await operator.close();
  const count = await failedConnects(async () => {
    const reply = await transport.send(post);
    assert.deepEqual(reply, { kind: 'not_sent', detail: 'not sent: ECONNREFUSED' });
  });
  assert.equal(count, 2);
});

test('what cannot be written as a request is not sent, and not tried again', async (context) => {
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

test('a request whose time has passed before there was a connection never leaves', async (context) => {
  // As for a process that was stopped for a minute: the time is gone, and no timer has noticed.
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

test('an answer is given with its status, its bare type and its text', async (context) => {
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

test('an answer of just the length that is read is read, and one byte more is not', async (context) => {
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

test('an answer that came packed, or whose bytes are no UTF-8, is unknown', async (context) => {
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

test('one that hangs takes no connection from the next for longer than its deadline', async (context) => {
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

test('an order that was not sent is refused for sure, one that is lost is unknown, a question either way', () => {
  const never = (): never => assert.fail('there is nothing to read');
  const notSent = { kind: 'not_sent', detail: 'd' } as const;
  const lost = { kind: 'unknown', detail: 'd' } as const;
  const reason = 'it could not be reached';
  assert.deepEqual(ordered(notSent, never), { kind: 'refused', code: 'unreachable', reason });
  assert.deepEqual(ordered(lost, never), lost);
  assert.deepEqual(asked(notSent, never), lost);
  assert.deepEqual(asked(lost, never), lost);
});
