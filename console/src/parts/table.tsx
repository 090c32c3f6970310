/** Renders a table, or a list of cards on narrow screens. */
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import MuiTable from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ReactNode } from 'react';
import { KeyValues } from './key-values.tsx';

export type Column<Row> = {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the end of their cell. */
  readonly numeric?: boolean;
};

export type TableProps<Row> = {
  /** The table's caption, for screen readers. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Its maximum height in pixels: the rest scrolls, also by keyboard. */
  readonly height?: number;
};

/** At most this high, with the rest scrolled. */
const scrolled = (height: number | undefined) =>
  height === undefined ? {} : { maxHeight: height, overflowY: 'auto' };

const Cards = <Row,>({ name, columns, rows, keyOf, height }: TableProps<Row>) => (
  <Box
    component="ul"
    aria-label={name}
    {...(height === undefined ? {} : { tabIndex: 0 })}
    sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5, ...scrolled(height) }}
  >
    {rows.map((row) => (
      <Box
        component="li"
        key={keyOf(row)}
        sx={{
          bgcolor: 'background.paper',
          border: 1,
          borderColor: 'divider',
          borderRadius: 2,
          p: 1.5,
          minWidth: 0,
        }}
      >
        <KeyValues rows={columns.map(({ label, cell }) => [label, cell(row)])} />
      </Box>
    ))}
  </Box>
);

export const Table = <Row,>(props: TableProps<Row>) => {
  const { name, columns, rows, keyOf, height } = props;
  const { breakpoints } = useTheme();
  const narrow = useMediaQuery(breakpoints.down('sm'), { noSsr: true });
  if (narrow) return <Cards {...props} />;
  return (
    <TableContainer
      tabIndex={0}
      role="group"
      aria-label={name}
      sx={{
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
        ...scrolled(height),
      }}
    >
      <MuiTable size="small" aria-label={name}>
        <TableHead>
          <TableRow>
            {columns.map(({ key, label, numeric }) => (
              <TableCell key={key} scope="col" align={numeric ? 'right' : 'left'}>
                {label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} hover>
              {columns.map(({ key, cell, numeric }) => (
                <TableCell key={key} align={numeric ? 'right' : 'left'}>
                  {cell(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </MuiTable>
    </TableContainer>
  );
};
