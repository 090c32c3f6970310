/** Owns choosing one of many by its name, which the gateway looks for while it is typed. */
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useText } from '../i18n/text.ts';
import { useQuiet } from './debounce.ts';

export type Choice = { readonly id: string; readonly name: string };

export const FoundChoice = ({
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
  readonly chosen: Choice | null;
  readonly autoFocus?: boolean;
  /** What fits what is typed; reads nothing unless it is wanted. */
  readonly useFound: (
    search: string,
    wanted: boolean,
  ) => { readonly choices: readonly Choice[]; readonly loading: boolean };
  readonly onChoose: (choice: Choice | null) => void;
}) => {
  const say = useText();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const { choices, loading } = useFound(useQuiet(typed.trim()), open);
  return (
    <Autocomplete<Choice>
      options={choices}
      value={chosen}
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      onChange={(_event, choice) => onChoose(choice)}
      onInputChange={(_event, text, why) => setTyped(why === 'input' ? text : '')}
      // The gateway has looked already.
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
