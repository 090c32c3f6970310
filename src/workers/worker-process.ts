/** Runs one worker process for the primary: readiness, stop and exit. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { readyUrl, type Stop } from './messages.ts';

export type WorkerExit = {
  readonly worker: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
};

export type WorkerProcess = {
  readonly pid: number | undefined;
  /** Where it listens, or undefined if it exited before. */
  readonly ready: Promise<string | undefined>;
  /** Resolves when it has exited and all its output has been passed on. */
  readonly ended: Promise<WorkerExit>;
  readonly stop: (signal: string) => void;
  readonly kill: () => void;
};

/** Starts another process of this command; its output goes to `passOn`. */
export const startWorkerProcess = (passOn: (source: Readable) => Promise<void>): WorkerProcess => {
  const worker = cluster.fork();
  const { process: child } = worker;
  // A message to a process that is just ending is lost; its exit is reported anyway.
  worker.on('error', () => {});
  const printed = child.stdout === null ? Promise.resolve() : passOn(child.stdout);
  const ended = once(child, 'close').then(async (): Promise<WorkerExit> => {
    await printed;
    return { worker: child.pid, code: child.exitCode, signal: child.signalCode };
  });
  const ready = new Promise<string | undefined>((resolve) => {
    worker.on('message', (message: unknown) => {
      const url = readyUrl(message);
      if (url !== undefined) resolve(url);
    });
    void ended.finally(() => resolve(undefined));
  });
  return {
    pid: child.pid,
    ready,
    ended,
    stop: (signal) => {
      if (worker.isConnected()) worker.send({ kind: 'stop', signal } satisfies Stop);
    },
    kill: () => {
      child.kill('SIGKILL');
    },
  };
};
