/** Tests that Node's HTTP parser gets all bytes in order, and few after the connection closes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { cleanUpAfterTest } from '../../../test/support/cleanup.ts';
import { readInChunks } from './intake.ts';

/**
 * A server that hands each connection to Node's HTTP parser immediately, or after its first bytes were read
 * and put back.
 */
const listen = async (isPutBack: boolean, handle: RequestListener): Promise<Socket> => {
  const server = createServer(handle);
  const [http] = server.listeners('connection');
  server.removeAllListeners('connection');
  const give = (socket: Socket): void => {
    http?.call(server, socket);
    readInChunks(socket, () => 4096);
  };
  server.on('connection', (socket: Socket) => {
    if (!isPutBack) {
      give(socket);
      return;
    }
    socket.once('data', (bytes: Buffer) => {
      socket.unshift(bytes);
      give(socket);
      socket.resume();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0);
  client.on('error', () => {}).resume();
  cleanUpAfterTest(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  await once(client, 'connect');
  return client;
};

for (const [isPutBack, when] of [
  [false, 'from the beginning'],
  [true, 'after its first bytes were read'],
] as const) {
  test(`a connection ${when} that is closed at its tenth request has few more of thousands handled`, async () => {
    let handled = 0;
    const client = await listen(isPutBack, ({ socket }) => {
      handled += 1;
      if (handled === 10) socket.pause().destroy();
    });
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000));
    // By an error or without one.
    await new Promise((resolve) => client.once('close', resolve));
    assert.ok(handled >= 10 && handled < 200, `${handled} were handled`);
  });

  test(`a large body ${when} arrives whole`, async () => {
    const sent = Buffer.from(Array.from({ length: 300_001 }, (_, index) => index % 251));
    const arrived = Promise.withResolvers<Buffer>();
    const client = await listen(isPutBack, (request, response) => {
      buffer(request).then(arrived.resolve, arrived.reject);
      response.end();
    });
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${sent.length}\r\n\r\n`);
    client.write(sent);
    assert.ok((await arrived.promise).equals(sent));
  });
}
