/** Names the chosen product and client of a picker; their IDs until the names are known. */
import { useRead } from '../api/hooks.ts';
import { useProductName } from '../catalogue/names.ts';
import type { Option } from '../design/input/search-select.tsx';

const staleTime = 60_000;

export const useChosenProduct = (id: string): Option | null => {
  const nameOf = useProductName();
  const given = { params: { product_id: id } };
  const { data } = useRead('getProduct', given, { enabled: id !== '', staleTime });
  return id === '' ? null : { id, name: data ? nameOf(data) : id };
};

export const useChosenClient = (id: string): Option | null => {
  const given = { params: { client_id: id } };
  const { data } = useRead('getClient', given, { enabled: id !== '', staleTime });
  return id === '' ? null : { id, name: data?.name ?? id };
};
