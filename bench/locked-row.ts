/** Measures what clients notice of another client's locked account: their p99 before, and while it is locked. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
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
import { emptyFolder, serveProcess } from '../test/support/process.ts';

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '50' },
    connections: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
});

const price = 1000;
const product = 1;
/** The allowed growth of the others' p99. */
const allowed = 2;

const folder = emptyFolder();
const buyersScript = fileURLToPath(new URL('./buyers.ts', import.meta.url));
const children = new Set<ChildProcess>();
const postgres = await startPostgres({ ...durable });
const env = { DATABASE_URL: postgres.url('postgres'), SIMGATE_DEMO: 'off', LOG_LEVEL: 'info' };

/** Clients who can buy one product; the last one's account is locked. */
const fill = async () => {
  const { db, close } = await openForCommand(readConfig(env), systemClock);
  const deps = {
    db,
    clock: systemClock,
    newId: uuidV7(systemClock, systemRandom),
    random: systemRandom,
  };
  await importProducts(deps, [sampleProduct({ id: product, price })]);
  const clients: Awaited<ReturnType<typeof createClient>>[] = [];
  for (let made = 0; made <= Number(options.clients); made += 1) {
    clients.push(await createClient(deps, { name: `client ${made}`, balance: 1e12 }));
  }
  await close();
  const fileOf = (name: string, some: typeof clients): string => {
    const file = join(folder, name);
    writeFileSync(file, some.map(({ token }) => token.token).join('\n'));
    return file;
  };
  return {
    others: fileOf('others', clients.slice(0, -1)),
    own: fileOf('own', clients.slice(-1)),
    lockedId: clients.at(-1)?.id ?? '',
  };
};

let loads = 0;

const load = async (url: string, tokens: string, connections: string): Promise<unknown> => {
  loads += 1;
  const given = { url, tokens, product, price, connections, keys: `load-${loads}` };
  const args = Object.entries({ ...given, seconds: options.seconds });
  const child = spawn(
    process.execPath,
    [buyersScript, ...args.flatMap(([name, value]) => [`--${name}`, String(value)])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.add(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(child, 'close');
  children.delete(child);
  return parsed(text);
};

const summary = (result: unknown): string =>
  keysOf(at(result, 'answers'))
    .map((status) => `${status}: ${String(at(result, 'answers', status, 'count'))}`)
    .join(', ');

/** The p99 of served requests says nothing about the others. */
const areAllSold = (result: unknown): boolean => keysOf(at(result, 'answers')).join() === '200';

const p99 = (result: unknown): number => Number(at(result, 'answers', '200', 'p99') ?? Number.NaN);

const measure = async (): Promise<number> => {
  const { others, own, lockedId } = await fill();
  const served = await serveProcess(folder, env);
  children.add(served.child);
  const both = async () => {
    const [of, its] = await Promise.all([
      load(served.url, others, options.connections),
      load(served.url, own, '2'),
    ]);
    return { of, its };
  };
  await both();
  const ratios: number[] = [];
  let isSoldToOthers = true;
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const calm = await both();
    const holder = new pg.Client({ connectionString: postgres.url('postgres') });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from accounts where client_id = $1 for update', [lockedId]);
    const locked = await both();
    await holder.query('rollback');
    await holder.end();
    ratios.push(p99(locked.of) / p99(calm.of));
    isSoldToOthers &&= areAllSold(calm.of) && areAllSold(locked.of);
    console.log(
      `others: p99 ${p99(calm.of)} → ${p99(locked.of)} ms (${summary(calm.of)} → ${summary(locked.of)}); the locked client: ${summary(locked.its)}`,
    );
  }
  await served.stop();
  const middle =
    ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.POSITIVE_INFINITY;
  console.log(
    `p99 of the others grew to ${middle.toFixed(2)} times (at most ${allowed} is asked).`,
  );
  if (!isSoldToOthers) console.log('Others got another answer than 200 (none is allowed).');
  console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`);
  return middle <= allowed && isSoldToOthers ? 0 : 1;
};

let status = 1;
try {
  status = await measure();
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}
// Explicit: the database's package influences the exit code.
process.exit(status);
