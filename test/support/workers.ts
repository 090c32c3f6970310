/** Inspects the workers of a server process: by its log, and by the connections each accepts. */
import assert from 'node:assert/strict';
import { at, listOf } from './answers.ts';
import { type Connection, idleConnection, untilPrinted } from './connection.ts';
import { eventually, parsed } from './live.ts';
import type { Served } from './process.ts';

export const linesOf = (served: Served): readonly unknown[] =>
  served
    .printed()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(parsed);

export const saying = (served: Served, message: string): readonly unknown[] =>
  linesOf(served).filter((line) => at(line, 'msg') === message);

/** The workers that started together. */
export const workersOf = (served: Served): readonly number[] =>
  listOf(at(saying(served, 'listening'), 0, 'workers')).map(Number);

export const tokenOf = (served: Served): string => /simgate_\w+/.exec(served.printed())?.[0] ?? '';

/** The worker that answered a request, from the log. */
export const workerOf = async (served: Served, requestId: string): Promise<number> => {
  await untilPrinted(served, requestId);
  return Number(
    at(
      saying(served, 'request').find((line) => at(line, 'request') === requestId),
      'worker',
    ),
  );
};

/** A connection that this worker has accepted. */
export const connectionTo = async (served: Served, worker: number): Promise<Connection> => {
  let found: Connection | undefined;
  await eventually(`worker ${worker} takes a connection`, async () => {
    const connection = await idleConnection(served);
    const [, requestId = ''] = /^request-id: (\S+)\r$/im.exec(connection.received()) ?? [];
    if ((await workerOf(served, requestId)) === worker) found = connection;
    else connection.socket.destroy();
    return found !== undefined;
  });
  return found ?? assert.fail();
};
