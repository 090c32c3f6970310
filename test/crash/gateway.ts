/** Runs the server under test: a real process on a real file, restarted whenever it dies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { v8Flags } from '../../bin/v8-flags.js';
import type { Draw } from '../simulation/draw.ts';
import { briefFlags } from '../support/brief-flags.ts';
import { killWithTest } from '../support/child.ts';
import { inherited } from '../support/environment.ts';
import { variable } from './points.ts';

const command = fileURLToPath(new URL('../../bin/simgate.js', import.meta.url));
const dieAt = fileURLToPath(new URL('die-at.ts', import.meta.url));

export type Life = {
  readonly child: ChildProcess;
  /** How long it took to answer: on a busy machine faults must be less frequent. */
  readonly startMs: number;
  /** The signal that killed it, or its exit status. */
  readonly ended: Promise<NodeJS.Signals | number>;
  /** The end of what it has printed. */
  readonly lastLines: () => string;
};

export type GatewayDeps = {
  readonly dataDir: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  /** Its log, for debugging. */
  readonly logFile: string;
  /** Once it is aborted, nothing that was started runs on, and nothing more is started. */
  readonly over?: AbortSignal;
};

/** Far more than a busy machine needs: it separates "late" from "never". */
const patienceMs = 600_000;

/** Nothing that is started here outlives the test. */
const outlived = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of outlived) child.kill('SIGKILL');
});

const keptCharacters = 2000;

/** Starts it and waits until it answers; `at` names the point at which to die. */
export const startGateway = async (deps: GatewayDeps, at = ''): Promise<Life> => {
  const { dataDir, port, env, logFile, over } = deps;
  over?.throwIfAborted();
  // With its memory flags from the beginning, it need not re-execute itself.
  const flags = [...v8Flags, ...briefFlags, '--import', dieAt];
  const child = spawn(process.execPath, [...flags, command, 'serve'], {
    cwd: dataDir,
    env: {
      ...inherited,
      DATA_DIR: dataDir,
      PORT: String(port),
      [variable]: at,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  outlived.add(child);
  killWithTest(child);
  const kill = (): boolean => child.kill('SIGKILL');
  over?.addEventListener('abort', kill);
  let printed = '';
  const keep = (part: Buffer): void => {
    appendFileSync(logFile, part);
    printed = (printed + part.toString()).slice(-keptCharacters);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<NodeJS.Signals | number>((resolve) => {
    child.once('close', (status, signal) => {
      outlived.delete(child);
      over?.removeEventListener('abort', kill);
      resolve(signal ?? status ?? -1);
    });
  });
  const began = performance.now();
  while (child.exitCode === null && child.signalCode === null) {
    const answered = await fetch(`http://127.0.0.1:${port}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) break;
    if (performance.now() - began > patienceMs) throw new Error('The server does not start.');
    await rest(100);
  }
  return { child, ended, startMs: performance.now() - began, lastLines: () => printed };
};

export const isRunning = ({ child }: Life): boolean =>
  child.exitCode === null && child.signalCode === null;

/** Starts it as a process manager does: again, if it exited because the database was unavailable. */
export const startSurely = async (gateway: GatewayDeps): Promise<Life> => {
  const latest = performance.now() + patienceMs;
  while (performance.now() < latest) {
    const life = await startGateway(gateway);
    if (isRunning(life)) return life;
    await rest(500);
  }
  throw new Error(`It does not start: ${gateway.logFile}`);
};

/** What a power loss leaves at the end of a log: a partially written frame. */
export const tearWal = (dataDir: string, draw: Draw): boolean => {
  const file = join(dataDir, 'simgate.db-wal');
  if (!existsSync(file) || statSync(file).size < 32 + 24 + 4096) return false;
  const frame = readFileSync(file).subarray(-(24 + 4096));
  const torn = Buffer.from(frame.subarray(0, draw.whole(1, frame.length - 1)));
  // Half of them are also corrupted.
  if (draw.chance(0.5)) torn.fill(draw.whole(0, 255), draw.whole(0, torn.length - 1));
  appendFileSync(file, torn);
  return true;
};
