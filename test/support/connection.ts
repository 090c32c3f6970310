/** Opens raw connections to a server process: kept alive after a request, or with half a request sent. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from './live.ts';
import type { Served } from './process.ts';

export type Connection = { readonly socket: Socket; readonly received: () => string };

export const connected = async (served: Served): Promise<Connection> => {
  const { port, hostname } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  // A connection that the server cuts ends with an error here.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, received: () => text };
};

export const untilReceived = (connection: Connection, part: string): Promise<void> =>
  eventually(`"${part}" is received`, async () => connection.received().includes(part));

export const untilPrinted = (served: Pick<Served, 'printed'>, part: string): Promise<void> =>
  eventually(`${part} is printed`, async () => served.printed().includes(part));

const body = JSON.stringify({ mobile: '989121234500' });

/** Sends the head of a request for offers, and a part of the body. */
export const beginRequest = async (connection: Connection, token: string): Promise<void> => {
  const head = [
    'POST /api/operator_2/offers/ HTTP/1.1',
    'Host: gateway.test',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    // The server's confirmation that it has read the head.
    'Expect: 100-continue',
  ];
  connection.socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  await untilReceived(connection, '100 Continue');
};

/** Sends the rest of it. */
export const finishRequest = ({ socket }: Connection): void => {
  socket.write(body.slice(5));
};

/** A kept-alive connection after its only request, which is in the log, unlike health probes. */
export const idleConnection = async (served: Served): Promise<Connection> => {
  const connection = await connected(served);
  connection.socket.write('HEAD /openapi.json HTTP/1.1\r\nHost: gateway.test\r\n\r\n');
  await untilReceived(connection, '\r\n\r\n');
  return connection;
};
