/** Measures purchases and pages of the back office by how many purchases came before, on both databases. */
import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { databaseFile } from '../src/db/sqlite/open.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { at } from '../test/support/answers.ts';
import { parsed } from '../test/support/live.ts';
import { simgate } from '../test/support/process.ts';
import { type Engine, openOwner } from './console-fill.ts';
import { countPast, fillPast, fillShop, type Place } from './growth-fill.ts';
import {
  measure,
  median,
  type Plan,
  type Running,
  rounded,
  type Size,
  startOn,
  stopAll,
  wrk,
} from './growth-measure.ts';
import { askAt, timeOf, unbounded } from './office.ts';
import { runSql } from './pgbench.ts';
import { postgres } from './resources.ts';
import type { Served } from './serve.ts';

const clients = 300;
const [product, operator, price] = [1, 1, 1000];

/** Requests of the back office, p50 in milliseconds. */
type Pages = Readonly<Record<keyof typeof pages, number>>;

export type PurchasesSize = Size & {
  readonly pages: Pages;
  readonly fillSeconds: number;
  readonly databaseMb: number;
  readonly verified: boolean;
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

const dayMs = 86_400_000;
const dayAgo = (days: number): string =>
  new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

const pages = {
  overview: () => 'overview?span=last_30_days',
  search: (turn: number) => `purchases?number=989${String(turn * 7919).padStart(9, '0')}`,
  report: () => `sales?from=${dayAgo(29)}&to=${dayAgo(0)}&by=client&by=day`,
} as const;
const pageRounds = 7;
// The overview is kept for two seconds.
const staleAfterMs = 2100;

/** Measures the pages of all sizes in turn. */
const measurePages = async (
  all: readonly { readonly served: Served; readonly session: string }[],
): Promise<Pages[]> => {
  const times = all.map(() => ({
    overview: new Array<number>(),
    search: new Array<number>(),
    report: new Array<number>(),
  }));
  for (let round = -1; round < pageRounds; round += 1) {
    await rest(staleAfterMs);
    for (const [index, { served, session }] of all.entries()) {
      const ask = askAt(served.url, session);
      for (const name of ['overview', 'search', 'report'] as const) {
        const took = await timeOf(ask, pages[name](round + 1));
        // The first round compiles, and reads from the disk.
        if (round >= 0) times[index]?.[name].push(took);
      }
    }
  }
  return times.map(({ overview, search, report }) => ({
    overview: rounded(median(overview), 1),
    search: rounded(median(search), 1),
    report: rounded(median(report), 1),
  }));
};

const placeFor = async (engine: Engine, data: string, count: number): Promise<Place> => {
  const env = unbounded(data);
  if (engine === 'sqlite') return { data, env };
  const database = `growth_${count}`;
  await runSql('postgres', `create database ${database}`);
  return { data, env: { ...env, DATABASE_URL: (await postgres()).url(database) } };
};

const sizeOf = async ({ data, env }: Place): Promise<number> => {
  const url = env?.['DATABASE_URL'];
  if (url === undefined) return statSync(databaseFile(data)).size;
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ size: string }>(
    'select pg_database_size(current_database()) as size',
  );
  await client.end();
  return Number(rows[0]?.size);
};

/** A database with a past, its statistics up to date. */
const openPast = async (place: Place, count: number): Promise<string> => {
  const sold = sampleProduct({ id: product, operator_id: operator, price });
  const tokens = await fillShop(place, { products: [sold], clients });
  await fillPast(place, { count, product, operator, price });
  const url = place.env?.['DATABASE_URL'];
  if (url !== undefined) await runSql(new URL(url).pathname.slice(1), 'vacuum analyze');
  await countPast(place);
  return tokens;
};

const isVerified = async ({ data, env }: Place): Promise<boolean> =>
  at(parsed((await simgate(data, ['verify', '--json'], env)).out), 'ok') === true;

/** Gigabytes that were just created are written to the disk first: purchases would wait for that. */
const settleDisk = async (engine: Engine): Promise<void> => {
  if (engine === 'postgres') await runSql('postgres', 'checkpoint');
  execFileSync('sync');
};

export const measurePurchases = async (
  plan: Plan,
  engine: Engine,
  newFolder: () => string,
): Promise<PurchasesSize[]> => {
  const all: (Running & { readonly place: Place; readonly session: string })[] = [];
  const filled: { readonly fillSeconds: number; readonly databaseMb: number }[] = [];
  for (const count of plan.purchases) {
    const place = await placeFor(engine, newFolder(), count);
    const begin = performance.now();
    const tokens = await openPast(place, count);
    const fillSeconds = rounded((performance.now() - begin) / 1000, 1);
    filled.push({ fillSeconds, databaseMb: rounded((await sizeOf(place)) / 1_000_000) });
    const session = await openOwner({ DATA_DIR: place.data, ...place.env });
    const started = await startOn(place, plan.starts);
    const script = join(place.data, 'buy.lua');
    let loads = 0;
    const load = (seconds: number): Promise<number> => {
      loads += 1;
      writeFileSync(script, buyScript(tokens, loads));
      return wrk(seconds, 64, '-s', script, started.served.url);
    };
    all.push({ ...started, size: count, load, place, session });
  }
  await settleDisk(engine);
  const sizes = await measure(all, plan, median);
  const took = await measurePages(all);
  await stopAll(all);
  const measured: PurchasesSize[] = [];
  for (const [index, size] of sizes.entries()) {
    const [made, shown, one] = [filled[index], took[index], all[index]];
    if (made === undefined || shown === undefined || one === undefined) continue;
    measured.push({ ...size, ...made, pages: shown, verified: await isVerified(one.place) });
  }
  return measured;
};
