/** Tests that a mistyped word finds its closest match, and an unrelated one finds none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, nearest } from './closest-word.ts';

const words = ['dataDir', 'databaseUrl', 'database', 'port', 'publicUrl'];

test('an extra, missing, wrong or swapped letter still finds the word, in any case', () => {
  for (const [typed, meant] of [
    ['datadir', 'dataDir'],
    ['dataDirr', 'dataDir'],
    ['prot', 'port'],
    ['pot', 'port'],
    ['publicURI', 'publicUrl'],
    ['databaseUlr', 'databaseUrl'],
  ] as const) {
    assert.equal(nearest(typed, words), meant);
  }
});

test('a word that is far from all finds none', () => {
  for (const typed of ['', 'x', 'colour', 'po']) assert.equal(nearest(typed, words), undefined);
  assert.equal(didYouMean('colour', words), '');
  assert.equal(didYouMean('prot', words), ' The nearest is port.');
});
