/** Owns a run of the tests, on one engine or in a browser: its processes, what it prints and how it ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { buildConsole } from '../console/build.js';
import { loaderOfPackages } from './support/packages.ts';
import { globalSetup, globalTeardown } from './support/postgres-run.ts';
import { filesFor, root, runs, type Share, sharesOf } from './support/selection.ts';

const [given, ...named] = process.argv.slice(2);
const engine = runs.find((one) => one === given);
if (engine === undefined) {
  throw new Error(`Say which run: ${runs.join(', ')}; then the files, if not all of them.`);
}

// More than there are cores: most of the time of the slow ones is waiting.
const concurrency = 5;

// More than run at a time: of many short ones the last is soon over.
const sharedProcesses = 8;

// Loading is most of what a process of the tests costs, and half of it is compiling what was compiled
// before: they take what the command has compiled (bin/simgate.js), and leave what they have compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache');

const loader = await loaderOfPackages(root);
process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], `--import=${loader}`].join(' ').trim();

const folder = mkdtempSync(join(tmpdir(), 'simgate-run-'));

/** The file that a process runs: the only one of its share, or one that imports them all. */
const entryOf = (share: Share, index: number): string => {
  const [first = '', ...others] = share.map((file) => join(root, file));
  if (others.length === 0) return first;
  const entry = join(folder, `together-${index}.test.mjs`);
  const lines = [first, ...others].map((file) => `import '${pathToFileURL(file).href}';\n`);
  writeFileSync(entry, lines.join(''));
  return entry;
};

// Who names files has each in a process of its own.
const shares =
  named.length > 0 ? named.map((file) => [file]) : sharesOf(filesFor(engine), sharedProcesses);

// What is tested is what the sources say now.
if (engine === 'browser') await buildConsole();
if (engine === 'postgres') await globalSetup();
const events = run({ files: shares.map(entryOf), concurrency });
const took: { readonly file: string; readonly ms: number }[] = [];
events.on('test:summary', ({ file, success, duration_ms: ms }) => {
  if (file !== undefined) took.push({ file, ms });
  else if (!success) process.exitCode = 1;
});
events.compose(spec).pipe(process.stdout);
await finished(events);
if (engine === 'postgres') await globalTeardown();
rmSync(folder, { recursive: true, force: true });
for (const { file, ms } of took.sort((one, other) => other.ms - one.ms).slice(0, 12)) {
  console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${basename(file)}`);
}
