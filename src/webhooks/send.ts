/** Owns the one request that carries a message: where it may go, how long it takes, how much is read. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { Clock } from '../lib/clock.ts';
import type { WebhooksConfig } from '../lib/config-webhooks.ts';
import { type Permits, permitsBeside } from './address.ts';

export type Sending = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The status that came back, or why there was none, in words that its owner may read. */
export type Sent =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly error: string };

/** Every address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export type SenderDeps = {
  readonly clock: Clock;
  readonly settings: Pick<WebhooksConfig, 'timeoutMs' | 'answerBytes' | 'allowedNetworks'>;
  /** The machine's own, unless told otherwise. */
  readonly resolve?: Resolve;
  /** Connects to an address that was found permitted; with sockets, unless told otherwise. */
  readonly dial?: buildConnector.connector;
};

export type Sender = {
  /** Never throws, and never takes longer than its time. */
  readonly send: (sending: Sending) => Promise<Sent>;
  /** Breaks off whatever is under way. */
  readonly close: () => Promise<void>;
};

const resolveByMachine: Resolve = async (name) =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** Not sent: the address is none that the gateway sends to. */
class Forbidden extends Error {
  override readonly name = 'Forbidden';
}

/** Sent, and the answer was not taken. */
class TooLong extends Error {
  override readonly name = 'TooLong';
}

const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Where to connect: an address of the host, all of which are permitted; throws where one is not. */
const permittedAddress = async (
  hostname: string,
  { resolve, permits, secure }: { resolve: Resolve; permits: Permits; secure: boolean },
): Promise<string> => {
  const host = bare(hostname);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const [first] = addresses;
  if (first === undefined || !addresses.every((address) => permits(address, secure))) {
    throw new Forbidden('The address is not a public one.');
  }
  return first;
};

/**
 * Looks at the address that is connected to, not at the name: what a name means is asked for once, and the
 * connection is made to that very answer, so that a second answer cannot be another.
 */
const guardedConnect =
  (dial: buildConnector.connector, resolve: Resolve, permits: Permits): buildConnector.connector =>
  (options, callback) => {
    const { hostname, protocol } = options;
    const name = bare(hostname);
    const connect = async (): Promise<void> => {
      try {
        const secure = protocol === 'https:';
        const address = await permittedAddress(hostname, { resolve, permits, secure });
        // The name is what the certificate has to be for.
        const server = isIP(name) === 0 ? { servername: name } : {};
        dial({ ...options, ...server, hostname: address, host: address }, callback);
      } catch (error) {
        callback(error instanceof Error ? error : new Error('no connection'), null);
      }
    };
    void connect();
  };

const readable: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name of the host is not known',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_HEADERS_OVERFLOW: 'the answer is too long',
};

/** What may be told of it: never an address, nor what was answered. */
const inWords = (error: unknown): string => {
  if (error instanceof Forbidden) return 'the host does not have a public address';
  if (error instanceof TooLong) return 'the answer is too long';
  if (!(error instanceof Error)) return 'the request failed';
  const code = 'code' in error ? String(error.code) : '';
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code))
    return 'there is no secure connection to the host';
  return readable[code] ?? 'the request failed';
};

const dialWithSockets = (timeout: number): buildConnector.connector =>
  buildConnector({ timeout, allowH2: false, maxCachedSessions: 0 });

export const createSender = (deps: SenderDeps): Sender => {
  const { clock, settings, resolve = resolveByMachine } = deps;
  const { timeoutMs, answerBytes } = settings;
  const dial = deps.dial ?? dialWithSockets(timeoutMs);
  const agent = new Agent({
    connect: guardedConnect(dial, resolve, permitsBeside(settings.allowedNetworks)),
    pipelining: 1,
    // One clock tells the time: below.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const read = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > answerBytes) throw new TooLong('The answer is too long.');
    }
  };

  const open = new Set<(error: string) => void>();

  return {
    send: async ({ url, headers, body }) => {
      const abort = new AbortController();
      const brokenOff = Promise.withResolvers<Sent>();
      const breakOff = (error: string): void => {
        brokenOff.resolve({ kind: 'failed', error });
        abort.abort();
      };
      open.add(breakOff);
      const cancel = clock.after(timeoutMs, () =>
        breakOff(`there was no answer within ${timeoutMs} ms`),
      );
      const exchange = async (): Promise<Sent> => {
        const { origin, pathname, search } = new URL(url);
        const answer = await agent.request({
          origin,
          path: pathname + search,
          method: 'POST',
          headers,
          body,
          signal: abort.signal,
        });
        await read(answer.body);
        return { kind: 'answered', status: answer.statusCode };
      };
      const failed = (error: unknown): Sent => ({ kind: 'failed', error: inWords(error) });
      return Promise.race([exchange().catch(failed), brokenOff.promise]).finally(() => {
        cancel();
        open.delete(breakOff);
      });
    },
    close: async () => {
      for (const breakOff of open) breakOff('the gateway was stopped');
      await agent.destroy();
    },
  };
};
