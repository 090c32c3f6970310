/** Renders a table of dense rows, or of two-line rows on a phone. */
import { useNarrow } from '../use-narrow.ts';
import type { TableProps } from './column.ts';
import { PhoneRows } from './phone-rows.tsx';
import { WideTable } from './wide-table.tsx';

export type { Column, Sort, TableProps } from './column.ts';

export const Table = <Row,>(props: TableProps<Row>) => {
  const narrow = useNarrow();
  return narrow ? <PhoneRows {...props} /> : <WideTable {...props} />;
};
