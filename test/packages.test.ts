/** Tests that the bundled packages that test processes load equal the originals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { keysOf } from './support/answers.ts';
import { entriesIn, fileFor, loaderOfPackages } from './support/packages.ts';
import { root } from './support/selection.ts';

const load = async (url: string): Promise<unknown> => import(url);

test('each bundled file exports what the package’s file exports', async () => {
  const loader = await loaderOfPackages(root);
  for (const entry of entriesIn(root)) {
    const [made, own] = await Promise.all([
      load(new URL(fileFor(entry), loader).href),
      load(pathToFileURL(entry.file).href),
    ]);
    assert.notEqual(made, own);
    assert.ok(keysOf(own).length > 0, entry.name);
    assert.deepEqual(keysOf(made), keysOf(own), entry.name);
  }
});

test('a process of a run gets the bundled files, under every name, and each once', async () => {
  const loader = await loaderOfPackages(root);
  await load(loader);
  for (const entry of entriesIn(root)) {
    assert.equal(await load(entry.name), await load(new URL(fileFor(entry), loader).href));
  }
});
