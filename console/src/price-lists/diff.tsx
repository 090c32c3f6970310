/** Shows which entries a new version adds, changes and removes. */
import Typography from '@mui/material/Typography';
import type { Answer } from '../api/client.ts';
import { Badge } from '../design/data/badge.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import type { Entry } from './price-list.ts';
import { Scope, useCommission } from './words.tsx';

type Diff = Answer<'previewPriceListImport'>['diff'];
type Row = Diff[number] & { readonly key: string };

const kinds = { added: 'new', changed: 'changed', removed: 'removed' } as const;
const tones = { added: 'good', changed: 'attention', removed: 'bad' } as const;

// As many as the gateway sends.
const mostShown = 500;

const useColumns = (): readonly Column<Row>[] => {
  const say = useText();
  const commission = useCommission();
  const words = (entry: Entry | null): string =>
    entry === null ? say('common.none') : commission(entry.commission);
  return [
    {
      key: 'kind',
      label: say('catalogueImport.what'),
      phone: 'end',
      cell: ({ kind }) => (
        <Badge tone={tones[kind]} label={say(`catalogueImport.kinds.${kinds[kind]}`)} />
      ),
    },
    {
      key: 'scope',
      label: say('priceLists.scope'),
      wrap: true,
      phone: 'title',
      cell: ({ before, after }) => {
        const entry = after ?? before;
        return entry === null ? null : <Scope entry={entry} />;
      },
    },
    {
      key: 'before',
      label: say('priceLists.before'),
      numeric: true,
      cell: ({ before }) => words(before),
    },
    {
      key: 'after',
      label: say('priceLists.after'),
      numeric: true,
      cell: ({ after }) => words(after),
    },
  ];
};

export const DiffTable = ({ diff }: { readonly diff: Diff }) => {
  const say = useText();
  const { count } = useFormat();
  const columns = useColumns();
  return (
    <>
      <Table
        name={say('priceLists.preview')}
        columns={columns}
        rows={diff.map((one, index) => ({ ...one, key: String(index) }))}
        keyOf={({ key }) => key}
      />
      {diff.length < mostShown ? null : (
        <Typography>{say('priceLists.first', { count: count(diff.length) })}</Typography>
      )}
    </>
  );
};
