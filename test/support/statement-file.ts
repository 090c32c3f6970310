/** Reads long statements at a given rate: counts the lines of the CSV and keeps the last. */
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as rest } from 'node:timers/promises';

export type StatementFile = {
  readonly lines: number;
  /** Its closing balance, if it is complete. */
  readonly last: string;
  readonly bytes: number;
};

type Source = { readonly url: string; readonly token: string };

const open = ({ url, token }: Source, query: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get(`${url}/api/statement?format=csv${query}`, { headers, agent: false }, resolve).on(
      'error',
      reject,
    );
  });

const longestLine = 1000;

/** Reads a whole statement. With a pause after each piece, the server has to wait for the reader. */
export const readStatementFile = async (
  source: Source,
  options: { readonly query?: string; readonly pauseMs?: number } = {},
): Promise<StatementFile> => {
  const { query = '', pauseMs = 0 } = options;
  const response = await open(source, query);
  assert.equal(response.statusCode, 200);
  let [lines, bytes, end] = [0, 0, ''];
  for await (const piece of response.setEncoding('utf8')) {
    const text = String(piece);
    bytes += text.length;
    lines += text.split('\n').length - 1;
    end = (end + text).slice(-longestLine);
    if (pauseMs > 0) await rest(pauseMs);
  }
  assert.ok(end.endsWith('\n'), 'it was cut off');
  return { lines, bytes, last: end.trimEnd().split('\n').at(-1) ?? '' };
};
