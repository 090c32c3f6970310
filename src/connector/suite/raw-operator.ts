/** Runs a raw TCP operator for tests, which can misuse a connection in any manner. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** Handles a request; the second argument counts those of its connection from 1. */
export type Script = (socket: Socket, nth: number) => void;

export type RawOperator = {
  readonly url: string;
  /** Each request, in order: its first chunk, which contains at least the head. */
  readonly requests: readonly string[];
  /** How many connections have brought a request, and how many of them are open. */
  readonly connections: { made: number; open: number };
  /** Ends the idle connections, as a server does after its keep-alive timeout. */
  readonly endIdle: () => void;
  readonly close: () => Promise<void>;
};

/** A raw HTTP answer. It includes its length unless the headers say otherwise. */
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

/** Starts an operator that handles each request as the script says. */
export const startRawOperator = async (script: Script): Promise<RawOperator> => {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const connections = { made: 0, open: 0 };
  let base = '';
  const isOurs = (text: string): boolean =>
    ['GET', 'POST'].some((method) =>
      ['/', '?', ' '].some((end) => text.startsWith(`${method} ${base}${end}`)),
    );
  const server = createServer((socket) => {
    let seen = 0;
    sockets.add(socket);
    // These tests cause connection errors on purpose.
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (seen > 0) connections.open -= 1;
    });
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      // The rest of a request that came in two parts.
      if (!/^(GET|POST) /.test(text)) return;
      // Meant for a server that had this port before.
      if (seen === 0 && !isOurs(text)) return;
      requests.push(text.replace(base, ''));
      if (seen === 0) {
        connections.made += 1;
        connections.open += 1;
      }
      seen += 1;
      script(socket, seen);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  base = `/${process.pid}-${port}`;
  return {
    url: `http://127.0.0.1:${port}${base}`,
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
