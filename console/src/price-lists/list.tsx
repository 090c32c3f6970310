/** Lists the price lists, and explains what a client pays. */
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { useState } from 'react';
import { useAddress } from '../api/address.ts';
import { AddIcon } from '../design/icons.tsx';
import { Page } from '../design/page/page.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDocs } from '../parts/docs.ts';
import { useMay } from '../session.tsx';
import { EditPriceList } from './edit.tsx';
import { Explain } from './explain.tsx';
import { inForce, nextOf, type PriceList } from './price-list.ts';
import { usePriceLists } from './words.tsx';

const useColumns = (): readonly Column<PriceList>[] => {
  const say = useText();
  const { count, time } = useFormat();
  const { nameOf, nameById } = usePriceLists();
  const now = Date.now();
  return [
    {
      key: 'name',
      label: say('priceLists.list'),
      cell: (list) => <bdi>{nameOf(list)}</bdi>,
      phone: 'title',
      rest: '10rem',
    },
    {
      key: 'parent',
      label: say('priceLists.parent'),
      cell: ({ parent_id: id }) =>
        id === null ? say('common.none') : <bdi>{nameById(id) ?? id}</bdi>,
      phone: 'hidden',
    },
    {
      key: 'entries',
      label: say('priceLists.entriesNow'),
      cell: (list) => count(inForce(list, now)?.entries ?? 0),
      numeric: true,
      phone: 'hidden',
    },
    {
      key: 'next',
      label: say('priceLists.next'),
      cell: (list) => {
        const next = nextOf(list, now);
        return next === undefined ? say('common.none') : time(next.valid_from, 'short');
      },
    },
    {
      key: 'clients',
      label: say('priceLists.clients'),
      cell: ({ clients }) => count(clients),
      numeric: true,
    },
    {
      key: 'below',
      label: say('priceLists.belowCost'),
      cell: ({ allow_below_cost: allowed }) => (allowed ? say('common.yes') : say('common.none')),
      phone: 'hidden',
    },
  ];
};

/** Comes late, and last: nothing below it moves. */
const Guide = () => {
  const say = useText();
  const guide = useDocs('operate/price-lists');
  if (guide === undefined) return null;
  return (
    <MuiLink href={guide} sx={{ justifySelf: 'start', alignSelf: 'start' }}>
      {say('priceLists.guide')}
    </MuiLink>
  );
};

export const PriceLists = () => {
  const say = useText();
  const may = useMay('prices');
  const [address, setAddress] = useAddress();
  const [isCreating, setCreating] = useState(false);
  const { read, lists } = usePriceLists();
  const columns = useColumns();
  const isExplaining = address.has('explain');
  return (
    <Page
      title={say('pages.priceLists')}
      subtitle={say('priceLists.intro')}
      actions={
        <>
          {isExplaining ? null : (
            <Button
              variant="outlined"
              onClick={() => setAddress(() => new URLSearchParams({ explain: '1' }))}
            >
              {say('priceLists.explain')}
            </Button>
          )}
          {may ? (
            <Button variant="contained" startIcon={<AddIcon />} onClick={() => setCreating(true)}>
              {say('priceLists.create')}
            </Button>
          ) : null}
        </>
      }
    >
      {isExplaining ? (
        <Explain
          client={address.get('client') ?? ''}
          onClose={() => setAddress(() => new URLSearchParams())}
        />
      ) : null}
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading shape="table" /> : null}
      {lists.length === 0 ? null : (
        <Table
          name={say('pages.priceLists')}
          columns={columns}
          rows={lists}
          keyOf={({ id }) => String(id)}
          linkOf={({ id }) => `/price-lists/${id}`}
        />
      )}
      <Guide />
      {isCreating ? <EditPriceList list={undefined} onClose={() => setCreating(false)} /> : null}
    </Page>
  );
};
