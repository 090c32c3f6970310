/** Forwards one address to the gateway of the tests that run, so that the console stays loaded between files. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

export type FrontDoor = {
  readonly port: number;
  readonly forwardTo: (url: string) => void;
  readonly close: () => void;
};

const openFrontDoor = async (): Promise<FrontDoor> => {
  const sockets = new Set<Socket>();
  let target = 0;
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay();
    // Whichever ends ends both.
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  };
  const server = createServer((incoming) => {
    const forwarded = connect(target, '127.0.0.1');
    keep(incoming, forwarded);
    keep(forwarded, incoming);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('No port is free.');
  return {
    port: address.port,
    forwardTo: (url) => {
      const port = Number(new URL(url).port);
      // What is connected leads to the gateway before.
      if (port !== target) closeAll();
      target = port;
    },
    close: () => {
      server.close();
      closeAll();
    },
  };
};

let opened: Promise<FrontDoor> | undefined;

/** The one of this process. */
export const frontDoor = (): Promise<FrontDoor> => {
  opened ??= openFrontDoor();
  return opened;
};

after(async () => (await opened)?.close());
