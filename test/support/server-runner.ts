/** Runs servers one after another in one process, each as if it were alone, to save the start. */
import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Value } from 'typebox/value';
import { settle, TaskSchema } from './command-runner.ts';

/** Written behind all output of a server, to both streams. */
export const endOf = (status: number | string): string => `<the server ended: ${status}>\n`;

/** Resolves when the log is written: it writes its lines one after another, each in another thread. */
const written = async (): Promise<void> => {
  while (process.getActiveResourcesInfo().includes('FSReqCallback')) await setImmediate();
};

const serve = async (): Promise<void> => {
  const { runCommand } = await import('../../src/cli/command.ts');
  const run = async (args: readonly string[]): Promise<void> => {
    const status = await runCommand(args);
    await written();
    // Otherwise this server would hear the next one's signals.
    for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal);
    for (const stream of [1, 2]) writeSync(stream, endOf(status));
  };
  process.on('message', (task: unknown) => {
    if (!Value.Check(TaskSchema, task)) throw new Error('That is no command.');
    settle(task);
    void run(task.args);
  });
  process.on('disconnect', () => process.exit());
};

if (process.send !== undefined && process.argv[1] === import.meta.filename) await serve();
