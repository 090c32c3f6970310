/** Renders the rows of a table on a phone: two lines each, with the totals below. */
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { card } from '../page/card.ts';
import { type Column, type PhonePlace, type TableProps, titleOf } from './column.ts';
import { controls, RowLink, rowLinkStyles } from './row-link.tsx';
import { atEdge, ChooseAll, ChooseRow } from './selection.tsx';

const line = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 1.25,
  rowGap: 0.25,
  minWidth: 0,
} as const;

const quiet = { ...line, typography: 'body2', color: 'text.secondary' } as const;

const stack = { display: 'grid', gap: 0.5, gridTemplateColumns: 'minmax(0, 1fr)' } as const;

/** The checkbox has a column of its own: all lines begin beside it. */
const chosenStack = { ...stack, columnGap: 0, gridTemplateColumns: 'auto minmax(0, 1fr)' } as const;

/** A name of another direction must not reorder the words beside it. */
const contentOf = <Row,>({ cell, isName }: Column<Row>, row: Row): ReactNode =>
  isName === true ? <bdi>{cell(row)}</bdi> : cell(row);

const Part = <Row,>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) => (
  // A text of several lines has them for itself.
  <Box
    sx={{
      minWidth: 0,
      overflowWrap: 'anywhere',
      ...(column.wrap === true ? { flexBasis: '100%' } : {}),
    }}
  >
    {column.phone === 'line' ? null : `${column.label}: `}
    {contentOf(column, row)}
  </Box>
);

/** What a wide table needs for its grid: on a phone a label without a value says nothing. */
const useIsShown = () => {
  const none = useText()('common.none');
  return <Row,>(column: Column<Row>, row: Row): boolean => {
    const cell = column.cell(row);
    return cell !== none && cell !== null;
  };
};

const PhoneRow = <Row,>(props: TableProps<Row> & { readonly row: Row }) => {
  const { columns, row, linkOf, keyOf, selection } = props;
  const isShown = useIsShown();
  const title = titleOf(columns);
  const at = (place: PhonePlace) =>
    columns.filter((column) => column !== title && (column.phone ?? 'labelled') === place);
  const name = title === undefined ? undefined : contentOf(title, row);
  const actions = at('actions').filter((column) => isShown(column, row));
  return (
    <Box component="li" sx={selection === undefined ? stack : chosenStack}>
      {selection === undefined ? null : (
        <Box
          sx={{
            gridRow: `1 / span ${actions.length === 0 ? 2 : 3}`,
            alignSelf: 'center',
            ...atEdge,
          }}
        >
          <ChooseRow row={row} id={keyOf(row)} selection={selection} />
        </Box>
      )}
      <Box sx={{ ...line, flexWrap: 'nowrap', justifyContent: 'space-between' }}>
        <Box
          data-title=""
          sx={{ fontWeight: 550, minWidth: 0, overflowWrap: 'anywhere', flexGrow: 1 }}
        >
          {linkOf === undefined ? name : <RowLink to={linkOf(row)}>{name}</RowLink>}
        </Box>
        {/* A range of prices leaves its product's name room. */}
        <Box sx={{ ...line, flexShrink: 0, maxWidth: '50%', fontWeight: 550, textAlign: 'end' }}>
          {at('end').map((column) => (
            <span key={column.key}>{column.cell(row)}</span>
          ))}
        </Box>
      </Box>
      <Box sx={quiet}>
        {[...at('line'), ...at('labelled')]
          .filter((column) => isShown(column, row))
          .map((column) => (
            <Part key={column.key} column={column} row={row} />
          ))}
      </Box>
      {actions.length === 0 ? null : (
        <Box sx={quiet}>
          {actions.map((column) => (
            <Box key={column.key} sx={{ minWidth: 0 }}>
              {column.cell(row)}
            </Box>
          ))}
        </Box>
      )}
    </Box>
  );
};

const Totals = <Row,>({ columns, totalLabel }: TableProps<Row>) => {
  const say = useText();
  const summed = columns.filter(({ total }) => total !== undefined);
  if (summed.length === 0) return null;
  return (
    <Box component="li" sx={{ ...line, fontWeight: 600 }}>
      {totalLabel ?? say('common.total')}
      {summed.map(({ key, label, total }) => (
        <span key={key}>
          {label}: {total}
        </span>
      ))}
    </Box>
  );
};

export const PhoneRows = <Row,>(props: TableProps<Row>) => {
  const { name, rows, keyOf, height, selection } = props;
  return (
    <Box
      component="ul"
      aria-label={name}
      {...(height === undefined ? {} : { tabIndex: 0 })}
      sx={{
        ...card,
        ...rowLinkStyles,
        listStyle: 'none',
        m: 0,
        p: 0,
        ...(height === undefined ? {} : { maxHeight: height, overflowY: 'auto' }),
        '& > li': { position: 'relative', p: 1.5, minWidth: 0 },
        '& > li + li': { borderTop: 1, borderColor: 'divider' },
        // The link lies over its row, and other controls over the link.
        [`& > li :not([data-title]) > ${controls}`]: { position: 'relative', zIndex: 1 },
      }}
    >
      {selection === undefined ? null : (
        <Box component="li" sx={line}>
          <ChooseAll rows={rows} keyOf={keyOf} selection={selection} labelled />
        </Box>
      )}
      {rows.map((row) => (
        <PhoneRow key={keyOf(row)} {...props} row={row} />
      ))}
      <Totals {...props} />
    </Box>
  );
};
