/** Runs a small load balancer for drills: round robin over the instances that are ready. */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { repeat, systemClock } from '../../src/lib/clock.ts';
import { cleanUpAfterTest, onlyOnce } from '../support/cleanup.ts';

export type Front = { readonly url: string; readonly close: () => Promise<void> };

// Several checks fall into the time in which an instance reports not ready and still serves.
const lookEveryMs = 100;

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(1000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );

const answerInstead = (response: ServerResponse, status: number, why: string): void => {
  // An answer that has begun cannot be undone: the connection is broken instead.
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-type': 'text/plain' }).end(why);
};

const passOn = (
  request: IncomingMessage,
  response: ServerResponse,
  to: { readonly port: number; readonly agent: Agent },
): void => {
  const { method, url, headers } = request;
  const onward = httpRequest({ host: '127.0.0.1', path: url, method, headers, ...to });
  onward.on('error', () => answerInstead(response, 502, 'The instance did not answer.'));
  onward.on('response', (answer) => {
    answer.on('error', () => response.destroy());
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onward);
};

/** Listens in front of instances on these ports. */
export const startFront = async (ports: readonly number[]): Promise<Front> => {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<number>();
  const stops = ports.map((port) =>
    repeat(systemClock, lookEveryMs, async () => {
      if (await isReady(port)) ready.add(port);
      else ready.delete(port);
    }),
  );
  let turn = 0;
  const server = createServer((request, response) => {
    const open = ports.filter((port) => ready.has(port));
    turn += 1;
    const port = open[turn % Math.max(open.length, 1)];
    if (port === undefined) answerInstead(response, 503, 'No instance is ready.');
    else passOn(request, response, { port, agent });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The front has no port.');
  const close = onlyOnce(async () => {
    for (const stop of stops) await stop();
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });
  cleanUpAfterTest(close);
  return { url: `http://127.0.0.1:${address.port}`, close };
};
