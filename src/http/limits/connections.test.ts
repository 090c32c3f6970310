/** Tests which connections are closed: unread, slow, pipelining too much, or too many anonymous ones. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { cleanUpAfterTest } from '../../../test/support/cleanup.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { type ConnectionDeps, createConnections } from './connections.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Until pending data was read, and excess connections were closed. */
const settle = async (): Promise<void> => {
  for (let count = 0; count < 3; count += 1) await turn();
};

// Far more than a busy machine needs: it separates "late" from "never".
const patienceMs = 60_000;

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `never: ${holds.toString()}`);
    await turn();
  }
};

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const settings: ConnectionDeps = {
  clock: manualClock(),
  unreadMs: 5000,
  anonymousMs: 600_000,
  pipelined: 3,
  anonymous: 100,
  anonymousPerAddress: 100,
  isTrusted: () => false,
  closed: () => {},
};

/** A fake connection, from an address of the test's choice. */
const socketFrom = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

/** A server whose connections are watched, with the test's answers. */
const watch = async (changes: Partial<ConnectionDeps>, handle: Handle) => {
  const clock = manualClock();
  const closed: string[] = [];
  const connections = createConnections({
    ...settings,
    clock,
    closed: (reason) => void closed.push(reason),
    ...changes,
  });
  const arrived: Socket[] = [];
  let read = 0;
  const server = createServer((request, response) => {
    read += 1;
    connections.handle(request.socket, response, () => handle(request, response));
  });
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    connections.read(socket);
    arrived.push(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const dial = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    cleanUpAfterTest(() => socket.destroy());
    const before = arrived.length;
    await once(socket, 'connect');
    await until(() => arrived.length > before);
    await settle();
    return socket;
  };
  return { clock, connections, closed, arrived, dial, countRead: () => read };
};

const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Reads this many bytes and no more. */
const readSome = async (socket: Socket, bytes: number): Promise<void> => {
  let taken = 0;
  await until(() => {
    const piece: unknown = socket.read();
    taken += Buffer.isBuffer(piece) ? piece.length : 0;
    return taken >= bytes || socket.destroyed;
  });
};

/** More than the buffers of both ends hold, in chunks. */
const sendMuch: Handle = (_request, response) => {
  const pieces = Array.from({ length: 1024 }, () => Buffer.alloc(64 * 1024));
  Readable.from(pieces).pipe(response);
};

test('closes a connection whose answer stays unread for too long, and none that reads slowly', async () => {
  const { clock, closed, dial, arrived } = await watch({}, sendMuch);
  const reader = await dial();
  const idle = await dial();
  for (const socket of [reader, idle]) socket.pause().write(ask);
  const waits = (socket: Socket): boolean => socket.writableNeedDrain;
  await until(() => arrived.every(waits));
  for (let step = 0; step < 4; step += 1) {
    await readSome(reader, 1024 * 1024);
    await clock.advance(2000);
  }
  assert.deepEqual(closed, ['unread']);
  assert.deepEqual(
    arrived.map(({ destroyed }) => destroyed),
    [false, true],
  );
});

test('notices that one large write is being read, although Node has not finished it', async () => {
  const { clock, closed, dial, arrived } = await watch({}, (_request, response) => {
    response.end(Buffer.alloc(64 * 1024 * 1024));
  });
  const reader = await dial();
  reader.pause().write(ask);
  await until(() => arrived[0]?.writableNeedDrain === true);
  for (let step = 0; step < 4; step += 1) {
    await readSome(reader, 8 * 1024 * 1024);
    await clock.advance(4000);
  }
  assert.deepEqual([closed, arrived[0]?.destroyed], [[], false]);
  for (let step = 0; step < 60 && closed.length === 0; step += 1) await clock.advance(1000);
  assert.deepEqual(closed, ['unread']);
});

test('closes an anonymous connection whose requests take too long, and none of a client', async () => {
  const { clock, connections, closed, dial, arrived } = await watch(
    { anonymousMs: 5000 },
    () => {},
  );
  const sockets = [await dial(), await dial(), await dial()];
  const [, client] = arrived;
  if (client !== undefined) connections.identified(client);
  for (const socket of sockets.slice(0, 2)) socket.write(ask);
  await until(() => arrived.slice(0, 2).every(({ bytesRead }) => bytesRead > 0));
  await clock.advance(6000);
  assert.deepEqual(closed, ['slow']);
  assert.deepEqual(
    arrived.map(({ destroyed }) => destroyed),
    [true, false, false],
  );
});

test('closes many misused connections a few in a turn, so that other events are handled in between', async () => {
  const clock = manualClock();
  let [closed, inThisTurn, most] = [0, 0, 0];
  const connections = createConnections({
    ...settings,
    clock,
    anonymousMs: 5000,
    closed: () => {
      closed += 1;
      inThisTurn += 1;
      most = Math.max(most, inThisTurn);
      setImmediate(() => {
        inThisTurn = 0;
      });
    },
  });
  for (let count = 0; count < 50; count += 1) {
    const socket = socketFrom('127.0.0.1');
    connections.add(socket);
    connections.handle(socket, new ServerResponse(new IncomingMessage(socket)), () => {});
  }
  await clock.advance(5000);
  await until(() => closed === 50);
  assert.ok(most <= 8, `${most} were closed in one turn`);
  await clock.advance(10_000);
  assert.equal(closed, 50);
  assert.equal(clock.pending(), 0);
});

test('closes a connection with too many concurrent requests, and handles no more of them', async () => {
  for (const isTrusted of [true, false]) {
    let heard = 0;
    const { closed, dial, arrived } = await watch({ isTrusted: () => isTrusted }, () => {
      heard += 1;
    });
    const socket = await dial();
    socket.write(ask.repeat(50));
    await once(socket, 'close');
    await turn();
    assert.deepEqual([closed, arrived[0]?.destroyed], [['pipelined'], true]);
    assert.equal(heard, isTrusted ? 3 : 1);
  }
});

test('handles the requests of an anonymous connection in sequence, and those of a client concurrently', async () => {
  const responses: ServerResponse[] = [];
  const { connections, arrived, dial } = await watch({}, (_request, response) => {
    responses.push(response);
  });
  const socket = await dial();
  socket.resume().write(ask.repeat(3));
  await until(() => responses.length > 0);
  assert.equal(responses.length, 1);
  responses[0]?.end('first');
  await until(() => responses.length > 1);
  assert.equal(responses.length, 2);
  const [client] = arrived;
  if (client !== undefined) connections.identified(client);
  assert.equal(responses.length, 3);
  responses[1]?.end('second');
  responses[2]?.end('third');
  socket.write(ask.repeat(3));
  await until(() => responses.length === 6);
});

for (const [length, header] of [
  ['short', ''],
  ['long', 'a:b\r\n'.repeat(380)],
]) {
  test(`lets ${length} requests of an anonymous connection wait as bytes, and answers all in order`, async () => {
    const responses: ServerResponse[] = [];
    const asked: (string | undefined)[] = [];
    const { closed, countRead, dial } = await watch({ pipelined: 32 }, ({ url }, response) => {
      asked.push(url);
      responses.push(response);
    });
    const socket = await dial();
    const paths = Array.from({ length: 31 }, (_, index) => `/${index}`);
    const texts = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
    socket.resume().write(texts.join(''));
    for (let index = 0; index < paths.length; index += 1) {
      await until(() => responses.length > index);
      await settle();
      assert.equal(responses.length, index + 1);
      assert.ok(countRead() <= index + 8, `${countRead()} were read for ${index + 1}`);
      responses[index]?.end('yes');
    }
    assert.deepEqual([asked, closed], [paths, []]);
  });
}

test('continues reading when the connection is no longer anonymous', async () => {
  const responses: ServerResponse[] = [];
  const { connections, arrived, countRead, dial } = await watch(
    { pipelined: 32 },
    (_, response) => {
      responses.push(response);
    },
  );
  (await dial()).write(ask.repeat(31));
  await until(() => responses.length > 0);
  await settle();
  assert.ok(countRead() < 10);
  const [client] = arrived;
  if (client !== undefined) connections.identified(client);
  await until(() => responses.length === 31);
});

test('closes none of a burst before their first requests were read', async () => {
  const { connections, closed } = await watch({ anonymousPerAddress: 3 }, () => {});
  const sockets = Array.from({ length: 10 }, () => socketFrom('192.0.2.1'));
  for (const socket of sockets) connections.add(socket);
  await turn();
  for (const socket of sockets.slice(0, 8)) connections.identified(socket);
  await settle();
  assert.deepEqual([closed, sockets.some(({ destroyed }) => destroyed)], [[], false]);
  for (const socket of sockets) socket.destroy();
});

test('lets a caller send any number of requests one after another', async () => {
  const { closed, dial } = await watch({ pipelined: 1 }, (_request, response) =>
    response.end('yes'),
  );
  const socket = await dial();
  for (let count = 0; count < 10; count += 1) {
    socket.write(ask);
    await once(socket, 'data');
  }
  assert.deepEqual(closed, []);
});

test('closes the oldest of too many anonymous connections of an address, and none of a client', async () => {
  const { connections, closed, arrived, dial } = await watch({ anonymousPerAddress: 2 }, () => {});
  await dial();
  const [client] = arrived;
  if (client !== undefined) connections.identified(client);
  for (let count = 0; count < 3; count += 1) await dial();
  assert.deepEqual(closed, ['anonymous']);
  assert.deepEqual(
    arrived.map(({ destroyed }) => destroyed),
    [false, true, false, false],
  );
});

test('closes an idle connection rather than an older one with a request, but not a new one', async () => {
  const { clock, closed, arrived, dial } = await watch({ anonymous: 2 }, () => {});
  const busy = await dial();
  busy.write(ask);
  await until(() => arrived[0]?.bytesRead !== 0);
  await dial();
  await clock.advance(3000);
  await dial();
  const areClosed = (): boolean[] => arrived.map(({ destroyed }) => destroyed);
  assert.deepEqual(areClosed(), [false, true, false]);
  await dial();
  assert.deepEqual(areClosed(), [true, true, false, false]);
  assert.deepEqual(closed, ['anonymous', 'anonymous']);
});

test('closes as many as arrive at once', async () => {
  const { connections, closed, arrived } = await watch({ anonymous: 3 }, () => {});
  const sockets = Array.from({ length: 10 }, () => new Socket());
  for (const socket of sockets) connections.add(socket);
  await settle();
  assert.deepEqual([closed.length, arrived.length], [7, 0]);
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [...Array.from({ length: 7 }, () => true), false, false, false],
  );
  for (const socket of sockets) socket.destroy();
});

test('counts an IPv6 /64 network as one address', async () => {
  const closed: string[] = [];
  const { add } = createConnections({
    ...settings,
    anonymousPerAddress: 2,
    closed: (one) => void closed.push(one),
  });
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '2001:db8::3']) {
    add(socketFrom(address));
  }
  await settle();
  assert.deepEqual(closed, ['anonymous']);
});

test('closes the oldest of too many anonymous connections in total, and counts none of a trusted proxy', async () => {
  const { closed, dial } = await watch({ anonymous: 2 }, () => {});
  for (let count = 0; count < 3; count += 1) await dial();
  assert.deepEqual(closed, ['anonymous']);
  const trusting = await watch({ anonymous: 1, isTrusted: () => true }, () => {});
  for (let count = 0; count < 3; count += 1) await trusting.dial();
  assert.deepEqual(trusting.closed, []);
});
