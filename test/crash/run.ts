/** Runs the crash test from the command line: `npm run crash -- --kills N`, or `npm run crash -- --postgres`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loaderOfProgram } from '../support/program.ts';
import { root } from '../support/selection.ts';
import { databaseBlows } from './database-faults.ts';
import { points } from './points.ts';
import { faultsOf, type Report } from './world.ts';

const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    // On a file.
    kills: { type: 'string', default: '50' },
    buyers: { type: 'string', default: '16' },
    // On PostgreSQL.
    seconds: { type: 'string', default: '60' },
    instances: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
  },
});

const wholeNumber = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value > 0) return value;
  console.error(`--${name} takes a whole number, not "${values[name]}".`);
  process.exit(2);
};

// Everything that was started ends with this process, which must exit cleanly for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const folder = mkdtempSync(join(tmpdir(), 'simgate-crash-'));
const say = (line: string): void => console.log(line);
const seed = wholeNumber('seed');

// Most of a run is starting servers: they are loaded from a few large files.
const loader = await loaderOfProgram(root);
process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], `--import=${loader}`].join(' ').trim();

const run = async (): Promise<Report> => {
  if (values.postgres) {
    const { crashPostgres } = await import('./crash-postgres.ts');
    return crashPostgres({
      folder,
      seed,
      seconds: wholeNumber('seconds'),
      instances: wholeNumber('instances'),
      connections: wholeNumber('connections'),
      blows: databaseBlows,
      say,
    });
  }
  const kills = wholeNumber('kills');
  const { crash } = await import('./crash.ts');
  return crash({
    folder,
    seed,
    kills,
    buyers: wholeNumber('buyers'),
    points,
    terms: Math.ceil(kills / 10),
    halts: Math.ceil(kills / 100),
    restores: Math.ceil(kills / 50),
    putBacks: Math.ceil(kills / 50),
    // Not every point is passed in every life, which is not an error.
    pointMs: 15_000,
    say,
  });
};

const report = await run();
const faulty = faultsOf(report);

console.log(`
${report.blows}; ${report.seconds.toFixed(0)} s in all.
${report.keys} keys in ${report.requests} requests, ${report.repeats} of them repeats of a finished key; ${report.deliveries} deliveries, ${report.moves} moves to another supplier.
`);
for (const [answer, count] of [...report.answers].sort(([, one], [, other]) => other - one)) {
  console.log(`  ${count} ${answer}`);
}
console.log('');
for (const [name, list] of faulty) console.log(`${list.length} ${name}`);
console.log(`${report.review.length} in review`);
console.log(`${report.forgotten.length} forgotten in a restore, and shown to a person`);
for (const line of [...faulty.flatMap(([, list]) => list), ...report.review].slice(0, 50)) {
  console.log(`  ${line}`);
}
const failed = faulty.some(([, list]) => list.length > 0);
if (failed || values.keep) console.log(`Everything is kept in ${folder}`);
else rmSync(folder, { recursive: true });
// Explicit: the database's package influences the exit code.
process.exit(failed ? 1 : 0);
