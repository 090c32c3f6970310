/** Tests that a JSON file is split into elements with line numbers, despite errors in it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readJsonRows } from './json-rows.ts';

const linesOf = (text: string) => {
  const { rows, problems } = readJsonRows(text);
  return { rows: rows.map((row) => row.line), problems: problems.map((problem) => problem.line) };
};
const valuesOf = (text: string) => readJsonRows(text).rows.map((row) => row.value);
const problemsOf = (text: string) =>
  readJsonRows(text).problems.map(({ line, message }) => `${line}: ${message.en}`);

/** The line after a prefix, counted in another way than the program does. */
const lineAfter = (prefix: string): number =>
  prefix.replaceAll('\r\n', '\n').split(/[\r\n]/).length;

describe('a valid JSON file', () => {
  it('gives each element with the line where it begins', () => {
    const text = '[\n  {"id": 1,\n   "name": "a"},\n\n  {"id": 2}, 3\n]\n';
    assert.deepEqual(readJsonRows(text), {
      rows: [
        { line: 2, value: { id: 1, name: 'a' } },
        { line: 5, value: { id: 2 } },
        { line: 5, value: 3 },
      ],
      problems: [],
    });
  });

  it('may be an empty array', () => {
    assert.deepEqual(readJsonRows(' [ \n ] \n'), { rows: [], problems: [] });
  });

  it('may begin with a byte order mark and end its lines with CRLF or CR', () => {
    assert.deepEqual(linesOf('\uFEFF[\r\n1,\r\n2\r\n]'), { rows: [2, 3], problems: [] });
    assert.deepEqual(linesOf('[\r1,\r2\r]'), { rows: [2, 3], problems: [] });
  });

  it('may hold brackets, commas and quotes inside texts', () => {
    const values = ['a]b', '},{', 'say "no", \\', { '[': ['\\"'] }];
    assert.deepEqual(valuesOf(JSON.stringify(values)), values);
  });
});

describe('a JSON file with a fault', () => {
  it('names the line of an error inside an element, and reads the others', () => {
    const text = '[\n{"id": 1},\n{\n "id": 2,\n "name": nonsense\n},\n{"id": 3}\n]';
    assert.deepEqual(problemsOf(text), ['5: Here a value should stand, not "nonsense".']);
    assert.deepEqual(valuesOf(text), [{ id: 1 }, { id: 3 }]);
  });

  const faults: [what: string, text: string, problems: string[], values: unknown[]][] = [
    ['is empty', ' \n', ['1: The file is empty.'], []],
    [
      'is not an array',
      '\n{"data": []}',
      ['2: The file must be one JSON array: "[", the products with commas between, "]".'],
      [],
    ],
    [
      'is not closed',
      '[\n1,\n2\n\n',
      ['3: The array is not closed: its last "]" is missing.'],
      [1, 2],
    ],
    ['is only opened', '[', ['1: The array is not closed: its last "]" is missing.'], []],
    [
      'continues after its end',
      '[1]\n[2]',
      ['2: Nothing may follow the "]" that closes the array.'],
      [1],
    ],
    [
      'has a comma too many at the end',
      '[1\n,\n]',
      ['2: A comma stands after the last element. Remove it.'],
      [1],
    ],
    [
      'has a comma too many',
      '[1,\n,2]',
      ['2: A comma stands here without an element before it.'],
      [1, 2],
    ],
    [
      'lacks a comma',
      '[{"a": 1}\n{"a": 2}]',
      ['2: A comma is missing between this element and the one before it.'],
      [{ a: 1 }, { a: 2 }],
    ],
    [
      'has a text that is not closed',
      '[{"a": "x,\n"b": 1},\n{"a": 2}]',
      ['1: A text begins here and is not closed on the same line.'],
      [{ a: 2 }],
    ],
    [
      'has a list that is not closed',
      '[{"a": [1},\n{"a": 2}]',
      ['1: Here a comma or "]" should stand, not "}".'],
      [{ a: 2 }],
    ],
    [
      'has an object that is not closed',
      '[\n{"a": 1,\n{"a": 2},\n{"a": 3}]',
      ['3: Here a name in double quotes should stand, not "{".'],
      [{ a: 2 }, { a: 3 }],
    ],
    [
      'breaks off',
      '[1,\n{"a": {',
      ['2: Here a name in double quotes or "}" should stand, not the end.'],
      [1],
    ],
    ['has a brace too many', '[{}\n}, 1]', ['2: Here a value should stand, not "}".'], [{}, 1]],
    [
      'writes names with single quotes',
      `[{'a': 1}, 2]`,
      [`1: Here a name in double quotes or "}" should stand, not "'a'".`],
      [2],
    ],
    ['lacks a colon', '[{"a" "b"}, 2]', ['1: Here a colon should stand, not the text "b".'], [2]],
    [
      'writes a number with a leading zero',
      '[007]',
      ['1: Here a value should stand, not "007".'],
      [],
    ],
    [
      'has a word of the parser as a value',
      '[text]',
      ['1: Here a value should stand, not "text".'],
      [],
    ],
    [
      'has an unknown escape',
      String.raw`["C:\Data", 1]`,
      [String.raw`1: A text holds \D, which JSON does not know. Write a backslash as \\.`],
      [1],
    ],
    [
      'has a tab in a text',
      '["a\tb", 1]',
      [String.raw`1: A text holds a tab or another control character. Write a tab as \t.`],
      [1],
    ],
  ];
  for (const [what, text, problems, values] of faults) {
    it(`reports the line if it ${what}`, () => {
      assert.deepEqual(problemsOf(text), problems);
      assert.deepEqual(valuesOf(text), values);
    });
  }
});

describe('any JSON file', () => {
  const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r\n', '\r'), maxLength: 6 });
  const element = fc.tuple(space, fc.jsonValue(), fc.constantFrom(undefined, 1), space);

  it('gives the values of JSON.parse, on their lines', () => {
    fc.assert(
      fc.property(fc.array(element), space, (elements, end) => {
        let text = '[';
        const lines: number[] = [];
        for (const [before, value, indent, after] of elements) {
          if (lines.length > 0) text += ',';
          text += before;
          // A CRLF that two random pieces form is one line break; the next token decides.
          lines.push(lineAfter(text));
          text += JSON.stringify(value, null, indent) + after;
        }
        text += `${end}]`;
        assert.deepEqual(valuesOf(text), JSON.parse(text));
        assert.deepEqual(linesOf(text), { rows: lines, problems: [] });
      }),
    );
  });

  it('is read exactly if JSON.parse reads it, and has a problem otherwise', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      'null',
      'x',
      '\n',
      '\\',
      ' ',
    ];
    const soup = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });
    fc.assert(
      fc.property(soup, (content) => {
        const text = `[${content}]`;
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          assert.notEqual(readJsonRows(text).problems.length, 0);
          return;
        }
        assert.deepEqual(problemsOf(text), []);
        assert.deepEqual(valuesOf(text), parsed);
      }),
      { numRuns: 500 },
    );
  });

  it('may be nested deeper than any product without overflowing the stack', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    assert.equal(readJsonRows(nested(500)).rows.length, 1);
    for (const text of [nested(200_000), '['.repeat(200_000)]) {
      const { rows, problems } = readJsonRows(text);
      assert.deepEqual([rows.length, problems.length], [0, 1]);
    }
  });
});
