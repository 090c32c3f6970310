/** Prints rows as CSV (RFC 4180), safe from spreadsheet formulas. */

// RFC 4180 ends lines so, and so do spreadsheets.
const lineEnd = '\r\n';

const printCell = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const csvLine = (cells: readonly string[]): string =>
  cells.map(printCell).join(',') + lineEnd;

/** A text that a spreadsheet shows and does not evaluate: possible formulas get a leading apostrophe. */
export const escapeFormula = (text: string): string =>
  /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;

/** The text of such a cell, without the apostrophe. */
export const unescapeFormula = (cell: string): string =>
  /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
