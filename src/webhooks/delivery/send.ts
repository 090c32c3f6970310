/** Sends one webhook request: resolves and checks its address, and limits time and size. */
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { WebhooksConfig } from '../../config/sections/webhooks.ts';
import type { Clock } from '../../lib/clock.ts';
import { type AddressPolicy, createAddressPolicy } from './address.ts';
import { type Failure, type FailureCode, failureOf } from './failure.ts';
import {
  bareHost,
  createNames,
  Forbidden,
  Nameless,
  permittedAddresses,
  type Resolve,
} from './resolve.ts';

export type Sending = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The status of the answer, or why there was none. */
export type Sent =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly failure: Failure };

export type SenderDeps = {
  readonly clock: Clock;
  readonly settings: Pick<WebhooksConfig, 'timeoutMs' | 'answerBytes' | 'allowedNetworks'>;
  /** Asks the name servers by default. */
  readonly resolve?: Resolve;
  /** The system's own by default. */
  readonly nameServers?: readonly string[];
  /** Connects to a permitted address; with sockets by default. */
  readonly dial?: buildConnector.connector;
};

export type Sender = {
  /** Never throws, and never exceeds its timeout. */
  readonly send: (sending: Sending) => Promise<Sent>;
  /** Aborts all requests in flight. */
  readonly close: () => Promise<void>;
};

/** Sent, and the answer was not accepted. */
class TooLong extends Error {
  override readonly name = 'TooLong';
}

type Dialled = Parameters<buildConnector.Callback>;

/** Connects to one address after another, until one answers. */
const dialInTurn = async (
  dial: buildConnector.connector,
  options: buildConnector.Options,
  addresses: readonly string[],
): Promise<Dialled> => {
  let last: Dialled = [new Error('no address'), null];
  for (const address of addresses) {
    last = await new Promise<Dialled>((resolve) => {
      dial({ ...options, hostname: address, host: address }, (...dialled) => resolve(dialled));
    });
    if (last[0] === null) return last;
  }
  return last;
};

/**
 * Checks the address that is connected to, not the name: the name is resolved once, and the connection uses
 * that very answer, so that a second answer cannot differ.
 */
const guardedConnect =
  (
    dial: buildConnector.connector,
    resolve: Resolve,
    permits: AddressPolicy,
  ): buildConnector.connector =>
  (options, callback) => {
    const { hostname, protocol } = options;
    const name = bareHost(hostname);
    const connect = async (): Promise<Dialled> => {
      const secure = protocol === 'https:';
      const addresses = await permittedAddresses(hostname, { resolve, permits, secure });
      // The certificate must be for the name.
      const server = isIP(name) === 0 ? { servername: name } : {};
      return dialInTurn(dial, { ...options, ...server }, addresses);
    };
    const failed = (error: unknown): Dialled => [
      error instanceof Error ? error : new Error('no connection'),
      null,
    ];
    const tell = async (): Promise<void> => callback(...(await connect().catch(failed)));
    void tell();
  };

const failures: Readonly<Record<string, FailureCode>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_broken',
  UND_ERR_SOCKET: 'connection_broken',
  UND_ERR_HEADERS_OVERFLOW: 'answer_too_long',
};

/** The text for its owner: never an address, nor the answer. */
export const failureCodeOf = (error: unknown): FailureCode => {
  if (error instanceof Forbidden) return 'address_not_public';
  if (error instanceof Nameless) return 'name_unknown';
  if (error instanceof TooLong) return 'answer_too_long';
  if (!(error instanceof Error)) return 'request_failed';
  const code = 'code' in error ? String(error.code) : '';
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code)) return 'not_secure';
  return failures[code] ?? 'request_failed';
};

// Short enough to try another address.
const connectMs = 5000;

const dialWithSockets = (timeout: number): buildConnector.connector =>
  buildConnector({ timeout: Math.min(timeout, connectMs), allowH2: false, maxCachedSessions: 0 });

// A busy endpoint keeps its connections, but not for long, whatever it asks.
const keepAliveMs = 4000;
const keepAliveAtMostMs = 10_000;

export const createSender = (deps: SenderDeps): Sender => {
  const { clock, settings } = deps;
  const names = createNames(deps.nameServers);
  const { resolve = names.resolve } = deps;
  const { timeoutMs, answerBytes } = settings;
  const dial = deps.dial ?? dialWithSockets(timeoutMs);
  const agent = new Agent({
    connect: guardedConnect(dial, resolve, createAddressPolicy(settings.allowedNetworks)),
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveAtMostMs,
    // One timeout counts: the one below.
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

  const open = new Set<(failure: Failure) => void>();

  return {
    send: async ({ url, headers, body }) => {
      const abort = new AbortController();
      const brokenOff = Promise.withResolvers<Sent>();
      const breakOff = (failure: Failure): void => {
        brokenOff.resolve({ kind: 'failed', failure });
        abort.abort();
      };
      open.add(breakOff);
      const cancel = clock.after(timeoutMs, () =>
        breakOff({ code: 'no_answer_within', values: { ms: timeoutMs } }),
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
      const failed = (error: unknown): Sent => ({
        kind: 'failed',
        failure: failureOf(failureCodeOf(error)),
      });
      return Promise.race([exchange().catch(failed), brokenOff.promise]).finally(() => {
        cancel();
        open.delete(breakOff);
      });
    },
    close: async () => {
      for (const breakOff of open) breakOff(failureOf('gateway_stopped'));
      names.cancel();
      await agent.destroy();
    },
  };
};
