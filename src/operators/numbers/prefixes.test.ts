/** Tests that the longest matching prefix wins, and that duplicates are found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { claimedTwice, prefixTable } from './prefixes.ts';

test('the longest matching prefix decides, and a number without a match has no operator', () => {
  const operatorOf = prefixTable([
    { id: 1, prefixes: ['98912', '98913'] },
    { id: 2, prefixes: ['9891', '989135'] },
    { id: 3, prefixes: [] },
  ]);
  assert.equal(operatorOf('989121234567'), 1);
  assert.equal(operatorOf('989131234567'), 1);
  assert.equal(operatorOf('989135234567'), 2);
  assert.equal(operatorOf('989191234567'), 2);
  assert.equal(operatorOf('989351234567'), undefined);
  assert.equal(prefixTable([])('989121234567'), undefined);
});

test('the table agrees with a scan of every prefix', () => {
  const digits = fc.stringMatching(/^[0-3]{1,4}$/);
  const rows = fc.array(fc.record({ id: fc.nat(), prefixes: fc.array(digits, { maxLength: 4 }) }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(rows, fc.stringMatching(/^[0-3]{5}$/), (given, number) => {
      const unique = given.map((row, index) => ({
        ...row,
        prefixes: row.prefixes.filter(
          (prefix) => !given.slice(0, index).some((other) => other.prefixes.includes(prefix)),
        ),
      }));
      const fitting = unique
        .flatMap(({ id, prefixes }) => prefixes.map((prefix) => ({ id, prefix })))
        .filter(({ prefix }) => number.startsWith(prefix))
        .sort((one, other) => other.prefix.length - one.prefix.length);
      assert.equal(prefixTable(unique)(number), fitting[0]?.id);
      assert.equal(claimedTwice(unique), undefined);
    }),
  );
});

test('a prefix of two operators is found, and one that an operator lists twice is not', () => {
  assert.equal(
    claimedTwice([
      { id: 1, prefixes: ['98912', '98912'] },
      { id: 2, prefixes: ['98913'] },
    ]),
    undefined,
  );
  assert.equal(
    claimedTwice([
      { id: 1, prefixes: ['98912'] },
      { id: 2, prefixes: ['98913', '98912'] },
    ]),
    '98912',
  );
});
