/** Shows one price list: its terms, its versions, and the entries of the chosen one. */
import Button from '@mui/material/Button';
import { type ComponentType, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { HistoryLink } from '../audit/history-link.tsx';
import { Badge } from '../design/data/badge.tsx';
import { AddIcon } from '../design/icons.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { NotFound } from '../shell/error-pages.tsx';
import { EditPriceList } from './edit.tsx';
import { Versioned } from './entries.tsx';
import { byBeginning, defaultId, inForce, type PriceList, type Version } from './price-list.ts';
import { RemovePriceList } from './remove.tsx';
import { usePriceLists } from './words.tsx';

type Asked = 'edit' | 'remove';

const Actions = ({
  list,
  shown,
  ask,
}: {
  readonly list: PriceList;
  /** A new version begins with its entries. */
  readonly shown: Version | undefined;
  readonly ask: (asked: Asked) => void;
}) => {
  const say = useText();
  const may = useMay('prices');
  const of = shown === undefined ? '' : `?of=${shown.number}`;
  return (
    <>
      <HistoryLink subject={`price list ${list.id}`} />
      {may ? (
        <>
          <Button variant="outlined" onClick={() => ask('edit')}>
            {say('priceLists.edit')}
          </Button>
          {list.id === defaultId ? null : (
            <Button variant="outlined" color="error" onClick={() => ask('remove')}>
              {say('priceLists.remove')}
            </Button>
          )}
          <Button variant="outlined" component={Link} to={`/price-lists/${list.id}/import`}>
            {say('priceLists.import')}
          </Button>
          <Button
            variant="contained"
            startIcon={<AddIcon />}
            component={Link}
            to={`/price-lists/${list.id}/version${of}`}
          >
            {say('priceLists.newVersion')}
          </Button>
        </>
      ) : null}
    </>
  );
};

const Subtitle = ({ list }: { readonly list: PriceList }) => {
  const say = useText();
  const { count } = useFormat();
  const { nameById } = usePriceLists();
  const { id, parent_id: parent, clients } = list;
  return [
    ...(id === defaultId ? [say('priceLists.isDefault')] : []),
    `${say('priceLists.parent')}: ${
      parent === null ? say('priceLists.noParent') : (nameById(parent) ?? parent)
    }`,
    say('priceLists.clientsCount', { count: count(clients) }),
  ].join(' · ');
};

const NoVersion = ({ list }: { readonly list: PriceList }) => {
  const say = useText();
  const { nameById } = usePriceLists();
  const parent = list.parent_id === null ? undefined : nameById(list.parent_id);
  return (
    <Empty text={say('priceLists.noVersion')}>
      {parent === undefined
        ? say('priceLists.noVersionPrice')
        : say('priceLists.noVersionParent', { name: parent })}
    </Empty>
  );
};

const Shown = ({ list }: { readonly list: PriceList }) => {
  const say = useText();
  const { nameOf } = usePriceLists();
  const [address] = useSearchParams();
  const [asked, setAsked] = useState<Asked>();
  const wanted = Number(address.get('version'));
  const shown =
    list.versions.find(({ number }) => number === wanted) ??
    inForce(list, Date.now()) ??
    byBeginning(list.versions).at(-1);
  const close = (): void => setAsked(undefined);
  return (
    <Page
      title={nameOf(list)}
      crumbs={[{ label: say('pages.priceLists'), to: '/price-lists' }]}
      state={
        list.allow_below_cost ? (
          <Badge tone="attention" label={say('priceLists.belowCost')} />
        ) : undefined
      }
      subtitle={<Subtitle list={list} />}
      actions={<Actions list={list} shown={shown} ask={setAsked} />}
    >
      {shown === undefined ? <NoVersion list={list} /> : <Versioned list={list} version={shown} />}
      {asked === 'edit' ? <EditPriceList list={list} onClose={close} /> : null}
      {asked === 'remove' ? <RemovePriceList list={list} onClose={close} /> : null}
    </Page>
  );
};

/** The list of the address, or what is shown instead of it. */
export const OfAddress = ({
  view: View,
}: {
  readonly view: ComponentType<{ readonly list: PriceList }>;
}) => {
  const say = useText();
  const { id } = useParams();
  const { read, lists } = usePriceLists();
  const list = lists.find((one) => String(one.id) === id);
  if (list !== undefined) return <View key={list.id} list={list} />;
  if (read.data) return <NotFound />;
  return (
    <Page title={say('pages.priceLists')}>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading shape="page" /> : null}
    </Page>
  );
};

export const OnePriceList = () => <OfAddress view={Shown} />;
