/** Measures purchases beside ten thousand hostile connections: none may be refused, and little slower or larger than when calm. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { constants, cpus, loadavg, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printCatalogue } from '../src/catalogue/file/file.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { at, keysOf } from '../test/support/answers.ts';
import { parsed } from '../test/support/live.ts';
import { peakMegabytesWhile } from '../test/support/memory.ts';
import { emptyFolder, simgate } from '../test/support/process.ts';
import { endServers, type Served, serve } from './serve.ts';

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
    /** A kind to leave out, to find what costs most. */
    without: { type: 'string', default: '' },
    out: { type: 'string' },
  },
});

/** The allowed slowdown and growth against calm. */
const allowed = { ratio: 1.5, megabytes: 100 };
const price = 10_000;

// Everything together takes some three minutes.
const longestMs = 900_000;

const scriptAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = emptyFolder();
const children = new Set<ChildProcess>();

const run = (script: string, args: Readonly<Record<string, string | number>>) => {
  const given = Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [scriptAt(script), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
};

type Shop = { readonly served: Served; readonly token: string };

/** A gateway whose operators are simulated in its own process, with one product. */
const openShop = async (): Promise<Shop> => {
  const file = join(folder, 'products.json');
  const products = [sampleProduct({ id: 1, operator_id: 1, price })];
  writeFileSync(file, [...printCatalogue(products, 'json')].join(''));
  await simgate(folder, ['catalogue', 'import', file]);
  const args = ['client', 'create', '--name', 'Bench', '--balance', '1000000000000', '--json'];
  const made = await simgate(folder, args);
  const served = await serve(folder);
  return { served, token: String(at(parsed(made.out), 'token')) };
};

type Load = { readonly p99: number; readonly refused: number; readonly peakMb: number };

let loads = 0;

/** Buys at the rate for some seconds; returns the p99, the unsold ones, and the peak memory. */
const load = async ({ served, token }: Shop, seconds: number): Promise<Load> => {
  loads += 1;
  const rate = Number(options.rate);
  const given = { url: served.url, token, price, product: 1, rate, seconds };
  let text = '';
  const peakMb = await peakMegabytesWhile(served.pid, async () => {
    const child = run('./load.ts', { ...given, keys: `load-${loads}`, connections: 400 });
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    const closed: unknown[] = await once(child, 'close');
    if (closed[0] !== 0) throw new Error(`The load ended with ${String(closed[0])}.`);
  });
  const answers = at(parsed(text), 'answers');
  const others = keysOf(answers).filter((code) => code !== '200');
  for (const code of others) console.log(`  ${code}: ${String(at(answers, code, 'count'))}`);
  const p99 = Number(at(answers, '200', 'p99') ?? Number.NaN);
  const refused = Math.round(rate * seconds) - Number(at(answers, '200', 'count') ?? 0);
  return { p99, refused, peakMb };
};

/** Opens the hostile connections; returns a function that ends them and reports their results. */
const attack = async ({ served }: Shop): Promise<() => Promise<unknown>> => {
  const child = run('./hostile-attack.ts', {
    url: served.url,
    connections: options.connections,
    without: options.without,
  });
  // Real attackers have their own processors; at equal priority these would take the gateway's.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const lines = createInterface(child.stdout);
  const printed = lines[Symbol.asyncIterator]();
  await printed.next();
  return async () => {
    child.kill('SIGTERM');
    const { value } = await printed.next();
    return parsed(String(value));
  };
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const measure = async () => {
  const shop = await openShop();
  const seconds = Number(options.seconds);
  // The JIT has to see both first.
  const unattacked = await load(shop, 10);
  const endFirst = await attack(shop);
  await load(shop, 10);
  await endFirst();
  await rest(3000);
  const rounds: { readonly calm: Load; readonly hostile: Load; readonly fared: unknown }[] = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const calm = await load(shop, seconds);
    const end = await attack(shop);
    const hostile = await load(shop, seconds);
    const fared = await end();
    rounds.push({ calm, hostile, fared });
    console.log(
      `p99 ${calm.p99} → ${hostile.p99} ms, memory ${Math.round(calm.peakMb)} → ${Math.round(hostile.peakMb)} MB, not sold ${hostile.refused}`,
    );
    // The remaining connections are closed before the next calm.
    await rest(3000);
  }
  await shop.served.stop();
  const verified = await simgate(folder, ['verify', '--json']);
  return {
    ratio: median(rounds.map(({ calm, hostile }) => hostile.p99 / calm.p99)),
    megabytes: Math.max(...rounds.map(({ hostile }) => hostile.peakMb)) - unattacked.peakMb,
    refused: rounds.reduce((sum, { calm, hostile }) => sum + calm.refused + hostile.refused, 0),
    verify: at(parsed(verified.out), 'ok') === true,
    rounds,
  };
};

const timer = setTimeout(() => {
  console.error('It takes too long.');
  endServers();
  for (const child of children) child.kill('SIGKILL');
  process.exit(1);
}, longestMs);

try {
  const figures = await measure();
  const { ratio, megabytes, refused, verify } = figures;
  console.log(JSON.stringify(figures.rounds.at(-1)?.fared));
  console.log(`Not sold: ${refused} (none is allowed).`);
  console.log(`p99 grew to ${ratio.toFixed(2)} times (at most ${allowed.ratio} is allowed).`);
  console.log(`Memory grew by ${megabytes.toFixed(0)} MB (at most ${allowed.megabytes}).`);
  console.log(`Books right: ${String(verify)}. Load of the machine: ${loadavg()[0]?.toFixed(1)}.`);
  if (options.out !== undefined) {
    const where = { node: process.version, processors: cpus().length };
    writeFileSync(options.out, `${JSON.stringify({ ...where, ...figures }, null, 2)}\n`);
  }
  const isGood =
    refused === 0 && ratio <= allowed.ratio && megabytes <= allowed.megabytes && verify;
  if (!isGood) process.exitCode = 1;
} finally {
  clearTimeout(timer);
  endServers();
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
