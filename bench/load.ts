/** Sends purchases at a fixed rate, whatever comes back, and prints as JSON how long each kind of answer took. */
import { parseArgs } from 'node:util';
import { openLines, type Reply } from './connections.ts';
import { createHistogram, type Histogram } from './histogram.ts';
import { sendAtRate } from './rate.ts';
import { buyRequest } from './raw-requests.ts';

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

const { token, product, price, keys } = values;
const rate = Number(values.rate);
const count = Math.round(rate * Number(values.seconds));
const lines = openLines(values.url, Number(values.connections));

/**
 * By status, or by code for an error: how long each took from its due time, including the wait for a
 * connection.
 */
const times = new Map<string, Histogram>();
const note = (answer: string, since: number): void => {
  const known = times.get(answer) ?? createHistogram();
  known.add(performance.now() - since);
  times.set(answer, known);
};

const answerOf = (reply: Reply | undefined): string =>
  reply === undefined ? 'lost' : (/"code":"(\w+)"/.exec(reply.text)?.[1] ?? String(reply.status));

const start = performance.now();
let ended = 0;
const finished = Promise.withResolvers<void>();
await sendAtRate({ perSecond: rate, rampSeconds: 0 }, count, (index, due) => {
  const request = buyRequest({
    token,
    key: `${keys}-${index}`,
    product,
    price,
    mobile: '989123456700',
    code: keys,
  });
  lines.send(request, (reply) => {
    note(answerOf(reply), due);
    ended += 1;
    if (ended === count) finished.resolve();
  });
});
await finished.promise;

const seconds = (performance.now() - start) / 1000;
const rounded = (value: number): number => Number(value.toFixed(1));
const answers = [...times].map(([answer, histogram]) => {
  const [p50, p99] = [histogram.quantile(0.5), histogram.quantile(0.99)];
  const figures = { p50: rounded(p50), p99: rounded(p99), max: rounded(histogram.max()) };
  return [answer, { count: histogram.count(), ...figures }] as const;
});
console.log(JSON.stringify({ seconds, answers: Object.fromEntries(answers) }));
lines.close();
