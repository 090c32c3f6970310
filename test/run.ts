/** Owns which tests a run takes: all on SQLite, and on PostgreSQL those for which the engine matters. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path/posix';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { globalSetup, globalTeardown } from './support/postgres-run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What these files open is a file by its nature, or no database of theirs is in question. */
const onSqliteOnly: Readonly<Record<string, string>> = {
  'src/purchases/decide.test.ts': 'pure',
  'src/purchases/purchase.test.ts': 'pure',
  'src/purchases/rows.test.ts': 'pure',
  'src/purchases/settle.test.ts': 'pure',
  'test/contract/database-trouble.test.ts': 'files that are full, locked or read-only',
  'test/crash/crash.test.ts': 'a server killed on its file; crash-postgres.test.ts does the other',
  'test/journeys/backup-restore.test.ts': 'copies of a file',
  'test/journeys/catalogue-files.test.ts': 'files of products; import.test.ts has the database',
  'test/journeys/client-library.test.ts': 'the library; crash-postgres.test.ts kills the server',
  'test/journeys/command-line.test.ts': 'how commands are called',
  'test/journeys/crash-points.test.ts': 'a process killed between two writes to its file',
  'test/journeys/full-disk.test.ts': 'a disk that is full',
  'test/journeys/growth.test.ts': 'the memory of a catalogue',
  'test/journeys/simulator-server.test.ts': 'the simulator’s own server',
  'test/journeys/starting.test.ts': 'settings, and the lock on a file',
  'test/docs-postman.test.ts': 'a document',
  'test/sdk/client.test.ts': 'the library, which knows no database',
};

const postgresFolder = 'test/postgres/';
const ownPostgres = 'test/support/postgres.ts';
const testDatabase = 'src/lib/test-database.ts';

const all = ['src', 'test', 'examples']
  .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }))
  .map((file) => file.replaceAll('\\', '/'))
  .sort();

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export|\}).* from '(\.[^']+)';$/gm,
    ),
  ].map(([, target]) => normalize(join(dirname(file), target ?? '')));

/** Whether a file leads to another by what it imports, by whatever way. */
const leadsTo = (file: string, goal: string, seen = new Set<string>()): boolean => {
  if (file === goal) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some((target) => leadsTo(target, goal, seen));
};

const isAboutSqlite = (file: string): boolean => Object.hasOwn(onSqliteOnly, file);

const isAboutPostgres = (file: string): boolean =>
  !isAboutSqlite(file) && (file.startsWith(postgresFolder) || leadsTo(file, ownPostgres));

const mattersOnPostgres = (file: string): boolean =>
  isAboutPostgres(file) || (!isAboutSqlite(file) && leadsTo(file, testDatabase));

const filesFor = {
  sqlite: () => all.filter((file) => !isAboutPostgres(file)),
  postgres: () => all.filter(mattersOnPostgres),
} as const;

/** These take longest: they begin first, so that no core is idle while the last of them ends. */
const slowest: readonly string[] = [
  'test/crash/crash.test.ts',
  'test/crash/crash-postgres.test.ts',
  'test/journeys/lost-connections.test.ts',
  'test/journeys/client-library.test.ts',
  'test/journeys/beside-server.test.ts',
  'test/journeys/crash-points.test.ts',
  'test/journeys/simulator-server.test.ts',
  'test/journeys/verify-purchases.test.ts',
  'test/simulation/mutations.test.ts',
];

const slowestFirst = (files: readonly string[]): string[] => {
  const isSlow = (file: string): boolean => slowest.includes(file);
  return [
    ...slowest.filter((file) => files.includes(file)),
    ...files.filter((one) => !isSlow(one)),
  ];
};

const [engine, ...files] = process.argv.slice(2);
if (engine !== 'sqlite' && engine !== 'postgres') {
  throw new Error('Say on which engine: sqlite or postgres; then the files, if not all of them.');
}
for (const file of [...Object.keys(onSqliteOnly), ...slowest]) {
  if (!all.includes(file)) throw new Error(`${file} is listed in test/run.ts and does not exist.`);
}
if (engine === 'postgres') await globalSetup();
const events = run({
  files: slowestFirst(files.length > 0 ? files : filesFor[engine]()).map((file) =>
    join(root, file),
  ),
  // More than there are cores: most of the time of the slow ones is waiting.
  concurrency: 5,
});
const took: { readonly file: string; readonly ms: number }[] = [];
events.on('test:summary', ({ file, success, duration_ms: ms }) => {
  if (file !== undefined) took.push({ file, ms });
  else if (!success) process.exitCode = 1;
});
events.compose(spec).pipe(process.stdout);
await finished(events);
if (engine === 'postgres') await globalTeardown();
for (const { file, ms } of took.sort((one, other) => other.ms - one.ms).slice(0, 12)) {
  console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(root, file)}`);
}
