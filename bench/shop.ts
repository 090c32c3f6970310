/** Sells from simulated operators under load: what the benches of overloads and of suppliers share. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printCatalogue } from '../src/catalogue/file/file.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { at } from '../test/support/answers.ts';
import { parsed } from '../test/support/live.ts';
import { emptyFolder, simgate } from '../test/support/process.ts';
import { endServers, type Served, serve } from './serve.ts';

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

export type Operator = {
  readonly url: string;
  /** Ends the process and starts another on the same port and book. */
  readonly restart: (...args: readonly string[]) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** How many orders it has delivered. */
  readonly delivered: () => number;
};

/** Simulated operators in their own process. */
export const startOperator = async (...first: readonly string[]): Promise<Operator> => {
  const book = join(folder(), 'book.jsonl');
  const start = async (port: string, args: readonly string[]) => {
    const child = run([command, 'simulator', '--port', port, '--book', book, '--json', ...args]);
    const printed: unknown[] = child.stdout === null ? [] : await once(child.stdout, 'data');
    return { child, url: String(at(parsed(String(printed[0])), 'url')) };
  };
  let running = await start('0', first);
  const { url } = running;
  const stop = async (): Promise<void> => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return;
    const closed = once(running.child, 'close');
    running.child.kill('SIGKILL');
    await closed;
  };
  return {
    url,
    stop,
    restart: async (...args) => {
      await stop();
      running = await start(new URL(url).port, args);
    },
    delivered: () => readFileSync(book, 'utf8').split('\n').length - 1,
  };
};

export type Shop = { readonly data: string; readonly served: Served; readonly token: string };

const connectionTo = ({ url }: Operator, id: number): object => ({
  connector: 'http',
  settings: {
    baseUrl: `${url}/operators/${id}`,
    connections: 500,
    headersMs: 5000,
    answerMs: 5000,
    settlesWithin: 1000,
    inquiries: { firstInquiryMs: 1000, widestInquiryMs: 8000, reviewAfterMs: 86_400_000 },
  },
});

/** Connections to further suppliers, with IDs from 101 on. */
export const suppliersTo = (servers: readonly Operator[]): object =>
  Object.fromEntries(
    servers.map((server, index) => {
      const id = 101 + index;
      return [id, { name: `supplier_${id}`, ...connectionTo(server, id) }];
    }),
  );

/** A gateway with these operators from 1 on, a product of each, and routes as CSV if there are any. */
export const openShop = async (
  operators: readonly Operator[],
  settings: object,
  routes = '',
): Promise<Shop> => {
  const data = folder();
  const products = operators.map((_, index) =>
    sampleProduct({ id: index + 1, operator_id: index + 1, price }),
  );
  const file = join(data, 'products.json');
  writeFileSync(file, [...printCatalogue(products, 'json')].join(''));
  const connected = operators.map((operator, index): [number, object] => [
    index + 1,
    connectionTo(operator, index + 1),
  ]);
  const config = { operators: Object.fromEntries(connected), ...settings };
  writeFileSync(join(data, 'simgate.json'), JSON.stringify(config));
  await simgate(data, ['catalogue', 'import', file]);
  if (routes !== '') {
    const routesFile = join(data, 'routes.csv');
    writeFileSync(routesFile, routes);
    const { status, err } = await simgate(data, ['route', 'import', routesFile]);
    if (status !== 0) throw new Error(err);
  }
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
export const load = async ({ served, token }: Shop, wanted: Load): Promise<unknown> => {
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

export const figure = (result: unknown, status: string, name: string): number =>
  Number(at(at(at(result, 'answers'), status) ?? {}, name) ?? 0);

/** The number of purchases in each state; those neither final nor in review are open. */
export const standing = (data: string): { readonly open: number; readonly states: string } => {
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
export const untilSettled = async (data: string): Promise<number> => {
  const begin = performance.now();
  while (standing(data).open > 0) {
    if (performance.now() - begin > 300_000) throw new Error('Some purchases never end.');
    await rest(200);
  }
  return Number(((performance.now() - begin) / 1000).toFixed(1));
};

export const verified = async (data: string): Promise<boolean> => {
  const { out } = await simgate(data, ['verify', '--json']);
  return at(parsed(out), 'ok') === true;
};

export const print = (title: string, figures: Readonly<Record<string, unknown>>): void => {
  console.log(title);
  for (const [name, value] of Object.entries(figures)) {
    console.log(`  ${name.padEnd(24)} ${String(value)}`);
  }
};

/** Ends and removes everything that was started. */
export const endShops = (): void => {
  endServers();
  for (const child of children) child.kill('SIGKILL');
  for (const one of folders) rmSync(one, { recursive: true, force: true });
};
