/** Runs the bench: every workload beside its baseline on this machine, reported as tables and JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runGrowth } from './growth.ts';
import { type Measured, measure, type Span } from './measure.ts';
import {
  latencyTable,
  limitedByGenerator,
  othersOf,
  summarise,
  throughputTable,
} from './report.ts';
import { endAll, isInMemory } from './resources.ts';
import { type Beginning, beginningTable, measureBeginning } from './start.ts';
import { InvalidUsage, toolFor } from './tools.ts';
import { works } from './workloads.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    growth: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

const { quick } = options;
const resultFile = (name: string): string =>
  options.out ?? fileURLToPath(new URL(`./results/${name}.json`, import.meta.url));

if (options.growth) process.exit((await runGrowth({ quick, out: resultFile('growth') })) ? 0 : 1);

const span: Span = quick
  ? { rounds: 1, warmSeconds: 1, fullSeconds: 2, steadySeconds: 1 }
  : { rounds: 3, warmSeconds: 5, fullSeconds: 8, steadySeconds: 8 };
const starts = quick ? 1 : 7;

const beginning = 'start';
const names = [beginning, ...works.map(({ name }) => name)];
const usual = quick ? works.filter(({ long }) => long !== true).map(({ name }) => name) : names;

/** The requested workloads, or all; an unknown name is an error. */
const chosenNames = (): ReadonlySet<string> => {
  const chosen = options.only?.split(',') ?? usual;
  const wrong = chosen.find((name) => !names.includes(name));
  if (wrong !== undefined) {
    throw new InvalidUsage(`There is no work "${wrong}": --only takes ${names.join(', ')}.`);
  }
  return new Set(chosen);
};

const where = () => ({
  node: process.version,
  processors: cpus().length,
  processor: cpus()[0]?.model ?? '',
  load: loadavg()[0],
  inMemory: isInMemory(),
  at: new Date().toISOString(),
  quick,
});

const save = (begun: Beginning | undefined, measured: readonly Measured[], at: object): void => {
  const out = resultFile('bench');
  mkdirSync(dirname(out), { recursive: true });
  const all = measured.map((one) => ({ ...summarise(one), others: othersOf(one), rounds: one }));
  const figures = { ...at, span, start: begun, works: all };
  writeFileSync(out, `${JSON.stringify(figures, null, 2)}\n`);
};

/** Prints the answers other than 200; returns how many kinds there were. */
const tellOthers = (measured: readonly Measured[]): number => {
  const others = measured.flatMap((one) =>
    Object.entries(othersOf(one)).map(([status, count]) => ({
      name: one.work.name,
      status,
      count,
    })),
  );
  for (const { name, status, count } of others) console.log(`${name}: ${count} times ${status}`);
  if (others.length === 0) console.log('Every answer of every load was 200, and none was lost.');
  return others.length;
};

const run = async (): Promise<number> => {
  const chosen = chosenNames();
  toolFor('wrk');
  if ([...chosen].some((name) => name.startsWith('pg-'))) toolFor('pgbench');
  const at = where();
  const begun = chosen.has(beginning) ? await measureBeginning(starts) : undefined;
  if (begun !== undefined) console.log(`${beginningTable(begun)}\n`);
  const measured: Measured[] = [];
  for (const work of works.filter(({ name }) => chosen.has(name))) {
    console.log(`${work.name}: ${work.about}`);
    measured.push(await measure(work, span));
    save(begun, measured, at);
  }
  const summaries = measured.map(summarise);
  console.log(`\nAt full speed, ${at.processors} processors; "!" misses the aim:\n`);
  console.log(throughputTable(summaries));
  console.log('\nAt half of that in open loop, milliseconds since the request was due:\n');
  console.log(`${latencyTable(summaries)}\n`);
  const others = tellOthers(measured);
  if (at.inMemory) {
    console.log(
      'The databases were in memory: name a folder on a disk as TMPDIR for true figures.',
    );
  }
  const limited = limitedByGenerator(measured);
  if (limited.length > 0) console.log(`wrk was near its own limit: ${limited.join(', ')}.`);
  console.log(`All figures of all rounds: ${resultFile('bench')}`);
  return others === 0 ? 0 : 1;
};

const interrupted = 130;
let status = 1;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    status = interrupted;
    void endAll().finally(() => process.exit(interrupted));
  });
}

try {
  status = await run();
} catch (error) {
  // An interruption fails too, and needs no message.
  if (status !== interrupted) console.error(error instanceof InvalidUsage ? error.message : error);
} finally {
  await endAll();
}
// Explicit: the database's package influences the exit code.
process.exit(status);
