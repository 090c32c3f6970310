/** Owns how an answer of the short way is written: headers once, and a body in parts that are not copied. */
import type { ServerResponse } from 'node:http';

type Headers = Readonly<Record<string, string>>;

export type ShortAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The body, one part after another. Those in bytes are shared between requests. */
  readonly parts: readonly (string | Buffer)[];
};

const lengthOf = (parts: ShortAnswer['parts']): number =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);

export const writeAnswer = (
  response: ServerResponse,
  { status, headers, parts }: ShortAnswer,
  common: Headers,
): void => {
  response.writeHead(status, {
    ...common,
    'content-type': 'application/json; charset=utf-8',
    'content-length': lengthOf(parts),
    ...headers,
  });
  if (parts.length === 1) {
    response.end(parts[0]);
    return;
  }
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
};
