/** Runs test files in a process group of their own, and ends the group when they are done or hang. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { at } from './answers.ts';

export type Counts = {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
};

export type TestProcess = {
  /** Absolute paths, tested one after another. */
  readonly files: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** An empty folder for what the process reports. */
  readonly folder: string;
  /** How long it may go without a test that begins or ends. */
  readonly hangsAfterMs: number;
  /** How long while no test is open; two minutes by default. */
  readonly endsWithinMs?: number;
  /** Prints every test as it ends instead of collecting failures. */
  readonly isLive?: boolean;
};

export type Ended = {
  readonly isOk: boolean;
  readonly counts: Counts;
  readonly ms: number;
  /** What a person needs to see if it is not ok. */
  readonly text: string;
};

const running = new Set<ChildProcess>();

const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) return;
  try {
    process.kill(platform() === 'win32' ? pid : -pid, signal);
  } catch {
    // All of it has ended.
  }
};

/** Kills every running process. */
export const endTestProcesses = (): void => {
  for (const child of running) signalGroup(child, 'SIGKILL');
};

const entryFor = ({ files, folder }: TestProcess): string => {
  const [first = '', ...others] = files;
  if (others.length === 0) return first;
  const entry = join(folder, 'together.test.mjs');
  writeFileSync(entry, files.map((file) => `import '${pathToFileURL(file).href}';\n`).join(''));
  return entry;
};

const reporter = new URL('./report.ts', import.meta.url).href;
const context = new URL('./test-context.ts', import.meta.url).href;
// As the command does for connectors: the examples use the public import names.
const names = new URL('../../src/connector/resolve-imports.ts', import.meta.url).href;

const start = (tested: TestProcess, report: string, spec: string): ChildProcess => {
  const { env, isLive = false } = tested;
  const reporters = [
    [reporter, report],
    ['spec', isLive ? 'stdout' : spec],
  ].flatMap(([name, place]) => [`--test-reporter=${name}`, `--test-reporter-destination=${place}`]);
  return spawn(
    process.execPath,
    [`--import=${context}`, `--import=${names}`, ...reporters, entryFor(tested)],
    {
      env,
      // Its own process group, so that one signal reaches everything its tests start.
      detached: platform() !== 'win32',
      stdio: ['ignore', isLive ? 'inherit' : 'pipe', isLive ? 'inherit' : 'pipe'],
    },
  );
};

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const linesOf = (report: string): readonly unknown[] =>
  textOf(report)
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));

/** The open tests, each within its suites. */
const openIn = (lines: readonly unknown[]): string => {
  const open: string[] = [];
  for (const line of lines) {
    const [began, ended] = [at(line, 'began'), at(line, 'ended')];
    if (typeof began === 'string') open.push(began);
    if (typeof ended === 'string') open.splice(open.lastIndexOf(ended), 1);
  }
  return open.join(' › ');
};

const countsIn = (lines: readonly unknown[]): Counts | undefined => {
  const counts = lines.map((line) => at(line, 'counts')).findLast((one) => one !== undefined);
  if (counts === undefined) return undefined;
  const of = (name: string): number => Number(at(counts, name));
  return {
    tests: of('tests'),
    passed: of('passed'),
    // Cancelled ones have not passed either.
    failed: of('failed') + of('cancelled'),
    skipped: of('skipped') + of('todo'),
  };
};

const graceMs = 5000;

// Between two tests, and after the last one, hardly any time passes.
const usuallyEndsWithinMs = 120_000;

const lookMs = 500;

/**
 * Ends the group once no test has begun or ended for too long; returns that limit, or undefined if it ends
 * before.
 */
const endWhenItHangs = async (
  child: ChildProcess,
  report: string,
  { hangsAfterMs, endsWithinMs = usuallyEndsWithinMs }: TestProcess,
): Promise<number | undefined> => {
  const exited = once(child, 'exit');
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  let [size, since] = [0, performance.now()];
  const limitMs = (): number =>
    size > 0 && openIn(linesOf(report)) === ''
      ? Math.min(hangsAfterMs, endsWithinMs)
      : hangsAfterMs;
  const isQuietFor = (ms: number): boolean => performance.now() - since >= ms;
  // The report is long: it is read only when it decides.
  const hangs = (): boolean =>
    isQuietFor(Math.min(hangsAfterMs, endsWithinMs)) && isQuietFor(limitMs());
  while (!hasExited() && !hangs()) {
    await Promise.race([exited, rest(lookMs)]);
    const now = statSync(report, { throwIfNoEntry: false })?.size ?? 0;
    if (now !== size) [size, since] = [now, performance.now()];
  }
  if (hasExited()) return undefined;
  const limit = limitMs();
  // A browser has its own group: its process closes it when it is asked to end.
  signalGroup(child, 'SIGTERM');
  await Promise.race([exited, rest(graceMs)]);
  return limit;
};

/** Why a process has hung, so that a person can find the place. */
const hangOf = (lines: readonly unknown[], limitMs: number): string => {
  const open = openIn(lines);
  const where =
    open === ''
      ? 'All its tests have ended, and something that they started keeps it alive.'
      : `It was in: ${open}.`;
  return `It hung: no test began or ended for ${limitMs / 1000} s. ${where}`;
};

/** The failures, from the list at the end, or as reported before if there is no end. */
const failuresIn = (spec: string, lines: readonly unknown[]): string => {
  const from = spec.indexOf('✖ failing tests:');
  if (from >= 0) return spec.slice(from);
  return lines
    .filter((line) => at(line, 'failed') !== undefined)
    .map((line) => `✖ ${String(at(line, 'failed'))}\n${String(at(line, 'why'))}`)
    .join('\n');
};

/** Errors of tests that had already ended. */
const errorsLeft = (spec: string): string => (spec.match(/^ℹ Error: .*$/gm) ?? []).join('\n');

/** Runs files to their end; everything they started ends with them. */
export const runTestProcess = async (tested: TestProcess): Promise<Ended> => {
  const report = join(tested.folder, 'report.jsonl');
  const spec = join(tested.folder, 'spec.txt');
  const began = performance.now();
  const child = start(tested, report, spec);
  running.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => (printed += part));
  }
  const closed = once(child, 'close');
  const hungFor = await endWhenItHangs(child, report, tested);
  // Before it is closed: the rest of the group would keep its pipes open.
  signalGroup(child, 'SIGKILL');
  await closed;
  running.delete(child);
  const lines = linesOf(report);
  const told = textOf(spec);
  const counts = countsIn(lines);
  const how = child.signalCode ?? `exit status ${child.exitCode}`;
  const reasons = [
    hungFor === undefined ? '' : hangOf(lines, hungFor),
    counts === undefined && hungFor === undefined ? `It ended before its tests did (${how}).` : '',
  ];
  return {
    isOk: child.exitCode === 0 && counts?.failed === 0 && hungFor === undefined,
    counts: counts ?? { tests: 1, passed: 0, failed: 1, skipped: 0 },
    ms: performance.now() - began,
    text: [printed, errorsLeft(told), failuresIn(told, lines), ...reasons]
      .filter(Boolean)
      .join('\n'),
  };
};
