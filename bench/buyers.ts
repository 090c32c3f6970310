/** Buys as fast as answers arrive, on many connections to many servers, and prints the results as JSON. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    url: { type: 'string', multiple: true, default: [] },
    /** A file with an access token on each line, used in turn. */
    tokens: { type: 'string', default: '' },
    product: { type: 'string', default: '' },
    price: { type: 'string', default: '' },
    keys: { type: 'string', default: 'key' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '64' },
  },
});

const tokens = readFileSync(values.tokens, 'utf8').trim().split('\n');
let sent = 0;

const nextRequest = (): string => {
  sent += 1;
  const fields = new URLSearchParams({
    product_id: values.product,
    price: values.price,
    // Even: a prepaid SIM. Below 90: delivered at once, and no book is needed.
    mobile: `9891${String(sent % 1_000_000).padStart(6, '0')}${String((sent * 2) % 88).padStart(2, '0')}`,
    webservice_code: values.keys,
  }).toString();
  return [
    'POST /api/top-up/package/ HTTP/1.1',
    'Host: bench',
    `Authorization: Bearer ${tokens[sent % tokens.length] ?? ''}`,
    `Idempotency-Key: ${values.keys}-${sent}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${fields.length}`,
    '',
    fields,
  ].join('\r\n');
};

const times = new Map<string, number[]>();
const note = (status: string, since: number): void => {
  const list = times.get(status) ?? [];
  list.push(performance.now() - since);
  times.set(status, list);
};

/** Whether the whole answer has arrived. */
const isWhole = (text: string): boolean => {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /^content-length: (\d+)$/im.exec(text.slice(0, head))?.[1];
  return text.length >= head + 4 + Number(length ?? 0);
};

const start = performance.now();
const until = start + Number(values.seconds) * 1000;

/** One connection: one purchase after another until the time is over. */
const buyer = (url: string): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let [text, since] = ['', 0];
    const send = (): void => {
      if (performance.now() >= until) {
        socket.end();
        return;
      }
      [text, since] = ['', performance.now()];
      socket.write(nextRequest());
    };
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('data', (part: string) => {
      text += part;
      if (!isWhole(text)) return;
      note(text.slice(9, 12), since);
      send();
    });
    socket.on('error', () => note('lost', since));
    socket.on('close', () => resolve());
  });

const urls = values.url;
await Promise.all(
  Array.from({ length: Number(values.connections) }, (_, index) =>
    buyer(urls[index % urls.length] ?? ''),
  ),
);

const at = (sorted: readonly number[], share: number): number =>
  Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
const seconds = (performance.now() - start) / 1000;
const answers = [...times].map(([status, list]) => {
  const sorted = list.toSorted((a, b) => a - b);
  return [status, { count: list.length, p50: at(sorted, 0.5), p99: at(sorted, 0.99) }] as const;
});
console.log(JSON.stringify({ seconds, answers: Object.fromEntries(answers) }));
