/** Previews a bulk price change: each price before and after, and the refused products. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { Code } from '../../design/data/code.tsx';
import { Section } from '../../design/page/section.tsx';
import { type Column, type Sort, Table } from '../../design/table/table.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { useProductName } from '../names.ts';
import { usePriceColumns } from '../price-columns.tsx';

export type Preview = Answer<'previewPrices'>;
type Move = Preview['data'][number];
type Refused = Preview['refused'][number];

const sortValues: Readonly<Record<string, (move: Move) => number>> = {
  id: ({ id }) => id,
  before: ({ before }) => before,
  after: ({ after }) => after,
  delta: ({ before, after }) => after - before,
  percent: ({ before, after }) => (before === 0 ? 0 : (after - before) / before),
};

const useColumns = (): readonly Column<Move>[] => {
  const say = useText();
  const nameOf = useProductName();
  const prices = usePriceColumns<Move>({
    before: say('cataloguePrices.before'),
    after: say('cataloguePrices.after'),
  });
  const columns: readonly Column<Move>[] = [
    {
      key: 'name',
      label: say('catalogue.product'),
      cell: (move) => <bdi>{nameOf(move)}</bdi>,
      phone: 'title',
    },
    {
      key: 'id',
      label: say('catalogue.fields.id'),
      cell: ({ id }) => <Code>{id}</Code>,
      phone: 'hidden',
    },
    ...prices,
  ];
  return columns.map((column) => ({
    ...column,
    sortable: Object.hasOwn(sortValues, column.key),
  }));
};

const MovesTable = ({ rows }: { readonly rows: readonly Move[] }) => {
  const say = useText();
  const columns = useColumns();
  const [sort, setSort] = useState<Sort>({ key: 'id', descending: false });
  const valueOf = sortValues[sort.key] ?? (({ id }: Move) => id);
  const sign = sort.descending ? -1 : 1;
  return (
    <Table
      name={say('cataloguePrices.preview')}
      columns={columns}
      rows={rows.toSorted((one, other) => sign * (valueOf(one) - valueOf(other)))}
      keyOf={({ id, field }) => `${id} ${field}`}
      sort={sort}
      onSort={setSort}
    />
  );
};

const RefusedTable = ({ rows }: { readonly rows: readonly Refused[] }) => {
  const say = useText();
  if (rows.length === 0) return null;
  return (
    <>
      <Typography variant="h3">{say('cataloguePrices.refused')}</Typography>
      <Table
        name={say('cataloguePrices.refused')}
        columns={[
          { key: 'id', label: say('catalogue.fields.id'), cell: ({ id }) => <Code>{id}</Code> },
          {
            key: 'code',
            wrap: true,
            label: say('cataloguePrices.why'),
            cell: ({ code }) => say(`cataloguePrices.whys.${code}`),
          },
        ]}
        rows={rows}
        keyOf={({ id }) => String(id)}
      />
    </>
  );
};

export const PricesPreview = ({
  preview: { data, refused },
  isAgain,
}: {
  readonly preview: Preview;
  /** Whether it replaces an outdated one. */
  readonly isAgain: boolean;
}) => {
  const say = useText();
  const { count } = useFormat();
  return (
    <Section title={say('cataloguePrices.preview')}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        {isAgain ? <Alert severity="warning">{say('cataloguePrices.again')}</Alert> : null}
        <Typography role="status" color="textSecondary">
          {say(data.length === 0 ? 'cataloguePrices.nothing' : 'cataloguePrices.previewText')}
        </Typography>
        {data.length === 0 ? null : <MovesTable rows={data} />}
        {data.length < 500 ? null : (
          <Typography>{say('cataloguePrices.first', { count: count(data.length) })}</Typography>
        )}
        <RefusedTable rows={refused} />
      </Box>
    </Section>
  );
};
