/** Parses the query, and rejects requests with too many headers and ambiguous ones. */
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../lib/errors.ts';
import { readPairs } from '../lib/http/form.ts';
import type { Text } from '../lib/text.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it cannot be read; undefined if it can. It is counted against the limits before it is refused. */
    fault: GatewayError | undefined;
  }
}

const malformed = (message: Text): GatewayError =>
  new GatewayError('MALFORMED_REQUEST', { message });

/** Represents a query that is not UTF-8: the router cannot carry an error. */
const unreadable: Readonly<Record<string, string>> = {};

/** The parameters of a query. The last of duplicates wins, as it does in PHP. */
export const readQuery = (text: string): Readonly<Record<string, string>> => {
  try {
    return Object.fromEntries(readPairs(text));
  } catch {
    return unreadable;
  }
};

/**
 * More than clients and proxies send together. Thousands of short ones fit into the allowed bytes, and each takes
 * many times its bytes until the answer is read.
 */
export const mostHeaders = 100;

export const hasTooManyHeaders = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.length > 2 * mostHeaders;

// Node takes the first of several, and other programs on the way may take the last.
const onceOnly: ReadonlySet<string> = new Set(['host', 'authorization']);

/** The name of a repeated header that may occur once; undefined if there is none. */
export const repeatedHeader = (rawHeaders: readonly string[]): string | undefined => {
  const met = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!onceOnly.has(name)) continue;
    if (met.has(name)) return rawHeaders[at];
    met.add(name);
  }
  return undefined;
};

/**
 * The problem of a request with too many headers, without a host, with a repeated single header, or with a query
 * that is not UTF-8.
 */
export const faultOf = ({ raw, query }: FastifyRequest): GatewayError | undefined => {
  if (hasTooManyHeaders(raw.rawHeaders)) return new GatewayError('PAYLOAD_TOO_LARGE');
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
    return malformed({ en: 'The Host header is missing.', fa: 'سرآیند Host ارسال نشده است.' });
  }
  const repeated = repeatedHeader(raw.rawHeaders);
  if (repeated !== undefined) {
    return malformed({
      en: `The ${repeated} header was sent more than once.`,
      fa: `سرآیند ${repeated} بیش از یک بار ارسال شده است.`,
    });
  }
  return query === unreadable
    ? malformed({ en: 'The query is not UTF-8.', fa: 'کدگذاری پارامترهای نشانی UTF-8 نیست.' })
    : undefined;
};
