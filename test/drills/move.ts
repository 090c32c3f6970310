/** Runs the drill of a move: a million purchases to PostgreSQL and back, killed five times on each way. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { table } from '../../src/cli/definition.ts';
import { durable, startPostgres } from '../support/postgres.ts';
import { endProcesses } from '../support/process.ts';
import { changedTables, drillMove, type Way } from './move-run.ts';

const { values } = parseArgs({
  options: {
    purchases: { type: 'string', default: '1000000' },
    clients: { type: 'string', default: '1000' },
    interruptions: { type: 'string', default: '5' },
  },
});

// In the middle of most transactions of a large table.
const killAfterMs = 30;

const rowOf = ({ name, seconds, peakMegabytes, rows, kills }: Way) => ({
  name,
  minutes: (seconds / 60).toFixed(1),
  rows,
  kills,
  memory: Math.round(peakMegabytes),
});

const createDatabase = async (url: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
};

const folder = mkdtempSync(join(tmpdir(), 'simgate-drill-'));
const postgres = await startPostgres(durable);
try {
  await createDatabase(postgres.url('postgres'), 'moved');
  const [there, back] = await drillMove({
    folder,
    databaseUrl: postgres.url('moved'),
    purchases: Number(values.purchases),
    clients: Number(values.clients),
    interruptions: Number(values.interruptions),
    killAfterMs,
    say: (line) => console.log(line),
  });
  const columns = {
    way: 'name',
    minutes: 'minutes',
    rows: 'rows',
    kills: 'kills',
    'peak memory MB': 'memory',
  } as const;
  console.log(`\n${table(columns, [there, back].map(rowOf))}\n`);
  const changed = changedTables(there, back);
  console.log(
    changed.length === 0
      ? 'Every table has the same digest on both sides and after both ways; the audit log has the entries of the moves.'
      : `These tables differ: ${changed.join(', ')}.`,
  );
  process.exitCode = changed.length === 0 ? 0 : 1;
} finally {
  endProcesses();
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}
