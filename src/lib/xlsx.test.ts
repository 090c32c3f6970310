/** Tests that an XLSX file is an archive that any reader unpacks, and keeps every cell as it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import { type SheetCell, writeXlsx } from './xlsx.ts';

type Part = { readonly name: string; readonly text: string };

/** Reads an archive by its directory, as readers do, and checks each part's size and sum. */
const partsOf = (file: Buffer): Part[] => {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06'));
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  assert.equal(at + file.readUInt32LE(end + 12), end, 'the directory comes last');
  return Array.from({ length: count }, () => {
    assert.equal(file.toString('latin1', at, at + 4), 'PK\x01\x02');
    const [crc, packed, size] = [16, 20, 24].map((offset) => file.readUInt32LE(at + offset));
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    const local = file.readUInt32LE(at + 42);
    assert.equal(file.toString('latin1', local, local + 4), 'PK\x03\x04');
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const bytes = inflateRawSync(file.subarray(start, start + (packed ?? 0)));
    assert.deepEqual([bytes.length, crc32(bytes)], [size, crc], name);
    at += 46 + nameLength;
    return { name, text: bytes.toString('utf8') };
  });
};

const written = async (
  batches: readonly (readonly (readonly SheetCell[])[])[],
  rightToLeft = false,
): Promise<Part[]> => {
  async function* given() {
    yield* batches;
  }
  const sheet = { titles: ['day', 'amount'], batches: given(), rightToLeft };
  const pieces: Buffer[] = [];
  for await (const piece of writeXlsx(sheet)) pieces.push(piece);
  return partsOf(Buffer.concat(pieces));
};

const sheetIn = (parts: readonly Part[]): string =>
  parts.find(({ name }) => name === 'xl/worksheets/sheet1.xml')?.text ?? assert.fail();

test('A spreadsheet has all its parts, and rows from several batches in order', async () => {
  const parts = await written([[['2026-01-31', 12.5]], [], [['last', -3]]]);
  assert.deepEqual(
    parts.map(({ name }) => name),
    [
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/worksheets/sheet1.xml',
    ],
  );
  const cells = [...sheetIn(parts).matchAll(/<(?:t [^>]*|v)>([^<]*)</g)].map(([, text]) => text);
  assert.deepEqual(cells, ['day', 'amount', '2026-01-31', '12.5', 'last', '-3']);
});

test('Text stays text, also a formula, markup and what XML forbids', async () => {
  const sheet = sheetIn(
    await written([
      [
        ['=1+1', '<a href="x">&\u0001\uD800'],
        ['سلام', null],
      ],
    ]),
  );
  assert.ok(!sheet.includes('<f>'), 'nothing is evaluated');
  assert.match(sheet, />=1\+1<.*>&lt;a href=&quot;x&quot;&gt;&amp;<.*>سلام<.*<c\/>/);
});

test('In Persian the sheet reads from right to left', async () => {
  assert.match(sheetIn(await written([], true)), /<sheetView [^>]*rightToLeft="1"/);
  assert.doesNotMatch(sheetIn(await written([])), /rightToLeft/);
});

test('A table of many rows is packed in pieces', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => ['2026-01-31', index]);
  const parts = await written(Array.from({ length: 40 }, () => rows));
  assert.equal(sheetIn(parts).split('<row>').length, 20_002);
});
