/** Tests how an audit entry becomes lines of a file: no value is lost, and none is JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldChangesOf } from './csv.ts';

test('a field that changed, or is recorded on one side only, is a line', () => {
  const entry = {
    before: { name: 'a', status: 'active', held: 0 },
    after: { name: 'b', status: 'active', note: 'why' },
  };
  assert.deepEqual(fieldChangesOf(entry), [
    { field: 'name', before: 'a', after: 'b' },
    { field: 'held', before: '0', after: '' },
    { field: 'note', before: '', after: 'why' },
  ]);
});

test('fields within fields and lists are named by their path', () => {
  const token = { name: 'shop', scopes: ['offers', 'purchase'], networks: [] };
  const entry = {
    before: { token, prices: [{ id: 1, value: 10 }] },
    after: { token: { ...token, scopes: ['offers'] }, prices: [{ id: 1, value: 20 }] },
  };
  assert.deepEqual(fieldChangesOf(entry), [
    { field: 'token.scopes', before: 'offers purchase', after: 'offers' },
    { field: 'prices.1.value', before: '10', after: '20' },
  ]);
});
