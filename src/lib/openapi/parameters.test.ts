/** Tests that repeated parameters are written once, and others stay where they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareParameters } from './parameters.ts';

const id = { in: 'path', name: 'id', required: true, description: 'The ID.' };
const other = { ...id, description: 'Another ID.' };
const limit = { in: 'query', name: 'limit', description: 'The limit.' };

test('a parameter of several operations becomes a component, numbered if its name is taken', () => {
  const paths = {
    '/a': { get: { parameters: [id, limit] }, delete: { parameters: [id] } },
    '/b': { get: { parameters: [other] }, put: { parameters: [other] }, post: {} },
  };
  const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  assert.deepEqual(shareParameters({ openapi: '3.1.0', components: { schemas: {} }, paths }), {
    openapi: '3.1.0',
    components: { schemas: {}, parameters: { id, id_2: other } },
    paths: {
      '/a': { get: { parameters: [ref('id'), limit] }, delete: { parameters: [ref('id')] } },
      '/b': { get: { parameters: [ref('id_2')] }, put: { parameters: [ref('id_2')] }, post: {} },
    },
  });
});
