/** Starts a gateway under load in its own process, with its log in a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../bin/simgate.js', import.meta.url));

export type Served = {
  readonly url: string;
  readonly pid: number;
  /** From the spawn until it logged where it listens. */
  readonly startMs: number;
  /** Asks it to stop and waits for its exit; returns the status. */
  readonly stop: () => Promise<number>;
};

const running = new Set<ChildProcess>();

/** Kills what still runs. */
export const endServers = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

const lookEveryMs = 20;
const patienceMs = 60_000;

/**
 * Starts `simgate serve` on a data folder and waits until it listens. Reading its log here would affect the
 * measurement.
 */
export const serve = async (
  data: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> => {
  const file = join(data, 'log');
  const log = openSync(file, 'w');
  const begin = performance.now();
  const child = spawn(process.execPath, [command, 'serve'], {
    cwd: data,
    env: { PATH: process.env['PATH'], DATA_DIR: data, PORT: '0', SIMGATE_DEMO: 'off', ...env },
    stdio: ['ignore', log, log],
  });
  running.add(child);
  const closed = once(child, 'close').then((ended: unknown[]) => Number(ended[0] ?? -1));
  const urlIn = (): string | undefined => /"url":"([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1];
  while (urlIn() === undefined) {
    if (performance.now() - begin > patienceMs || child.exitCode !== null) {
      throw new Error(`The gateway does not start: ${readFileSync(file, 'utf8')}`);
    }
    await rest(lookEveryMs);
  }
  return {
    url: urlIn() ?? '',
    pid: child.pid ?? 0,
    startMs: performance.now() - begin,
    stop: async () => {
      child.kill('SIGTERM');
      const status = await closed;
      running.delete(child);
      return status;
    },
  };
};
