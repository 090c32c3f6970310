/** Tests that a failed validation names every invalid field in a sentence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { FieldErrors } from './errors.ts';
import { fieldErrors } from './schema-errors.ts';

const english = (faults: FieldErrors): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(faults).map(([field, texts]) => [field, texts.map(({ en }) => en)]),
  );

const schema = Type.Object(
  {
    name: Type.String({ minLength: 2, maxLength: 4 }),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    ratio: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    size: Type.Optional(Type.Enum(['small', 'large'])),
    always: Type.Optional(Type.Literal('this')),
    flag: Type.Optional(Type.Boolean()),
    list: Type.Optional(Type.Array(Type.String())),
    inner: Type.Optional(Type.Object({ deep: Type.Integer() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
);

for (const [value, expected] of [
  [{}, { name: ['name is required.'] }],
  [{ name: 1 }, { name: ['name must be text.'] }],
  [{ name: 'a' }, { name: ['name must have at least 2 characters.'] }],
  [{ name: 'abcde' }, { name: ['name must have at most 4 characters.'] }],
  [{ name: 'ab', count: 0 }, { count: ['count must be at least 1.'] }],
  [{ name: 'ab', count: 10 }, { count: ['count must be at most 9.'] }],
  [{ name: 'ab', count: 'x' }, { count: ['count must be a whole number.'] }],
  [{ name: 'ab', ratio: 0 }, { ratio: ['ratio must be greater than 0.'] }],
  [{ name: 'ab', size: 'huge' }, { size: ['size must be one of: small, large.'] }],
  [{ name: 'ab', always: 'that' }, { always: ['always must be this.'] }],
  [{ name: 'ab', flag: 'yes' }, { flag: ['flag must be true or false.'] }],
  [{ name: 'ab', list: {} }, { list: ['list must be a list.'] }],
  [{ name: 'ab', list: ['a', 1] }, { 'list.1': ['list.1 must be text.'] }],
  [{ name: 'ab', inner: [] }, { inner: ['inner must be an object.'] }],
  [{ name: 'ab', inner: {} }, { 'inner.deep': ['inner.deep is required.'] }],
  [{ name: 'ab', inner: { deep: 1, other: 2 } }, { 'inner.other': ['inner.other is unknown.'] }],
  [{ name: 'ab', more: 1 }, { more: ['more is unknown.'] }],
  [null, { body: ['The body must be an object.'] }],
  ['text', { body: ['The body must be an object.'] }],
] as const) {
  const [sentence] = Object.values(expected).flat();
  test(`${JSON.stringify(value)} is reported as "${sentence}"`, () => {
    assert.deepEqual(english(fieldErrors(schema, value, 'body')), expected);
  });
}

test('unknown fields are named, however many there are', () => {
  const unknown = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`more${index}`, 1]));
  const faults = english(fieldErrors(schema, { ...unknown, name: 1 }));
  assert.deepEqual(faults['more0'], ['more0 is unknown.']);
});

test('all invalid fields are named at once', () => {
  const faults = fieldErrors(schema, { count: 0, size: 'huge', more: 1 });
  assert.deepEqual(Object.keys(faults).sort(), ['count', 'more', 'name', 'size']);
});

test('a field may have the name of an object’s built-in property', () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
  for (const name of names) {
    const value: unknown = JSON.parse(`{"name":"ab","${name}":1}`);
    const faults = fieldErrors(schema, value);
    assert.deepEqual(Object.entries(english(faults)), [[name, [`${name} is unknown.`]]]);
  }
});

test('a union reports what each variant needs, without duplicates', () => {
  const either = Type.Object({ rate: Type.Union([Type.Null(), Type.Integer(), Type.Integer()]) });
  const { rate = [] } = english(fieldErrors(either, { rate: 'x' }));
  assert.ok(rate.includes('rate must be a whole number.'));
  assert.equal(new Set(rate).size, rate.length);
});

test('an invalid value gets at least one sentence, and a valid one none', () => {
  const near = fc.record(
    {
      name: fc.oneof(fc.string(), fc.jsonValue()),
      count: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.jsonValue()),
      inner: fc.oneof(fc.record({ deep: fc.integer() }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(near, fc.jsonValue()), (value) => {
      const faults = fieldErrors(schema, value);
      const sentences = Object.values(faults).flat();
      assert.equal(sentences.length > 0, !Value.Check(schema, value));
      for (const { en, fa } of sentences) {
        assert.match(en, / .*\.$/s);
        assert.match(fa, /[آ-ی].*\.$/s);
      }
    }),
    { numRuns: 500 },
  );
});
