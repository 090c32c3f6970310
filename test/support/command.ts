/** Checks what every command must do: how it succeeds, and how it fails. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after } from 'node:test';
import { emptyFolder, type Finished, simgate } from './process.ts';

/** Two at a time: there are rarely more cores, and tests mostly wait for processes. */
export const twoAtATime = { concurrency: 2, timeout: 480_000 } as const;

/** Creates folders that are removed after the file's tests. */
export const temporaryFolders = (): (() => string) => {
  const made: string[] = [];
  after(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = emptyFolder();
    made.push(folder);
    return folder;
  };
};

/** Runs a command that must succeed without warnings, and returns its output. */
export const done = async (dataDir: string, ...args: readonly string[]): Promise<string> => {
  const { status, out, err } = await simgate(dataDir, args);
  assert.deepEqual({ status, err }, { status: 0, err: '' });
  return out;
};

/** Fails unless a command failed with one clear sentence and nothing else. */
export const assertSentence = ({ status, out, err }: Finished, expected: RegExp): void => {
  assert.deepEqual({ status, out }, { status: 1, out: '' }, err);
  assert.match(err, expected);
  assert.match(err, /^[^\n]+\.\n$/, 'one line that ends with a full stop');
  assert.doesNotMatch(err, /\n {4}at |node:internal|Error:/, 'a stack trace');
};
