/** Tests that a run takes every test once, though some share a process. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesFor, root, runs, sharesOf } from './support/selection.ts';

test('every file of a run is in exactly one of its processes', () => {
  for (const run of runs) {
    const files = filesFor(run);
    for (const processes of [1, 5, files.length + 1]) {
      assert.deepEqual(sharesOf(run, files, processes).flat().sort(), files);
    }
  }
});

test('every file with tests is in a run', () => {
  const taken = new Set(runs.flatMap((run) => filesFor(run)));
  const all = globSync('**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules', '**/.*', 'dist'],
  });
  assert.deepEqual([...taken].sort(), all.map((file) => file.replaceAll('\\', '/')).sort());
});

test('a file’s setup for each of its tests affects no other file of its process', () => {
  const together = sharesOf('sqlite', filesFor('sqlite'), 1).filter((share) => share.length > 1);
  assert.ok(together.flat().length > 50);
  for (const file of together.flat()) {
    const text = readFileSync(join(root, file), 'utf8');
    assert.doesNotMatch(text, /^(before|after)Each\(/m, `${file}: put it within a describe`);
  }
});

test('those in a browser are in that run only, and share a few browsers', () => {
  const files = filesFor('browser');
  assert.ok(files.length > 0);
  assert.equal(sharesOf('browser', files, 8).length, 3);
  for (const run of ['sqlite', 'postgres'] as const) {
    assert.deepEqual(
      filesFor(run).filter((file) => files.includes(file)),
      [],
    );
  }
});
