/** Owns choosing a client by its name. */
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useEffect, useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { useText } from '../i18n/text.ts';

type Client = { readonly id: string; readonly name: string };

// Long enough that a name is asked for once, short enough that nobody waits for it.
const quietMs = 250;

const useQuiet = (text: string): string => {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), quietMs);
    return () => clearTimeout(timer);
  }, [text]);
  return quiet;
};

export const ClientChoice = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
}) => {
  const say = useText();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const search = useQuiet(typed.trim());
  const found = useRead('listClients', { query: { search, limit: '20' } }, { enabled: open });
  const own = useRead('listClients', { query: { search: value } }, { enabled: value !== '' });
  const chosen = (own.data?.data ?? []).find(({ id }) => id === value);
  const current: Client | null = value === '' ? null : (chosen ?? { id: value, name: value });
  const options: readonly Client[] = found.data?.data ?? [];
  return (
    <Autocomplete<Client>
      options={options}
      value={current}
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      onChange={(_event, client) => onChange(client?.id ?? '')}
      onInputChange={(_event, text, why) => setTyped(why === 'input' ? text : '')}
      // The gateway has looked already.
      filterOptions={(all) => all}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={found.isFetching}
      loadingText={say('common.loading')}
      noOptionsText={say('common.empty')}
      clearText={say('common.clear')}
      openText={say('purchases.client')}
      closeText={say('common.close')}
      renderInput={(given) => (
        <TextField
          {...given}
          label={say('purchases.client')}
          placeholder={say('purchases.anyClient')}
        />
      )}
    />
  );
};
