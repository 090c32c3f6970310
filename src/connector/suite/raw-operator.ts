/** Runs a raw TCP operator for tests, which can misuse a connection in any manner. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** What is done when a request has come; the second argument counts those of its connection from 1. */
export type Script = (socket: Socket, nth: number) => void;

export type RawOperator = {
  readonly url: string;
  /** Each request that came, in order: as much of it as came first, which is its head at least. */
  readonly requests: readonly string[];
  /** How many connections were made in all, and how many are open. */
  readonly connections: { made: number; open: number };
  /** Ends the idle connections, as a server does that has kept them long enough. */
  readonly endIdle: () => void;
  readonly close: () => Promise<void>;
};

/** An answer as it stands on the wire. Its length is told unless the headers tell something else. */
export const answerText = (
  status: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string => {
  const length =
    'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries({ ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** Starts an operator that does what the script says with each request. */
export const startRawOperator = async (script: Script): Promise<RawOperator> => {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const connections = { made: 0, open: 0 };
  const server = createServer((socket) => {
    let seen = 0;
    sockets.add(socket);
    connections.made += 1;
    connections.open += 1;
    // What the other side does to the connection is what these tests are about.
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      connections.open -= 1;
    });
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      // The rest of a request that came in two parts.
      if (!/^(GET|POST) /.test(text)) return;
      requests.push(text);
      seen += 1;
      script(socket, seen);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections,
    endIdle: () => {
      for (const socket of sockets) socket.end();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
};
