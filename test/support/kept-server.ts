/** Starts servers in a process that is kept for the next one: starting is most of a short server's cost. */
import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { v8Flags } from '../../bin/v8-flags.js';
import { cleanUpAfterTest } from './cleanup.ts';
import type { CommandTask } from './command-runner.ts';
import { placeOf, type Served } from './process.ts';
import { endOf } from './server-runner.ts';

const file = fileURLToPath(new URL('./server-runner.ts', import.meta.url));

/** Processes that wait for a server; they end with this one. */
const idle: ChildProcess[] = [];

const startRunner = (): ChildProcess => {
  const runner = fork(file, { execArgv: [...v8Flags], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  runner.unref();
  for (const stream of [runner.stdout, runner.stderr]) {
    stream?.setEncoding('utf8');
    if (stream instanceof Socket) stream.unref();
  }
  return runner;
};

const end = new RegExp(endOf('(\\d+)'), 'g');

/** Its next server: what it prints, its address, and its status at its end. */
const watch = (runner: ChildProcess) => {
  let text = '';
  const { promise: url, resolve: listen, reject: fail } = Promise.withResolvers<string>();
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  const streams = [runner.stdout, runner.stderr];
  const printed = (): string => text.replaceAll(end, '');
  const finish = (status: number | null): void => {
    for (const stream of streams) stream?.off('data', hear);
    runner.off('exit', finish);
    resolve(status ?? -1);
    fail(new Error(`The server ended: ${printed()}`));
  };
  const hear = (part: string): void => {
    text += part;
    const found = /"url":"(http:[^"]+)"/.exec(text)?.[1];
    if (found !== undefined) listen(found);
    const ends = [...text.matchAll(end)];
    if (ends.length === streams.length) finish(Number(ends[0]?.[1]));
  };
  for (const stream of streams) stream?.on('data', hear);
  runner.on('exit', finish);
  return { printed, url, ended };
};

/**
 * Starts `simgate serve` as `serveProcess` does, for tests that are not about its process. It is kept if the
 * server ends in it.
 */
export const serveKept = async (
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> => {
  const place = await placeOf(env['DATA_DIR'] ?? dataDir);
  const child = idle.pop() ?? startRunner();
  const { printed, url, ended } = watch(child);
  let isOver = false;
  const over = ended.then((status) => {
    isOver = true;
    child.channel?.unref();
    if (child.exitCode === null && child.signalCode === null) idle.push(child);
    return status;
  });
  cleanUpAfterTest(async () => {
    if (!isOver) child.kill('SIGKILL');
    await over;
  });
  child.channel?.ref();
  const settings = { PATH: process.env['PATH'] ?? '', PORT: '0', ...place, ...env };
  const task: CommandTask = { args: ['serve'], cwd: dataDir, env: settings };
  child.send(task);
  return {
    url: await url,
    child,
    printed,
    stop: (signal = 'SIGTERM') => {
      // By then it may be another server's.
      if (!isOver) child.kill(signal);
      return over;
    },
  };
};
