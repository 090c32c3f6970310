/** Lists the selected purchases in a dialog, with the result of each. */
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useProductName } from '../../catalogue/names.ts';
import { Badge } from '../../design/data/badge.tsx';
import { Code } from '../../design/data/code.tsx';
import { type Column, Table } from '../../design/table/table.tsx';
import { useFormat } from '../../format.ts';
import { sentenceOf, useText } from '../../i18n/text.ts';
import { MaskedNumber } from '../../parts/masked-number.tsx';
import type { Row } from '../columns.tsx';
import type { Result } from './each.ts';

/** The state of one result in words; `done` says what came of it. */
export const ResultCell = <Done,>({
  result,
  done,
}: {
  readonly result: Result<Done> | undefined;
  readonly done: (answer: Done) => ReactNode;
}) => {
  const say = useText();
  if (result === undefined) return <Badge tone="plain" label={say('purchases.many.waiting')} />;
  if (result.state === 'running')
    return <Badge tone="info" label={say('purchases.many.running')} />;
  if (result.state === 'done') return done(result.answer);
  return (
    <Typography variant="body2" color="error">
      {sentenceOf(say, result.error)}
    </Typography>
  );
};

export const SelectedRows = ({
  rows,
  cell,
}: {
  readonly rows: readonly Row[];
  /** The last column: the evidence, or the result. */
  readonly cell: (row: Row) => ReactNode;
}) => {
  const say = useText();
  const { money } = useFormat();
  const productName = useProductName();
  const columns: readonly Column<Row>[] = [
    {
      key: 'number',
      label: say('purchases.number'),
      cell: ({ mobile }) => <MaskedNumber mobile={mobile} />,
    },
    {
      key: 'product',
      label: say('purchases.product'),
      cell: ({ product }) => productName(product) ?? String(product.id),
      most: '12rem',
      phone: 'line',
    },
    {
      key: 'code',
      label: say('purchases.code'),
      cell: ({ webservice_code: code }) => <Code>{code}</Code>,
      most: '9rem',
      phone: 'line',
    },
    {
      key: 'amount',
      label: say('purchases.amount'),
      cell: ({ amount }) => money(amount),
      numeric: true,
      phone: 'end',
    },
    { key: 'result', label: say('purchases.many.result'), cell, wrap: true, phone: 'line' },
  ];
  return (
    <Table
      name={say('purchases.many.rows')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      height={360}
    />
  );
};
