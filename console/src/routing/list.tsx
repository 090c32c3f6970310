/** Lists the routes in force, by operator and priority, and opens the actions on them. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../api/address.ts';
import { useRead } from '../api/hooks.ts';
import { useOperators } from '../catalogue/names.ts';
import { AddIcon } from '../design/icons.tsx';
import { FilterBar } from '../design/input/filter-bar.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDocs } from '../parts/docs.ts';
import { Download } from '../parts/download.tsx';
import { useMay } from '../session.tsx';
import { type Asked, useColumns } from './columns.tsx';
import { EditRoute } from './edit.tsx';
import { Explain } from './explain.tsx';
import { RemoveRoute } from './remove.tsx';
import { filterNames, pageOf, routesIn, withParam } from './route.ts';

const Actions = ({ onCreate }: { readonly onCreate: () => void }) => {
  const say = useText();
  const may = useMay('routes');
  return (
    <>
      <Download id="exportRoutes" given={{}} name="routes.csv" text={say('routing.export')} />
      {may ? (
        <>
          <Button variant="outlined" component={Link} to="/routes/import">
            {say('routing.import.open')}
          </Button>
          <Button variant="contained" startIcon={<AddIcon />} onClick={onCreate}>
            {say('routing.create')}
          </Button>
        </>
      ) : null}
    </>
  );
};

const Filters = () => {
  const say = useText();
  const [address, setAddress] = useAddress();
  const { operators, suppliers } = useOperators();
  const options = { operator_id: operators, supplier_id: suppliers };
  const choose = (name: (typeof filterNames)[number], value: string): void =>
    setAddress((now) => withParam(now, name, value));
  return (
    <FilterBar
      label={say('routing.filters')}
      filters={filterNames.map((name) => {
        const chosen = address.get(name) ?? undefined;
        const known = options[name].find(({ id }) => String(id) === chosen);
        return {
          key: name,
          label: say(`routing.fields.${name}`),
          chosen,
          // Until the names have loaded, the value itself is shown.
          value: known?.name ?? chosen,
          options: options[name].map((one) => ({ value: String(one.id), label: one.name })),
          onChoose: (value: string) => choose(name, value),
          onRemove: () => choose(name, ''),
        };
      })}
      onClear={() =>
        setAddress((now) => filterNames.reduce((rest, name) => withParam(rest, name, ''), now))
      }
    >
      {address.has('explain') ? null : (
        <Button onClick={() => setAddress((now) => withParam(now, 'explain', '1'))}>
          {say('routing.explain')}
        </Button>
      )}
    </FilterBar>
  );
};

/** Without any route, the implicit ones apply. */
const NoRoutes = () => {
  const say = useText();
  const guide = useDocs('operate/routes');
  return (
    <Empty text={say('routing.none')}>
      <Typography color="textSecondary" sx={{ maxWidth: 560 }}>
        {say('routing.noneText')}
      </Typography>
      {guide === undefined ? null : <MuiLink href={guide}>{say('routing.guide')}</MuiLink>}
    </Empty>
  );
};

const Asking = ({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) => {
  if (asked.action === 'remove') return <RemoveRoute route={asked.route} onClose={onClose} />;
  return <EditRoute route={asked.action === 'edit' ? asked.route : undefined} onClose={onClose} />;
};

export const RouteList = () => {
  const say = useText();
  const { count } = useFormat();
  const [address, setAddress] = useAddress();
  const [asked, setAsked] = useState<Asked>();
  const list = useRead('listRoutes', {});
  // Without the names, rows would grow as they arrive.
  const names = useRead('listOperators', {});
  const columns = useColumns(setAsked);
  const isLoaded = !list.isPending && !names.isPending;
  const all = list.data?.data ?? [];
  const fitting = routesIn(all, address);
  const { page, pages, rows } = pageOf(fitting, address);
  const turn = (to: number) => (): void => {
    setAddress((now) => withParam(now, 'page', String(to)));
    window.scrollTo(0, 0);
  };
  return (
    <Page
      title={say('pages.routes')}
      actions={<Actions onCreate={() => setAsked({ action: 'create' })} />}
    >
      <Filters />
      {address.has('explain') ? (
        <Explain onClose={() => setAddress((now) => withParam(now, 'explain', ''))} />
      ) : null}
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {isLoaded ? null : <Loading shape="table" />}
      {isLoaded && list.data && all.length === 0 ? <NoRoutes /> : null}
      {isLoaded && all.length > 0 ? (
        <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
          <Typography role="status" variant="body2" color="textSecondary">
            {say('routing.total', { count: count(fitting.length) })}
          </Typography>
          {rows.length === 0 ? (
            <Empty text={say('routing.noneFits')} />
          ) : (
            <Table
              name={say('pages.routes')}
              columns={columns}
              rows={rows}
              keyOf={({ id }) => String(id)}
            />
          )}
        </Box>
      ) : null}
      <Pager
        pages={pages}
        paging={{
          page,
          newer: page === 1 ? undefined : turn(page - 1),
          older: page === pages ? undefined : turn(page + 1),
        }}
      />
      {asked === undefined ? null : <Asking asked={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
};
