/** Measures the cost of growth: lists by the size of the catalogue, purchases by how many came before. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { databaseFile } from '../src/db/sqlite/open.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { at } from '../test/support/answers.ts';
import { largeCatalogue } from '../test/support/large-catalogue.ts';
import { parsed } from '../test/support/live.ts';
import { residentMegabytes } from '../test/support/memory.ts';
import { emptyFolder, simgate } from '../test/support/process.ts';
import { fillPast, fillShop } from './growth-fill.ts';
import { endServers, type Served, serve } from './serve.ts';

export type GrowthOptions = {
  /** Smaller sizes and shorter times. */
  readonly quick: boolean;
};

type Size = {
  readonly size: number;
  readonly perSecond: number;
  readonly rounds: readonly number[];
  readonly startMs: number;
  readonly memoryAtStartMb: number;
  readonly memoryMb: number;
};

export type Growth = {
  readonly list: readonly Size[];
  readonly purchases: readonly (Size & {
    readonly fillSeconds: number;
    readonly fileMb: number;
    readonly verified: boolean;
  })[];
  /** Throughput at the largest size against that at the smallest. */
  readonly listRatio: number;
  readonly purchaseRatio: number;
  readonly ok: boolean;
};

const plans = {
  full: {
    products: [100, 10_000, 100_000],
    purchases: [10_000, 1_000_000, 5_000_000],
    seconds: 5,
    rounds: 3,
    starts: 3,
  },
  quick: {
    products: [100, 1000, 10_000],
    purchases: [1000, 10_000, 100_000],
    seconds: 2,
    rounds: 3,
    starts: 1,
  },
} as const;
type Plan = (typeof plans)[keyof typeof plans];

const least = { list: 0.9, purchase: 0.75 } as const;
const clients = 300;
const [product, operator, price] = [1, 1, 1000];

const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const run = promisify(execFile);

/** Requests a second by `wrk`; anything but good answers is an error. */
const wrk = async (seconds: number, connections: number, ...args: string[]): Promise<number> => {
  const how = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s'];
  const { stdout } = await run('wrk', [...how, ...args]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
};

type Running = {
  readonly size: number;
  readonly data: string;
  readonly served: Served;
  readonly startMs: number;
  readonly memoryAtStartMb: number;
  /** Runs the load for this many seconds; returns the throughput per second. */
  readonly load: (seconds: number) => Promise<number>;
};

/** Starts a server several times, and leaves the last one running. */
const startOn = async (data: string, starts: number) => {
  const times: number[] = [];
  for (;;) {
    const served = await serve(data);
    times.push(served.startMs);
    if (times.length < starts) {
      await served.stop();
      continue;
    }
    const memoryAtStartMb = rounded(residentMegabytes(served.pid));
    return { data, served, startMs: rounded(median(times)), memoryAtStartMb };
  }
};

/** Measures all sizes in turn, so that a busy moment affects all of them; then ends their servers. */
const measure = async (
  all: readonly Running[],
  { seconds, rounds }: Plan,
  choose: (rounds: readonly number[]) => number,
): Promise<Size[]> => {
  // A warm-up: the JIT has to see the load first.
  for (const { load } of all) await load(seconds);
  const rates: number[][] = all.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const turns = [...all.entries()];
    for (const [index, { load }] of round % 2 === 0 ? turns : turns.toReversed()) {
      rates[index]?.push(rounded(await load(seconds)));
    }
  }
  const sizes = all.map(({ size, served, startMs, memoryAtStartMb }, index) => {
    const own = rates[index] ?? [];
    const memoryMb = rounded(residentMegabytes(served.pid));
    return { size, perSecond: choose(own), rounds: own, startMs, memoryAtStartMb, memoryMb };
  });
  for (const { served } of all) await served.stop();
  return sizes;
};

const measureLists = async (plan: Plan, newFolder: () => string): Promise<Size[]> => {
  const all: Running[] = [];
  for (const size of plan.products) {
    const data = newFolder();
    const tokens = await fillShop(data, { products: largeCatalogue(size), clients: 1 });
    const started = await startOn(data, plan.starts);
    const header = `Authorization: Bearer ${readFileSync(tokens, 'utf8')}`;
    const url = `${started.served.url}/api/clients/products?per_page=100`;
    all.push({ ...started, size, load: (seconds) => wrk(seconds, 128, '-H', header, url) });
  }
  return measure(all, plan, (rounds) => Math.max(...rounds));
};

/** Each request is a purchase under its own random key, of each client in turn. */
const buyScript = (tokens: string, seed: number): string => `
local tokens, count = {}, 0
for line in io.lines('${tokens}') do tokens[#tokens + 1] = line end
math.randomseed(${seed})
local function word() return string.format('%08x', math.random(0, 0x7fffffff)) end
request = function()
  count = count + 1
  local mobile = string.format('9891%06d%02d', count % 1000000, count * 2 % 88)
  return wrk.format('POST', '/api/top-up/package/', {
    ['Authorization'] = 'Bearer ' .. tokens[count % #tokens + 1],
    ['Idempotency-Key'] = word() .. word() .. word() .. word(),
    ['Content-Type'] = 'application/x-www-form-urlencoded',
  }, 'product_id=${product}&price=${price}&mobile=' .. mobile .. '&webservice_code=order-' .. count)
end
`;

const measurePurchases = async (plan: Plan, newFolder: () => string) => {
  const all: Running[] = [];
  const files: { readonly fillSeconds: number; readonly fileMb: number }[] = [];
  for (const count of plan.purchases) {
    const data = newFolder();
    const sold = sampleProduct({ id: product, operator_id: operator, price });
    const tokens = await fillShop(data, { products: [sold], clients });
    const begin = performance.now();
    fillPast(data, { count, product, operator, price });
    const fillSeconds = rounded((performance.now() - begin) / 1000, 1);
    files.push({ fillSeconds, fileMb: rounded(statSync(databaseFile(data)).size / 1_000_000) });
    const started = await startOn(data, plan.starts);
    const script = join(data, 'buy.lua');
    let loads = 0;
    const load = (seconds: number): Promise<number> => {
      loads += 1;
      writeFileSync(script, buyScript(tokens, loads));
      return wrk(seconds, 64, '-s', script, started.served.url);
    };
    all.push({ ...started, size: count, load });
  }
  const sizes = await measure(all, plan, median);
  const verified: boolean[] = [];
  for (const { data } of all) {
    verified.push(at(parsed((await simgate(data, ['verify', '--json'])).out), 'ok') === true);
  }
  return sizes.map((size, index) => ({
    ...size,
    fillSeconds: files[index]?.fillSeconds ?? Number.NaN,
    fileMb: files[index]?.fileMb ?? Number.NaN,
    verified: verified[index] ?? false,
  }));
};

const ratioOf = (sizes: readonly Size[]): number =>
  rounded((sizes.at(-1)?.perSecond ?? 0) / (sizes[0]?.perSecond ?? 0), 2);

/** Measures both, in its own folders, which it removes. */
export const growth = async ({ quick }: GrowthOptions): Promise<Growth> => {
  const plan = quick ? plans.quick : plans.full;
  const folders: string[] = [];
  const newFolder = (): string => {
    const made = emptyFolder();
    folders.push(made);
    return made;
  };
  try {
    const list = await measureLists(plan, newFolder);
    const purchases = await measurePurchases(plan, newFolder);
    const [listRatio, purchaseRatio] = [ratioOf(list), ratioOf(purchases)];
    const right = purchases.every(({ verified }) => verified);
    const ok = listRatio >= least.list && purchaseRatio >= least.purchase && right;
    return { list, purchases, listRatio, purchaseRatio, ok };
  } finally {
    endServers();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
};

export const printGrowth = ({ list, purchases, listRatio, purchaseRatio }: Growth): void => {
  const row = (...cells: readonly (string | number)[]): void =>
    console.log(cells.map((cell) => String(cell).padStart(14)).join(''));
  const heads = ['a second', 'start, ms', 'started, MB', 'loaded, MB'];
  const figures = ({ size, perSecond, startMs, memoryAtStartMb, memoryMb }: Size) =>
    [size, perSecond, startMs, memoryAtStartMb, memoryMb] as const;
  row('products', ...heads);
  for (const size of list) row(...figures(size));
  console.log(
    `The list of the largest to that of the smallest: ${listRatio} (at least ${least.list}).`,
  );
  row('purchases', ...heads, 'file, MB', 'filled, s', 'books');
  for (const size of purchases) {
    row(...figures(size), size.fileMb, size.fillSeconds, size.verified ? 'right' : 'WRONG');
  }
  console.log(
    `A purchase at the most to one at the fewest: ${purchaseRatio} (at least ${least.purchase}).`,
  );
};

/** Measures, prints and writes; returns whether all is within the limits. */
export const runGrowth = async (options: GrowthOptions & { readonly out: string }) => {
  const figures = await growth(options);
  printGrowth(figures);
  mkdirSync(dirname(options.out), { recursive: true });
  const where = { node: process.version, processors: cpus().length, quick: options.quick };
  writeFileSync(options.out, `${JSON.stringify({ ...where, ...figures }, null, 2)}\n`);
  return figures.ok;
};
