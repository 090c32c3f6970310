/** Searches a list by Enter, when left, or when emptied; the key `/` leads to it from anywhere on the page. */
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { Key } from '../data/key.tsx';
import { SearchIcon } from '../icons.tsx';
import { useSlash } from './use-slash.ts';

export type BarSearch = {
  /** What can be searched for; shown while the field is empty. */
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
  readonly maxLength?: number;
};

/** The typed text, and the search that is applied. */
const useTyped = (value: string, onSearch: BarSearch['onSearch']) => {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState<string>();
  // Back navigation and clearing change the search without this field. What it sent itself arrives
  // later, and must not replace what was typed since.
  if (known !== value) {
    setKnown(value);
    setSent(undefined);
    if (sent !== value) setTyped(value);
  }
  const apply = (text: string): void => {
    setSent(text);
    onSearch(text);
  };
  return { typed, setTyped, applied: sent ?? value, apply };
};

export const SearchField = ({ label, value, onSearch, maxLength = 300 }: BarSearch) => {
  const { place, works: hasSlash } = useSlash<HTMLInputElement>();
  const { typed, setTyped, applied, apply } = useTyped(value, onSearch);
  return (
    <Box
      component="form"
      sx={{ flex: '0 1 20rem', minWidth: { xs: '100%', sm: '14rem' } }}
      onSubmit={(event) => {
        event.preventDefault();
        apply(typed.trim());
      }}
    >
      <OutlinedInput
        fullWidth
        size="small"
        type="search"
        inputRef={place}
        value={typed}
        placeholder={label}
        onChange={({ target }) => {
          // A copied name may have the mark that keeps its digits in order.
          const value = target.value.replaceAll('\u200f', '');
          setTyped(value);
          if (value === '' && applied !== '') apply('');
        }}
        onBlur={() => {
          if (typed.trim() !== applied) apply(typed.trim());
        }}
        inputProps={{
          'aria-label': label,
          // The placeholder stands where the text of the page begins.
          dir: typed === '' ? undefined : 'auto',
          maxLength,
          spellCheck: false,
          autoComplete: 'off',
          enterKeyHint: 'search',
        }}
        startAdornment={
          <InputAdornment position="start">
            <SearchIcon sx={{ fontSize: 16 }} />
          </InputAdornment>
        }
        endAdornment={
          typed === '' && hasSlash ? (
            <Box
              aria-hidden="true"
              sx={{ display: { xs: 'none', sm: 'flex' }, marginInlineStart: '8px' }}
            >
              <Key name="/" />
            </Box>
          ) : undefined
        }
      />
    </Box>
  );
};
