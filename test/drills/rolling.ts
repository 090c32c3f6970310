/** Runs the drill of a rolling upgrade: three instances are upgraded under load, and no buyer sees an error. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { durable, startPostgres } from '../support/postgres.ts';
import { endProcesses } from '../support/process.ts';
import { phaseTable } from './phases.ts';
import { type RollingReport, runRolling } from './rolling-run.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    buyers: { type: 'string', default: '16' },
    instances: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
});

const print = ({ phases, answers, keys, deliveries, faults }: RollingReport): void => {
  console.log(`\n${phaseTable(phases)}\n`);
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
