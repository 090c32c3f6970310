/** Sends requests at a fixed rate and prints latencies as JSON, measured from when each was due, so that stalls show. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { fill } from './requests.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    plan: { type: 'string', default: '' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '128' },
  },
});

const PlanSchema = Type.Object({
  kinds: Type.Array(Type.Object({ parts: Type.Array(Type.String()), cycle: Type.Integer() })),
  order: Type.Array(Type.Integer()),
  tokens: Type.Array(Type.String()),
});

const given: unknown = JSON.parse(readFileSync(values.plan, 'utf8'));
const plan = Value.Parse(PlanSchema, given);
const { hostname, port } = new URL(values.url);
const rate = Number(values.rate);
const count = Math.max(1, Math.round(rate * Number(values.seconds)));
const tickMs = 1;

const sentOfKind = plan.kinds.map(() => 0);

const requestOf = (index: number): string => {
  const which = plan.order[index % plan.order.length] ?? 0;
  const kind = plan.kinds[which];
  if (kind === undefined) throw new Error('The plan names a kind that it does not have.');
  const sent = sentOfKind[which] ?? 0;
  sentOfKind[which] = sent + 1;
  return fill(kind, sent, plan.tokens);
};

const times = new Float64Array(count);
const late = new Float64Array(count);
const statuses = new Map<string, number>();
let ended = 0;
const finished = Promise.withResolvers<void>();
let start = 0;
const dueAt = (index: number): number => start + (index * 1000) / rate;

/** A connection, its request, and how much of the answer is missing. */
type Line = {
  readonly socket: Socket;
  index: number | undefined;
  status: string;
  /** Negative before the head of the answer has arrived. */
  left: number;
  /** The beginning of an incomplete head. */
  begun: Buffer;
};

const nothing = Buffer.alloc(0);

// The longest-idle one is the next: no connection is idle for so long that it is closed.
const idle: Line[] = [];
const waiting: number[] = [];

const send = (line: Line, index: number): void => {
  line.index = index;
  line.left = -1;
  line.socket.write(requestOf(index), 'latin1');
};

const next = (line: Line): void => {
  const index = waiting.shift();
  if (index === undefined) idle.push(line);
  else send(line, index);
};

const end = (line: Line, status: string): void => {
  if (line.index === undefined) return;
  times[line.index] = performance.now() - dueAt(line.index);
  line.index = undefined;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  ended += 1;
  if (ended === count) finished.resolve();
};

/** Reads the head of an answer, and counts the remaining bytes. */
const receive = (line: Line, part: Buffer): void => {
  const bytes = line.begun.length === 0 ? part : Buffer.concat([line.begun, part]);
  line.begun = nothing;
  if (line.left < 0) {
    const head = bytes.indexOf('\r\n\r\n');
    if (head < 0) {
      line.begun = bytes;
      return;
    }
    const text = bytes.toString('latin1', 0, head);
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined) throw new Error(`An answer without its length: ${text}`);
    line.status = text.slice(9, 12);
    line.left = Number(length) + head + 4;
  }
  line.left -= bytes.length;
  if (line.left > 0) return;
  end(line, line.status);
  next(line);
};

let over = false;

const open = async (): Promise<void> => {
  const connected = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname);
  const line: Line = { socket, index: undefined, status: '', left: -1, begun: nothing };
  socket.setNoDelay(true);
  socket.on('connect', () => {
    next(line);
    connected.resolve();
  });
  socket.on('data', (part: Buffer) => receive(line, part));
  socket.on('error', () => {});
  socket.on('close', () => {
    connected.resolve();
    if (over) return;
    end(line, 'lost');
    const at = idle.indexOf(line);
    if (at >= 0) idle.splice(at, 1);
    // After a pause: otherwise a refusing server would be called in a loop.
    setTimeout(() => void open(), 10);
  });
  await connected.promise;
};

await Promise.all(Array.from({ length: Number(values.connections) }, open));
// The system has connected them; the server accepts them one after another.
await rest(200);
start = performance.now();
let sent = 0;
const timer = setInterval(() => {
  const now = performance.now();
  const due = Math.min(count, 1 + Math.floor(((now - start) * rate) / 1000));
  for (; sent < due; sent += 1) {
    late[sent] = now - dueAt(sent);
    const line = idle.shift();
    if (line === undefined) waiting.push(sent);
    else send(line, sent);
  }
  if (sent === count) clearInterval(timer);
}, tickMs);
await finished.promise;
over = true;

const share = (sorted: Float64Array, part: number): number =>
  Number((sorted[Math.min(count - 1, Math.floor(count * part))] ?? 0).toFixed(3));
const sorted = times.toSorted();
console.log(
  JSON.stringify({
    requests: count,
    seconds: (performance.now() - start) / 1000,
    p50: share(sorted, 0.5),
    p99: share(sorted, 0.99),
    p999: share(sorted, 0.999),
    max: share(sorted, 1),
    // The generator's own share: the tick, and a busy machine.
    ownP99: share(late.toSorted(), 0.99),
    others: Object.fromEntries([...statuses].filter(([status]) => status !== '200')),
  }),
);
process.exit(0);
