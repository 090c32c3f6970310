/** Tests that slow or stalled viewers of the live overview are neither waited for nor buffered for. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { AdminError } from '../errors.ts';
import { createLive, type LiveDeps, mostPerAccount, mostViewers, sendEveryMs } from './live.ts';

const bigger = 'x'.repeat(1_000_000);

/** A live view on a real server that streams to every connection. */
const watched = async (some: Partial<LiveDeps> = {}) => {
  const clock = manualClock();
  const logged: string[] = [];
  const live = createLive({
    clock,
    read: async () => ({ text: bigger }),
    stands: async () => true,
    log: { error: (_: unknown, text?: string) => void logged.push(text ?? '') },
    ...some,
  });
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    responses.push(response);
    live.enter('manager');
    response.flushHeaders();
    void live.stream({ response, accountId: 'manager', session: 's', chart: 'today' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const isAddress = (place: typeof address): place is AddressInfo =>
    typeof place === 'object' && place !== null;
  const port = isAddress(address) ? address.port : 0;
  const join = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(server, 'request');
    return socket;
  };
  const end = async (): Promise<void> => {
    live.end();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { clock, live, logged, responses, join, end };
};

test('a stalled viewer is skipped, nothing is buffered for it, and then it is dropped', async () => {
  const { clock, live, responses, join, end } = await watched();
  try {
    const slow = await join();
    slow.pause();
    const [response] = responses;
    assert.ok(response !== undefined);
    const closed = once(response, 'close');
    let most = 0;
    // The system's buffers take some of it; then it is skipped repeatedly.
    for (let count = 0; count < 60 && !response.destroyed; count += 1) {
      await clock.advance(sendEveryMs);
      most = Math.max(most, response.writableLength);
    }
    await closed;
    assert.ok(most < 2 * bigger.length, `${most} bytes were kept for it`);
    assert.equal(clock.pending(), 0, 'without viewers nothing runs');
    slow.destroy();
    live.enter('manager');
  } finally {
    await end();
  }
});

test('if the figures cannot be read, viewers get a heartbeat and the log gets the error', async () => {
  const { clock, logged, join, end } = await watched({
    read: () => Promise.reject(new Error('The database is away.')),
  });
  try {
    const socket = await join();
    let heard = '';
    socket.on('data', (part: Buffer) => {
      heard += part.toString();
    });
    await clock.advance(sendEveryMs);
    while (!heard.includes(': still here')) await once(socket, 'data');
    assert.doesNotMatch(heard, /event:/);
    assert.ok(logged.includes('cannot read the overview'));
    socket.destroy();
  } finally {
    await end();
  }
});

test('a session that cannot be checked ends its stream without saying that the session is over', async () => {
  const { clock, join, end } = await watched({
    read: async () => ({ text: '{}' }),
    stands: () => Promise.reject(new Error('The database is away.')),
  });
  try {
    const socket = await join();
    let heard = '';
    socket.on('data', (part: Buffer) => {
      heard += part.toString();
    });
    await clock.advance(3 * sendEveryMs);
    while (!heard.endsWith('0\r\n\r\n')) await once(socket, 'data');
    assert.doesNotMatch(heard, /event: end/);
    socket.destroy();
  } finally {
    await end();
  }
});

test('viewers are limited, and none is accepted after the end', () => {
  const live = createLive({
    clock: manualClock(),
    read: async () => ({ text: '' }),
    stands: async () => true,
    log: { error: () => {} },
  });
  const full = (error: unknown): boolean =>
    error instanceof AdminError && error.code === 'TOO_MANY_LISTENERS';
  for (let count = 0; count < mostViewers; count += 1) {
    live.enter(`account ${Math.floor(count / mostPerAccount)}`);
  }
  assert.throws(() => live.enter('one more'), full);
  const other = createLive({
    clock: manualClock(),
    read: async () => ({ text: '' }),
    stands: async () => true,
    log: { error: () => {} },
  });
  other.end();
  assert.throws(() => other.enter('late'), full);
});
