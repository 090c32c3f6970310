/** Proves that a run takes every test once, though some share a process. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { filesFor, root, sharesOf } from './support/selection.ts';

const engines = ['sqlite', 'postgres'] as const;

test('every file of a run is in exactly one of its processes', () => {
  for (const engine of engines) {
    const files = filesFor(engine);
    for (const processes of [1, 5, files.length + 1]) {
      assert.deepEqual(sharesOf(files, processes).flat().sort(), files);
    }
  }
});

test('every file with tests is in the run of an engine', () => {
  const taken = new Set(engines.flatMap((engine) => filesFor(engine)));
  const all = globSync('**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules', '**/.*', 'dist'],
  });
  assert.deepEqual([...taken].sort(), all.map((file) => file.replaceAll('\\', '/')).sort());
});
