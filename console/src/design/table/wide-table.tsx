/** Renders a table: dense rows, a sticky header that sorts, and a row of totals. */
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { card } from '../page/card.ts';
import { radii, sizes } from '../theme/tokens.ts';
import { type Column, type Sort, type TableProps, titleOf } from './column.ts';
import { controls, RowLink, rowLinkStyles } from './row-link.tsx';
import { ChooseAll, ChooseRow } from './selection.tsx';
import { SortButton } from './sort-button.tsx';

/** Whether the table is wider than its place. Only then does it scroll: a header sticks to what scrolls. */
const useIsWider = () => {
  const place = useRef<HTMLDivElement>(null);
  const [isWider, setIsWider] = useState(false);
  useEffect(() => {
    const element = place.current;
    const table = element?.firstElementChild;
    if (!element || !table) return;
    // A scroll width would also count the margin of texts that are cut off.
    const measure = (): void => setIsWider(table.clientWidth > element.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return { place, isWider };
};

/** Marks the cells of numbers. Styles of the whole table cost less than those of each of its cells. */
const numberMark = (numeric: boolean | undefined): { readonly 'data-number'?: '' } =>
  numeric === true ? { 'data-number': '' } : {};

const headStyles = {
  position: 'sticky',
  zIndex: 2,
  bgcolor: 'action.hover',
  color: 'text.secondary',
  typography: 'caption',
  fontWeight: 550,
} as const;

const cellStyles = {
  '& table': {
    width: '100%',
    borderCollapse: 'separate',
    borderSpacing: 0,
    typography: 'body2',
  },
  '& :is(th, td)': {
    height: sizes.row,
    paddingBlock: '4px',
    paddingInline: '12px',
    fontWeight: 400,
    maxWidth: '26rem',
    textAlign: 'left',
    whiteSpace: 'nowrap',
    overflow: 'clip',
    // Room for the ring around a focused control.
    overflowClipMargin: '4px',
    textOverflow: 'ellipsis',
  },
  // Lines of text keep a distance from the next row; a single line, also a Persian one, makes no row higher.
  '& :is(th, td)[data-wrap]': {
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
    minWidth: '9rem',
    paddingBlock: '6px',
  },
  // What opens within a row leaves the other cells beside its first line.
  '& tr:has(> [data-wrap] [aria-expanded="true"]) > td': { verticalAlign: 'baseline' },
  '& :is(td, tfoot th)': { borderTop: 1, borderColor: 'divider' },
  '& thead th:first-of-type': { borderStartStartRadius: radii.card - 1 },
  '& thead th:last-of-type': { borderStartEndRadius: radii.card - 1 },
  '& tfoot :is(th, td)': { fontWeight: 600 },
  // The sticky header never hides the focused row.
  '& tbody :is(a, button, input)': { scrollMarginTop: sizes.bar + sizes.row + 8 },
  '& tbody tr:hover': { bgcolor: 'action.hover' },
  '& tr[data-chosen]': { bgcolor: 'action.selected' },
  '& [data-choice]': { width: 34, paddingInline: '12px 0' },
  // The link lies over its row, and other controls over the link.
  '& tr[data-linked]': { position: 'relative' },
  [`& tr[data-linked] td:not([data-title]) ${controls}`]: { position: 'relative', zIndex: 1 },
} as const;

const Head = <Row,>({ columns, rows, keyOf, sort, onSort, selection }: TableProps<Row>) => {
  const { direction } = useTheme();
  const ariaSort = (order: Sort | undefined, key: string) =>
    order?.key === key ? (order.descending ? 'descending' : 'ascending') : 'none';
  return (
    <thead>
      <tr>
        {selection === undefined ? null : (
          <th scope="col" data-choice="">
            <ChooseAll rows={rows} keyOf={keyOf} selection={selection} />
          </th>
        )}
        {columns.map(({ key, label, numeric, sortable }) => {
          const sorts = sortable === true && onSort !== undefined;
          return (
            <th
              key={key}
              scope="col"
              {...numberMark(numeric)}
              {...(sorts ? { 'aria-sort': ariaSort(sort, key) } : {})}
            >
              {sorts ? (
                <SortButton
                  label={label}
                  atEnd={numeric === true && direction === 'ltr'}
                  descending={sort?.key === key ? sort.descending : undefined}
                  onSort={(descending) => onSort({ key, descending })}
                />
              ) : (
                label
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
};

const Foot = <Row,>({ columns, selection, totalLabel }: TableProps<Row>) => {
  const say = useText();
  if (columns.every(({ total }) => total === undefined)) return null;
  return (
    <tfoot>
      <tr>
        {selection === undefined ? null : <td />}
        {columns.map(({ key, numeric, total }, place) =>
          place === 0 && total === undefined ? (
            <th scope="row" key={key}>
              {totalLabel ?? say('common.total')}
            </th>
          ) : (
            <td key={key} {...numberMark(numeric)}>
              {total}
            </td>
          ),
        )}
      </tr>
    </tfoot>
  );
};

const Cell = <Row,>({
  column: { cell, numeric, wrap, most, rest, isName },
  row,
  to,
}: {
  readonly column: Column<Row>;
  readonly row: Row;
  /** Only for the title: where the row leads. */
  readonly to: string | undefined;
}) => {
  const content = cell(row);
  const isCut = most !== undefined || rest !== undefined;
  return (
    <td
      {...numberMark(numeric)}
      {...(most === undefined ? {} : { style: { maxWidth: most } })}
      {...(rest === undefined ? {} : { style: { minWidth: rest, width: '100%', maxWidth: 0 } })}
      {...(isCut && typeof content === 'string' ? { title: content } : {})}
      {...(isName === true ? { dir: 'auto' } : {})}
      {...(wrap === true ? { 'data-wrap': '' } : {})}
      {...(to === undefined ? {} : { 'data-title': '' })}
    >
      {to === undefined ? content : <RowLink to={to}>{content}</RowLink>}
    </td>
  );
};

const Rows = <Row,>({ columns, rows, keyOf, linkOf, selection }: TableProps<Row>) => {
  const title = titleOf(columns);
  return (
    <tbody>
      {rows.map((row) => (
        <tr
          key={keyOf(row)}
          {...(linkOf === undefined ? {} : { 'data-linked': '' })}
          {...(selection?.chosen.has(keyOf(row)) === true ? { 'data-chosen': '' } : {})}
        >
          {selection === undefined ? null : (
            <td data-choice="">
              <ChooseRow row={row} id={keyOf(row)} selection={selection} />
            </td>
          )}
          {columns.map((column) => (
            <Cell
              key={column.key}
              column={column}
              row={row}
              to={column === title ? linkOf?.(row) : undefined}
            />
          ))}
        </tr>
      ))}
    </tbody>
  );
};

export const WideTable = <Row,>(props: TableProps<Row>) => {
  const { name, height } = props;
  const { place, isWider } = useIsWider();
  const scrolls = isWider || height !== undefined;
  const { direction } = useTheme();
  return (
    <Box
      ref={place}
      {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': name } : {})}
      sx={{
        ...card,
        ...cellStyles,
        ...rowLinkStyles,
        // On the right in both directions, digit below digit. Persian pages mirror these styles: there `left` is the
        // right. Elsewhere such digits would pull texts apart, above all Persian ones.
        '& [data-number]': {
          textAlign: direction === 'ltr' ? 'right' : 'left',
          fontVariantNumeric: 'tabular-nums',
        },
        ...(scrolls ? { overflow: 'auto' } : {}),
        '& thead th': { ...headStyles, top: scrolls ? 0 : { xs: sizes.bar, md: 0 } },
        ...(height === undefined ? {} : { maxHeight: height }),
      }}
    >
      <table aria-label={name}>
        <Head {...props} />
        <Rows {...props} />
        <Foot {...props} />
      </table>
    </Box>
  );
};
