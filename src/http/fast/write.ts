/** Writes responses of the fast path, through Node's response or as bytes, without copying the body. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import { STATUS_CODES } from '../../lib/http/node-http.ts';

/** Names and values in turn: the cheapest form to write. */
export type HeaderList = readonly string[];

export type FastAnswer = {
  readonly status: number;
  readonly cacheControl: string;
  readonly headers: HeaderList;
  /** The body in parts. Buffers are shared between requests. */
  readonly parts: readonly (string | Buffer)[];
  /** Its purchase, for the log. */
  readonly purchaseId?: string | undefined;
};

/** The other headers of an answer. */
export type CommonAnswer = {
  readonly requestId: string;
  /** The rate-limit headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the connection closes after it. */
  readonly last: boolean;
};

export const headerList = (headers: Readonly<Record<string, string>>): HeaderList =>
  Object.entries(headers).flat();

const lengthOf = (parts: FastAnswer['parts']): number => {
  let length = 0;
  for (const part of parts) {
    length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  }
  return length;
};

const jsonType = ['content-type', 'application/json; charset=utf-8'] as const;

export type WriteAnswer<T> = (to: T, answer: FastAnswer, common: CommonAnswer) => void;

/** Writes answers through Node's response. */
export const responseWriter = (
  fixedHeaders: Readonly<Record<string, string>>,
): WriteAnswer<ServerResponse> => {
  const fixed = headerList(fixedHeaders);
  return (response, { status, cacheControl, headers, parts }, common) => {
    const first = ['cache-control', cacheControl, ...fixed, 'request-id', common.requestId];
    const own = [...headerList(common.headers), ...headers, ...jsonType];
    const last = common.last ? ['connection', 'close'] : [];
    const length = ['content-length', String(lengthOf(parts))];
    response.writeHead(status, [...first, ...own, ...last, ...length]);
    if (parts.length === 1) {
      response.end(parts[0]);
      return;
    }
    response.cork();
    for (const part of parts) response.write(part);
    response.end();
  };
};

const linesOfList = (headers: HeaderList): string => {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2) {
    lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return lines;
};

const linesOf = (headers: Readonly<Record<string, string>>): string => {
  let lines = '';
  for (const name of Object.keys(headers)) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
};

/** The date header, built once a second. */
const createDateLine = (clock: Pick<Clock, 'now'>): (() => string) => {
  let [made, line] = [Number.NaN, ''];
  return () => {
    const second = Math.floor(clock.now() / 1000);
    if (second !== made) {
      [made, line] = [second, `Date: ${new Date(second * 1000).toUTCString()}\r\n`];
    }
    return line;
  };
};

/** Writes answers as Node's server does, but in one go: the head with the first part of the body. */
export const socketWriter = (
  fixedHeaders: Readonly<Record<string, string>>,
  keepAliveMs: number,
  clock: Pick<Clock, 'now'>,
): WriteAnswer<Socket> => {
  const fixed = linesOf(fixedHeaders);
  const type = linesOfList(jsonType);
  const dateLine = createDateLine(clock);
  const stays = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`;
  // The order of the framework's headers, so that both give the same bytes.
  const headOf = (answer: FastAnswer, common: CommonAnswer, length: number): string =>
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\ncache-control: ${answer.cacheControl}\r\n${fixed}request-id: ${common.requestId}\r\n${linesOf(common.headers)}${linesOfList(answer.headers)}${type}${common.last ? 'connection: close\r\n' : ''}content-length: ${length}\r\n${dateLine()}${common.last ? '' : stays}\r\n`;
  return (socket, answer, common) => {
    const { parts } = answer;
    const length = lengthOf(parts);
    let text = headOf(answer, common, length);
    const [first] = parts;
    if (parts.length === 1 && typeof first === 'string') {
      // If every character is one byte, none has to be checked.
      socket.write(text + first, first.length === length ? 'latin1' : 'utf8');
      return;
    }
    socket.cork();
    for (const part of parts) {
      if (typeof part === 'string') text += part;
      else {
        socket.write(text);
        socket.write(part);
        text = '';
      }
    }
    if (text !== '') socket.write(text);
    socket.uncork();
  };
};
