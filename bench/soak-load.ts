/** Buys, lists and retries at a steady rate for a soak test, and prints one JSON line a second. */
import { readFileSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLines, type Reply } from './connections.ts';
import { createHistogram } from './histogram.ts';
import { dueBy, sendAtRate } from './rate.ts';
import { listRequest } from './raw-requests.ts';
import { planned, requestFor } from './soak-orders.ts';
import type { Second, Total } from './soak-report.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    /** A file with an access token on each line. */
    tokens: { type: 'string', default: '' },
    rate: { type: 'string', default: '1000' },
    ramp: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '600' },
    pages: { type: 'string', default: '1' },
    slow: { type: 'string', default: '250' },
    settle: { type: 'string', default: '180' },
    connections: { type: 'string', default: '1500' },
  },
});

const tokens = readFileSync(values.tokens, 'utf8').trim().split('\n');
const pace = { perSecond: Number(values.rate), rampSeconds: Number(values.ramp) };
const count = Math.floor(dueBy(pace, Number(values.seconds)));
const slowMs = Number(values.slow);
const lines = openLines(values.url, Number(values.connections));

const kinds = { healthy: createHistogram(), lists: createHistogram(), repeats: createHistogram() };
const whole = createHistogram();
/** Keys without a final answer. */
const unsettled = new Set<number>();
const errors: Record<string, number> = {};
let [sent, answered, under, sold, slow, failed] = [0, 0, 0, 0, 0, 0];
const start = performance.now();
/** When the ramp has ended: earlier requests are judged by everything but their time. */
const warmAt = start + pace.rampSeconds * 1000;

const blame = (reply: Reply | undefined, about: string): void => {
  const code = reply === undefined ? 'lost' : (/"code":"(\w+)"/.exec(reply.text)?.[1] ?? '');
  const name = [about, reply?.status ?? '', code].join(' ').trim();
  errors[name] = (errors[name] ?? 0) + 1;
  failed += 1;
};

const pendingStatus = 202;

/** Recorded for good; everything else may be retried. */
const isFinal = ({ status }: Reply): boolean =>
  status < 500 && status !== pendingStatus && status !== 429;

/** Records the answers to a key, and those that its number does not promise. */
const hear = (index: number, reply: Reply | undefined, first: boolean): void => {
  const { end, healthy } = planned(index);
  const final = reply !== undefined && isFinal(reply);
  if (final && (first || unsettled.delete(index)) && reply.status === 200) sold += 1;
  if (!final && first) unsettled.add(index);
  const mayWait = !healthy && reply?.status === pendingStatus;
  if (reply?.status !== end.answer && !mayWait) blame(reply, healthy ? 'healthy' : 'faulty');
};

const track = (request: string, ended: (reply: Reply | undefined) => void): void => {
  under += 1;
  lines.send(request, (reply) => {
    under -= 1;
    ended(reply);
  });
};

const buy = (index: number, due: number): void => {
  sent += 1;
  track(requestFor(index, tokens), (reply) => {
    answered += 1;
    hear(index, reply, true);
    if (!planned(index).healthy) return;
    const ms = performance.now() - due;
    kinds.healthy.add(ms);
    if (due < warmAt) return;
    whole.add(ms);
    // A purchase with another answer was not served in time either.
    if (ms > slowMs || reply?.status !== 200) slow += 1;
  });
};

const list = (index: number, due: number): void => {
  const page = 1 + (index % Number(values.pages));
  track(listRequest(tokens[index % tokens.length] ?? '', page), (reply) => {
    kinds.lists.add(performance.now() - due);
    if (reply?.status !== 200) blame(reply, 'list');
  });
};

/** Of a purchase some seconds ago: most are final, and others are waited for. */
const repeat = (index: number, due: number): void => {
  const earlier = Math.floor(index - pace.perSecond * (2 + (index % 40) / 10));
  if (earlier < 0) return;
  track(requestFor(earlier, tokens), (reply) => {
    // An open purchase takes as long as its operator, which says nothing about us.
    if (planned(earlier).healthy) kinds.repeats.add(performance.now() - due);
    hear(earlier, reply, false);
  });
};

const rounded = (value: number): number => Number(value.toFixed(2));

let [lastAt, lastCpu, lastSlow, lastFailed, lastAnswered] = [start, process.cpuUsage(), 0, 0, 0];

const tell = (): void => {
  const now = performance.now();
  const spent = process.cpuUsage(lastCpu);
  const second: Second = {
    kind: 'second',
    at: rounded((now - start) / 1000),
    sent,
    perSecond: rounded(((answered - lastAnswered) * 1000) / (now - lastAt)),
    p50: rounded(kinds.healthy.quantile(0.5)),
    p99: rounded(kinds.healthy.quantile(0.99)),
    listP99: rounded(kinds.lists.quantile(0.99)),
    repeatP99: rounded(kinds.repeats.quantile(0.99)),
    slow: slow - lastSlow,
    errors: failed - lastFailed,
    under,
    waiting: lines.waiting(),
    processor: rounded((spent.user + spent.system) / 1000 / (now - lastAt)),
  };
  console.log(JSON.stringify(second));
  [lastAt, lastCpu, lastSlow, lastFailed] = [now, process.cpuUsage(), slow, failed];
  lastAnswered = answered;
  for (const histogram of Object.values(kinds)) histogram.clear();
};

/** Repeats what can become final, until it is. */
const settle = async (): Promise<number> => {
  const begin = performance.now();
  const open = (): number[] =>
    [...unsettled].filter((index) => planned(index).end.answer !== undefined);
  const isOver = (): boolean => under === 0 && open().length === 0;
  while (!isOver()) {
    if (performance.now() - begin > Number(values.settle) * 1000) break;
    if (under === 0) {
      for (const index of open()) {
        track(requestFor(index, tokens), (reply) => hear(index, reply, false));
      }
    }
    await rest(200);
  }
  return open().length + under;
};

const telling = setInterval(tell, 1000);
await sendAtRate(pace, count, (index, due) => {
  buy(index, due);
  if (index % 10 === 3) list(index, due);
  if (index % 10 === 8) repeat(index, due);
});
clearInterval(telling);
tell();
const processor = process.cpuUsage();
const loadMs = performance.now() - start;
const notFinal = await settle();
const total: Total = {
  kind: 'total',
  sent,
  sold,
  healthy: whole.count(),
  slow,
  p50: rounded(whole.quantile(0.5)),
  p99: rounded(whole.quantile(0.99)),
  p999: rounded(whole.quantile(0.999)),
  max: rounded(whole.max()),
  errors,
  notFinal,
  processor: rounded((processor.user + processor.system) / 1000 / loadMs),
  settledAfter: rounded((performance.now() - start - loadMs) / 1000),
};
console.log(JSON.stringify(total));
lines.close();
