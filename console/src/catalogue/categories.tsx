/** Lists the categories with the number of products in each. */
import MuiLink from '@mui/material/Link';
import { Link } from 'react-router';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { Code } from '../design/data/code.tsx';
import { Page } from '../design/page/page.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { CatalogueNav } from './parts.tsx';

type Category = Answer<'listCategories'>['data'][number];

const useColumns = (): readonly Column<Category>[] => {
  const say = useText();
  const { count } = useFormat();
  return [
    {
      key: 'name',
      label: say('catalogue.category'),
      cell: ({ id, name }) => (
        <MuiLink
          component={Link}
          to={`/catalogue?category_id=${id}`}
          aria-label={say('catalogue.inCategory', { name })}
        >
          <bdi>{name}</bdi>
        </MuiLink>
      ),
    },
    {
      key: 'id',
      label: say('catalogue.fields.id'),
      cell: ({ id }) => <Code>{id}</Code>,
    },
    {
      key: 'products',
      label: say('catalogue.categoryCount'),
      numeric: true,
      cell: ({ products }) => count(products),
    },
  ];
};

export const Categories = () => {
  const say = useText();
  const columns = useColumns();
  const { data, error, isPending, refetch } = useRead('listCategories', {});
  const rows = data?.data ?? [];
  return (
    <Page title={say('catalogue.categories')}>
      <CatalogueNav />
      <ErrorState error={error} retry={() => void refetch()} />
      {isPending ? <Loading /> : null}
      {data === undefined || data === null || rows.length > 0 ? null : (
        <Empty text={say('catalogue.noCategories')} />
      )}
      {rows.length === 0 ? null : (
        <Table
          name={say('catalogue.categories')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => String(id)}
        />
      )}
    </Page>
  );
};
