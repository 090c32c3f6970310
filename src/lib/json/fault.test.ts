/** Tests that a JSON syntax error is found at its position, with a message. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonFault } from './fault.ts';

for (const [about, text, at] of [
  ['an unknown word', '{"a": foo}', 6],
  ['a constant in another case', '{"a": True}', 6],
  ['single quotes', "{'a': 1}", 1],
  ['a comma before the end of an object', '{\n  "port": 1,\n}', 15],
  ['a comma before the end of a list', '[1,]', 3],
  ['a comma too few', '{"a": 1 "b": 2}', 8],
  ['a colon too few', '{"a" 1}', 5],
  ['a missing end', '{"a": [1', 8],
  ['nothing at all', '', 0],
  ['a text that does not end in its line', '{"a": "b\n}', 6],
  ['a bracket of the other kind', '{"a": [1}', 8],
  ['something after the end', '{} {}', 3],
  ['a number with a leading zero', '[01]', 1],
  ['a comment', '{ // why\n}', 2],
  ['an unknown escape', String.raw`{"a": "C:\Data"}`, 9],
  ['a tab in a text', '["a\tb"]', 3],
] as const) {
  test(`finds ${about}`, () => {
    assert.throws(() => JSON.parse(text));
    assert.equal(findJsonFault(text)?.at, at);
  });
}

test('finds nothing in valid JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (text, indent) => {
      assert.equal(findJsonFault(text), undefined);
      assert.equal(findJsonFault(JSON.stringify(JSON.parse(text), null, indent)), undefined);
    }),
  );
});

test('finds an error in every truncated object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value);
      assert.notEqual(findJsonFault(text.slice(0, cut % text.length)), undefined);
    }),
  );
});
