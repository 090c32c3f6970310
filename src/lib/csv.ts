/** Owns how a table is printed as CSV, by RFC 4180. */

// RFC 4180 ends lines so, and so do spreadsheets.
const lineEnd = '\r\n';

const printCell = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const csvLine = (cells: readonly string[]): string =>
  cells.map(printCell).join(',') + lineEnd;

/** A text of somebody else's, which a spreadsheet must show and not compute. */
export const inertCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
