/** Runs the drill of a failover: Patroni's leader is lost under load, with and without a synchronous standby. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../src/cli/definition.ts';
import { endProcesses } from '../support/process.ts';
import { type KeptReport, runKept } from './failover/kept.ts';
import { type LostReport, runLost } from './failover/lost.ts';
import { missingPrograms, startPatroni } from './failover/patroni.ts';
import { phaseTable } from './phases.ts';

const { values } = parseArgs({
  options: {
    bin: { type: 'string' },
    buyers: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
});

const missing = missingPrograms(values.bin);
if (missing.length > 0) {
  console.error(
    `SKIPPED: this drill needs Patroni, etcd, HAProxy and PostgreSQL of the system, and does not find: ${missing.join(', ')}. On Debian: apt-get install patroni etcd-server haproxy postgresql. Name the folder of PostgreSQL's tools with --bin.`,
  );
  process.exit(2);
}

/** The shortest times that Patroni allows, so that the drill is short. Its defaults are 30, 10 and 10. */
const settings = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  synchronous_mode: true,
  // A standby that lacks more is not promoted. Far above what is lost here.
  maximum_lag_on_failover: 64 * 1024 * 1024,
  postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 100 } },
};

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

const printAnswers = (answers: ReadonlyMap<string, number>): void => {
  for (const [answer, count] of [...answers].sort(([, one], [, other]) => other - one)) {
    console.log(`  ${count} ${answer}`);
  }
};

const printFaults = (faults: KeptReport['faults']): boolean => {
  console.log('');
  for (const [name, list] of faults) console.log(`${list.length} ${name}`);
  for (const line of faults.flatMap(([, list]) => list).slice(0, 50)) console.log(`  ${line}`);
  return faults.every(([, list]) => list.length === 0);
};

const failoverColumns = {
  failover: 'name',
  'leader after s': 'leader',
  'gate open after s': 'open',
  'new key sold after s': 'sold',
  gate: 'gate',
} as const;

const printKept = (report: KeptReport): boolean => {
  const failovers = report.failovers.map(({ name, leaderMs, openMs, soldMs, gate }) => ({
    name,
    leader: seconds(leaderMs),
    open: seconds(openMs),
    sold: seconds(soldMs),
    gate,
  }));
  console.log(`
A synchronous standby:

${phaseTable(report.phases)}

${table(failoverColumns, failovers)}

${report.keys} keys, ${report.deliveries} deliveries, ${report.notOrdered} not ordered in time and not charged. Answers, retries included:`);
  printAnswers(report.answers);
  return printFaults(report.faults);
};

const printLost = (report: LostReport): boolean => {
  const { lostSales, listed, leaderMs, askedMs, openMs, cause } = report;
  console.log(`
No synchronous standby, and the leader dies with commits that no standby has:

${lostSales} acknowledged sales are missing. A machine leads after ${seconds(leaderMs)} s. The gate stays closed (${cause}).
All operators have reported ${seconds(askedMs)} s later; ${listed} purchases are listed as missing. Nothing is sold until a person accepts; both gateways sell ${seconds(openMs)} s after that.
${report.keys} keys, ${report.deliveries} deliveries. Answers from the loss to the acceptance:`);
  printAnswers(report.answers);
  return printFaults(report.faults);
};

const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'simgate-drill-'));
const cluster = await startPatroni(values.bin, settings);
// Nothing that was started outlives the drill, also if it is interrupted.
process.once('exit', () => {
  endProcesses();
  cluster.kill();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

let good = false;
try {
  console.log(`${cluster.versions}. Three machines start …`);
  await cluster.untilComplete();
  const options = {
    cluster,
    folder,
    seed: Number(values.seed),
    buyers: Number(values.buyers),
    calmMs: Number(values.seconds) * 1000,
    say: (line: string) => console.log(`${seconds(performance.now() - began)} s  ${line}`),
  };
  const isKept = printKept(await runKept(options));
  await cluster.change({ synchronous_mode: false });
  await cluster.untilComplete();
  good = printLost(await runLost(options)) && isKept;
  console.log(`\nIt took ${seconds(performance.now() - began)} s.`);
} finally {
  endProcesses();
  if (good) {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  } else {
    cluster.kill();
    console.log(`Everything is kept in ${folder} and ${cluster.folder}`);
  }
}
process.exit(good ? 0 : 1);
