/** Reads a catalogue from JSON or CSV with all its problems, and prints it. */

import { standardOperatorIds } from '../../config/sections/operators.ts';
import { csvLine, escapeFormula } from '../../lib/csv.ts';
import { show } from '../../lib/json/show-value.ts';
import { isRecord } from '../../lib/record.ts';
import { type Currency, currencyColumn } from '../../settings/currency.ts';
import type { ImportedProduct } from '../product.ts';
import { jsonColumns, readCsvRows, readJsonCell } from './csv-rows.ts';
import { readJsonRows } from './json-rows.ts';
import type { FileProblem, FileRow, FileRows } from './lines.ts';
import type { CategoryEntry } from './read-categories.ts';
import { type ProductReading, productFields, readProduct } from './read-product.ts';
import { rowTexts } from './texts.ts';

export type { FileProblem } from './lines.ts';

export type CatalogueFormat = 'json' | 'csv';

/** The format of a file name's extension. */
export const catalogueFormat = (fileName: string): CatalogueFormat | undefined => {
  const extension = /\.(json|csv)$/i.exec(fileName)?.[1]?.toLowerCase();
  return extension === 'json' || extension === 'csv' ? extension : undefined;
};

type Seen = {
  readonly products: Map<number, number>;
  readonly categories: Map<number, CategoryEntry & { readonly line: number }>;
};

/** Contradictions to earlier rows: an id is one product, and a category is the same everywhere. */
const contradictions = (
  { id, categories }: ProductReading,
  line: number,
  seen: Seen,
): FileProblem[] => {
  const problems: FileProblem[] = [];
  const earlier = id === undefined ? undefined : seen.products.get(id);
  if (id !== undefined && earlier !== undefined) {
    problems.push({ line, field: 'id', message: rowTexts.repeatedId(id, earlier, line) });
  } else if (id !== undefined) seen.products.set(id, line);
  for (const category of categories) {
    const first = seen.categories.get(category.id);
    if (first === undefined) seen.categories.set(category.id, { ...category, line });
    else if (first.name !== category.name || first.data !== category.data) {
      const differs = first.name === category.name ? 'data' : 'name';
      const message = rowTexts.otherCategory(category.id, differs, line, first.line);
      problems.push({ line, field: 'categories', message });
    }
  }
  return problems;
};

/** The rows without their currency, and the first that is in another one than this gateway's. */
const readCurrency = (
  { rows, problems }: FileRows,
  own: string | null,
): { readonly rows: readonly FileRow[]; readonly problems: readonly FileProblem[] } => {
  const read = rows.map(({ line, value }) => {
    const { currency, ...product } = isRecord(value) ? value : {};
    return { line, value: product, currency };
  });
  const other = read.find(({ currency }) => currency !== undefined && currency !== own);
  if (other === undefined) return { rows: read, problems };
  const message = rowTexts.otherCurrency(show(other.currency), own);
  return { rows: read, problems: [...problems, { line: other.line, field: 'currency', message }] };
};

const csvColumns = [...productFields, 'currency'];

// Often enough for a progress bar to move.
const rowsAtATime = 500;

/**
 * Reads a whole file. Every row is checked and all problems are reported, by line; `products` holds the valid
 * rows, and is the catalogue only if `problems` is empty. A CSV file may name the currency of its prices, which
 * must then be this gateway's.
 */
export const readCatalogueFile = (
  text: string,
  format: CatalogueFormat,
  progress: (done: number, of: number) => void = () => {},
  currency: string | null = null,
  operators = standardOperatorIds,
): { products: ImportedProduct[]; problems: FileProblem[] } => {
  const split =
    format === 'json' ? readJsonRows(text) : readCurrency(readCsvRows(text, csvColumns), currency);
  const problems = [...split.problems];
  const products: ImportedProduct[] = [];
  const seen: Seen = { products: new Map(), categories: new Map() };
  for (const [index, row] of split.rows.entries()) {
    if (index % rowsAtATime === 0) progress(index, split.rows.length);
    const reading = readProduct(row, problems, operators);
    const contradicted = contradictions(reading, row.line, seen);
    problems.push(...contradicted);
    if (reading.product !== undefined && contradicted.length === 0) products.push(reading.product);
  }
  return { products, problems: problems.sort((a, b) => a.line - b.line) };
};

/** A JSON column shows a text as it is, unless it would be read back as something else. */
const printJsonCell = (value: unknown): string =>
  typeof value === 'string' && value.isWellFormed() && readJsonCell(value) === value
    ? value
    : JSON.stringify(value);

const printCell = (name: string, value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return printJsonCell(value);
  return escapeFormula(jsonColumns.has(name) ? printJsonCell(value) : value);
};

function* printCsv(
  products: Iterable<ImportedProduct>,
  currency: Pick<Currency, 'code'> | null,
): Generator<string> {
  const { header, cell } = currencyColumn(currency);
  yield csvLine([...productFields, ...header]);
  for (const product of products) {
    const values = new Map<string, unknown>(Object.entries(product));
    const cells = productFields.map((name) => printCell(name, values.get(name)));
    yield csvLine([...cells, ...cell]);
  }
}

function* printJson(products: Iterable<ImportedProduct>): Generator<string> {
  let before = '[\n';
  for (const product of products) {
    yield before + JSON.stringify(product);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** Prints a catalogue piece by piece, a product a line, so that `readCatalogueFile` reads the same. */
export const printCatalogue = (
  products: Iterable<ImportedProduct>,
  format: CatalogueFormat,
  currency: Pick<Currency, 'code'> | null = null,
): Generator<string> => (format === 'json' ? printJson(products) : printCsv(products, currency));
