/** Owns how an answer of the short way is written: headers in a list, and a body in parts that are not copied. */
import type { ServerResponse } from 'node:http';

/** Names and values in turn: what Node writes with the least ado. */
export type HeaderList = readonly string[];

export type ShortAnswer = {
  readonly status: number;
  readonly headers: HeaderList;
  /** The body, one part after another. Those in bytes are shared between requests. */
  readonly parts: readonly (string | Buffer)[];
};

export const headerList = (headers: Readonly<Record<string, string>>): HeaderList =>
  Object.entries(headers).flat();

const lengthOf = (parts: ShortAnswer['parts']): number => {
  let length = 0;
  for (const part of parts) {
    length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  }
  return length;
};

const jsonType = ['content-type', 'application/json; charset=utf-8'] as const;

export const writeAnswer = (
  response: ServerResponse,
  { status, headers, parts }: ShortAnswer,
  common: HeaderList,
): void => {
  const length = String(lengthOf(parts));
  response.writeHead(status, [...common, ...jsonType, 'content-length', length, ...headers]);
  const [first] = parts;
  if (parts.length === 1) {
    response.end(first);
    return;
  }
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
};
