/** Measures two overloads: an operator that hangs beside a healthy one, and twenty times the sustainable load. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printCatalogue } from '../src/catalogue/file/file.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { at } from '../test/support/answers.ts';
import { parsed } from '../test/support/live.ts';
import { residentMegabytes } from '../test/support/memory.ts';
import { emptyFolder, simgate } from '../test/support/process.ts';
import { endServers, type Served, serve } from './serve.ts';

const { values: options } = parseArgs({
  options: {
    hang: { type: 'string', default: '60' },
    overload: { type: 'string', default: '20' },
    times: { type: 'string', default: '20' },
    rate: { type: 'string', default: '50' },
    places: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
});

const price = 10_000;
const command = fileURLToPath(new URL('../bin/simgate.js', import.meta.url));
const loadScript = fileURLToPath(new URL('./load.ts', import.meta.url));

const folders: string[] = [];
const children = new Set<ChildProcess>();

const folder = (): string => {
  const made = emptyFolder();
  folders.push(made);
  return made;
};

const run = (args: readonly string[]): ChildProcess => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
};

type Operator = {
  readonly url: string;
  /** Ends the process and starts another on the same port and book. */
  readonly restart: (...args: readonly string[]) => Promise<void>;
};

/** Simulated operators in their own process. */
const startOperator = async (...first: readonly string[]): Promise<Operator> => {
  const book = join(folder(), 'book.jsonl');
  const start = async (port: string, args: readonly string[]) => {
    const child = run([command, 'simulator', '--port', port, '--book', book, '--json', ...args]);
    const printed: unknown[] = child.stdout === null ? [] : await once(child.stdout, 'data');
    return { child, url: String(at(parsed(String(printed[0])), 'url')) };
  };
  let running = await start('0', first);
  const { url } = running;
  return {
    url,
    restart: async (...args) => {
      const closed = once(running.child, 'close');
      running.child.kill('SIGKILL');
      await closed;
      running = await start(new URL(url).port, args);
    },
  };
};

type Shop = { readonly data: string; readonly served: Served; readonly token: string };

/** A gateway with these operators 1 and 2, and products 1 and 2. */
const openShop = async (operators: readonly Operator[], settings: object): Promise<Shop> => {
  const data = folder();
  const products = operators.map((_, index) =>
    sampleProduct({ id: index + 1, operator_id: index + 1, price }),
  );
  const file = join(data, 'products.json');
  writeFileSync(file, [...printCatalogue(products, 'json')].join(''));
  const connected = operators.map(({ url }, index): [number, unknown] => {
    const settings = {
      baseUrl: `${url}/operators/${index + 1}`,
      connections: 500,
      headersMs: 5000,
      answerMs: 5000,
      settlesWithin: 1000,
      inquiries: { firstInquiryMs: 1000, widestInquiryMs: 8000, reviewAfterMs: 86_400_000 },
    };
    return [index + 1, { connector: 'http', settings }];
  });
  const config = { operators: Object.fromEntries(connected), ...settings };
  writeFileSync(join(data, 'simgate.json'), JSON.stringify(config));
  await simgate(data, ['catalogue', 'import', file]);
  const args = ['client', 'create', '--name', 'Bench', '--balance', '1000000000000', '--json'];
  const made = await simgate(data, args);
  const served = await serve(data);
  return { data, served, token: String(at(parsed(made.out), 'token')) };
};

type Load = {
  readonly product: number;
  readonly rate: number;
  readonly seconds: number;
  readonly keys: string;
};

/** Runs the load in its own process, and returns its figures. */
const load = async ({ served, token }: Shop, wanted: Load): Promise<unknown> => {
  const { product, rate, seconds, keys } = wanted;
  const given = { url: served.url, token, price, product, rate, seconds, keys, connections: 400 };
  const child = run([
    loadScript,
    ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]),
  ]);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
  const closed: unknown[] = await once(child, 'close');
  if (closed[0] !== 0) throw new Error(`The load ended with ${String(closed[0])}.`);
  return parsed(text);
};

const figure = (result: unknown, status: string, name: string): number =>
  Number(at(at(at(result, 'answers'), status) ?? {}, name) ?? 0);

/** The number of purchases in each state; those neither final nor in review are open. */
const standing = (data: string): { readonly open: number; readonly states: string } => {
  const database = new DatabaseSync(join(data, 'simgate.db'), { readOnly: true });
  const rows = database.prepare('select state, count(*) as n from purchases group by state').all();
  const open = database
    .prepare('select count(*) as n from purchases where due_at is not null')
    .get();
  database.close();
  const states = rows.map((row) => `${String(row['state'])} ${String(row['n'])}`).join(', ');
  return { open: Number(open?.['n']), states };
};

/** Waits until nothing is open any more; returns how many seconds that took. */
const untilSettled = async (data: string): Promise<number> => {
  const begin = performance.now();
  while (standing(data).open > 0) {
    if (performance.now() - begin > 300_000) throw new Error('Some purchases never end.');
    await rest(200);
  }
  return Number(((performance.now() - begin) / 1000).toFixed(1));
};

/** Buys from operator 1 until it sells; returns how many seconds that took. */
const untilSold = async (shop: Shop): Promise<number> => {
  const begin = performance.now();
  for (let count = 0; ; count += 1) {
    const wanted = { product: 1, rate: 2, seconds: 0.5, keys: `again-${count}` };
    if (figure(await load(shop, wanted), '200', 'count') > 0) break;
    if (performance.now() - begin > 120_000) throw new Error('It never sells again.');
  }
  return Number(((performance.now() - begin) / 1000).toFixed(1));
};

const verified = async (data: string): Promise<boolean> => {
  const { out } = await simgate(data, ['verify', '--json']);
  return at(parsed(out), 'ok') === true;
};

/** The most memory while some work lasts. */
const watchMemory = async (served: Served, work: Promise<unknown>): Promise<number> => {
  const ended = work.then(() => true);
  let most = 0;
  do most = Math.max(most, residentMegabytes(served.pid));
  while (!(await Promise.race([ended, rest(500, false)])));
  return Math.round(most);
};

/** Operator 1 answers nothing for a while, under steady load; operator 2 is healthy. */
const measureHang = async () => {
  const [seconds, rate] = [Number(options.hang), Number(options.rate)];
  const operators = await Promise.all([startOperator(), startOperator()]);
  const shop = await openShop(operators, {});
  const { served, data } = shop;
  const both = async (name: string, seconds: number): Promise<[unknown, unknown]> =>
    Promise.all([
      load(shop, { product: 1, rate, seconds, keys: `one-${name}` }),
      load(shop, { product: 2, rate, seconds, keys: `two-${name}` }),
    ]);
  // A warm-up: the JIT has to see the load first.
  await both('warm', 10);
  const [, before] = await both('before', 20);
  const memoryBeforeMb = Math.round(residentMegabytes(served.pid));
  // It still answers about subscribers: the worst case, in which purchases begin and then hang.
  const hung = ['orders', 'inquiries', 'reports'].flatMap((kind) => ['--only', kind]);
  await operators[0]?.restart('--lose-requests', '1', ...hung);
  const hanging = both('during', seconds);
  const memoryDuringMb = await watchMemory(served, hanging);
  const [silent, during] = await hanging;
  const held = standing(data).open;
  await operators[0]?.restart();
  const settledAfterSeconds = await untilSettled(data);
  const soldAgainAfterSeconds = Math.round(settledAfterSeconds + (await untilSold(shop)));
  const [back] = await both('after', 10);
  const memoryAfterMb = Math.round(residentMegabytes(served.pid));
  await served.stop();
  return {
    hangSeconds: seconds,
    ratePerOperator: rate,
    healthyP50BeforeMs: figure(before, '200', 'p50'),
    healthyP99BeforeMs: figure(before, '200', 'p99'),
    healthyP50DuringMs: figure(during, '200', 'p50'),
    healthyP99DuringMs: figure(during, '200', 'p99'),
    healthyNotSoldDuring: rate * seconds - figure(during, '200', 'count'),
    hungPending: figure(silent, 'TRANSACTION_PENDING', 'count'),
    hungRefused: figure(silent, 'OPERATOR_UNAVAILABLE', 'count'),
    hungRefusedP99Ms: figure(silent, 'OPERATOR_UNAVAILABLE', 'p99'),
    openAtTheEnd: held,
    settledAfterSeconds,
    soldAgainAfterSeconds,
    notSoldAfterReturn: rate * 10 - figure(back, '200', 'count'),
    memoryBeforeMb,
    memoryDuringMb,
    memoryAfterMb,
    states: standing(data).states,
    verify: await verified(data),
  };
};

/**
 * How long the gateway itself took to refuse requests, by its log. The difference to the clients' times is
 * the wait before it read them: its own backlog, and a machine that is busy with others.
 */
const refusedInside = (data: string): number => {
  const lines = readFileSync(join(data, 'log'), 'utf8').split('\n');
  const times = lines
    .filter((line) => line.includes('"status":503,'))
    .map((line) => Number(/"ms":([\d.]+)/.exec(line)?.[1]))
    .toSorted((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
};

// Twenty times as much has to come from a load generator on the same machine.
const delayMs = 100;

/** Far more than its capacity. The capacity is limited by the operator's own time. */
const measureOverload = async () => {
  const [seconds, times] = [Number(options.overload), Number(options.times)];
  const places = Number(options.places);
  const operator = await startOperator('--delay', String(delayMs), '--only', 'orders');
  const limits = { purchasesPerOperator: places, purchases: places };
  const shop = await openShop([operator], { limits });
  const { served, data } = shop;
  const most = (places * 1000) / delayMs;
  await load(shop, { product: 1, rate: most, seconds: 5, keys: 'warm' });
  const full = await load(shop, { product: 1, rate: 2 * most, seconds: 10, keys: 'full' });
  const capacity = Math.round(figure(full, '200', 'count') / 10);
  const calm = await load(shop, { product: 1, rate: capacity / 2, seconds: 10, keys: 'calm' });
  const memoryBeforeMb = Math.round(residentMegabytes(served.pid));
  const overloading = load(shop, { product: 1, rate: times * capacity, seconds, keys: 'over' });
  const memoryDuringMb = await watchMemory(served, overloading);
  const over = await overloading;
  await untilSettled(data);
  await served.stop();
  return {
    capacityPerSecond: capacity,
    loadPerSecond: times * capacity,
    overloadSeconds: seconds,
    acceptedPerSecond: Math.round(figure(over, '200', 'count') / seconds),
    acceptedP50CalmMs: figure(calm, '200', 'p50'),
    acceptedP99CalmMs: figure(calm, '200', 'p99'),
    acceptedP50Ms: figure(over, '200', 'p50'),
    acceptedP99Ms: figure(over, '200', 'p99'),
    acceptedMaxMs: figure(over, '200', 'max'),
    refused: figure(over, 'OVERLOADED', 'count'),
    refusedP50Ms: figure(over, 'OVERLOADED', 'p50'),
    refusedP99Ms: figure(over, 'OVERLOADED', 'p99'),
    refusedInsideP99Ms: refusedInside(data),
    refusedMaxMs: figure(over, 'OVERLOADED', 'max'),
    others: JSON.stringify(at(over, 'answers'), (key, value: unknown) =>
      key === '200' || key === 'OVERLOADED' ? undefined : value,
    ),
    memoryBeforeMb,
    memoryDuringMb,
    states: standing(data).states,
    verify: await verified(data),
  };
};

const print = (title: string, figures: Readonly<Record<string, unknown>>): void => {
  console.log(title);
  for (const [name, value] of Object.entries(figures)) {
    console.log(`  ${name.padEnd(24)} ${String(value)}`);
  }
};

try {
  const overload = Number(options.overload) > 0 ? await measureOverload() : undefined;
  if (overload !== undefined) print(`${options.times} times the load`, overload);
  const hang = Number(options.hang) > 0 ? await measureHang() : undefined;
  if (hang !== undefined) print('An operator hangs', hang);
  if (options.out !== undefined) {
    const where = { node: process.version, processors: cpus().length };
    writeFileSync(options.out, `${JSON.stringify({ ...where, overload, hang }, null, 2)}\n`);
  }
  const slow = overload !== undefined && overload.refusedP99Ms > 100;
  const wrong = [overload, hang].some((figures) => figures?.verify === false);
  if (slow) console.error('The refused wait longer than 100 ms.');
  if (wrong) console.error('The books are wrong.');
  if (slow || wrong) process.exitCode = 1;
} finally {
  endServers();
  for (const child of children) child.kill('SIGKILL');
  for (const one of folders) rmSync(one, { recursive: true, force: true });
}
