/** Chooses how a report is grouped, and filters it by client, product and operator. */
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useRead } from '../api/hooks.ts';
import { useOperators, useProductName } from '../catalogue/names.ts';
import { type BarFilter, FilterBar } from '../design/input/filter-bar.tsx';
import { type Option, SearchSelect } from '../design/input/search-select.tsx';
import { useText } from '../i18n/text.ts';
import { type Dimension, dimensions, type View } from './view.ts';

export type ViewProps = {
  readonly view: View;
  readonly onChange: (part: Partial<View>) => void;
};

const mostOffered = '20';

type Found = { readonly options: readonly Option[]; readonly loading: boolean };

const useClients = (search: string, enabled: boolean): Found => {
  const query = { limit: mostOffered, ...(search === '' ? {} : { search }) };
  const found = useRead('listClients', { query }, { enabled });
  return { options: found.data?.data ?? [], loading: found.isFetching };
};

const useProducts = (search: string, enabled: boolean): Found => {
  const nameOf = useProductName();
  const query = { limit: mostOffered, ...(search === '' ? {} : { search }) };
  const found = useRead('listProducts', { query }, { enabled });
  const options = (found.data?.data ?? []).map((product) => ({
    id: String(product.id),
    name: nameOf(product),
  }));
  return { options, loading: found.isFetching };
};

/** The name of the chosen one; its id until that is known. */
const useChosen = ({ client_id: clientId, product_id: productId }: View) => {
  const nameOf = useProductName();
  const client = useRead(
    'listClients',
    { query: { search: clientId } },
    { enabled: clientId !== '' },
  ).data?.data.find(({ id }) => id === clientId);
  const product = useRead(
    'getProduct',
    { params: { product_id: productId } },
    { enabled: productId !== '' },
  ).data;
  return {
    client: client?.name ?? clientId,
    product: product ? nameOf(product) : productId,
  };
};

const useFilters = ({ view, onChange }: ViewProps): readonly BarFilter[] => {
  const say = useText();
  const { operators, suppliers, nameOf } = useOperators();
  const chosen = useChosen(view);
  const searched = (
    name: 'client' | 'product',
    useFound: (search: string, enabled: boolean) => Found,
    choose: (id: string) => void,
  ): BarFilter => {
    const id = view[`${name}_id`];
    const current: Option | null = id === '' ? null : { id, name: chosen[name] };
    return {
      key: name,
      label: say(`sales.${name}`),
      value: current?.name,
      onRemove: () => choose(''),
      edit: (close) => (
        <SearchSelect
          label={say(`sales.${name}`)}
          placeholder={say(name === 'client' ? 'sales.anyClient' : 'sales.anyProduct')}
          chosen={current}
          autoFocus
          useFound={useFound}
          onChoose={(option) => {
            close();
            choose(option?.id ?? '');
          }}
        />
      ),
    };
  };
  return [
    {
      key: 'operator',
      label: say('sales.operator'),
      value: view.operator_id === '' ? undefined : nameOf(Number(view.operator_id)),
      options: operators.map(({ id, name }) => ({ value: String(id), label: name })),
      chosen: view.operator_id,
      onChoose: (id) => onChange({ operator_id: id }),
      onRemove: () => onChange({ operator_id: '' }),
    },
    {
      key: 'supplier',
      label: say('sales.supplier'),
      value: view.supplier_id === '' ? undefined : nameOf(Number(view.supplier_id)),
      options: suppliers.map(({ id, name }) => ({ value: String(id), label: name })),
      chosen: view.supplier_id,
      onChoose: (id) => onChange({ supplier_id: id }),
      onRemove: () => onChange({ supplier_id: '' }),
    },
    searched('client', useClients, (id) => onChange({ client_id: id })),
    searched('product', useProducts, (id) => onChange({ product_id: id })),
  ];
};

export const Filters = (props: ViewProps) => {
  const say = useText();
  return (
    <FilterBar
      label={say('sales.filters')}
      filters={useFilters(props)}
      onClear={() =>
        props.onChange({ client_id: '', product_id: '', operator_id: '', supplier_id: '' })
      }
    />
  );
};

const isDimension = (text: string): text is Dimension => dimensions.some((one) => one === text);

export const Grouping = ({ view, onChange }: ViewProps) => {
  const say = useText();
  const choose = (text: string): Dimension | '' => (isDimension(text) ? text : '');
  const select = { inputLabel: { shrink: true }, select: { displayEmpty: true } } as const;
  return (
    <>
      <TextField
        select
        size="small"
        label={say('sales.by')}
        value={view.by}
        fullWidth={false}
        sx={{ width: '9rem' }}
        slotProps={select}
        onChange={({ target }) => {
          const by = choose(target.value) || view.by;
          onChange({ by, second: view.second === by ? '' : view.second, sort: '' });
        }}
      >
        {dimensions.map((one) => (
          <MenuItem key={one} value={one}>
            {say(`sales.${one}`)}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        select
        size="small"
        label={say('sales.second')}
        value={view.second}
        fullWidth={false}
        sx={{ width: '9rem' }}
        slotProps={select}
        onChange={({ target }) => onChange({ second: choose(target.value), sort: '' })}
      >
        <MenuItem value="">{say('sales.nothingMore')}</MenuItem>
        {dimensions
          .filter((one) => one !== view.by)
          .map((one) => (
            <MenuItem key={one} value={one}>
              {say(`sales.${one}`)}
            </MenuItem>
          ))}
      </TextField>
    </>
  );
};
