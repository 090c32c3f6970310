/** Replaces a gateway behind a proxy, and counts what arrives: requests, connections, and how each ends. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { atEnd } from './steps.ts';

export type FakeUpstream = {
  readonly port: number;
  /** Methods of the requests that arrived completely. */
  readonly seen: string[];
  readonly connections: () => number;
};

/** Answers every request with 200; with `drops`, it reads a POST and breaks the connection instead. */
export const startFakeUpstream = async (drops: boolean): Promise<FakeUpstream> => {
  const seen: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      // A proxy's health checks do not count.
      if (request.url === '/health/ready') {
        response.end('{}');
        return;
      }
      seen.push(request.method ?? '');
      if (drops && request.method === 'POST') request.socket.destroy();
      else response.end('{}');
    });
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It has no port.');
  return { port: address.port, seen, connections: () => connections };
};
