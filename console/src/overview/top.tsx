/** Shows the operators, suppliers, products and clients that sold most in a period, and the margin of each. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router';
import { type Bar, BarList } from '../design/data/bar-list.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type SalesRow, useRowNames } from '../sales/names.ts';
import type { Span } from './live.ts';
import type { Sales } from './sold.tsx';

const lists = [
  { by: 'operator', title: 'overview.byOperator', top: 'operators' },
  { by: 'supplier', title: 'overview.bySupplier', top: 'suppliers' },
  { by: 'product', title: 'overview.byProduct', top: 'products' },
  { by: 'client', title: 'overview.byClient', top: 'clients' },
] as const;

// The report has the rest.
const mostShown = 5;

const TopList = ({
  list: { by, title },
  rows,
  span,
}: {
  readonly list: (typeof lists)[number];
  readonly rows: readonly SalesRow[];
  readonly span: Span;
}) => {
  const say = useText();
  const { money } = useFormat();
  const { nameOf, linkOf } = useRowNames();
  const bars = rows.slice(0, mostShown).map((row): Bar => {
    const name = nameOf(row, by);
    return {
      key: linkOf(row, by) ?? name,
      name,
      value: row.amount,
      text: money(row.amount),
      ...(row.margin === null
        ? {}
        : { note: say('overview.marginOf', { amount: money(row.margin) }) }),
      to: linkOf(row, by),
    };
  });
  const name = say(title);
  return (
    <Section
      title={name}
      actions={
        <Button
          size="small"
          component={RouterLink}
          to={`/sales?span=${span}&by=${by}`}
          aria-label={`${say('overview.report')}: ${name}`}
        >
          {say('overview.report')}
        </Button>
      }
    >
      {bars.length === 0 ? (
        <Empty text={say('overview.nothingSold')} />
      ) : (
        <BarList name={name} bars={bars} />
      )}
    </Section>
  );
};

export const Top = ({ sales, span }: { readonly sales: Sales; readonly span: Span }) => (
  <Box
    sx={{
      display: 'grid',
      gap: 2,
      gridTemplateColumns: { xs: '1fr', lg: '1fr 1fr' },
      '& > *': { minWidth: 0 },
    }}
  >
    {lists.map((list) => (
      <TopList key={list.by} list={list} rows={sales.top[list.top]} span={span} />
    ))}
  </Box>
);
