/** Describes the columns and rows of a table. */
import type { ReactNode } from 'react';

/**
 * Where a column is in the two-line row of a phone. The title begins the first line and the end closes it;
 * the second line has the rest, with its label if it would not be understood without. Buttons come last, in a line of their own.
 */
export type PhonePlace = 'title' | 'end' | 'line' | 'labelled' | 'actions' | 'hidden';

export type Column<Row> = {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are on the right in both directions, digit below digit. */
  readonly numeric?: boolean;
  /** Long texts take several lines; anything else stays on one. */
  readonly wrap?: boolean;
  /** The most that a text takes of the line, such as `12rem`; the rest is cut off, and in its title. */
  readonly most?: string;
  /** Takes the room that the other columns leave, and at least this; the rest is cut off, and in its title. */
  readonly rest?: string;
  /** What people called something, in a language of theirs: it is cut off at its own end. */
  readonly isName?: boolean;
  /** Its header sorts the rows; see `sort` of the table. */
  readonly sortable?: boolean;
  /** Below the column, in the row of totals. */
  readonly total?: ReactNode;
  /** Without it: the first column is the title, and the others are labelled. */
  readonly phone?: PhonePlace;
};

/** Checkboxes at the start of the rows. The page says what can be done with the chosen ones. */
export type Selection<Row> = {
  /** The keys of the chosen rows. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  /** Names a row for screen readers. */
  readonly nameOf: (row: Row) => string;
  /** Rows that cannot be chosen have no checkbox; without it, all can. */
  readonly canChoose?: (row: Row) => boolean;
};

export type Sort = { readonly key: string; readonly descending: boolean };

export type TableProps<Row> = {
  /** Names the table for screen readers. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /**
   * Makes the whole row a link, which the title column (the first, or the one of the phone's title) contains.
   * That cell must not have a link of its own. Buttons and links in other cells keep working.
   */
  readonly linkOf?: (row: Row) => string;
  /** The current order, and what a click on a header asks for. The page sorts. */
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly selection?: Selection<Row> | undefined;
  /** Names the row of totals, if they are not of everything there is. */
  readonly totalLabel?: string;
  /** Its maximum height in pixels: the rest scrolls, also by keyboard. */
  readonly height?: number;
};

/** The column that names the row. */
export const titleOf = <Row>(columns: readonly Column<Row>[]): Column<Row> | undefined =>
  columns.find(({ phone }) => phone === 'title') ?? columns[0];
