/** Owns a run of the tests, on the engines and in a browser: its processes, what it prints and how it ends. */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { buildConsole } from '../console/build.js';
import { ensureChromium } from './support/find-chromium.ts';
import { loaderOfPackages } from './support/packages.ts';
import { filesFor, type Run, root, runs, type Share, sharesOf } from './support/selection.ts';

const [word, ...named] = process.argv.slice(2);
const wanted = runs.filter((run) => (word ?? run) === run);
if (wanted.length === 0) {
  throw new Error(
    `Say which run: ${runs.join(', ')}; then the files, if not all of them. Say nothing to run all.`,
  );
}

// More than there are cores: most of the time of the slow ones is waiting. A browser is busy itself.
const concurrency: Readonly<Record<Run, number>> = { sqlite: 5, postgres: 5, browser: 3 };

// More than run at a time: of many short ones the last is soon over.
const sharedProcesses = 8;

// Loading is most of what a process of the tests costs, and half of it is compiling what was compiled
// before: they take what the command has compiled (bin/simgate.js), and leave what they have compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache');

const loader = await loaderOfPackages(root);
process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], `--import=${loader}`].join(' ').trim();

const folder = mkdtempSync(join(tmpdir(), 'simgate-run-'));

/** The file that a process runs: the only one of its share, or one that imports them all. */
const entryOf = (run: Run, share: Share, index: number): string => {
  const [first = '', ...others] = share.map((file) => join(root, file));
  if (others.length === 0) return first;
  const entry = join(folder, `together-${run}-${index}.test.mjs`);
  const lines = [first, ...others].map((file) => `import '${pathToFileURL(file).href}';\n`);
  writeFileSync(entry, lines.join(''));
  return entry;
};

// It takes some seconds where it has to be installed: other tests go on meanwhile.
const chromium = wanted.includes('browser') ? ensureChromium() : undefined;

const memory = '/dev/shm';
const room = 4 * 1024 ** 3;

/** Where files are made that nobody wants after the run: in memory, if there is room. */
const besideTheDisk = (): NodeJS.ProcessEnv => {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize < room ? {} : { TMPDIR: memory };
  } catch {
    return {};
  }
};

/** What a run needs beside its files. */
type Surroundings = {
  readonly env: NodeJS.ProcessEnv;
  readonly remove: () => Promise<void>;
};

const prepare: Readonly<Record<Run, () => Promise<Surroundings>>> = {
  sqlite: async () => ({ env: { ...besideTheDisk(), ...process.env }, remove: async () => {} }),
  postgres: async () => {
    // Loaded as the processes of the tests load it.
    await import(loader);
    const { startRunPostgres } = await import('./support/postgres-run.ts');
    const { env, remove } = await startRunPostgres();
    return { env: { ...process.env, ...env }, remove };
  },
  browser: async () => {
    await chromium;
    // What is tested is what the sources say now.
    await buildConsole();
    return { env: process.env, remove: async () => {} };
  },
};

const took: { readonly what: string; readonly ms: number }[] = [];
const failed = new Set<Run>();

type Events = ReturnType<typeof runTests>;

/** Begins a run; `ending` comes when hardly any process is left and a core may soon be idle. */
const begin = (
  run: Run,
  env: NodeJS.ProcessEnv,
): { readonly events: Events; readonly ending: Promise<void> } => {
  // Who names files has each in a process of its own.
  const shares =
    named.length > 0 ? named.map((file) => [file]) : sharesOf(filesFor(run), sharedProcesses);
  const files = shares.map((share, index) => entryOf(run, share, index));
  const { promise: ending, resolve } = Promise.withResolvers<void>();
  let left = files.length;
  const events = runTests({ files, concurrency: concurrency[run], env });
  events.on('test:summary', ({ file, success, duration_ms: ms }) => {
    if (!success) failed.add(run);
    if (file === undefined) return resolve();
    took.push({ what: `${basename(file)} (${run})`, ms });
    left -= 1;
    if (left <= 2) resolve();
  });
  return { events, ending };
};

const print = async (events: Events): Promise<void> => {
  for await (const text of events.compose(spec)) process.stdout.write(String(text));
};

/** What one run has said is told after what those before it said; `over` is when all of it is. */
const follow = async (run: Run, before: Promise<void>): Promise<{ over: Promise<void> }> => {
  const { env, remove } = await prepare[run]();
  const { events, ending } = begin(run, env);
  const tell = async (): Promise<void> => {
    try {
      await before;
      await print(events);
    } finally {
      await remove();
    }
  };
  const over = tell();
  // Heard at the end, also where the next run cannot be prepared.
  over.catch(() => {});
  await ending;
  return { over };
};

let over: Promise<void> = Promise.resolve();
try {
  for (const run of wanted) {
    // Where something has failed already, that is to be the last that is read.
    if (failed.size > 0) break;
    ({ over } = await follow(run, over));
  }
} finally {
  await over;
  rmSync(folder, { recursive: true, force: true });
}
for (const { what, ms } of took.sort((one, other) => other.ms - one.ms).slice(0, 16)) {
  console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${what}`);
}
for (const run of failed) {
  console.log(`Tests have failed (${run}): see its "failing tests" above.`);
  process.exitCode = 1;
}
