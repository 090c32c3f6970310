/** Adds products to a client's rules by name, and shows the names of those given by ID. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { useProductName } from '../catalogue/names.ts';
import { useDebounced } from '../design/input/debounce.ts';
import { SearchSelect } from '../design/input/search-select.tsx';
import { useText } from '../i18n/text.ts';
import { productsIn } from './rules-typed.ts';

const useProducts = (search: string, wanted: boolean) => {
  const say = useText();
  const nameOf = useProductName();
  const query = { limit: '20', ...(search === '' ? {} : { search }) };
  const found = useRead('listProducts', { query }, { enabled: wanted });
  const options = (found.data?.data ?? []).map((product) => ({
    id: String(product.id),
    name: say('clientRules.productNamed', { id: product.id, name: nameOf(product) }),
  }));
  return { options, loading: found.isFetching };
};

/** The name of a product, or that it does not exist. */
const Named = ({ id }: { readonly id: number }) => {
  const say = useText();
  const nameOf = useProductName();
  const params = { product_id: String(id) };
  const { data, error } = useRead('getProduct', { params }, { staleTime: 60_000 });
  if (error instanceof ApiError && error.status === 404)
    return say('clientRules.productUnknown', { id });
  if (data === undefined || data === null) return String(id);
  return say('clientRules.productNamed', { id, name: nameOf(data) });
};

// Each is one request; longer lists use ids.
const mostNamed = 20;

export const ProductNames = ({ typed }: { readonly typed: string }) => {
  const say = useText();
  const { ids } = productsIn(useDebounced(typed));
  if (ids.length === 0) return null;
  return (
    <Typography component="div" variant="body2" color="textSecondary">
      <Box
        component="ul"
        aria-label={say('clientRules.productNames')}
        sx={{ m: 0, paddingInlineStart: 3 }}
      >
        {ids.slice(0, mostNamed).map((id) => (
          <li key={id}>
            <bdi>
              <Named id={id} />
            </bdi>
          </li>
        ))}
        {ids.length > mostNamed ? <li>{say('clientRules.productsMore')}</li> : null}
      </Box>
    </Typography>
  );
};

export const AddProduct = ({
  typed,
  onAdd,
}: {
  readonly typed: string;
  /** Receives the typed list with the product added. */
  readonly onAdd: (typed: string) => void;
}) => {
  const say = useText();
  // A new one each time, so that it is empty; focus stays for the next product.
  const [added, setAdded] = useState(0);
  const add = (id: string): void => {
    setAdded(added + 1);
    if (productsIn(typed).ids.includes(Number(id))) return;
    onAdd(typed.trim() === '' ? id : `${typed.trim()}, ${id}`);
  };
  return (
    <SearchSelect
      key={added}
      label={say('clientRules.addProduct')}
      help={say('clientRules.addProductHelp')}
      chosen={null}
      autoFocus={added > 0}
      useFound={useProducts}
      onChoose={(product) => product !== null && add(product.id)}
    />
  );
};
