/** Selects a client or a product by name. */
import { useRead } from '../api/hooks.ts';
import { useProductName } from '../catalogue/names.ts';
import { type Option, SearchSelect } from '../design/input/search-select.tsx';
import { useText } from '../i18n/text.ts';

type Props = {
  readonly chosen: Option | null;
  /** Receives an empty text if none is chosen any more. */
  readonly onChoose: (id: string) => void;
  readonly autoFocus?: boolean;
  readonly help?: string | undefined;
};

const useClients = (search: string, wanted: boolean) => {
  const found = useRead('listClients', { query: { search, limit: '20' } }, { enabled: wanted });
  return { options: found.data?.data ?? [], loading: found.isFetching };
};

export const ClientPicker = ({ chosen, onChoose, autoFocus = true, help }: Props) => {
  const say = useText();
  return (
    <SearchSelect
      label={say('purchases.client')}
      placeholder={say('purchases.anyClient')}
      chosen={chosen}
      autoFocus={autoFocus}
      {...(help === undefined ? {} : { help })}
      useFound={useClients}
      onChoose={(client) => onChoose(client?.id ?? '')}
    />
  );
};

const useProducts = (search: string, wanted: boolean) => {
  const nameOf = useProductName();
  const found = useRead('listProducts', { query: { search, limit: '20' } }, { enabled: wanted });
  const options = (found.data?.data ?? []).map((product) => ({
    id: String(product.id),
    name: nameOf(product),
  }));
  return { options, loading: found.isFetching };
};

export const ProductPicker = ({ chosen, onChoose, autoFocus = true, help }: Props) => {
  const say = useText();
  return (
    <SearchSelect
      label={say('purchases.product')}
      placeholder={say('purchases.anyProduct')}
      chosen={chosen}
      autoFocus={autoFocus}
      {...(help === undefined ? {} : { help })}
      useFound={useProducts}
      onChoose={(product) => onChoose(product?.id ?? '')}
    />
  );
};
