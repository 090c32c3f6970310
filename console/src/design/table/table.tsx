/** Renders a table of dense rows, or of two-line rows on a phone. */
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { TableProps } from './column.ts';
import { PhoneRows } from './phone-rows.tsx';
import { WideTable } from './wide-table.tsx';

export type { Column, Sort, TableProps } from './column.ts';

export const Table = <Row,>(props: TableProps<Row>) => {
  const { breakpoints } = useTheme();
  const narrow = useMediaQuery(breakpoints.down('sm'), { noSsr: true });
  return narrow ? <PhoneRows {...props} /> : <WideTable {...props} />;
};
