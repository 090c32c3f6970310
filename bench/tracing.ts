/** Measures what spans cost: off, recorded, and recorded by sampling, in nanoseconds for each request and purchase. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { tracingFrom } from '../src/config/tracing.ts';
import { callWithin } from '../src/connector/call.ts';
import { beginRequest, tracedRequests } from '../src/http/traced-requests.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemRandom } from '../src/lib/random.ts';
import { startTracing } from '../src/tracing/sdk.ts';
import type { Spans } from '../src/tracing/spans.ts';
import { ensureInstalled } from '../test/support/ensure-installed.ts';

const tools = fileURLToPath(new URL('../tools/', import.meta.url));
const log = { info: () => {}, warn: () => {} };

const traced = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const page = { method: 'GET', route: '/api/clients/products', traceparent: undefined };
const sale = { method: 'POST', route: '/api/top-up/package', traceparent: undefined };
const line = { request: 'r', status: 200, ms: 1, clientId: 'c' };
const answered = Promise.resolve({ kind: 'done', ref: 'x' });

/** What is done for spans on the way of a request to its answer, and nothing else. */
const worksOf = (spans: Spans): Readonly<Record<string, () => unknown>> => {
  const end = tracedRequests(() => {});
  const call = callWithin(systemClock, () => {}, spans);
  const exchange = async () => answered;
  return {
    'a request without a trace': () => end({ ...line, ...page, span: beginRequest(spans, page) }),
    'a request with a trace': () => {
      const span = beginRequest(spans, { ...page, traceparent: traced });
      end({ ...line, ...page, span });
    },
    'all that one purchase brings': async () => {
      const span = beginRequest(spans, sale);
      const origin = { requestId: 'r', trace: span.trace };
      for (const kind of ['subscriber', 'order'] as const) {
        await call(1000, exchange, { operatorId: 2, kind, origin, purchaseId: 'p' });
      }
      for (const name of ['purchase begin', 'purchase settle']) {
        spans.begin({ name, kind: 'internal', trace: span.trace }).end();
      }
      end({ ...line, ...sale, span, purchaseId: 'p' });
    },
  };
};

/** Of the processor's time: other programs on the machine do not count. */
const measure = async (work: () => unknown, rounds: number): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run += 1) {
    const started = process.cpuUsage();
    for (let index = 0; index < rounds; index += 1) await work();
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, ((user + system) * 1000) / rounds);
  }
  return best;
};

const start = async (env: Readonly<Record<string, string>>): Promise<Spans> => {
  Object.assign(process.env, env);
  const load = async (name: string): Promise<unknown> =>
    createRequire(`${tools}package.json`)(name);
  const parts = { clock: systemClock, random: systemRandom, log, load };
  const { spans } = await startTracing({ ...parts, settings: tracingFrom(env), version: '1' });
  return spans;
};

/** Nothing listens there: batches are made and refused. The queue is bounded, so most spans of a full load are dropped. */
const nowhere = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
const modes = {
  off: {},
  recorded: nowhere,
  unsampled: { ...nowhere, OTEL_TRACES_SAMPLER: 'always_off' },
};
const [mode = ''] = process.argv.slice(2);
const env = Object.entries(modes).find(([name]) => name === mode)?.[1];
if (env === undefined) throw new Error(`Name what is measured: ${Object.keys(modes).join(', ')}.`);

await ensureInstalled(tools);
const before = process.memoryUsage.rss();
const spans = await start(env);
const loadedMb = (process.memoryUsage.rss() - before) / 2 ** 20;
for (const [what, work] of Object.entries(worksOf(spans))) {
  const ns = await measure(work, mode === 'off' ? 100_000 : 10_000);
  console.log(`${ns.toFixed(0).padStart(6)} ns  ${what}`);
}
console.log(`${loadedMb.toFixed(0)} MB for what was loaded`);
process.exit();
