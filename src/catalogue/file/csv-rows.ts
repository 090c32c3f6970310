/** Splits a CSV file into rows by its header, each with its line number. */
import { type CsvError, parse } from 'csv-parse/sync';
import { unescapeFormula } from '../../lib/csv.ts';
import { endOfText } from '../../lib/json/fault.ts';
import { show } from '../../lib/json/show-value.ts';
import type { Text } from '../../lib/text.ts';
import {
  type FileProblem,
  type FileRow,
  type FileRows,
  lineFinder,
  mostDepth,
  withoutBom,
} from './lines.ts';
import { csvTexts, fileTexts } from './texts.ts';

/** Columns whose cells hold JSON. */
export const jsonColumns: ReadonlySet<string> = new Set([
  'dimension',
  'options',
  'third_party_id',
  'capacity',
  'categories',
]);

// Each level of nested JSON takes memory. Brackets in texts do not count.
const isTooDeep = (cell: string): boolean => {
  const marks = /["[\]{}]/g;
  let depth = 0;
  for (let found = marks.exec(cell); found !== null; found = marks.exec(cell)) {
    const [mark] = found;
    if (mark === '"') marks.lastIndex = endOfText(cell, found.index);
    else depth += mark === '[' || mark === '{' ? 1 : -1;
    if (depth > mostDepth) return true;
  }
  return false;
};

/** A cell of a JSON column: text that is not JSON, or is nested too deeply, is plain text. */
export const readJsonCell = (cell: string): unknown => {
  if (isTooDeep(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
};

type Cells = { readonly line: number; readonly cells: readonly string[] };

const quoteProblems: ReadonlyMap<string | undefined, Text> = new Map<string, Text>([
  ['CSV_QUOTE_NOT_CLOSED', csvTexts.quoteNotClosed],
  ['CSV_INVALID_CLOSING_QUOTE', csvTexts.closingQuote],
  ['INVALID_OPENING_QUOTE', csvTexts.openingQuote],
]);

const problemOf = (error: CsvError | undefined): Text =>
  quoteProblems.get(error?.code) ?? csvTexts.unreadable;

/**
 * Splits into cells. The parser's own line numbers count a CRLF inside quotes twice, so lines are found by
 * offset: every cell has its end, and a row begins after the end of the last one.
 */
const readCells = (text: string): { records: Cells[]; problems: FileProblem[] } => {
  const bytes = Buffer.from(text);
  // One character a byte, because the parser's offsets are in bytes.
  const latin = bytes.toString('latin1');
  const lineAt = lineFinder(latin);
  const records: Cells[] = [];
  const problems = new Map<number, FileProblem>();
  let lastEnd = 0;
  let rowStart = 0;
  const nextRow = (): number => {
    const content = /[^\r\n]/g;
    content.lastIndex = lastEnd;
    return content.exec(latin)?.index ?? latin.length;
  };
  parse(bytes, {
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    cast: (cell, { index, bytes }) => {
      if (index === 0) rowStart = nextRow();
      lastEnd = bytes;
      return cell;
    },
    on_record: (cells) => {
      records.push({ line: lineAt(rowStart), cells });
      return null;
    },
    on_skip: (error) => {
      const at = error?.['index'] === 0 ? nextRow() : lastEnd;
      const first = problems.get(at);
      problems.set(at, first ?? { line: lineAt(at), message: problemOf(error) });
      return undefined;
    },
  });
  return { records, problems: [...problems.values()] };
};

const headerProblems = (
  names: readonly string[],
  line: number,
  known: readonly string[],
): FileProblem[] =>
  names.flatMap((name, index) => {
    if (name === '') return [{ line, message: csvTexts.namelessColumn(index + 1) }];
    const field = name;
    if (!known.includes(name)) {
      return [{ line, field, message: csvTexts.unknownColumn(show(name)) }];
    }
    if (names.indexOf(name) === index) return [];
    return [{ line, field, message: csvTexts.repeatedColumn(name) }];
  });

/** An empty cell is an absent field, and so is a cell under an unknown name. */
const rowValue = (
  names: readonly string[],
  cells: readonly string[],
  known: readonly string[],
): Record<string, unknown> => {
  const filled = names
    .map((name, index) => ({ name, cell: unescapeFormula(cells[index] ?? '') }))
    .filter(({ name, cell }) => cell !== '' && known.includes(name));
  return Object.fromEntries(
    filled.map(({ name, cell }) => [name, jsonColumns.has(name) ? readJsonCell(cell) : cell]),
  );
};

/** Splits a file; an error in a row is a problem, and the others are still read. */
export const readCsvRows = (source: string, known: readonly string[]): FileRows => {
  if (source.trim() === '') {
    return { rows: [], problems: [{ line: 1, message: fileTexts.empty }] };
  }
  const { records, problems: broken } = readCells(withoutBom(source));
  const [header, ...body] = records;
  // If the header itself is broken, the first readable row is not one.
  const headerLost = broken.some(({ line }) => header === undefined || line < header.line);
  if (header === undefined || headerLost) return { rows: [], problems: broken };
  const names = header.cells.map((name) => name.trim());
  const problems = [...broken, ...headerProblems(names, header.line, known)];
  const rows: FileRow[] = [];
  for (const { line, cells } of body) {
    // Spreadsheets leave rows of commas behind.
    if (cells.every((cell) => cell === '')) continue;
    if (cells.length === names.length) rows.push({ line, value: rowValue(names, cells, known) });
    else {
      problems.push({ line, message: csvTexts.otherLength(cells.length, names.length) });
    }
  }
  return { rows, problems };
};
