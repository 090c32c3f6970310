/** Runs the drill of a rolling upgrade: three instances are upgraded under load, and no buyer sees an error. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { table } from '../../src/cli/definition.ts';
import { durable, startPostgres } from '../support/postgres.ts';
import { endProcesses } from '../support/process.ts';
import { type Phase, type RollingReport, runRolling } from './rolling-run.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    buyers: { type: 'string', default: '16' },
    instances: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
});

const atShare = (sorted: readonly number[], share: number): string =>
  String(Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0));

const rowOf = ({ name, ms, bought, errors }: Phase) => {
  const times = bought.map((one) => one.ms).sort((one, other) => one - other);
  const repeated = bought.filter(({ repeats }) => repeats > 0).length;
  return {
    name,
    seconds: (ms / 1000).toFixed(1),
    bought: bought.length,
    p50: atShare(times, 0.5),
    p99: atShare(times, 0.99),
    most: atShare(times, 1),
    repeated,
    errors,
  };
};

const print = ({ phases, answers, keys, deliveries, faults }: RollingReport): void => {
  const columns = {
    phase: 'name',
    seconds: 'seconds',
    bought: 'bought',
    'p50 ms': 'p50',
    'p99 ms': 'p99',
    'most ms': 'most',
    retried: 'repeated',
    errors: 'errors',
  } as const;
  console.log(`\n${table(columns, phases.map(rowOf))}\n`);
  console.log(
    `${keys} keys, ${deliveries} deliveries. What the library was answered, retries included:`,
  );
  for (const [answer, count] of [...answers].sort(([, one], [, other]) => other - one)) {
    console.log(`  ${count} ${answer}`);
  }
  console.log('');
  for (const [name, list] of faults) console.log(`${list.length} ${name}`);
  for (const line of faults.flatMap(([, list]) => list).slice(0, 50)) console.log(`  ${line}`);
};

// Nothing that was started outlives the drill, also if it is interrupted.
process.once('exit', endProcesses);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const folder = mkdtempSync(join(tmpdir(), 'simgate-rolling-'));
const postgres = await startPostgres(durable);
let good = false;
try {
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query('create database simgate');
  await admin.end();
  const report = await runRolling({
    folder,
    databaseUrl: postgres.url('simgate'),
    seed: Number(values.seed),
    instances: Number(values.instances),
    buyers: Number(values.buyers),
    calmMs: Number(values.seconds) * 1000,
    say: (line) => console.log(line),
  });
  print(report);
  good = report.faults.every(([, list]) => list.length === 0);
} finally {
  endProcesses();
  await postgres.remove();
  if (good) rmSync(folder, { recursive: true, force: true });
  else console.log(`Everything is kept in ${folder}`);
}
// Explicit: the database's package influences the exit code.
process.exit(good ? 0 : 1);
