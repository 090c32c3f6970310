/**
 * Holds hostile connections of eight kinds open against a gateway, and opens each again some time after it was closed.
 * Prints a line when all are open, and at the end, on SIGTERM, how many of each kind were opened and closed.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeToken } from '../src/clients/token.ts';
import { systemRandom } from '../src/lib/random.ts';
import { largeFile } from '../test/support/large-file.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    connections: { type: 'string', default: '10000' },
    addresses: { type: 'string', default: '64' },
    rampSeconds: { type: 'string', default: '10' },
    without: { type: 'string', multiple: true, default: [] },
  },
});

const { port } = new URL(values.url);
const count = Number(values.connections);

const ask = (path: string, ...headers: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\n${['Host: bench', ...headers].join('\r\n')}\r\n\r\n`;

const loginHead = [
  'POST /admin/api/login HTTP/1.1',
  'Host: bench',
  'Sec-Fetch-Site: same-origin',
  'Content-Type: application/json',
  'Content-Length: 60000',
  '\r\n',
].join('\r\n');

/** Sends something repeatedly until the connection is closed. */
const every = (ms: number, socket: Socket, next: () => string): void => {
  const timer = setInterval(() => socket.write(next()), ms);
  socket.once('close', () => clearInterval(timer));
};

const tlsLike = Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0, 1]), Buffer.alloc(506, 0xa5)]);

const manyRequests = ask('/openapi.json').repeat(2000);
// Just below the closing limit, each with as many headers as are allowed, in 1.9 KB.
const largeHeads = ask(
  '/openapi.json',
  ...Array.from({ length: 98 }, () => `a:${'b'.repeat(15)}`),
).repeat(31);

const guess = (): string => ask('/api/account', `Authorization: Bearer ${makeToken(systemRandom)}`);

// One in ten: some 600 guesses a second in all, which take a small part of a processor to make.
const quickGuessers = 10;
const pauseMs = 200;
// After about that time the gateway closes it.
const unreadMs = 16_000;

/** Guesses again shortly after each answer. */
const guessInALoop = (socket: Socket): void => {
  socket.write(guess());
  socket.on('data', () => setTimeout(() => socket.writable && socket.write(guess()), pauseMs));
};

/**
 * What each kind does with an open connection; by default answers are read and dropped. `turn` numbers the
 * connections of a kind.
 */
const kinds: Readonly<Record<string, (socket: Socket, turn: number) => void>> = {
  unread: (socket) => {
    socket.pause().write(ask(largeFile).repeat(12));
  },
  'slow headers': (socket) => {
    socket.write('GET /docs HTTP/1.1\r\nHost: bench\r\n');
    every(2000, socket, () => 'X-More: x\r\n');
  },
  'slow body': (socket) => {
    socket.write(`${loginHead}{`);
    every(2000, socket, () => ' ');
  },
  pipelined: (socket, turn) => {
    socket.pause().write(turn % 2 === 0 ? manyRequests : largeHeads);
    // A client that does not read does not see that it was closed.
    setTimeout(() => socket.destroy(), unreadMs).unref();
  },
  'half-open': () => {},
  huge: (socket) => {
    socket.write(`GET /docs HTTP/1.1\r\nHost: bench\r\nX-Huge: ${'x'.repeat(100_000)}`);
  },
  garbage: (socket) => {
    socket.write(tlsLike);
  },
  guesses: (socket, turn) => {
    if (turn % quickGuessers === 0) guessInALoop(socket);
    else {
      socket.write(guess());
      every(5000, socket, guess);
    }
  },
};

const names = Object.keys(kinds).filter((name) => !values.without.includes(name));
const tally = new Map(names.map((name) => [name, { opened: 0, closed: 0 }]));
let isEnding = false;

// Only Linux has all of 127.0.0.0/8.
const addresses = process.platform === 'linux' ? Number(values.addresses) : 1;

const againMs = (): number => 20_000 + Math.random() * 20_000;

const open = (index: number): void => {
  const name = names[index % names.length] ?? '';
  const counted = tally.get(name);
  if (isEnding || counted === undefined) return;
  const localAddress =
    addresses === 1 ? '127.0.0.1' : `127.9.0.${1 + (Math.floor(index / names.length) % addresses)}`;
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
  socket.on('error', () => {}).resume();
  socket.once('connect', () => {
    counted.opened += 1;
    kinds[name]?.(socket, Math.floor(index / names.length));
  });
  socket.once('close', () => {
    counted.closed += 1;
    setTimeout(() => open(index), againMs()).unref();
  });
};

process.once('SIGTERM', () => {
  isEnding = true;
  console.log(JSON.stringify(Object.fromEntries(tally)));
  process.exit(0);
});

const stepMs = 50;
const perStep = Math.ceil((count * stepMs) / (Number(values.rampSeconds) * 1000));
for (let opened = 0; opened < count; opened += perStep) {
  for (let index = opened; index < Math.min(count, opened + perStep); index += 1) open(index);
  await rest(stepMs);
}
// A busy server takes a while to accept them; only their behaviour afterwards is measured.
const openedSoFar = (): number => [...tally.values()].reduce((sum, { opened }) => sum + opened, 0);
const latest = performance.now() + 60_000;
while (openedSoFar() < count && performance.now() < latest) await rest(stepMs);
await rest(5000);
console.log('open');
