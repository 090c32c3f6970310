/** Measures the cost of growth: lists by the size of the catalogue; purchases and the back office by past sales. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { largeCatalogue } from '../test/support/large-catalogue.ts';
import { emptyFolder } from '../test/support/process.ts';
import type { Engine } from './console-fill.ts';
import { fillShop } from './growth-fill.ts';
import {
  measure,
  type Plan,
  type Running,
  rounded,
  type Size,
  startOn,
  stopAll,
  wrk,
} from './growth-measure.ts';
import { measurePurchases, type PurchasesSize } from './growth-purchases.ts';
import { endAll } from './resources.ts';
import { endServers } from './serve.ts';

export type GrowthOptions = {
  /** Smaller sizes and shorter times. */
  readonly quick: boolean;
};

export type Growth = {
  readonly list: readonly Size[];
  readonly purchases: Readonly<Record<Engine, readonly PurchasesSize[]>>;
  /** Throughput at the largest size against that at the smallest. */
  readonly listRatio: number;
  readonly purchaseRatio: Readonly<Record<Engine, number>>;
  readonly ok: boolean;
};

const plans: Readonly<Record<'full' | 'quick', Plan>> = {
  full: {
    products: [100, 10_000, 100_000],
    purchases: [10_000, 1_000_000, 10_000_000],
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
};
const engines = ['sqlite', 'postgres'] as const;
const least = { list: 0.9, purchase: 0.85 } as const;

const measureLists = async (plan: Plan, newFolder: () => string): Promise<Size[]> => {
  const all: Running[] = [];
  for (const size of plan.products) {
    const data = newFolder();
    const tokens = await fillShop({ data }, { products: largeCatalogue(size), clients: 1 });
    const started = await startOn({ data }, plan.starts);
    const header = `Authorization: Bearer ${readFileSync(tokens, 'utf8')}`;
    const url = `${started.served.url}/api/clients/products?per_page=100`;
    all.push({ ...started, size, load: (seconds) => wrk(seconds, 128, '-H', header, url) });
  }
  const sizes = await measure(all, plan, (rounds) => Math.max(...rounds));
  await stopAll(all);
  return sizes;
};

const ratioOf = (sizes: readonly Size[]): number =>
  rounded((sizes.at(-1)?.perSecond ?? 0) / (sizes[0]?.perSecond ?? 0), 2);

const row = (...cells: readonly (string | number)[]): void =>
  console.log(cells.map((cell) => String(cell).padStart(14)).join(''));
const heads = ['a second', 'start, ms', 'started, MB', 'loaded, MB'];
const figuresOf = ({ size, perSecond, startMs, memoryAtStartMb, memoryMb }: Size) =>
  [size, perSecond, startMs, memoryAtStartMb, memoryMb] as const;

const printLists = (list: readonly Size[]): void => {
  row('products', ...heads);
  for (const size of list) row(...figuresOf(size));
  console.log(
    `The list of the largest to that of the smallest: ${ratioOf(list)} (at least ${least.list}).`,
  );
};

const printPurchases = (engine: Engine, sizes: readonly PurchasesSize[]): void => {
  console.log(engine);
  row('purchases', ...heads, 'database, MB', 'filled, s', 'books');
  for (const size of sizes) {
    const books = size.verified ? 'right' : 'WRONG';
    row(...figuresOf(size), size.databaseMb, size.fillSeconds, books);
  }
  row('purchases', 'overview, ms', 'search, ms', 'report, ms');
  for (const { size, pages } of sizes) row(size, pages.overview, pages.search, pages.report);
  console.log(
    `A purchase at the most to one at the fewest: ${ratioOf(sizes)} (at least ${least.purchase}).`,
  );
};

const interrupted = 130;

/** Measures all in its own folders, which it removes. */
export const growth = async ({ quick }: GrowthOptions): Promise<Growth> => {
  const plan = quick ? plans.quick : plans.full;
  const folders: string[] = [];
  const newFolder = (): string => {
    const made = emptyFolder();
    folders.push(made);
    return made;
  };
  const cleanUp = async (): Promise<void> => {
    endServers();
    await endAll();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(interrupted)));
  }
  // Printed at once: the next part takes half an hour.
  const measureAndPrint = async (engine: Engine): Promise<readonly PurchasesSize[]> => {
    const sizes = await measurePurchases(plan, engine, newFolder);
    printPurchases(engine, sizes);
    return sizes;
  };
  try {
    const list = await measureLists(plan, newFolder);
    printLists(list);
    const purchases = {
      sqlite: await measureAndPrint('sqlite'),
      postgres: await measureAndPrint('postgres'),
    };
    const listRatio = ratioOf(list);
    const purchaseRatio = {
      sqlite: ratioOf(purchases.sqlite),
      postgres: ratioOf(purchases.postgres),
    };
    const ok =
      listRatio >= least.list &&
      engines.every((engine) => purchaseRatio[engine] >= least.purchase) &&
      engines.every((engine) => purchases[engine].every(({ verified }) => verified));
    return { list, purchases, listRatio, purchaseRatio, ok };
  } finally {
    await cleanUp();
  }
};

/** Measures, prints and writes; returns whether all is within the limits. */
export const runGrowth = async (options: GrowthOptions & { readonly out: string }) => {
  const figures = await growth(options);
  mkdirSync(dirname(options.out), { recursive: true });
  const where = { node: process.version, processors: cpus().length, quick: options.quick };
  writeFileSync(options.out, `${JSON.stringify({ ...where, ...figures }, null, 2)}\n`);
  return figures.ok;
};
