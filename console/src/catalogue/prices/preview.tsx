/** Previews a bulk price change: prices before and after, and the refused products. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { Answer } from '../../api/client.ts';
import { Code } from '../../design/data/code.tsx';
import { Section } from '../../design/page/section.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { type Column, Table } from '../../design/table/table.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';

export type Preview = Answer<'previewPrices'>;
type Move = Preview['data'][number];
type Refused = Preview['refused'][number];

const useColumns = (): readonly Column<Move>[] => {
  const say = useText();
  const { money } = useFormat();
  return [
    { key: 'id', label: say('catalogue.fields.id'), cell: ({ id }) => <Code>{id}</Code> },
    {
      key: 'name',
      wrap: true,
      label: say('catalogue.product'),
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      key: 'field',
      label: say('cataloguePrices.whichPrice'),
      cell: ({ field }) => say(`catalogue.fields.${field}`),
    },
    {
      key: 'before',
      label: say('cataloguePrices.before'),
      numeric: true,
      cell: ({ before }) => money(before),
    },
    {
      key: 'after',
      label: say('cataloguePrices.after'),
      numeric: true,
      cell: ({ after }) => money(after),
    },
  ];
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
  preview,
  isAgain,
  busy,
  error,
  onApply,
}: {
  readonly preview: Preview;
  /** Whether it replaces an outdated one. */
  readonly isAgain: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onApply: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const columns = useColumns();
  const { data, changed, unchanged, refused, refused_count: refusedCount } = preview;
  return (
    <Section title={say('cataloguePrices.preview')}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        {isAgain ? <Alert severity="warning">{say('cataloguePrices.again')}</Alert> : null}
        <Typography role="status">
          {say('cataloguePrices.previewText', {
            changed: count(changed),
            unchanged: count(unchanged),
            refused: count(refusedCount),
          })}
        </Typography>
        {data.length === 0 ? (
          <Typography>{say('cataloguePrices.nothing')}</Typography>
        ) : (
          <Table
            name={say('cataloguePrices.preview')}
            columns={columns}
            rows={data}
            keyOf={({ id, field }) => `${id} ${field}`}
          />
        )}
        {data.length < 500 ? null : (
          <Typography>{say('cataloguePrices.first', { count: count(data.length) })}</Typography>
        )}
        <RefusedTable rows={refused} />
        <ErrorState error={error} />
        {changed === 0 ? null : (
          <Button
            variant="contained"
            loading={busy}
            sx={{ justifySelf: 'start' }}
            onClick={onApply}
          >
            {say('cataloguePrices.apply', { count: count(changed) })}
          </Button>
        )}
      </Box>
    </Section>
  );
};
