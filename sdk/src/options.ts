/** Reads the options of a client, and refuses those that cannot work. */
import type { Retry, Settings } from './send.ts';
import { version } from './version.ts';

export type ClientOptions = {
  /** The address of the gateway, such as `https://gateway.example`. */
  readonly url: string;
  /** Your access token. */
  readonly token: string;
  /** How long one attempt may take; 35 seconds by default. The gateway answers purchases within 25. */
  readonly timeoutMs?: number;
  /** For how long purchases are retried; two minutes by default. */
  readonly retryPurchasesForMs?: number;
  /** For how long all other requests are retried; 15 seconds by default. No answer takes longer. */
  readonly retryReadsForMs?: number;
  /** Called before each retry, for your log. What it throws is ignored. */
  readonly onRetry?: (retry: Retry) => void;
  /** Used in place of the `fetch` of Node.js. */
  readonly fetch?: typeof fetch;
};

const readUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `url must be the address of the gateway, such as https://gateway.example. It is ${JSON.stringify(text)}.`,
    );
  }
  // It may hold a password, so it is not repeated.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('url must have no user name, password, query or fragment.');
  }
  return url.href.replace(/\/+$/, '');
};

const readToken = (text: unknown): string => {
  if (typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new TypeError('token must be your access token: text without spaces. Is it set?');
};

const wait: Settings['wait'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

export const settingsOf = (options: ClientOptions): Settings => ({
  url: readUrl(options.url),
  token: readToken(options.token),
  userAgent: `simgate-client/${version} node/${process.versions.node}`,
  timeoutMs: options.timeoutMs ?? 35_000,
  retryPurchasesForMs: options.retryPurchasesForMs ?? 120_000,
  retryReadsForMs: options.retryReadsForMs ?? 15_000,
  onRetry: options.onRetry ?? (() => {}),
  fetch: options.fetch ?? ((...given) => fetch(...given)),
  wait,
  now: () => performance.now(),
  random: Math.random,
});
