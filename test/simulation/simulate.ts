/** Runs the simulation from the command line: `npm run simulate -- --seeds N [--from S] [--trace] [--postgres]`. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { cacheIn, loaderOfPackages } from '../support/packages.ts';
import { hasty, startPostgres } from '../support/postgres.ts';
import { root } from '../support/selection.ts';
import { runThreads, type Totals } from './threads.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
});

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} takes a whole number, not "${text}".`);
  process.exit(2);
};

const seeds = wholeNumber('seeds', values.seeds);
const from = wholeNumber('from', values.from);
const started = performance.now();
const progressEveryMs = 2000;
let shown = started;

const summary = ({ seeds: done, purchases, requests, faults }: Totals): string => {
  const seconds = (performance.now() - started) / 1000;
  const injected = faults.values().reduce((sum, count) => sum + count, 0);
  return `${done} of ${seeds} seeds, ${purchases} purchases, ${requests} requests, ${injected} faults in ${seconds.toFixed(1)} s (${(done / seconds).toFixed(1)} seeds/s)`;
};

const threads = availableParallelism();

/** A PostgreSQL of its own, with a database for each thread. */
const startDatabases = async () => {
  const postgres = await startPostgres(hasty);
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  const names = Array.from({ length: threads }, (_, index) => `simulation_${index}`);
  for (const name of names) await client.query(`create database ${name}`);
  await client.end();
  return { urls: names.map((name) => postgres.url(name)), remove: postgres.remove };
};

// Loading the program takes a thread as long as a hundred worlds: a third of that compiled, from few files.
process.env['NODE_COMPILE_CACHE'] ??= cacheIn(root);
const loader = await loaderOfPackages(root);

const databases = values.postgres ? await startDatabases() : undefined;

const totals = await runThreads({
  from,
  seeds,
  threads,
  loader,
  postgres: databases?.urls,
  keepTrace: values.trace,
  hashed: seeds === 1,
  progress: (totals) => {
    if (values.trace || performance.now() - shown < progressEveryMs) return;
    shown = performance.now();
    console.log(summary(totals));
  },
});

await databases?.remove();
const { violation } = totals;
if (violation !== undefined && values.trace) console.log(violation.trace.join('\n'));
console.log(summary(totals));
for (const [kind, count] of [...totals.faults].sort(([, one], [, other]) => other - one)) {
  console.log(`  ${count} ${kind}`);
}
if (seeds === 1) console.log(`hash ${totals.hashes.get(from)}`);
if (violation !== undefined) {
  console.log(`Seed ${violation.seed}: ${violation.violation.text}`);
  const engine = values.postgres ? ' --postgres' : '';
  console.log(`npm run simulate -- --seeds 1 --from ${violation.seed} --trace${engine}`);
  process.exitCode = 1;
}
