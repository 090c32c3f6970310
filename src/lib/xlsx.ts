/** Writes a table as an XLSX file, piece by piece: a ZIP archive of a few XML parts (ECMA-376, transitional). */
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

export type SheetCell = string | number | null;

export type Sheet = {
  readonly titles: readonly string[];
  /** Rows in batches; a batch is made into XML in one turn. */
  readonly batches: AsyncIterable<readonly (readonly SheetCell[])[]>;
  readonly rightToLeft: boolean;
};

const deflated = promisify(deflateRaw);

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

// XML allows no other control characters, and no half of a surrogate pair.
const forbidden = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]|\p{Surrogate}/gu;

const escaped = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** A number stays one; text is text, also where it looks like a formula. */
const cellOf = (cell: SheetCell): string => {
  if (cell === null) return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
};

const rowOf = (cells: readonly SheetCell[]): string => `<row>${cells.map(cellOf).join('')}</row>`;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const kinds = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const sheetName = 'xl/worksheets/sheet1.xml';

const smallParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kinds}.sheet.main+xml"/><Override PartName="/${sheetName}" ContentType="${kinds}.worksheet+xml"/></Types>`,
  '_rels/.rels': `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Simgate" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

async function* sheetXml({ titles, batches, rightToLeft }: Sheet): AsyncGenerator<string> {
  const view = `<sheetViews><sheetView workbookViewId="0"${rightToLeft ? ' rightToLeft="1"' : ''}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
  yield `${head}<worksheet xmlns="${main}">${view}<sheetData>${rowOf(titles)}`;
  for await (const rows of batches) yield rows.map(rowOf).join('');
  yield '</sheetData></worksheet>';
}

const oneText = async function* (text: string): AsyncGenerator<string> {
  yield text;
};

type Numbers = readonly (readonly [value: number, bytes: 2 | 4])[];

const littleEndian = (numbers: Numbers, ...more: readonly Uint8Array[]): Buffer =>
  Buffer.concat([
    ...numbers.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
    ...more,
  ]);

const version = 20;
// Sizes follow the content; names are UTF-8.
const flags = 0x0808;
const deflate = 8;
// 1980-01-01, the first day of the format: what a reader sees is the same at any time.
const [noTime, noDay] = [0, 0x21];

type Written = {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
};

const sumsOf = ({ crc, packed, size }: Written): Numbers => [
  [crc, 4],
  [packed, 4],
  [size, 4],
];

const entryIn = (written: Written): Buffer =>
  littleEndian(
    [
      [0x02014b50, 4],
      [version, 2],
      [version, 2],
      [flags, 2],
      [deflate, 2],
      [noTime, 2],
      [noDay, 2],
      ...sumsOf(written),
      [written.name.length, 2],
      // No extra field, comment, other disk or attributes.
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [written.offset, 4],
    ],
    written.name,
  );

// An empty last block ends a part: each piece before it was packed by itself, up to a full byte.
const lastBlock = Buffer.from([0x03, 0x00]);
const upToByte = { finishFlush: 2 };

/** The file's bytes. Each piece of XML is packed outside of the thread that sells. */
export async function* writeXlsx(sheet: Sheet): AsyncGenerator<Buffer> {
  const entries: Buffer[] = [];
  let offset = 0;
  const parts: (readonly [string, AsyncIterable<string>])[] = Object.entries(smallParts).map(
    ([name, text]) => [name, oneText(text)],
  );
  for (const [partName, pieces] of [...parts, [sheetName, sheetXml(sheet)] as const]) {
    const name = Buffer.from(partName);
    const local = littleEndian(
      [
        [0x04034b50, 4],
        [version, 2],
        [flags, 2],
        [deflate, 2],
        [noTime, 2],
        [noDay, 2],
        [0, 4],
        [0, 4],
        [0, 4],
        [name.length, 2],
        [0, 2],
      ],
      name,
    );
    yield local;
    let [crc, packed, size] = [0, lastBlock.length, 0];
    for await (const text of pieces) {
      const bytes = Buffer.from(text);
      const piece = await deflated(bytes, upToByte);
      crc = crc32(bytes, crc);
      packed += piece.length;
      size += bytes.length;
      yield piece;
    }
    const written = { name, crc, packed, size, offset };
    const end = littleEndian([[0x08074b50, 4], ...sumsOf(written)]);
    yield Buffer.concat([lastBlock, end]);
    entries.push(entryIn(written));
    offset += local.length + packed + end.length;
  }
  const directory = Buffer.concat(entries);
  yield directory;
  yield littleEndian([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [entries.length, 2],
    [entries.length, 2],
    [directory.length, 4],
    [offset, 4],
    [0, 2],
  ]);
}
