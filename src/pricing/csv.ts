/** Reads and prints the entries of price lists as text: the cells of a CSV file, and the options of a command. */
import { readCsvRows } from '../catalogue/file/csv-rows.ts';
import type { FileProblem } from '../catalogue/file/lines.ts';
import {
  asOneOf,
  asWhole,
  type Fields,
  optional,
  type Reader,
  report,
  required,
} from '../catalogue/file/read-field.ts';
import { forms } from '../catalogue/file/texts.ts';
import { productTypes } from '../catalogue/product.ts';
import { csvLine, escapeFormula } from '../lib/csv.ts';
import { latinDigits } from '../lib/digits.ts';
import { show } from '../lib/json/show-value.ts';
import { isRecord } from '../lib/record.ts';
import { isPercent } from '../routing/route.ts';
import type { Commission, EntryTerms, Scope } from './price-list.ts';
import { priceFaults, priceTexts } from './texts.ts';

export type EntryCell = (typeof entryColumns)[number];
export const entryColumns = [
  'product_id',
  'category_id',
  'operator_id',
  'product_type',
  'commission',
] as const;

/** An entry of a file. */
export type ReadEntry = { readonly line: number; readonly terms: EntryTerms };

const asId = asWhole({ form: forms.whole, least: 1 });
const asAmount = asWhole({ form: forms.amount, least: 0 });

const asCommission: Reader<Commission> = (value) => {
  const text = latinDigits(String(value).trim()).replace('٪', '%');
  const percent = text.endsWith('%') ? text.slice(0, -1).trim() : undefined;
  if (percent !== undefined && isPercent(percent)) return { value: { kind: 'percent', percent } };
  const amount = asAmount(text);
  return 'value' in amount
    ? { value: { kind: 'fixed', amount: amount.value } }
    : { fault: priceFaults.notCommission(show(value)) };
};

/** The terms that cells describe; undefined if something is wrong, which is reported. */
export const readEntry = (fields: Fields): EntryTerms | undefined => {
  const before = fields.problems.length;
  const commission = required(fields, 'commission', asCommission);
  const scope: Scope = {
    productId: optional(fields, 'product_id', asId, null),
    categoryId: optional(fields, 'category_id', asId, null),
    operatorId: optional(fields, 'operator_id', asId, null),
    productType: optional(fields, 'product_type', asOneOf(productTypes), null),
  };
  const { productId, ...wider } = scope;
  if (productId !== null && Object.values(wider).some((part) => part !== null)) {
    report(fields, 'product_id', priceFaults.notAlone);
  }
  if (commission === undefined || fields.problems.length > before) return undefined;
  return { ...scope, commission };
};

/** The same for entries with the same products. */
export const scopeKey = ({ productId, categoryId, operatorId, productType }: Scope): string =>
  `${productId ?? ''} ${categoryId ?? ''} ${operatorId ?? ''} ${productType ?? ''}`;

/** Reports entries for the same products as an earlier one. */
export const repeatedScopes = (rows: readonly ReadEntry[]): FileProblem[] => {
  const lineOf = new Map<string, number>();
  return rows.flatMap(({ line, terms }) => {
    const first = lineOf.get(scopeKey(terms));
    if (first === undefined) lineOf.set(scopeKey(terms), line);
    return first === undefined ? [] : [{ line, message: priceTexts.repeatedScope(first) }];
  });
};

/** Reads a whole file. All problems are reported, by line; `rows` counts only if there are none. */
export const readEntriesFile = (
  text: string,
): { readonly rows: readonly ReadEntry[]; readonly problems: readonly FileProblem[] } => {
  const split = readCsvRows(text, entryColumns);
  const problems = [...split.problems];
  const rows = split.rows.flatMap(({ line, value }): ReadEntry[] => {
    const values = new Map(Object.entries(isRecord(value) ? value : {}));
    const terms = readEntry({ line, path: '', values, problems });
    return terms === undefined ? [] : [{ line, terms }];
  });
  return { rows, problems };
};

export const printCommission = (commission: Commission): string =>
  commission.kind === 'fixed' ? String(commission.amount) : `${commission.percent}%`;

/** The terms as text; `readEntry` reads the same. */
export const printEntry = (terms: EntryTerms): Record<EntryCell, string> => ({
  product_id: String(terms.productId ?? ''),
  category_id: String(terms.categoryId ?? ''),
  operator_id: String(terms.operatorId ?? ''),
  product_type: terms.productType ?? '',
  commission: printCommission(terms.commission),
});

/** Prints entries piece by piece, one a line, so that `readEntriesFile` reads the same. */
export function* printEntries(entries: Iterable<EntryTerms>): Generator<string> {
  yield csvLine(entryColumns);
  for (const entry of entries) {
    const cells = printEntry(entry);
    yield csvLine(entryColumns.map((column) => escapeFormula(cells[column])));
  }
}
