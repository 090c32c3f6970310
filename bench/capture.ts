/** Captures the gateway's answers, which a bare server then repeats. */
import { connect } from 'node:net';
import type { Answers } from './bare.ts';
import { fill, type Plan } from './requests.ts';
import type { Running } from './resources.ts';

/** Node writes these itself, for every server. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);

/** The answer on a connection that is closed after it. */
const exchange = (url: string, request: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.write(request.replace('\r\nHost:', '\r\nConnection: close\r\nHost:'), 'latin1');
    });
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('end', () => resolve(Buffer.concat(parts)));
    socket.on('error', reject);
  });

/** The gateway's answer to the first request of each kind, by path; `body` may override it. */
export const capture = async (
  server: Running,
  { kinds, tokens }: Plan,
  body: (path: string) => string | undefined,
): Promise<Answers> => {
  const answers: Answers = {};
  for (const kind of kinds) {
    const request = fill(kind, 0, tokens);
    const path = request.split(' ', 2)[1] ?? '';
    const answer = await exchange(server.url, request);
    const head = answer.indexOf('\r\n\r\n');
    const [status = '', ...lines] = answer.toString('latin1', 0, head).split('\r\n');
    if (!status.startsWith('HTTP/1.1 200')) throw new Error(`${path}: ${answer.toString()}`);
    const told = body(path);
    const sent = told === undefined ? answer.subarray(head + 4) : Buffer.from(told);
    const headers = lines.flatMap((line) => {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
      const lower = name.toLowerCase();
      if (ownHeaders.has(lower)) return [];
      return [name, lower === 'content-length' ? String(sent.length) : value];
    });
    answers[path] = { headers, body: sent.toString('base64') };
  }
  return answers;
};
