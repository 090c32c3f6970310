/** Reads answers in tests: a value by its path, and the standard error body. */
import assert from 'node:assert/strict';
import type { Answer } from './server.ts';

/** The value at a path inside a JSON value, or undefined. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? Reflect.get(inner, key)
        : undefined,
    value,
  );

export const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

export const listOf = (value: unknown): readonly unknown[] => {
  assert.ok(Array.isArray(value), 'not a list');
  return value;
};

const passing = new Set([429, 500, 503]);

/** Fails unless an answer is that error, with exactly the keys of the error body and nothing charged. */
export const assertError = (
  answer: Pick<Answer, 'status' | 'headers' | 'body' | 'text'>,
  status: number,
  code: string,
  retry = passing.has(status) ? 'same_key' : 'no',
): void => {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const { body } = answer;
  assert.equal(at(body, 'code'), code);
  const fields = at(body, 'errors') === undefined ? [] : ['errors'];
  assert.deepEqual(keysOf(body), [
    'message',
    'code',
    'charged',
    'retry',
    'request_id',
    'docs',
    ...fields,
  ]);
  assert.match(String(at(body, 'message')), /^[A-Z].*\.$/);
  assert.equal(at(body, 'charged'), 'no');
  assert.equal(at(body, 'retry'), retry);
  assert.match(String(at(body, 'request_id')), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  assert.equal(at(body, 'request_id'), answer.headers.get('request-id'));
  assert.match(String(at(body, 'docs')), new RegExp(`/docs/errors#${code.toLowerCase()}$`));
  for (const field of keysOf(at(body, 'errors'))) {
    const sentences = listOf(at(body, 'errors', field));
    assert.ok(sentences.length > 0 && sentences.every((one) => typeof one === 'string'));
  }
};
