/** Tests that SECURITY.md answers each control of ASVS 5.0 up to level 2 once, and names existing files. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', root), 'utf8');

/** How many controls of levels 1 and 2 each section has; they come first in it. */
const sections: Readonly<Record<string, number>> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
};

const expected = Object.entries(sections).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
);

/** The controls of a cell: single ones, and ranges within a section. */
const controlsIn = (cell: string): string[] =>
  cell.split(', ').flatMap((part) => {
    const [first = '', last = first] = part.split('–');
    const section = first.replace(/\.\d+$/, '');
    const [from, to] = [first, last].map((one) => Number(one.slice(section.length + 1)));
    assert.ok(last.startsWith(`${section}.`) && from !== undefined && to !== undefined, part);
    return Array.from({ length: to - from + 1 }, (_, index) => `${section}.${from + index}`);
  });

test('each control up to level 2 is answered once, and no other', () => {
  assert.equal(expected.length, 253);
  const rows = [...text.matchAll(/^\| (\d[\d., –]*) \| (yes|partly|you|no|none) \| \S.* \|$/gm)];
  const told = rows.flatMap(([, cell = '']) => controlsIn(cell));
  assert.deepEqual(told.toSorted(), expected.toSorted());
});

test('all ten risks of the API list are answered', () => {
  const risks = [...text.matchAll(/^\| API(\d+) /gm)].map(([, number]) => Number(number));
  assert.deepEqual(risks, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('the files that it names exist', () => {
  const files = [...text.matchAll(/`((?:src|test|console)\/[\w./-]+)`/g)].map(
    ([, file = '']) => file,
  );
  assert.ok(files.length > 20);
  for (const file of files) assert.ok(existsSync(new URL(file, root)), file);
});
