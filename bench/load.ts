/** Sends purchases at a fixed rate, whatever comes back, and prints as JSON how long each kind of answer took. */
import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    token: { type: 'string', default: '' },
    product: { type: 'string', default: '' },
    price: { type: 'string', default: '' },
    keys: { type: 'string', default: 'key' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '256' },
  },
});

const { hostname, port } = new URL(values.url);
const rate = Number(values.rate);
const count = Math.round(rate * Number(values.seconds));
const tickMs = 2;

const requestOf = (index: number): string => {
  const fields = new URLSearchParams({
    product_id: values.product,
    price: values.price,
    mobile: '989123456700',
    webservice_code: values.keys,
  }).toString();
  return [
    'POST /api/top-up/package/ HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${values.token}`,
    `Idempotency-Key: ${values.keys}-${index}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${fields.length}`,
    '',
    fields,
  ].join('\r\n');
};

/** By status, or by code where it is an error: how long each took, from the moment at which it was due, waiting for a connection included. */
const times = new Map<string, number[]>();
const note = (status: string, since: number): void => {
  const list = times.get(status) ?? [];
  list.push(performance.now() - since);
  times.set(status, list);
};

type Due = { readonly index: number; readonly since: number };
const waiting: Due[] = [];
let ended = 0;
const finished = Promise.withResolvers<void>();

type Line = { readonly socket: Socket; due: Due | undefined; text: string };

const idle: Line[] = [];
const lines = new Set<Line>();

const send = (line: Line, due: Due): void => {
  line.due = due;
  line.text = '';
  line.socket.write(requestOf(due.index));
};

const end = (line: Line, status: string): void => {
  if (line.due === undefined) return;
  note(status, line.due.since);
  line.due = undefined;
  ended += 1;
  if (ended === count) finished.resolve();
};

/** Whether the whole answer is there. */
const isWhole = (text: string): boolean => {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /^content-length: (\d+)$/im.exec(text.slice(0, head))?.[1];
  return text.length >= head + 4 + Number(length ?? 0);
};

const next = (line: Line): void => {
  const due = waiting.shift();
  if (due === undefined) idle.push(line);
  else send(line, due);
};

const open = (): void => {
  const socket = connect(Number(port), hostname);
  const line: Line = { socket, due: undefined, text: '' };
  lines.add(line);
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('connect', () => next(line));
  socket.on('data', (part: string) => {
    line.text += part;
    if (line.due === undefined || !isWhole(line.text)) return;
    end(line, /"code":"(\w+)"/.exec(line.text)?.[1] ?? line.text.slice(9, 12));
    next(line);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    end(line, 'lost');
    lines.delete(line);
    const at = idle.indexOf(line);
    if (at >= 0) idle.splice(at, 1);
  });
};

const at = (sorted: readonly number[], share: number): number =>
  Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));

const start = performance.now();
let sent = 0;
const timer = setInterval(() => {
  const now = performance.now();
  const due = Math.min(count, 1 + Math.floor(((now - start) * rate) / 1000));
  for (; sent < due; sent += 1) {
    const line = idle.pop();
    const one = { index: sent, since: start + (sent * 1000) / rate };
    if (line !== undefined) send(line, one);
    else {
      // As many as are needed: the server cuts off those that never send anything.
      if (lines.size < Number(values.connections)) open();
      waiting.push(one);
    }
  }
  if (sent === count) clearInterval(timer);
}, tickMs);

await finished.promise;
const seconds = (performance.now() - start) / 1000;
const answers = [...times].map(([status, list]) => {
  const sorted = list.toSorted((a, b) => a - b);
  const figures = { p50: at(sorted, 0.5), p99: at(sorted, 0.99), max: at(sorted, 1) };
  return [status, { count: list.length, ...figures }] as const;
});
console.log(JSON.stringify({ seconds, answers: Object.fromEntries(answers) }));
for (const { socket } of lines) socket.destroy();
