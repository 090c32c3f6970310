/** Runs the tests: on both engines and in a browser, a few processes at a time, and reports the results. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './support/find-chromium.ts';
import { measureIdleTime } from './support/idle-time.ts';
import { loaderOfProgram } from './support/program.ts';
import { filesFor, type Run, root, runs, type Share, sharesOf } from './support/selection.ts';
import {
  type Counts,
  type Ended,
  endTestProcesses,
  runTestProcess,
} from './support/test-process.ts';

const [word, ...named] = process.argv.slice(2);
const wanted = runs.filter((run) => (word ?? run) === run);
if (wanted.length === 0) {
  throw new Error(
    `Say which run: ${runs.join(', ')}; then the files, if not all of them. Say nothing to run all.`,
  );
}

// Few more than there are cores: concurrent processes evict each other's caches.
const atATime = 4;

// While cores are idle, one more a second. More than that would only take memory.
const atMost = 12;
const idleEnough = 0.05;

// Each loads and warms up the program on its own, which costs more than a second.
const sharedProcesses = 4;

// Longer than the timeout of any single test, so that the test itself says first what it waited for.
const hangsAfterMs = 600_000;

// Without output for longer than that, people think that nothing happens.
const silenceMs = 15_000;

type Job = { readonly run: Run; readonly files: Share };

/** Each run begins with what takes longest; so do all together, and no core is idle at the end. */
const jobs: readonly Job[] = wanted
  .flatMap((run) => {
    // Explicitly named files get their own process each.
    const shares =
      named.length > 0
        ? named.map((file) => [file])
        : sharesOf(run, filesFor(run), sharedProcesses);
    return shares.map((files, turn) => ({ job: { run, files }, turn }));
  })
  .sort((one, other) => one.turn - other.turn)
  .map(({ job }) => job);

const began = performance.now();

const elapsed = (): string => {
  const seconds = Math.round((performance.now() - began) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

let lastSaid = began;

const say = (text: string): void => {
  lastSaid = performance.now();
  console.log(`${elapsed().padStart(5)}  ${text}`);
};

const titles: Readonly<Record<Run, string>> = {
  sqlite: 'SQLite',
  framework: 'SQLite without the fast path',
  postgres: 'PostgreSQL',
  browser: 'Chromium',
};

const announce = (): void => {
  const files = wanted.map((run) => {
    const count = named.length > 0 ? named.length : filesFor(run).length;
    return `${count} on ${titles[run]}`;
  });
  const first =
    word === undefined ? 'Types, lint and format first (about 20 s), then test' : 'Test';
  const usually = word === undefined ? ' Usually 8 to 12 minutes on two idle cores.' : '';
  say(`${first} files: ${files.join(', ')}.${usually}`);
};

/** Whether types, lint and format are correct. */
const check = async (): Promise<boolean> => {
  const script = join(root, 'scripts', 'check.js');
  const child = spawn(process.execPath, [script], { stdio: 'inherit', cwd: root });
  await once(child, 'exit');
  return child.exitCode === 0;
};

const memory = '/dev/shm';
const room = 4 * 1024 ** 3;

const hasRoomInMemory = (): boolean => {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= room;
  } catch {
    return false;
  }
};

const made: string[] = [];

/** A folder for all that the tests write, removed after the run, however a test ended. */
const folderIn = (place: string): string => {
  const folder = mkdtempSync(join(place, 'simgate-run-'));
  // PostgreSQL may be another user: it has to reach its own folder in there.
  chmodSync(folder, 0o711);
  made.push(folder);
  return folder;
};

const onDisk = folderIn(tmpdir());
const inMemory =
  process.env['TMPDIR'] === undefined && hasRoomInMemory() ? folderIn(memory) : onDisk;

// Loading is most of a test process's cost, and half of it is compiling: they share the command's compile
// cache (bin/simgate.js), and add to it.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache');
// Migrating an empty file is a fifth of a process's first gateway: one of them does it for all.
process.env['SIMGATE_TEST_TEMPLATE'] = join(inMemory, 'template');

/** What a run needs besides its files. */
type Surroundings = {
  readonly env: NodeJS.ProcessEnv;
  readonly remove: () => Promise<void>;
};

const prepare: Readonly<Record<Run, (loader: string) => Promise<Surroundings>>> = {
  sqlite: async () => ({ env: { TMPDIR: inMemory }, remove: async () => {} }),
  framework: async () => ({
    env: { TMPDIR: inMemory, SIMGATE_FAST_PATH: 'off' },
    remove: async () => {},
  }),
  postgres: async (loader) => {
    // Loaded as the test processes load it.
    await import(loader);
    const { startRunPostgres } = await import('./support/postgres-run.ts');
    const { env, remove } = await startRunPostgres(inMemory);
    return { env: { TMPDIR: onDisk, ...env }, remove };
  },
  browser: async () => {
    await ensureChromium();
    // The tests check the current sources.
    const { buildConsole } = await import('../console/build.js');
    await buildConsole();
    const how = word === undefined ? { SIMGATE_TEST_RUN: 'whole' } : {};
    return { env: { TMPDIR: inMemory, ...how }, remove: async () => {} };
  },
};

const counted = new Map<Run, Counts>();
const took: { readonly what: string; readonly ms: number }[] = [];
const failed: string[] = [];

const titleOf = ({ run, files: [first = '', ...others] }: Job): string =>
  `${titles[run]}  ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;

const add = (one: Counts | undefined, other: Counts): Counts => ({
  tests: (one?.tests ?? 0) + other.tests,
  passed: (one?.passed ?? 0) + other.passed,
  failed: (one?.failed ?? 0) + other.failed,
  skipped: (one?.skipped ?? 0) + other.skipped,
});

const inWords = ({ tests, passed, failed, skipped }: Counts): string =>
  `${tests} tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;

const note = (job: Job, { isOk, counts, ms, text }: Ended): void => {
  const title = titleOf(job);
  counted.set(job.run, add(counted.get(job.run), counts));
  took.push({ what: title, ms });
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  say(
    `[${took.length}/${jobs.length}] ${isOk ? '✔' : '✖'} ${title}: ${counts.tests} tests, ${seconds}`,
  );
  if (isOk) return;
  failed.push(title);
  console.log(text);
};

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Each time: a second one would otherwise end the run before it has cleaned up.
  process.on(signal, () => {
    interrupted = true;
    endTestProcesses();
  });
}
process.once('exit', endTestProcesses);

const runJobs = async (surroundings: ReadonlyMap<Run, Promise<Surroundings>>): Promise<void> => {
  const left = jobs.entries();
  const current = new Set<Job>();
  /** Runs the next job; false if there is none. */
  const runNext = async (): Promise<boolean> => {
    const next = left.next();
    if (next.done === true || interrupted) return false;
    const [index, job] = next.value;
    current.add(job);
    const { env } = (await surroundings.get(job.run)) ?? {};
    const folder = join(onDisk, `process-${index}`);
    mkdirSync(folder);
    const files = job.files.map((file) => join(root, file));
    note(
      job,
      await runTestProcess({
        files,
        env: { ...process.env, ...env },
        folder,
        hangsAfterMs,
        isLive: named.length > 0,
      }),
    );
    current.delete(job);
    return true;
  };
  const work = async (): Promise<void> => {
    while (await runNext());
  };
  const further: Promise<boolean>[] = [];
  const idleShare = measureIdleTime();
  const ticking = setInterval(() => {
    if (idleShare() >= idleEnough && current.size < atMost) further.push(runNext());
    if (performance.now() - lastSaid < silenceMs) return;
    say(`running: ${[...current].map(titleOf).join(', ') || 'preparations'}`);
  }, 1000);
  try {
    await Promise.all(Array.from({ length: atATime }, work));
    // By then nothing is left to begin.
    await Promise.all(further);
  } finally {
    clearInterval(ticking);
  }
};

const runAll = async (): Promise<void> => {
  // In the meantime, what the tests need is built.
  const checked = word !== undefined || check();
  const loader = await loaderOfProgram(root);
  process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], `--import=${loader}`]
    .join(' ')
    .trim();
  const surroundings = new Map(wanted.map((run) => [run, prepare[run](loader)]));
  try {
    if (await checked) await runJobs(surroundings);
    else failed.push('types, lint and format');
  } finally {
    endTestProcesses();
    for (const { remove } of await Promise.all(surroundings.values())) await remove();
  }
};

const conclude = (): void => {
  for (const { what, ms } of took.sort((one, other) => other.ms - one.ms).slice(0, 10)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${what}`);
  }
  for (const [run, counts] of counted) console.log(`${titles[run]}: ${inWords(counts)}`);
  for (const title of failed) console.log(`Failed: ${title} (see above)`);
  const all = [...counted.values()].reduce(add, { tests: 0, passed: 0, failed: 0, skipped: 0 });
  console.log(
    `${inWords(all)}; it took ${elapsed()}${interrupted ? ', and was interrupted' : ''}.`,
  );
  if (failed.length > 0 || interrupted || took.length < jobs.length) process.exitCode = 1;
};

announce();
try {
  await runAll();
  conclude();
} finally {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}
