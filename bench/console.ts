/** Measures the back office with a million purchases: searches, one purchase, the start of an export, the overview. */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { idLowerBound } from '../src/lib/random.ts';
import { at, listOf } from '../test/support/answers.ts';
import { type Engine, fillOffice, fillPurchases, placeOf } from './console-fill.ts';
import { createHistogram, type Histogram } from './histogram.ts';
import { type Ask, askAt, timeOf, unbounded, whenFree } from './office.ts';
import { endAll, newFolder, startGateway } from './resources.ts';

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    purchases: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '40' },
  },
});

const mostMs = 100;
const dayMs = 24 * 60 * 60 * 1000;

/** The values that requests use: purchases across the past, and clients. */
type Samples = {
  readonly rows: readonly unknown[];
  readonly large: string;
  readonly small: string;
};

const oneOf = <T>(list: readonly T[]): T | undefined =>
  list[Math.floor(Math.random() * list.length)];
const field =
  (name: string) =>
  (samples: Samples): string =>
    encodeURIComponent(String(at(oneOf(samples.rows), name)));
const daysAgo = (days: number): number => Date.now() - days * dayMs;
const day = (days: number): string => new Date(daysAgo(days)).toISOString().slice(0, 10);

/** The numbers of the past are masked in answers: these are computed as its SQL computes them. */
const someNumber = (): string => {
  const noise = (Math.floor(Math.random() * Number(options.purchases)) * 2_654_435_761) % 2 ** 32;
  return `989${String(noise % 1_000_000_000).padStart(9, '0')}`;
};

/** The baseline of all others: one row by its key. */
const measure = 'one by its id';

/** Each measured request, by name. A new page needs a line here. */
const requests: Readonly<Record<string, (samples: Samples) => string>> = {
  [measure]: (s) => `purchases?id=${field('id')(s)}`,
  'first page': () => 'purchases',
  'first page of 100': () => 'purchases?limit=100',
  'a deep page': () => `purchases?before=${idLowerBound(daysAgo(Math.random() * 29))}`,
  'by key': (s) => `purchases?key=${field('idempotency_key')(s)}`,
  'by code': (s) => `purchases?code=${field('webservice_code')(s)}`,
  'by a code of a tenth': () => 'purchases?code=web',
  'by number': () => `purchases?number=${someNumber()}`,
  'by a number of a fiftieth': () => 'purchases?number=989120000000',
  'a text that is an id': (s) => `purchases?q=${field('id')(s)}`,
  'a text that is a code': (s) => `purchases?q=${field('webservice_code')(s)}`,
  'a text that is a number': () => `purchases?q=${someNumber()}`,
  'a text that is nothing': () => 'purchases?q=nothing-of-it',
  'the largest client': (s) => `purchases?client_id=${s.large}`,
  'a small client': (s) => `purchases?client_id=${s.small}`,
  'a small client, deep': (s) =>
    `purchases?client_id=${s.small}&before=${idLowerBound(daysAgo(Math.random() * 29))}`,
  'a small client, failed': (s) => `purchases?client_id=${s.small}&state=failed`,
  'a small client, succeeded, a day': (s) =>
    `purchases?client_id=${s.small}&state=succeeded&from=${day(12)}&to=${day(11)}`,
  ...Object.fromEntries(
    ['succeeded', 'failed', 'refused', 'reversed', 'unknown', 'submitted', 'review', 'open'].map(
      (state) => [state, () => `purchases?state=${state}`],
    ),
  ),
  'failed, deep': () =>
    `purchases?state=failed&before=${idLowerBound(daysAgo(Math.random() * 29))}`,
  'needs review': () => 'purchases?needs_person=1',
  'needs review, a small client': (s) => `purchases?needs_person=1&client_id=${s.small}`,
  'a day': () => `purchases?from=${day(9)}&to=${day(8)}`,
  'a day, failed': () => `purchases?state=failed&from=${day(9)}&to=${day(8)}`,
  'a day of nothing': () => 'purchases?from=2020-01-01&to=2020-01-02',
  'two that never meet': () => 'purchases?number=989120000000&code=web',
  'oldest first': () => 'purchases?order=oldest',
  'an operator': () => 'purchases?operator_id=3',
  'a type that nothing has': () => 'purchases?type=td_lte_internet',
  'failed by a reason': () => 'purchases?state=failed&reason=OPERATOR_DECLINED',
  contradicted: () => 'purchases?disputed=1',
  'totals of all': () => 'purchases/totals',
  'totals of a day, failed': () => `purchases/totals?state=failed&from=${day(9)}&to=${day(8)}`,
  'totals of a type that nothing has': () => 'purchases/totals?type=td_lte_internet',
  'all of one purchase': (s) => `purchases/${field('id')(s)}`,
  'a file, its first byte': () => 'purchases.csv?state=succeeded',
};

/** Different each time: the overview is cached, and would measure nothing. */
const overviews = ['today', 'yesterday', 'last_7_days', 'last_30_days'] as const;
const overviewRounds = 12;
const staleAfterMs = 2100;

const rowsOf = async (ask: Ask, path: string): Promise<readonly unknown[]> => {
  const body: unknown = await (await ask(path)).json();
  return listOf(at(body, 'data'));
};

const sampled = async (ask: Ask): Promise<Samples> => {
  const rows: unknown[] = [];
  for (let days = 1; days < 29; days += 1) {
    rows.push(...(await rowsOf(ask, `purchases?before=${idLowerBound(daysAgo(days))}&limit=20`)));
  }
  const clients = rows.map((row) => String(at(row, 'client', 'id')));
  const countOf = (id: string): number => clients.filter((one) => one === id).length;
  const [large = '', ...others] = [...new Set(clients)].sort((a, b) => countOf(b) - countOf(a));
  // A code that a tenth has is measured separately.
  const own = rows.filter((row) => at(row, 'webservice_code') !== 'web');
  return { rows: own, large, small: others.at(-1) ?? '' };
};

const measureOverview = async (ask: Ask): Promise<Map<string, Histogram>> => {
  const times = new Map(overviews.map((span) => [span, createHistogram()]));
  for (let round = -1; round < overviewRounds; round += 1) {
    await wait(staleAfterMs);
    for (const span of overviews) {
      const took = await timeOf(ask, `overview?span=${span}`);
      if (round >= 0) times.get(span)?.add(took);
    }
  }
  return new Map([...times].map(([span, one]) => [`the overview of ${span}`, one]));
};

const report = (name: string, times: Histogram, base: number): boolean => {
  const [half, most, max] = [times.quantile(0.5), times.quantile(0.95), times.max()];
  const cells = [half, most, max].map((ms) => ms.toFixed(1).padStart(7));
  const isQuick = most < mostMs;
  console.log(
    `${name.padEnd(34)} ${cells.join(' ')}   ${(half / base).toFixed(1).padStart(5)}${isQuick ? '' : '   TOO SLOW'}`,
  );
  return isQuick;
};

const bench = async (engine: Engine): Promise<void> => {
  const folder = newFolder();
  const env = await placeOf(engine, folder);
  const session = await fillOffice(env);
  const begun = performance.now();
  await fillPurchases(engine, env, Number(options.purchases));
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const gateway = await startGateway(folder, { env: { ...env, ...unbounded(folder) } });
  const ask = askAt(gateway.url, session);
  const samples = await sampled(ask);
  const times = new Map(Object.keys(requests).map((name) => [name, createHistogram()]));
  const { files = [], others = [] } = Object.groupBy(Object.entries(requests), ([, path]) =>
    path(samples).includes('.csv') ? 'files' : 'others',
  );
  // Files separately: aborting one needs a new connection for the next request.
  for (const some of [others, files]) {
    for (let round = -5; round < Number(options.rounds); round += 1) {
      for (const [name, path] of some) {
        const took = await timeOf(ask, path(samples));
        // The first rounds compile, and read from the disk.
        if (round >= 0) times.get(name)?.add(took);
      }
    }
  }
  for (const [name, one] of await measureOverview(ask)) times.set(name, one);
  console.log(`\n${engine}, ${options.purchases} purchases, filled in ${seconds} s`);
  console.log(`${'milliseconds'.padEnd(34)}     p50     p95     max   to one by its id`);
  const base = times.get(measure)?.quantile(0.5) ?? 1;
  const quick = [...times].map(([name, one]) => report(name, one, base));
  if (quick.includes(false)) process.exitCode = 1;
  const whole = performance.now();
  const { length } = await (await whenFree(ask, 'purchases.csv')).text();
  console.log(
    `a whole file of 100,000 rows: ${(length / 1e6).toFixed(0)} MB in ${((performance.now() - whole) / 1000).toFixed(1)} s`,
  );
  await gateway.stop();
};

try {
  for (const engine of ['sqlite', 'postgres'] as const) {
    if (options.engine === undefined || options.engine === engine) await bench(engine);
  }
} finally {
  await endAll();
}
