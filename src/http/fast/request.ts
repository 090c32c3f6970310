/** Parses a plain request: complete, and with only one possible reading. Pure. */
import type { IncomingHttpHeaders } from 'node:http';

/** What the fast path knows of a request; one parsed by Node qualifies, too. */
export type RequestHead = {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
};

export type FastRequest = RequestHead & { readonly body: Buffer };

const mostBytes = 16 * 1024;

/** A head of 50 lines at most. Invisible characters and every rare form are left to Node. */
const plainHead =
  /(?:GET|POST) \/[\x21-\x7e]* HTTP\/1\.1\r\n(?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*\r\n){1,50}\r\n/y;

/** The only headers that matter. A repeated one makes a request ambiguous. */
type Known = {
  host: string | undefined;
  authorization: string | undefined;
  connection: string | undefined;
  'content-length': string | undefined;
  'content-type': string | undefined;
  'accept-encoding': string | undefined;
  'accept-language': string | undefined;
  'if-none-match': string | undefined;
  'idempotency-key': string | undefined;
  'x-request-id': string | undefined;
  traceparent: string | undefined;
};

const noneYet = (): Known => ({
  host: undefined,
  authorization: undefined,
  connection: undefined,
  'content-length': undefined,
  'content-type': undefined,
  'accept-encoding': undefined,
  'accept-language': undefined,
  'if-none-match': undefined,
  'idempotency-key': undefined,
  'x-request-id': undefined,
  traceparent: undefined,
});

/** Adds a header; false if the request is no longer plain with it. */
const take = (known: Known, name: string, value: string): boolean => {
  switch (name) {
    case 'host':
      if (known.host !== undefined) return false;
      known.host = value;
      return true;
    case 'authorization':
      if (known.authorization !== undefined) return false;
      known.authorization = value;
      return true;
    case 'connection':
      if (known.connection !== undefined) return false;
      known.connection = value;
      return true;
    case 'content-length':
      if (known['content-length'] !== undefined) return false;
      known['content-length'] = value;
      return true;
    case 'content-type':
      if (known['content-type'] !== undefined) return false;
      known['content-type'] = value;
      return true;
    case 'accept-encoding':
      if (known['accept-encoding'] !== undefined) return false;
      known['accept-encoding'] = value;
      return true;
    case 'accept-language':
      if (known['accept-language'] !== undefined) return false;
      known['accept-language'] = value;
      return true;
    case 'if-none-match':
      if (known['if-none-match'] !== undefined) return false;
      known['if-none-match'] = value;
      return true;
    case 'idempotency-key':
      if (known['idempotency-key'] !== undefined) return false;
      known['idempotency-key'] = value;
      return true;
    case 'x-request-id':
      if (known['x-request-id'] !== undefined) return false;
      known['x-request-id'] = value;
      return true;
    case 'traceparent':
      if (known.traceparent !== undefined) return false;
      known.traceparent = value;
      return true;
    // Each of them changes how the body is read, or what happens to the connection.
    case 'content-encoding':
    case 'expect':
    case 'trailer':
    case 'transfer-encoding':
    case 'upgrade':
      return false;
    default:
      return true;
  }
};

/** The headers between two positions of a text; undefined if one of them is ambiguous. */
const readHeaders = (text: string, from: number, to: number): Known | undefined => {
  const known = noneYet();
  let at = from;
  while (at < to) {
    const colon = text.indexOf(':', at);
    const end = text.indexOf('\r\n', colon);
    const name = text.slice(at, colon).toLowerCase();
    if (!take(known, name, text.slice(colon + 1, end).trim())) return undefined;
    at = end + 2;
  }
  return known;
};

const staysOpen = (connection: string | undefined): boolean =>
  connection === undefined || connection.toLowerCase() === 'keep-alive';

const isAsLongAs = (told: string | undefined, length: number): boolean =>
  told === undefined ? length === 0 : length > 0 && told === String(length);

/** The single request in these bytes; undefined if they are anything else, or ambiguous. */
export const parseFastRequest = (bytes: Buffer): FastRequest | undefined => {
  if (bytes.length > mostBytes) return undefined;
  const text = bytes.toString('latin1');
  plainHead.lastIndex = 0;
  if (!plainHead.test(text)) return undefined;
  const bodyAt = plainHead.lastIndex;
  const lineEnd = text.indexOf('\r\n');
  const headers = readHeaders(text, lineEnd + 2, bodyAt - 2);
  const isPlain =
    headers?.host !== undefined &&
    staysOpen(headers.connection) &&
    isAsLongAs(headers['content-length'], bytes.length - bodyAt);
  if (!isPlain) return undefined;
  const methodEnd = text.indexOf(' ');
  return {
    method: text.slice(0, methodEnd),
    url: text.slice(methodEnd + 1, lineEnd - ' HTTP/1.1'.length),
    headers,
    body: bytes.subarray(bodyAt),
  };
};
