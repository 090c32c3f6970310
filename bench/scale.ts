/** Measures what a purchase on PostgreSQL costs with more workers: processor time of both, commits and latency. */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../test/support/port.ts';
import { postgresShop, type Shop } from './fill.ts';
import { median } from './measure.ts';
import { cpuSeconds } from './process-figures.ts';
import { only, purchaseRequest } from './requests.ts';
import { endAll, postgres, type Running, startGateway } from './resources.ts';
import { fullLoad, steadyLoad } from './wrk.ts';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4' },
    /** Purchases a second of the load that is the same for all. */
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
});

const clients = 1000;
const seconds = Number(options.seconds);
const rate = Number(options.rate);

type Sold = { readonly perSecond: number; readonly p50: number; readonly p99: number };

/** For one purchase; processor time in microseconds. */
type Cost = Sold & {
  readonly gateway: number;
  readonly database: number;
  readonly commits: number;
};

type Setup = {
  readonly workers: number;
  readonly name: string;
  readonly shop: Shop;
  readonly gateway: Running;
  readonly full: Cost[];
  readonly steady: Cost[];
};

const open = async (workers: number): Promise<Setup> => {
  const name = `scale_${workers}`;
  const shop = await postgresShop(name, clients);
  // Where the figures of all workers are added up.
  const env = { ...shop.env, WORKERS: String(workers), METRICS_PORT: String(await freePort()) };
  const gateway = await startGateway(shop.folder, { env });
  return { workers, name, shop, gateway, full: [], steady: [] };
};

/** The committed transactions of a database, and the purchases that it holds. */
const countIn = async (name: string) => {
  const client = new pg.Client((await postgres()).url(name));
  await client.connect();
  const { rows } = await client.query<{ commits: string; purchases: string }>(
    `select xact_commit as commits, (select count(*) from purchases) as purchases
     from pg_stat_database where datname = $1`,
    [name],
  );
  await client.end();
  return { commits: Number(rows[0]?.commits), purchases: Number(rows[0]?.purchases) };
};

const costOf = async ({ name, gateway }: Setup, load: () => Promise<Sold>): Promise<Cost> => {
  const { pid } = await postgres();
  const count = await countIn(name);
  const before = { gateway: cpuSeconds(gateway.pid), database: cpuSeconds(pid()) };
  const sold = await load();
  const after = { gateway: cpuSeconds(gateway.pid), database: cpuSeconds(pid()) };
  const { commits, purchases } = await countIn(name);
  const each = (total: number): number => total / (purchases - count.purchases);
  return {
    ...sold,
    gateway: each(1e6 * (after.gateway - before.gateway)),
    database: each(1e6 * (after.database - before.database)),
    commits: each(commits - count.commits),
  };
};

let loads = 0;

const measure = async (setup: Setup): Promise<void> => {
  const { shop, gateway } = setup;
  const nextPlan = () => {
    loads += 1;
    return only(purchaseRequest(shop.bought, `load-${loads}`), shop.tokens);
  };
  setup.full.push(
    await costOf(setup, async () => {
      const { perSecond, others } = await fullLoad(gateway, nextPlan(), seconds);
      if (Object.keys(others).length > 0) throw new Error(`Not sold: ${JSON.stringify(others)}`);
      return { perSecond, p50: Number.NaN, p99: Number.NaN };
    }),
  );
  setup.steady.push(
    await costOf(setup, async () => {
      const { p50, p99 } = await steadyLoad(gateway, nextPlan(), { rate, seconds });
      return { perSecond: rate, p50, p99 };
    }),
  );
};

const medianCost = (costs: readonly Cost[]): Cost => {
  const of = (name: keyof Cost): number => median(costs.map((cost) => cost[name]));
  return {
    perSecond: of('perSecond'),
    gateway: of('gateway'),
    database: of('database'),
    commits: of('commits'),
    p50: of('p50'),
    p99: of('p99'),
  };
};

const row = (...cells: readonly (string | number)[]): void =>
  console.log(cells.map((cell) => String(cell).padStart(12)).join(''));

const print = (title: string, costs: readonly (readonly [number, Cost])[]): void => {
  console.log(title);
  row('workers', 'a second', 'gateway µs', 'database µs', 'commits', 'p50 ms', 'p99 ms');
  for (const [workers, { perSecond, gateway, database, commits, p50, p99 }] of costs) {
    const times = [p50, p99].map((ms) => (Number.isNaN(ms) ? '-' : ms.toFixed(1)));
    const each = [perSecond, gateway, database].map((one) => one.toFixed(0));
    row(workers, ...each, commits.toFixed(2), ...times);
  }
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endAll().then(() => process.exit(1)));
}

try {
  const setups: Setup[] = [];
  for (const workers of options.workers.split(',')) setups.push(await open(Number(workers)));
  for (const { gateway, shop } of setups) {
    await fullLoad(gateway, only(purchaseRequest(shop.bought, 'warm'), shop.tokens), seconds);
  }
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const setup of round % 2 === 0 ? setups : setups.toReversed()) await measure(setup);
  }
  const medians = setups.map(({ workers, full, steady }) => ({
    workers,
    full: medianCost(full),
    steady: medianCost(steady),
  }));
  print(
    'At full speed, for one purchase:',
    medians.map(({ workers, full }) => [workers, full]),
  );
  print(
    `At ${rate} purchases a second, for one purchase:`,
    medians.map(({ workers, steady }) => [workers, steady]),
  );
  if (options.out !== undefined) {
    const where = { node: process.version, processors: cpus().length, load: loadavg()[0] };
    writeFileSync(options.out, `${JSON.stringify({ ...where, medians }, null, 2)}\n`);
  }
} finally {
  await endAll();
}
