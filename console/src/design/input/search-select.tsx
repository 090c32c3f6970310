/** Selects an item by name, with a server-side search as the user types. */
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { useDebounced } from './debounce.ts';

export type Option = { readonly id: string; readonly name: string };

export const SearchSelect = ({
  label,
  placeholder,
  help,
  chosen,
  autoFocus = false,
  useFound,
  onChoose,
}: {
  readonly label: string;
  readonly placeholder?: string;
  readonly help?: string;
  readonly chosen: Option | null;
  readonly autoFocus?: boolean;
  /** The matches of the typed text; reads nothing while it is closed. */
  readonly useFound: (
    search: string,
    wanted: boolean,
  ) => { readonly options: readonly Option[]; readonly loading: boolean };
  readonly onChoose: (option: Option | null) => void;
}) => {
  const say = useText();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const { options, loading } = useFound(useDebounced(typed.trim()), open);
  return (
    <Autocomplete<Option>
      options={options}
      value={chosen}
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      onChange={(_event, option) => onChoose(option)}
      onInputChange={(_event, text, why) => setTyped(why === 'input' ? text : '')}
      // The gateway has already searched.
      filterOptions={(all) => all}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={loading}
      loadingText={say('common.loading')}
      noOptionsText={say('common.noneFits')}
      clearText={say('common.clear')}
      openText={label}
      closeText={say('common.close')}
      renderInput={(given) => (
        <TextField
          {...given}
          label={label}
          autoFocus={autoFocus}
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(help === undefined ? {} : { helperText: help })}
        />
      )}
    />
  );
};
