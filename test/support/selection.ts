/** Selects the tests of a run: on SQLite all but the browser's, on PostgreSQL those where the engine matters. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import type { Engine } from './database.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * These files need a file database, or none at all, or send no statement of the program that others do not send
 * on both engines: PostgreSQL's log of all statements named each with the files that sent it. What is about
 * locks, transactions, recovery or upgrades stays on both. same-bytes.test.ts proves that every route answers
 * alike on both.
 */
const onSqliteOnly: Readonly<Record<string, string>> = {
  'src/purchases/decide.test.ts': 'pure',
  'src/purchases/purchase.test.ts': 'pure',
  'src/purchases/rows.test.ts': 'pure',
  'src/purchases/settle.test.ts': 'pure',
  'test/bench/soak.test.ts': 'pure',
  'test/console/audit.test.ts': 'words',
  'test/console/built.test.ts': 'the console’s files and types',
  'test/console/purchase-facts.test.ts': 'words',
  'test/contract/account.test.ts': 'entries; statement.test.ts beside the ledger has the database',
  'test/contract/admin-alarms.test.ts': 'who sees and sets what; alarms.test.ts has the database',
  'test/contract/admin-connectors.test.ts':
    'which connector is used; live.test.ts has the database',
  'test/contract/admin-import-end.test.ts':
    'uploads that end early; admin-catalogue-worker.test.ts has the database',
  'test/contract/admin-own.test.ts': 'what needs a fresh proof; own.test.ts has the database',
  'test/contract/admin-passkeys.test.ts': 'hosts and origins; passkeys.test.ts has the database',
  'test/contract/admin.test.ts': 'who is let in; sign-in.test.ts has the database',
  'test/contract/admin-roles.test.ts': 'who may do what; each route has tests of its own',
  'test/contract/auth.test.ts': 'tokens, which are in memory; isolation.test.ts has the database',
  'test/contract/one-exchange.test.ts': 'exchanges, and answers that are kept in memory',
  'test/contract/all-paths.test.ts': 'how requests are read',
  'test/contract/check.test.ts': 'the judgement, which writes nothing',
  'test/contract/buying-answer.test.ts': 'answers; find-by-key.test.ts has the database',
  'test/contract/buying-request.test.ts': 'what is refused before a database is asked',
  'test/contract/console.test.ts': 'files that are served',
  'test/contract/docs.test.ts': 'files that are served',
  'test/contract/database-trouble.test.ts': 'files that are full, locked or read-only',
  'test/contract/encodings.test.ts': 'the catalogue, which is in memory',
  'test/contract/fast-path.test.ts': 'how requests are read',
  'test/contract/filter.test.ts': 'the catalogue, which is in memory',
  'test/contract/front-page.test.ts': 'a page',
  'test/contract/guesses.test.ts': 'callers; attempts.test.ts has the database',
  'test/contract/hostile.test.ts': 'connections and places, which are in memory',
  'test/contract/http.test.ts': 'HTTP, and the text of the API',
  'test/contract/language.test.ts': 'the words of answers',
  'test/contract/offers.test.ts': 'offers, which are in memory',
  'test/contract/operators.test.ts': 'operators and numbers, which are in memory',
  'test/contract/overload.test.ts': 'admission and breakers, which are in memory',
  'test/contract/pagination.test.ts': 'the catalogue, which is in memory',
  'test/contract/products.test.ts': 'the catalogue, which is in memory',
  'test/contract/rules.test.ts': 'what is allowed; store.test.ts beside the rules has the database',
  'test/contract/suppliers.test.ts': 'routes and words; failover.test.ts has the database',
  'test/contract/test-clients.test.ts':
    'what reaches no operator; the store tests beside clients and purchases have the database',
  'test/contract/tracing.test.ts': 'headers and log lines',
  'test/contract/simulator-numbers.test.ts': 'the simulator’s numbers',
  'test/crash/crash.test.ts': 'a server killed on its file; crash-postgres.test.ts does the other',
  'test/journeys/admin-commands.test.ts': 'commands; sign-in.test.ts has the database',
  'test/journeys/alarm-command.test.ts': 'a command; alarms.test.ts has the database',
  'test/journeys/backup-restore.test.ts': 'copies of a file',
  'test/journeys/catalogue-files.test.ts': 'files of products; import.test.ts has the database',
  'test/journeys/client-library.test.ts': 'the library; crash-postgres.test.ts kills the server',
  'test/journeys/command-line.test.ts': 'how commands are called',
  'test/journeys/crash-points.test.ts': 'a process killed between two writes to its file',
  'test/journeys/drain.test.ts': 'signals; places.test.ts restarts on a database',
  'test/journeys/float-commands.test.ts': 'commands; floats/store.test.ts has the database',
  'test/journeys/first-start.test.ts': 'a welcome; instances.test.ts starts on an empty database',
  'test/journeys/full-disk.test.ts': 'a disk that is full',
  'test/journeys/growth.test.ts': 'the memory of a catalogue',
  'test/journeys/metrics.test.ts': 'figures, which are in memory, and ports',
  'test/journeys/operator-commands.test.ts': 'commands; live.test.ts has the database',
  'test/journeys/put-back.test.ts': 'copies of a file; restored.test.ts has the other',
  'test/journeys/price-list-commands.test.ts': 'commands; effect.test.ts has the database',
  'test/journeys/purchase-commands.test.ts':
    'commands; store.test.ts beside the purchases has the database',
  'test/journeys/review.test.ts': 'commands; resolve.test.ts has the database',
  'test/journeys/route-commands.test.ts': 'commands; change.test.ts has the database',
  'test/journeys/simulator-server.test.ts': 'the simulator’s own server',
  'test/journeys/silent-operator.test.ts': 'operators that hang',
  'test/journeys/spans.test.ts': 'spans, and a restart on a file',
  'test/journeys/starting.test.ts': 'settings, and the lock on a file',
  'test/journeys/unmatched.test.ts':
    'a command; unmatched.test.ts beside its store has the database',
  'test/docs-guides.test.ts': 'documents',
  'test/docs-metrics.test.ts': 'a document',
  'test/docs-postman.test.ts': 'a document',
  'test/openapi-tools.test.ts': 'documents',
  'test/package.test.ts': 'the package, whose command migrates a file',
  'test/packages.test.ts': 'how packages are loaded',
  'test/run.test.ts': 'how tests are run',
  'test/sdk/client.test.ts': 'the library, which knows no database',
  'test/sdk/package.test.ts': 'the package of the library',
  'test/sdk/webhook.test.ts': 'the library, which knows no database',
  'test/selection.test.ts': 'which tests there are',
  'test/site/built.test.ts': 'documents',
  'src/lib/openapi/paths.test.ts': 'pure',
  'src/purchases/restored/place/witness-file.test.ts': 'copies of a file',
  'src/purchases/stats/unsettled.test.ts': 'plans of SQLite; plans.test.ts has those of PostgreSQL',
  'test/contract/admin-exports.test.ts':
    'slots of a process; isolation.test.ts and streams.test.ts read rows',
  'test/contract/admin-masking.test.ts': 'who sees what; admin-purchases.test.ts has the database',
  'test/contract/admin-overview.test.ts':
    'sums and streams; store.test.ts beside the overview has the database',
  'test/contract/admin-routes.test.ts': 'routes; change.test.ts has the database',
  'test/contract/admin-unmask.test.ts':
    'counts of numbers; admin-purchases.test.ts has the database',
  'test/contract/business-settings.test.ts': 'names and days; settings.test.ts has the database',
  'test/contract/buying.test.ts':
    'what is charged; purchases.test.ts and buy.test.ts have the database',
  'test/contract/callbacks.test.ts': 'callers; receive.test.ts has the database',
  'test/contract/catalogue-sync.test.ts':
    'the catalogue, which is in memory; write.test.ts has the database',
  'test/crash/judge.test.ts': 'pure',
  'test/crash/shop.test.ts': 'pure',
  'test/journeys/invoice-commands.test.ts': 'commands; invoices.test.ts has the database',
  'test/ops-alerts.test.ts': 'documents',
  'test/ops/compose.test.ts': 'documents',
  'test/ops/container.test.ts': 'documents',
  'test/ops/kubernetes.test.ts': 'documents',
  'test/ops/systemd.test.ts': 'documents',
};

const postgresFolder = 'test/postgres/';
const browserFolder = 'test/browser/';
const ownPostgres = 'test/support/postgres.ts';
const testDatabase = 'test/support/database.ts';

const all = ['src', 'test', 'examples']
  .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }))
  .map((file) => file.replaceAll('\\', '/'))
  .sort();

const readImports = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export|\}).* from '(\.[^']+)';$/gm,
    ),
  ].map(([, target]) => normalize(join(dirname(file), target ?? '')));

const known = new Map<string, readonly string[]>();

const importsOf = (file: string): readonly string[] => {
  const imports = known.get(file) ?? readImports(file);
  known.set(file, imports);
  return imports;
};

/** Whether a file imports another, directly or indirectly. */
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

/**
 * The contract's files that mostly use the fast path. They run once more without it, on SQLite. The others
 * contain what always goes to the framework.
 */
const alsoByFramework: readonly string[] = [
  'test/contract/buying-answer.test.ts',
  'test/contract/buying-request.test.ts',
  'test/contract/buying.test.ts',
  'test/contract/encodings.test.ts',
  'test/contract/filter.test.ts',
  'test/contract/language.test.ts',
  'test/contract/products.test.ts',
  'test/contract/rules.test.ts',
  'test/contract/tracing.test.ts',
];

/** A run on an engine, by the framework alone, or in a browser. */
export type Run = Engine | 'framework' | 'browser';

export const runs: readonly Run[] = ['sqlite', 'framework', 'postgres', 'browser'];

const inBrowser = (file: string): boolean => file.startsWith(browserFolder);

/** The files of a whole run. */
export const filesFor = (run: Run): string[] => {
  if (run === 'browser') return all.filter(inBrowser);
  if (run === 'framework') return all.filter((file) => alsoByFramework.includes(file));
  const ofEngines = all.filter((file) => !inBrowser(file));
  return run === 'sqlite'
    ? ofEngines.filter((file) => !isAboutPostgres(file))
    : ofEngines.filter(mattersOnPostgres);
};

/** One process of a run, and the files that it tests one after the other. */
export type Share = readonly string[];

/**
 * They wait for real seconds, so that others run in between, set something up for each test of the process,
 * or break things in it. The longest come first.
 */
const apart: readonly Share[] = [
  [
    'src/operators/http/index.test.ts',
    'examples/soap-operator/index.test.ts',
    'examples/form-operator/index.test.ts',
    'examples/token-operator/index.test.ts',
    'src/operators/simulator/server/server.test.ts',
  ],
  ['test/postgres/lost-connections.test.ts'],
  // Each has a thread that computes.
  ['test/simulation/mutations.test.ts'],
  ['test/simulation/simulation.test.ts'],
  ['test/crash/crash-postgres.test.ts'],
  ['test/crash/crash.test.ts'],
  ['test/journeys/verify-purchases.test.ts', 'test/journeys/purchase-commands.test.ts'],
  [
    // Each builds the console or the site if it is stale: never two at once.
    'test/site/built.test.ts',
    'test/console/built.test.ts',
    'test/project.test.ts',
    'test/package.test.ts',
  ],
  ['test/journeys/simulator-server.test.ts', 'test/journeys/client-library.test.ts'],
  [
    'test/journeys/backup-restore.test.ts',
    'test/journeys/full-disk.test.ts',
    'test/journeys/growth.test.ts',
  ],
  [
    // Its measured event-loop turns are longer if much memory is in use.
    'test/contract/hostile.test.ts',
    'test/journeys/crash-points.test.ts',
    'test/docs-guides.test.ts',
  ],
  ['test/journeys/many-at-once.test.ts', 'test/fuzz.test.ts'],
  ['test/postgres/plans.test.ts', 'test/postgres/locked-rows.test.ts'],
  ['test/run.test.ts'],
  // The SDK registers itself for the whole process.
  ['test/journeys/spans.test.ts'],
  // They mostly wait for processes, or for moments that pass.
  ['test/contract/database-trouble.test.ts', 'test/sdk/client.test.ts'],
  [
    'test/journeys/drain.test.ts',
    'test/journeys/first-start.test.ts',
    'test/journeys/review.test.ts',
  ],
  ['test/journeys/starting.test.ts', 'test/journeys/put-back.test.ts'],
  ['test/journeys/upgrade.test.ts', 'test/journeys/silent-operator.test.ts'],
  ['src/admin/alarms/alarms.test.ts'],
  ['src/db/sqlite/open.test.ts'],
  ['src/invoices/invoices.test.ts'],
  ['src/purchases/buy.test.ts'],
  ['src/purchases/commit/measure.test.ts'],
];

const isApart = new Set(apart.flat());

/**
 * The longest of those that share a process. They are dealt first, so that every process gets about as much:
 * the last of them would otherwise run alone at the end.
 */
const longest: readonly string[] = [
  'test/contract/admin-roles.test.ts',
  'src/catalogue/file/file-properties.test.ts',
  'test/contract/admin.test.ts',
  'test/contract/webhooks.test.ts',
  'test/contract/admin-operators.test.ts',
  'test/contract/simulator-numbers.test.ts',
  'test/contract/admin-import-end.test.ts',
  'test/contract/admin-catalogue-worker.test.ts',
  'test/contract/isolation.test.ts',
  'test/contract/http.test.ts',
];

const sharesProcess = (file: string): boolean => !isApart.has(file);

for (const file of [...Object.keys(onSqliteOnly), ...isApart, ...longest, ...alsoByFramework]) {
  if (!all.includes(file)) {
    throw new Error(`${file} is listed in test/support/selection.ts and does not exist.`);
  }
}

const deal = (files: readonly string[], processes: number): Share[] =>
  Array.from({ length: processes }, (_, share) =>
    files.filter((_file, index) => index % processes === share),
  ).filter((share) => share.length > 0);

// A browser costs more to start than most tests in it; in one alone they would still run when all others are over.
const consoleProcesses = 2;

/** It waits until the site is built. */
const isOnSite = (file: string): boolean => file === 'test/browser/site.test.ts';

/**
 * The files of a run in starting order. Most end sooner than their own process would have loaded its modules:
 * these share a few processes.
 */
export const sharesOf = (run: Run, files: readonly string[], processes: number): Share[] => {
  // The few files by the framework cost little.
  if (run === 'framework') return deal(files, 1);
  if (run === 'browser') {
    const [onSite, onConsole] = [files.filter(isOnSite), files.filter((file) => !isOnSite(file))];
    return [...deal(onConsole, consoleProcesses), ...deal(onSite, 1)];
  }
  const taken = new Set(files);
  const ownShares = apart
    .map((share) => share.filter((file) => taken.has(file)))
    .filter((share) => share.length > 0);
  const sharing = files.filter(sharesProcess);
  const shared = deal(
    [
      ...longest.filter((file) => sharing.includes(file)),
      ...sharing.filter((file) => !longest.includes(file)),
    ],
    processes,
  );
  // They take longest.
  return [...shared, ...ownShares];
};
