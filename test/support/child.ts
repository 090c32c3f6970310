/** Kills a process that a test has started when the test is over, unless it has exited. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cleanUpAfterTest } from './cleanup.ts';

export const killWithTest = (child: ChildProcess): void => {
  cleanUpAfterTest(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
};
