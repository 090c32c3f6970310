/** Tests that a test run always ends, names what hung, and leaves nothing running. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolders } from './support/command.ts';
import { inherited } from './support/environment.ts';
import { eventually } from './support/live.ts';
import { type Ended, runTestProcess, type TestProcess } from './support/test-process.ts';

const newFolder = temporaryFolders();

/** The first lines of each file: a child that reports its id, in the file's own group and never ending. */
const withChild = (folder: string): string => `
  import assert from 'node:assert/strict';
  import { spawn } from 'node:child_process';
  import { writeFileSync } from 'node:fs';
  import { createServer } from 'node:http';
  import { describe, test } from 'node:test';
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  child.unref();
  writeFileSync(${JSON.stringify(join(folder, 'child'))}, String(child.pid));
`;

type Ran = Ended & {
  /** Whether the child of the file still runs. */
  readonly childRuns: () => boolean;
};

const run = async (
  text: string,
  limits: Pick<TestProcess, 'hangsAfterMs' | 'endsWithinMs'> = { hangsAfterMs: 60_000 },
): Promise<Ran> => {
  const folder = newFolder();
  const report = join(folder, 'report');
  mkdirSync(report);
  const file = join(folder, 'tried.test.mjs');
  writeFileSync(file, withChild(folder) + text);
  const ended = await runTestProcess({
    files: [file],
    env: { ...inherited },
    folder: report,
    ...limits,
  });
  const pid = Number(readFileSync(join(folder, 'child'), 'utf8'));
  const childRuns = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  return { ...ended, childRuns };
};

const ends = ({ childRuns }: Ran): Promise<void> =>
  eventually('the child has ended', async () => !childRuns());

/** Far more than a busy machine takes to load a file of a few lines. */
const soon = 15_000;

describe('A process of the run', { concurrency: true }, () => {
  test('a file whose tests pass is counted, and everything it started ends with it', async () => {
    const ran = await run(`
      test('passes', () => {});
      test('is left out', { skip: true }, () => {});
    `);
    assert.equal(ran.isOk, true, ran.text);
    assert.deepEqual(ran.counts, { tests: 2, passed: 1, failed: 0, skipped: 1 });
    await ends(ran);
  });

  test('an unhandled error fails the test that caused it, or the file if that has ended', async () => {
    const ran = await run(`
      const later = () => new Promise((resolve) => setTimeout(resolve, 10));
      test('leaves an error', () => void later().then(() => assert.fail('left behind')));
      test('throws on a timer', async () => {
        setTimeout(() => assert.fail('thrown on a timer'), 10);
        await new Promise(() => {});
      });
      test('rejects aside', async () => {
        void later().then(() => assert.fail('rejected aside'));
        await new Promise(() => {});
      });
    `);
    assert.deepEqual([ran.isOk, ran.counts.passed, ran.counts.failed], [false, 1, 2], ran.text);
    assert.match(ran.text, /throws on a timer[^]*thrown on a timer/);
    assert.match(ran.text, /rejects aside[^]*rejected aside/);
    assert.match(ran.text, /left behind/);
  });

  test('a file with a failing test says which and why, and leaves nothing running', async () => {
    const ran = await run(`
      test('passes', () => {});
      test('fails in its midst', () => assert.equal(1, 2, 'one is not two'));
    `);
    assert.deepEqual([ran.isOk, ran.counts.passed, ran.counts.failed], [false, 1, 1]);
    assert.match(ran.text, /fails in its midst/);
    assert.match(ran.text, /one is not two/);
    await ends(ran);
  });

  test('a hanging file is killed with its children, and names the hanging test and earlier failures', async () => {
    const ran = await run(
      `describe('A suite', () => {
        test('fails before', () => assert.fail('for a reason'));
        test('never ends', () => new Promise(() => { setInterval(() => {}, 1000); }));
      });`,
      { hangsAfterMs: soon },
    );
    assert.equal(ran.isOk, false);
    assert.match(ran.text, /fails before[^]+for a reason/);
    assert.match(
      ran.text,
      /It hung: no test began or ended for 15 s\. It was in: A suite › never ends\./,
    );
    await ends(ran);
  });

  test('a file that stays alive after its tests, ignoring signals, is killed too', async () => {
    const ran = await run(
      `test('passes', () => { createServer().listen(0); process.on('SIGTERM', () => {}); });`,
      { hangsAfterMs: 600_000, endsWithinMs: soon },
    );
    assert.equal(ran.isOk, false);
    assert.match(
      ran.text,
      /no test began or ended for 15 s\. All its tests have ended, and something that they started keeps it alive/,
    );
    await ends(ran);
  });

  test('a file that exits before its tests end is not ok', async () => {
    const ran = await run(`test('ends the process', () => process.exit(0));`);
    assert.equal(ran.isOk, false);
    assert.match(ran.text, /It ended before its tests did \(exit status 0\)/);
    await ends(ran);
  });
});
