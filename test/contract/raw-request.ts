/** Sends requests exactly as written: `fetch` would normalise the URL and refuse some headers. */
import { type IncomingHttpHeaders, request } from 'node:http';
import type { TestServer } from '../support/server.ts';

export type RawAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

/** Sends one request with the first client's token; `target` goes onto the request line unchanged. */
export const rawRequest = (
  server: TestServer,
  target: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
  } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const sent = request(
      {
        host: '127.0.0.1',
        port: new URL(server.url).port,
        path: target,
        method,
        headers: { authorization: `Bearer ${server.client.token}`, ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
