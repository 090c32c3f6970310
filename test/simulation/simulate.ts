/** Owns the command that runs the simulation: `npm run simulate -- --seeds N [--from S] [--trace]`. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runThreads, type Totals } from './threads.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
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

const totals = await runThreads({
  from,
  seeds,
  threads: availableParallelism(),
  keepTrace: values.trace,
  hashed: seeds === 1,
  progress: (totals) => {
    if (values.trace || performance.now() - shown < progressEveryMs) return;
    shown = performance.now();
    console.log(summary(totals));
  },
});

const { violation } = totals;
if (violation !== undefined && values.trace) console.log(violation.trace.join('\n'));
console.log(summary(totals));
for (const [kind, count] of [...totals.faults].sort(([, one], [, other]) => other - one)) {
  console.log(`  ${count} ${kind}`);
}
if (seeds === 1) console.log(`hash ${totals.hashes.get(from)}`);
if (violation !== undefined) {
  console.log(`Seed ${violation.seed}: ${violation.violation}`);
  console.log(`npm run simulate -- --seeds 1 --from ${violation.seed} --trace`);
  process.exitCode = 1;
}
