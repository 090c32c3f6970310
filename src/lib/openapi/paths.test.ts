/** Tests that routes are described by their schemas: parameters, bodies, responses and extensions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Type } from 'typebox';
import { at, keysOf } from '../../../test/support/answers.ts';
import { describePaths } from './paths.ts';

const described = (schema: object, method = 'GET', url = '/x'): unknown =>
  JSON.parse(JSON.stringify(describePaths([{ method, url, schema: { ...schema } }])));

describe('the paths of an OpenAPI document', () => {
  test('leave out hidden routes, and each HEAD of a GET', () => {
    assert.deepEqual(described({ hide: true }), {});
    assert.deepEqual(described({}, 'HEAD'), {});
  });

  test('have the operations of one address together, with its parameters in braces', () => {
    const route = { url: '/x/:one/y/:other_1', schema: {} };
    const paths = describePaths([
      { ...route, method: ['get', 'PUT'] },
      { ...route, method: 'POST' },
    ]);
    assert.deepEqual(Object.keys(paths), ['/x/{one}/y/{other_1}']);
    assert.deepEqual(keysOf(paths['/x/{one}/y/{other_1}']), ['get', 'put', 'post']);
  });

  test('list parameters of the query, the path and the headers, described beside their schemas', () => {
    const paths = described({
      headers: Type.Object({ 'X-Key': Type.String({ examples: ['a'] }) }),
      params: Type.Object({ id: Type.Integer({ description: 'Its ID.' }) }),
      querystring: Type.Object({ page: Type.Optional(Type.String({ examples: ['1', '2'] })) }),
    });
    assert.deepEqual(at(paths, '/x', 'get', 'parameters'), [
      {
        schema: { type: 'string' },
        examples: { example1: { value: '1' }, example2: { value: '2' } },
        in: 'query',
        name: 'page',
        required: false,
      },
      {
        schema: { type: 'integer' },
        in: 'path',
        name: 'id',
        required: true,
        description: 'Its ID.',
      },
      { schema: { type: 'string' }, example: 'a', in: 'header', name: 'X-Key', required: true },
    ]);
  });

  test('show one body in each media type, or a body for each', () => {
    const body = Type.Object({}, { description: 'All of it.', examples: [{ a: 1 }] });
    const schema = { type: 'object', properties: {}, description: 'All of it.' };
    const media = { schema, example: { a: 1 } };
    const same = described({ body, consumes: ['text/csv', 'application/json'] }, 'POST');
    assert.deepEqual(at(same, '/x', 'post', 'requestBody'), {
      required: true,
      content: { 'text/csv': media, 'application/json': media },
      description: 'All of it.',
    });
    const plain = described({ body }, 'POST');
    assert.deepEqual(keysOf(at(plain, '/x', 'post', 'requestBody', 'content')), [
      'application/json',
    ]);
    const content = { 'text/csv': { schema: Type.String() }, 'application/json': { schema: body } };
    assert.deepEqual(at(described({ body: { content } }, 'POST'), '/x', 'post', 'requestBody'), {
      required: true,
      content: { 'text/csv': { schema: { type: 'string' } }, 'application/json': media },
    });
  });

  test('show responses with their headers, and without a body if it is null', () => {
    const headers = { ETag: {} };
    const paths = described({
      response: {
        200: { ...Type.String(), 'x-response-description': 'A text.', description: 'Its words.' },
        204: { ...Type.Null(), description: 'Nothing.', headers },
        400: { description: 'Wrong.', content: { 'text/plain': { schema: Type.Literal('no') } } },
      },
    });
    assert.deepEqual(at(paths, '/x', 'get', 'responses'), {
      200: {
        description: 'A text.',
        content: { 'application/json': { schema: { type: 'string', description: 'Its words.' } } },
      },
      204: { description: 'Nothing.', headers },
      400: {
        description: 'Wrong.',
        content: { 'text/plain': { schema: { type: 'string', enum: ['no'] } } },
      },
    });
  });

  test('replace constants and patterns in schemas, and nothing in values', () => {
    const schema = Type.Object({
      const: Type.Array(Type.Literal(1)),
      map: Type.Record(Type.String(), Type.Literal('a')),
      value: Type.Unknown({ default: { const: 1 } }),
    });
    const paths = described({ response: { 200: { ...schema, description: 'It.' } } });
    const media = at(paths, '/x', 'get', 'responses', '200', 'content', 'application/json');
    assert.deepEqual(at(media, 'schema', 'properties'), {
      const: { type: 'array', items: { type: 'number', enum: [1] } },
      map: { type: 'object', additionalProperties: { type: 'string', enum: ['a'] } },
      value: { default: { const: 1 } },
    });
  });

  test('keep the names, security and extensions of an operation', () => {
    const schema = {
      operationId: 'getIt',
      summary: 'Get it',
      description: 'Gets it.',
      tags: ['Things'],
      deprecated: true,
      security: [{ token: [] }],
      'x-needs': 'session',
    };
    assert.deepEqual(at(described(schema), '/x', 'get'), { ...schema, responses: {} });
  });
});
