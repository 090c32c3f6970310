/** Serves a gateway under a path prefix, like a proxy that strips it. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUpAfterTest } from './cleanup.ts';

export type PathProxy = {
  /** The public URL for the gateway. */
  readonly publicUrl: string;
  readonly forwardTo: (url: string) => void;
};

export const openPathProxy = async (path: string): Promise<PathProxy> => {
  let target = '';
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${path}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const forwarded = request(target + url.slice(path.length), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUpAfterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const isInet = (value: AddressInfo | string | null): value is AddressInfo =>
    typeof value === 'object' && value !== null;
  const port = isInet(address) ? address.port : 0;
  return {
    publicUrl: `http://127.0.0.1:${port}${path}`,
    forwardTo: (url) => {
      target = url;
    },
  };
};
