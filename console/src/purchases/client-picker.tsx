/** Selects a client by name. */
import { useRead } from '../api/hooks.ts';
import { SearchSelect } from '../design/input/search-select.tsx';
import { useText } from '../i18n/text.ts';

const useClients = (search: string, wanted: boolean) => {
  const found = useRead('listClients', { query: { search, limit: '20' } }, { enabled: wanted });
  return { options: found.data?.data ?? [], loading: found.isFetching };
};

export const ClientPicker = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
}) => {
  const say = useText();
  const own = useRead('listClients', { query: { search: value } }, { enabled: value !== '' });
  const found = (own.data?.data ?? []).find(({ id }) => id === value);
  return (
    <SearchSelect
      label={say('purchases.client')}
      placeholder={say('purchases.anyClient')}
      chosen={value === '' ? null : (found ?? { id: value, name: value })}
      useFound={useClients}
      onChoose={(client) => onChange(client?.id ?? '')}
    />
  );
};
