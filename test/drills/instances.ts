/** Runs the gateway instances of a drill: separate processes on one database. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { freePort } from '../support/port.ts';
import { type Launched, launch, type Program } from '../support/process.ts';

export type Instance = {
  readonly dataDir: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  life: Launched;
  /** How it ended, if it failed. */
  readonly died: string[];
};

/** Far more than a busy machine needs: it separates "late" from "never". */
const patienceMs = 300_000;

export const isRunning = ({ child }: Launched): boolean =>
  child.exitCode === null && child.signalCode === null;

const untilReady = async ({ port, life }: Instance): Promise<void> => {
  const latest = performance.now() + patienceMs;
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    if (!isRunning(life)) throw new Error(`An instance ended: ${life.printed()}`);
    if (performance.now() > latest) throw new Error('An instance is never ready.');
    await rest(50);
  }
};

/** Starts it again, as this program or another. */
export const startInstance = async (instance: Instance, program?: Program): Promise<void> => {
  const { dataDir, env, port } = instance;
  instance.life = await launch(dataDir, ['serve'], { ...env, PORT: String(port) }, program);
  await untilReady(instance);
};

/** Drains it, and records if it did not end well. */
export const stopInstance = async ({ life, died, port }: Instance): Promise<void> => {
  if (!isRunning(life)) died.push(`${port} exited unexpectedly: ${life.printed()}`);
  life.child.kill('SIGTERM');
  const status = await life.closed;
  if (status !== 0) died.push(`${port} ended with ${status}: ${life.printed()}`);
};

type Environment = Readonly<Record<string, string>>;

const startNew = async (dataDir: string, env: Environment): Promise<Instance> => {
  mkdirSync(dataDir);
  const port = await freePort();
  const life = await launch(dataDir, ['serve'], { ...env, PORT: String(port) });
  const instance = { dataDir, port, env, life, died: [] };
  await untilReady(instance);
  return instance;
};

/** Starts new ones in a folder, all at once. */
export const startInstances = async (
  { folder, count }: { readonly folder: string; readonly count: number },
  env: Environment,
): Promise<[Instance, ...Instance[]]> => {
  const [first, ...others] = await Promise.all(
    Array.from({ length: count }, (_, index) => startNew(join(folder, `instance-${index}`), env)),
  );
  if (first === undefined) throw new Error('There are no instances.');
  return [first, ...others];
};
