/** Measures one hot client against many: purchases a second across several instances on one PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readConfig } from '../src/config/config.ts';
import { openForCommand } from '../src/db/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../src/lib/random.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { at, keysOf } from '../test/support/answers.ts';
import { createClient } from '../test/support/clients.ts';
import { importProducts } from '../test/support/import-products.ts';
import { parsed } from '../test/support/live.ts';
import { durable, startPostgres } from '../test/support/postgres.ts';
import { emptyFolder, type Served, serveProcess, simgate } from '../test/support/process.ts';

const { values: options } = parseArgs({
  options: {
    instances: { type: 'string', default: '3' },
    clients: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '96' },
    seconds: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});

const price = 1000;
const product = 1;
const asked = 0.8;
/** Enough for some of the hot client's purchases and not for all: the rest must be refused. */
const poorBuys = 500;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const folders: string[] = [];
const newFolder = (): string => {
  const made = emptyFolder();
  folders.push(made);
  return made;
};
const folder = newFolder();
const buyersScript = fileURLToPath(new URL('./buyers.ts', import.meta.url));
const children = new Set<ChildProcess>();
const postgres = await startPostgres({ ...durable, max_connections: '200' });
const env = { DATABASE_URL: postgres.url('postgres'), SIMGATE_DEMO: 'off', LOG_LEVEL: 'info' };

/** One product, and clients who can buy it; returns the files of their tokens. */
const fill = async () => {
  const { db, close } = await openForCommand(readConfig(env), systemClock);
  const newId = uuidV7(systemClock, systemRandom);
  const deps = { db, clock: systemClock, newId, random: systemRandom };
  await importProducts(deps, [sampleProduct({ id: product, price })]);
  const tokenOf = async (name: string, balance: number): Promise<string> =>
    (await createClient(deps, { name, balance })).token.token;
  const fileOf = (name: string, tokens: readonly string[]): string => {
    const file = join(folder, name);
    writeFileSync(file, tokens.join('\n'));
    return file;
  };
  const rich = 1_000_000_000_000;
  const many: string[] = [];
  for (let made = 0; made < Number(options.clients); made += 1) {
    many.push(await tokenOf(`client ${made}`, rich));
  }
  const hot = await tokenOf('hot', rich);
  const poor = await tokenOf('poor', poorBuys * price);
  await close();
  return { many: fileOf('many', many), hot: fileOf('hot', [hot]), poor: fileOf('poor', [poor]) };
};

let loads = 0;

/** Runs the load in its own process; returns its figures. */
const load = async (
  servers: readonly Served[],
  tokens: string,
  seconds: number,
): Promise<unknown> => {
  loads += 1;
  const given = { tokens, product, price, seconds, keys: `load-${loads}` };
  const child = spawn(
    process.execPath,
    [
      buyersScript,
      '--connections',
      options.connections,
      ...servers.flatMap(({ url }) => ['--url', url]),
      ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.add(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const closed: unknown[] = await once(child, 'close');
  children.delete(child);
  if (closed[0] !== 0) throw new Error(`The load ended with ${String(closed[0])}.`);
  return parsed(text);
};

const figure = (result: unknown, ...path: readonly string[]): number =>
  Number(at(result, ...path) ?? 0);

type Rate = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly others: readonly string[];
};

const names = ['many', 'hot'] as const;
type Name = (typeof names)[number];

/** A round is cut into short alternating turns: a slow machine affects both alike. */
const turns: readonly Name[] = ['many', 'hot', 'hot', 'many', 'hot', 'many', 'many', 'hot'];

/** Purchases a second over the turns of a round, and all other answers. */
const rateOf = (slices: readonly unknown[]): Rate => {
  const sum = (...path: readonly string[]): number =>
    slices.reduce((total: number, slice) => total + figure(slice, ...path), 0);
  const middle = (...path: readonly string[]): number =>
    median(slices.map((slice) => figure(slice, ...path)));
  const others = slices.flatMap((slice) =>
    keysOf(at(slice, 'answers'))
      .filter((status) => status !== '200')
      .map((status) => `${status}: ${figure(slice, 'answers', status, 'count')}`),
  );
  return {
    perSecond: Math.round(sum('answers', '200', 'count') / sum('seconds')),
    p50: middle('answers', '200', 'p50'),
    p99: middle('answers', '200', 'p99'),
    others,
  };
};

const ask = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  const { rows } = await client.query<object>(text);
  await client.end();
  return rows;
};

const measure = async () => {
  const tokens = await fill();
  const servers: Served[] = [];
  for (let started = 0; started < Number(options.instances); started += 1) {
    const served = await serveProcess(newFolder(), env);
    children.add(served.child);
    servers.push(served);
  }
  const seconds = Number(options.seconds);
  // A warm-up: the JIT and the query plans have to see the load first.
  for (const file of [tokens.many, tokens.hot]) await load(servers, file, seconds / 2);
  // PostgreSQL does it on its own within a minute. Before that, its plans are those for empty tables.
  await ask('analyze');
  const rounds: Record<Name, Rate[]> = { many: [], hot: [] };
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const slices: Record<Name, unknown[]> = { many: [], hot: [] };
    for (const name of turns) {
      slices[name].push(await load(servers, tokens[name], (2 * seconds) / turns.length));
    }
    for (const name of names) rounds[name].push(rateOf(slices[name]));
  }
  const poor = await load(servers, tokens.poor, 3);
  for (const { stop } of servers) await stop();
  const [database] = await ask(
    'select deadlocks, xact_commit, xact_rollback from pg_stat_database where datname = current_database()',
  );
  const [lowest] = await ask('select min(available) as available from accounts');
  const verified = await simgate(folder, ['verify', '--json'], env);
  const logs = servers.map(({ printed }) => printed()).join('\n');
  return {
    rounds,
    poor: {
      sold: figure(poor, 'answers', '200', 'count'),
      couldBuy: poorBuys,
      refused: figure(poor, 'answers', '402', 'count'),
    },
    deadlocks: figure(database, 'deadlocks'),
    deadlockErrors: [...logs.matchAll(/deadlock/gi)].length,
    commits: figure(database, 'xact_commit'),
    rollbacks: figure(database, 'xact_rollback'),
    lowestBalance: figure(lowest, 'available'),
    verify: at(parsed(verified.out), 'ok') === true,
  };
};

const tell = (name: string, rates: readonly Rate[]): number => {
  const rate = median(rates.map(({ perSecond }) => perSecond));
  const p50 = median(rates.map(({ p50 }) => p50));
  const p99 = median(rates.map(({ p99 }) => p99));
  const each = rates.map(({ perSecond }) => perSecond).join(', ');
  console.log(`${name}: ${rate} purchases a second (${each}), p50 ${p50} ms, p99 ${p99} ms`);
  const others = rates.flatMap(({ others }) => others);
  if (others.length > 0) console.log(`  other answers: ${others.join(', ')}`);
  return rate;
};

const finish = async (): Promise<number> => {
  const figures = await measure();
  const { rounds, poor, deadlocks, deadlockErrors, lowestBalance, verify } = figures;
  console.log(`${options.instances} instances, ${options.connections} connections:`);
  const many = tell(`${options.clients} clients`, rounds.many);
  const hot = tell('one client', rounds.hot);
  const ratio = Number((hot / many).toFixed(2));
  console.log(`One client to many: ${ratio} (at least ${asked} is asked).`);
  console.log(
    `A client with money for ${poor.couldBuy}: ${poor.sold} sold, ${poor.refused} refused; the lowest balance of all is ${lowestBalance}.`,
  );
  console.log(
    `Deadlocks: ${deadlocks}, in the logs ${deadlockErrors}; ${figures.commits} commits, ${figures.rollbacks} rollbacks.`,
  );
  console.log(`The books are ${verify ? 'right' : 'WRONG'}.`);
  if (options.out !== undefined) {
    const where = { node: process.version, processors: cpus().length, load: loadavg()[0] };
    writeFileSync(options.out, `${JSON.stringify({ ...where, ratio, ...figures }, null, 2)}\n`);
  }
  const overdrawn = lowestBalance < 0 || poor.sold !== poor.couldBuy;
  return ratio < asked || deadlocks + deadlockErrors > 0 || overdrawn || !verify ? 1 : 0;
};

let status = 1;
try {
  status = await finish();
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.remove();
  for (const one of folders) rmSync(one, { recursive: true, force: true });
}
// Explicit: the database's package influences the exit code.
process.exit(status);
